// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "bench_page.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "machine.h"
#include "markup.h"
#include "message.h"

// Nothing is fetched: fonts are the reader's own, pictures are part of the page.
static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
static const char STYLE[] =
    "<style>\n"

    "body{font:16px/1.5 system-ui,Helvetica,Arial,sans-serif;color:#111;background:#fff;"
    "max-width:72rem;margin:2rem auto;padding:0 1.25rem}\n"
    "h1{font-size:1.7rem;margin-bottom:.2rem}\nh2{font-size:1.25rem;margin-top:2.4rem}\n"
    "p,li{max-width:48rem}\n.lead{color:#444;margin-top:0}\n"
    "figure{margin:1.5rem 0}\nfigure svg,figure img{max-width:100%;height:auto;border:1px solid "
    "#ddd}\n"
    "figcaption{color:#444;font-size:.9rem;max-width:48rem}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.84rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .5rem;text-align:right;white-space:nowrap}\n"
    "thead th{white-space:normal;border-bottom:2px solid #333;vertical-align:bottom}\n"
    "tbody tr{border-bottom:1px solid #ddd}\n"
    "th.name,td.name{text-align:left}\nth[scope=row]{font-weight:600;text-align:left}\n"
    ".ours{font-weight:700}\n.by{display:block;color:#555;font-size:.8rem}\n"
    ".bad{font-weight:700;text-decoration:underline}\n"
    "summary{cursor:pointer}\n"
    "@media print{body{margin:0;max-width:none}details{display:block}}\n"
    "</style>\n</head>\n<body>\n";

void bench_page_element(FILE* out, const char* open, const char* text, const char* close) {
    fputs(open, out);
    markup_write(out, text);
    fputs(close, out);
}

void bench_page_start(FILE* out, const char* name, const char* heading,
                      const bench_sentences* sentences) {
    machine m = machine_ask();
    fputs(HEAD, out);
    bench_page_element(out, "<title>", name, "</title>\n");
    fputs(STYLE, out);
    bench_page_element(out, "<h1>", heading, "</h1>\n");
    bench_page_element(out, "<p class=\"lead\">", m.cpu,
                       ". Times move with the machine: compare inside this page only.</p>\n");
    fputs("<h2>In short</h2>\n<ul>\n", out);
    for (int i = 0; i < sentences->count; i++) {
        bench_page_element(out, "<li>", sentences->at[i], "</li>\n");
    }
    fputs("</ul>\n", out);
}

void bench_page_end(FILE* out) {
    machine m = machine_ask();
    fputs("<h2>Machine</h2>\n<table>\n", out);
    bench_page_element(out, "<tr><th scope=\"row\">processor</th><td class=\"name\">", m.cpu,
                       "</td></tr>\n");
    fprintf(out,
            "<tr><th scope=\"row\">cores</th><td class=\"name\">%d, one used at a time</td></tr>\n",
            m.cores);
    bench_page_element(out, "<tr><th scope=\"row\">system</th><td class=\"name\">", m.system,
                       "</td></tr>\n");
    bench_page_element(out, "<tr><th scope=\"row\">compiler</th><td class=\"name\">", m.compiler,
                       "</td></tr>\n</table>\n");
    fputs("</body>\n</html>\n", out);
}

bool bench_report_possible(const char* folder) {
    struct stat there;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &there) == 0 && S_ISDIR(there.st_mode)))
        return true;
    message_error("--report %s: cannot be made (%s); give a folder in a place you may write to",
                  folder, strerror(errno));
    return false;
}
