// SPDX-License-Identifier: Apache-2.0
/// What a step costs more when Python asks for it: a Python steps the same scene one call a step and many steps a call,
/// by turns.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_world.h"
#include "child.h"
#include "memory.h"
#include "temporary_file.h"

#ifndef SN_SOURCE_PYTHON_DIR
#define SN_SOURCE_PYTHON_DIR "python"
#endif

static const double PATIENCE = 120; // s for an answer

// Answers "one N" and "many N" with the seconds that N steps took, and the first line with "ready".
static const char SCRIPT[] = "import sys, time\n"
                             "import sinew\n"
                             "sim = sinew.load(sys.argv[1])\n"
                             "step, now = sim.step, time.perf_counter\n"
                             "for line in sys.stdin:\n"
                             "    words = line.split()\n"
                             "    if words[0] == 'ready':\n"
                             "        print('ready', flush=True)\n"
                             "        continue\n"
                             "    n = int(words[1])\n"
                             "    start = now()\n"
                             "    if words[0] == 'one':\n"
                             "        for _ in range(n):\n"
                             "            step()\n"
                             "    else:\n"
                             "        step(n)\n"
                             "    print(now() - start, flush=True)\n";

// ---- finding one -----------------------------------------------------------------------------------

// Folder of this program, to be freed.
static char* program_folder(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return memory_copy(path);
}

// In the build tree the module is that of the source tree, with the library beside this program.
static void say_where(void) {
    struct stat info;
    char* folder = program_folder();
    char* library = memory_text("%s/libsinew.so", folder);
    const char* before = getenv("PYTHONPATH");
    if (stat(library, &info) == 0 && stat(SN_SOURCE_PYTHON_DIR, &info) == 0) {
        char* path =
            memory_text("%s%s%s", SN_SOURCE_PYTHON_DIR, before ? ":" : "", before ? before : "");
        setenv("PYTHONPATH", path, 1);
        setenv("SINEW_LIBRARY", library, 0);
        free(path);
    }
    free(library);
    free(folder);
}

static bool starts(child* c, const char* program, const char* scene) {
    const char* answer;
    const char* words[] = {program, "-c", SCRIPT, scene, NULL};
    if (!child_start_with(c, words)) return false;
    if (child_ask(c, "ready", PATIENCE, &answer) == CHILD_ANSWERED &&
        strcmp(answer, "ready") == 0) {
        return true;
    }
    char how[64];
    child_end(c, how, sizeof how);
    return false;
}

// A Python that has numpy and the module: the one that is told, the first of the path, or the system's.
static bool find_python(child* c, const char* scene) {
    const char* told = getenv("SINEW_PYTHON");
    const char* const programs[] = {told, "python3", "/usr/bin/python3"};
    for (int i = told && *told ? 0 : 1; i < 3; i++) {
        if (starts(c, programs[i], scene)) return true;
    }
    return false;
}

// ---- timing ----------------------------------------------------------------------------------------

// us a step; negative: there was no answer.
static double ask(child* c, const char* kind, int steps) {
    const char* answer;
    char* line = memory_text("%s %d", kind, steps);
    child_result result = child_ask(c, line, PATIENCE, &answer);
    double seconds = result == CHILD_ANSWERED ? strtod(answer, NULL) : 0;
    free(line);
    return seconds > 0 ? 1e6 * seconds / steps : -1;
}

static void compare(child* c, bench_row* row, long reps, int steps) {
    static const char* const KINDS[2] = {"many", "one"};
    double* added = memory_take((size_t)reps, sizeof *added);
    double* many = memory_take((size_t)reps, sizeof *many);
    for (long r = -1; r < reps && !row->trouble[0]; r++) { // the first is to warm up
        double us[2];
        for (int i = 0; i < 2; i++) {
            int k = (int)((i + r + 2) % 2);
            us[k] = ask(c, KINDS[k], steps);
        }
        if (us[0] < 0 || us[1] < 0) bench_trouble(row, "Python gave no answer");
        long at = r < 0 ? 0 : r;
        many[at] = us[0];
        added[at] = us[1] - us[0];
    }
    if (!row->trouble[0]) {
        bench_row other = *row;
        bench_world_times(row, added, reps);
        bench_world_times(&other, many, reps);
        bench_note_add(row, "step_us", other.median_us);
    }
    free(added);
    free(many);
}

// One body alone: what Python adds is not lost in what the step takes.
static const char SCENE[] = "version: 1\nobjects: [{sphere: 0.1}]\ngravity: [0, 0, 0]\n";

void bench_world_python(bench_rows* rows, long reps, int steps) {
    enum { MORE = 5 }; // these steps are short
    child c;
    char how[64];
    char* scene = temporary_file_make(".yaml", SCENE);
    bench_row row = bench_row_on("python-step", 1, 6);
    row.part = "A step from Python";
    snprintf(row.engine, sizeof row.engine, "sinew:python");
    say_where();
    if (!scene) {
        bench_trouble(&row, "no file for the scene can be made");
    } else if (!find_python(&c, scene)) {
        bench_trouble(&row, "skipped: there is no Python with numpy and the module; SINEW_PYTHON "
                            "may name one");
    } else {
        compare(&c, &row, reps, MORE * steps);
        child_end(&c, how, sizeof how);
    }
    bench_rows_add(rows, &row);
    temporary_file_remove(scene);
}
