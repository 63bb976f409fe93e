// SPDX-License-Identifier: Apache-2.0
/// sinew bench: the list of benchmarks, and the report they share.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json_writer.h"
#include "machine.h"
#include "message.h"
#include "options.h"
#include "suggest.h"
#include "table.h"

typedef struct benchmark {
    const char* name;
    const char* about;
    int (*run)(const bench_options* options);
} benchmark;

static const benchmark benchmarks[] = {
    {"dynamics", "forward dynamics (q, v, tau) -> qdd, per evaluation and per joint",
     bench_dynamics},
};
enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof benchmarks[0] };

static const command_page PAGE = {
    "bench",
    "[NAME] [--reps N] [--json]",
    "Measures speed on this machine: every engine on every case, repetitions interleaved so that "
    "a\n"
    "busy moment hits all alike. Without a name it lists the benchmarks.\n",
    "  sinew bench\n"
    "  sinew bench dynamics\n"
    "  sinew bench dynamics --json > dynamics.json\n",
    NULL,
    0,
    1,
};

static int compare_numbers(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double bench_median(double* values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void print_table(const char* name, const bench_row* rows, int row_count,
                        const bench_ratio* ratios, int ratio_count) {
    machine m = machine_ask();
    printf("%s, on %s, %d cores, %s\n\n", name, m.cpu, m.cores, m.compiler);
    table* t = table_create("lrlrrr", "case|joints|engine|median [us]|min [us]|ns per joint");
    for (int i = 0; i < row_count; i++) {
        bool first = i == 0 || strcmp(rows[i].name, rows[i - 1].name) != 0;
        table_cell(t, "%s", first ? rows[i].name : "");
        table_cell(t, "%d", rows[i].n);
        table_cell(t, "%s", rows[i].engine);
        table_cell(t, "%.3f", rows[i].median_us);
        table_cell(t, "%.3f", rows[i].min_us);
        table_cell(t, "%.1f", 1e3 * rows[i].median_us / rows[i].n);
    }
    table_print(t, 0, stdout);
    printf("\n");
    table* r = table_create("lr", "ratio|");
    for (int i = 0; i < ratio_count; i++) {
        table_cell(r, "%s", ratios[i].name);
        table_cell(r, "%.2f", ratios[i].value);
    }
    table_print(r, 0, stdout);
}

static void print_json(const char* name, const bench_row* rows, int row_count,
                       const bench_ratio* ratios, int ratio_count) {
    machine m = machine_ask();
    json_writer w = jw_start(stdout);
    jw_object(&w);
    jw_key(&w, "bench");
    jw_text(&w, name);
    machine_write(&m, &w);
    jw_key(&w, "rows");
    jw_array(&w);
    for (int i = 0; i < row_count; i++) {
        jw_object_line(&w);
        jw_key(&w, "case");
        jw_text(&w, rows[i].name);
        jw_key(&w, "n");
        jw_integer(&w, rows[i].n);
        jw_key(&w, "engine");
        jw_text(&w, rows[i].engine);
        jw_key(&w, "median_us");
        jw_number(&w, rows[i].median_us);
        jw_key(&w, "min_us");
        jw_number(&w, rows[i].min_us);
        jw_key(&w, "reps");
        jw_integer(&w, rows[i].reps);
        jw_key(&w, "ns_per_joint");
        jw_number(&w, 1e3 * rows[i].median_us / rows[i].n);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_key(&w, "ratios");
    jw_object(&w);
    for (int i = 0; i < ratio_count; i++) {
        jw_key(&w, ratios[i].name);
        jw_number(&w, ratios[i].value);
    }
    jw_object_end(&w);
    jw_object_end(&w);
    jw_finish(&w);
}

void bench_print(const char* name, const bench_row* rows, int row_count, const bench_ratio* ratios,
                 int ratio_count, const bench_options* options) {
    if (options->json) {
        print_json(name, rows, row_count, ratios, ratio_count);
    } else {
        print_table(name, rows, row_count, ratios, ratio_count);
    }
}

static void list_benchmarks(bool json) {
    json_writer w = jw_start(stdout);
    if (json) jw_object(&w);
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        if (json) {
            jw_key(&w, benchmarks[i].name);
            jw_text(&w, benchmarks[i].about);
        } else {
            printf("%-12s%s\n", benchmarks[i].name, benchmarks[i].about);
        }
    }
    if (!json) return;
    jw_object_end(&w);
    jw_finish(&w);
}

static int run_benchmark(const char* name, const bench_options* options) {
    const char* names[BENCHMARK_COUNT];
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        names[i] = benchmarks[i].name;
        if (strcmp(name, names[i]) == 0) return benchmarks[i].run(options);
    }
    const char* near = suggest_name(name, names, BENCHMARK_COUNT);
    if (near) {
        message_error("there is no benchmark '%s'; did you mean '%s'?", name, near);
    } else {
        message_error("there is no benchmark '%s'; `sinew bench` lists them", name);
    }
    return STATUS_USAGE;
}

int command_bench(int argc, char** argv) {
    bench_options o = {.reps = 21};
    text_list arguments = {0};
    const option options[] = {
        {"reps", "N", "timed repetitions of each row; 21 if not given", OPTION_COUNT, &o.reps},
        {"json", NULL, "one JSON object on standard output", OPTION_FLAG, &o.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &arguments);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    if (parsed == OPTIONS_RUN && arguments.count == 0) {
        list_benchmarks(o.json);
    } else if (parsed == OPTIONS_RUN) {
        status = run_benchmark(arguments.items[0], &o);
    }
    text_list_free(&arguments);
    return status;
}
