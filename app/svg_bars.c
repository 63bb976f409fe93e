// SPDX-License-Identifier: Apache-2.0
#include "svg_bars.h"

#include <math.h>

#include "markup.h"

// Layout on paper, in SVG units (pixels at scale 1).
enum {
    WIDTH = 880,
    MARGIN = 28,
    NAMES = 180, // names end here
    START = NAMES + 10,
    LONGEST = 520, // of a bar
    TITLE_HEIGHT = 62,
    GROUP_HEAD = 36,
    ROW = 22,
    BAR = 15,
    GROUP_FOOT = 14
};

static void write_text(FILE* out, double x, double y, const char* style, const char* text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    markup_write(out, text);
    fputs("</text>\n", out);
}

static void write_bar(FILE* out, const bar* b, double longest, double top) {
    double share = longest > 0 && b->value > 0 ? b->value / longest : 0;
    double length = fmax(1, share * LONGEST);
    write_text(out, NAMES, top + 12,
               b->solid ? "class=\"bar-ours\" text-anchor=\"end\""
                        : "class=\"bar-text\" text-anchor=\"end\"",
               b->name);
    fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
            b->solid ? "bar-solid" : "bar-hatched", START, top, length, BAR);
    write_text(out, START + length + 7, top + 12,
               b->solid ? "class=\"bar-ours\"" : "class=\"bar-text\"", b->text);
}

static double write_group(FILE* out, const bar_group* group, double top) {
    double longest = 0;
    for (int i = 0; i < group->count; i++) longest = fmax(longest, group->bars[i].value);
    write_text(out, MARGIN, top + 20, "class=\"bar-group\"", group->title);
    top += GROUP_HEAD;
    for (int i = 0; i < group->count; i++) {
        write_bar(out, &group->bars[i], longest, top);
        top += ROW;
    }
    return top + GROUP_FOOT;
}

void svg_bars_write(const bar_chart* chart, FILE* out) {
    int height = TITLE_HEIGHT;
    for (int i = 0; i < chart->group_count; i++) {
        height += GROUP_HEAD + ROW * chart->groups[i].count + GROUP_FOOT;
    }
    if (!chart->inside) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
            WIDTH, height, WIDTH, height);
    fputs("<style>\n"
          ".bar-title{font-size:19px;font-weight:bold;fill:#111}\n"
          ".bar-subtitle{font-size:13px;fill:#555}\n"
          ".bar-group{font-size:15px;font-weight:bold;fill:#222}\n"
          ".bar-text{font-size:13px;fill:#222}\n"
          ".bar-ours{font-size:13px;font-weight:bold;fill:#111}\n"
          ".bar-solid{fill:#0072b2}\n"
          ".bar-hatched{fill:url(#hatch);stroke:#666;stroke-width:1}\n"
          "</style>\n"
          "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#fff\"/>"
          "<rect width=\"2\" height=\"6\" fill=\"#999\"/></pattern></defs>\n",
          out);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH, height);
    write_text(out, MARGIN, 28, "class=\"bar-title\"", chart->title);
    if (chart->subtitle) write_text(out, MARGIN, 48, "class=\"bar-subtitle\"", chart->subtitle);
    double top = TITLE_HEIGHT;
    for (int i = 0; i < chart->group_count; i++) top = write_group(out, &chart->groups[i], top);
    fputs("</svg>\n", out);
}
