// SPDX-License-Identifier: Apache-2.0
/// The page in a browser that nobody sees: what it tells of its beginning, and how many pictures of many bodies it takes.
#define _DEFAULT_SOURCE // mkdtemp
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_viewer.h"
#include "bench_viewer_client.h"
#include "child.h"
#include "median.h"
#include "memory.h"

static const double PATIENCE = 60;

static const char HUMANOID[] = "version: 1\n"
                               "name: robot\n"
                               "floor: true\n"
                               "models: [{name: robot, model: hrp2, stand: true}]\n"
                               "controllers: [{item: robot, frequency: 4}]\n";

/// A browser that nobody sees, with a folder of its own, so that nothing of it stays. Pages are opened by its
/// debugging port, as a person opens them in a browser that runs already.
typedef struct browser {
    char* folder; ///< NULL: there is none
    child process;
    int port;
} browser;

static const char* program(void) {
    const char* given = getenv("CHROMIUM");
    static const char* const usual[] = {"/usr/bin/chromium", "/usr/bin/chromium-browser",
                                        "/usr/bin/google-chrome"};
    if (given && *given) return access(given, X_OK) == 0 ? given : NULL;
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++)
        if (access(usual[k], X_OK) == 0) return usual[k];
    return NULL;
}

/// The port is in a file, once it is open.
static int find_port(const browser* b) {
    enum { GLANCE_US = 20000 };
    char* path = memory_text("%s/DevToolsActivePort", b->folder);
    int port = 0;
    for (double waited = 0; port == 0 && waited < PATIENCE; waited += 1e-6 * GLANCE_US) {
        FILE* file = fopen(path, "r");
        if (file && fscanf(file, "%d", &port) != 1) port = 0;
        if (file) fclose(file);
        if (port == 0) usleep(GLANCE_US);
    }
    free(path);
    return port;
}

static bool start(browser* b) {
    char* data = memory_text("--user-data-dir=%s", b->folder);
    const char* const words[] = {program(),
                                 "--headless=new",
                                 "--no-sandbox",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-dev-shm-usage",
                                 "--no-first-run",
                                 "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader",
                                 "--window-size=1280,800",
                                 "--remote-debugging-port=0",
                                 data,
                                 "about:blank",
                                 NULL};
    bool good = child_start_with(&b->process, words);
    free(data);
    return good;
}

/// False: there is none. Close either way.
static bool browser_open(browser* b) {
    const char* folder = getenv("TMPDIR");
    *b = (browser){.process = {.fd = -1}};
    if (!program()) return false;
    b->folder = memory_text("%s/sinew-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    if (!mkdtemp(b->folder)) {
        free(b->folder);
        b->folder = NULL;
        return false;
    }
    if (start(b)) b->port = find_port(b);
    return b->port > 0;
}

/// Lets it put its things away: what it still writes would stay.
static void wait_for_end(const browser* b) {
    enum { GLANCE_US = 20000 };
    siginfo_t ended = {0};
    (void)kill(b->process.pid, SIGTERM); // it may have ended
    for (double waited = 0; ended.si_pid == 0 && waited < PATIENCE; waited += 1e-6 * GLANCE_US) {
        usleep(GLANCE_US);
        if (waitid(P_PID, (id_t)b->process.pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    }
}

static void browser_close(browser* b) {
    char how[64];
    if (!b->folder) return;
    if (b->process.pid > 0) {
        wait_for_end(b);
        child_end(&b->process, how, sizeof how);
    }
    const char* const words[] = {"rm", "-rf", b->folder, NULL};
    child away;
    if (child_start_with(&away, words)) child_end(&away, how, sizeof how);
    free(b->folder);
}

/// Opens a page; its id in the browser, to be freed. NULL: it does not.
static char* open_page(const browser* b, const char* address) {
    char* path = memory_text("/json/new?%s", address);
    char* answer = viewer_http(b->port, "PUT", path);
    const char* id = answer ? strstr(answer, "\"id\": \"") : NULL;
    char* copy = NULL;
    if (id) {
        id += strlen("\"id\": \"");
        copy = memory_text("%.*s", (int)strcspn(id, "\""), id);
    }
    free(answer);
    free(path);
    return copy;
}

static void close_page(const browser* b, char* id) {
    char* path = memory_text("/json/close/%s", id);
    free(viewer_http(b->port, "GET", path));
    free(path);
    free(id);
}

// ---- the first picture --------------------------------------------------------------------------------

/// Waits for a page that was not there before.
typedef struct waiting {
    uint64_t before;
    sn_page_start start;
} waiting;

static bool look_for_page(void* context, const viewer_stage* stage, int64_t now) {
    waiting* w = context;
    (void)now;
    w->start = sn_server_ask(stage->server).page_start;
    return w->start.count == w->before;
}

static void note_start(bench_row* row, const sn_page_start* start) {
    bench_note_add(row, "script_ms", start->script);
    bench_note_add(row, "connected_ms", start->connected);
    bench_note_add(row, "scene_ms", start->scene);
    bench_note_add(row, "frame_ms", start->frame);
    bench_note_add(row, "picture_ms", start->picture);
}

/// ms until the first picture of a page that is opened now; NAN: none came.
static double visit(const browser* b, viewer_stage* stage, sn_page_start* start) {
    enum { REST_US = 500000 }; // the browser still puts the page before away
    usleep(REST_US);
    waiting w = {.before = sn_server_ask(stage->server).page_start.count};
    char* page = open_page(b, sn_server_address(stage->server));
    if (!page) return NAN;
    viewer_stage_run(stage, PATIENCE, look_for_page, &w);
    close_page(b, page);
    *start = w.start;
    return w.start.count > w.before ? w.start.picture : NAN;
}

static void measure_first(const browser* b, bench_rows* rows, long reps) {
    bench_row row = bench_row_on("first-picture", 0, 0);
    viewer_stage stage;
    sn_page_start start, best = {.picture = INFINITY};
    double* us = memory_take((size_t)reps, sizeof *us);
    row.part = "The page in a browser without a graphics card: opened until the first picture";
    snprintf(row.engine, sizeof row.engine, "chromium");
    if (viewer_stage_open(&stage, HUMANOID, &row)) {
        double ms = visit(b, &stage, &start);
        double first = ms;
        for (row.reps = 0; row.reps < reps && isfinite(ms); row.reps++) {
            ms = visit(b, &stage, &start);
            if (ms < best.picture) best = start;
            us[row.reps] = 1e3 * ms;
        }
        if (isfinite(ms)) {
            row.median_us = median_of(us, (int)row.reps);
            row.min_us = us[0];
            note_start(&row, &best);
            bench_note_add(&row, "first_visit_ms", first);
        } else {
            bench_trouble(&row, "no picture came within %g s", PATIENCE);
        }
    }
    free(us);
    bench_rows_add(rows, &row);
    viewer_stage_close(&stage);
}

// ---- pictures of many bodies ----------------------------------------------------------------------------

/// Frames that a page has taken since its first picture.
typedef struct watching {
    waiting page;
    int64_t since_ns, last_ns;
    uint64_t first, frames;
    double seconds;
} watching;

static bool look_at_page(void* context, const viewer_stage* stage, int64_t now) {
    watching* w = context;
    sn_server_meter meter = sn_server_ask(stage->server);
    if (look_for_page(&w->page, stage, now)) return true;
    if (!w->since_ns) {
        w->since_ns = now;
        w->first = meter.frames;
    }
    w->last_ns = now;
    w->frames = meter.frames - w->first;
    return 1e-9 * (double)(now - w->since_ns) < w->seconds;
}

static void measure_many(const browser* b, bench_rows* rows, double seconds) {
    bench_row row = bench_row_on("browser-10000", 0, 0);
    viewer_stage stage;
    watching w = {.seconds = seconds};
    row.part = "Pictures of moving bodies in that browser, each by the clock";
    snprintf(row.engine, sizeof row.engine, "chromium");
    if (viewer_stage_open(&stage, VIEWER_MANY, &row)) {
        char* page = open_page(b, sn_server_address(stage.server));
        if (page) viewer_stage_run(&stage, PATIENCE, look_at_page, &w);
        if (page) close_page(b, page);
    }
    if (w.frames > 0) {
        row.median_us = row.min_us = 1e-3 * (double)(w.last_ns - w.since_ns) / (double)w.frames;
        row.reps = (long)w.frames;
        bench_note_add(&row, "frames_s", 1e6 / row.median_us);
        bench_note_add(&row, "picture_ms", w.page.start.picture);
    } else if (!row.trouble[0]) {
        bench_trouble(&row, "no pictures came");
    }
    bench_rows_add(rows, &row);
    viewer_stage_close(&stage);
}

bool bench_viewer_browser(bench_rows* rows, long reps, double seconds) {
    browser b;
    bool there = browser_open(&b);
    if (there) {
        measure_first(&b, rows, reps);
        measure_many(&b, rows, seconds);
    }
    browser_close(&b);
    return there;
}
