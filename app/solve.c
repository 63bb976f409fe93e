// SPDX-License-Identifier: Apache-2.0
/// sinew solve: contact problems from files.
#include "solve.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "algorithms.h"
#include "command.h"
#include "memory.h"
#include "message.h"

enum { REPEAT_MOST = 100000, WORKERS_MOST = 256, FACETS_LEAST = 4, FACETS_MOST = 16 };

static const command_page PAGE = {
    "solve",
    "FILE... [--solver NAME] [--tol X] [--siconos-error] [--json]",
    "Solves contact problems: impulses r with u = W r + q, so that each contact keeps its bodies\n"
    "apart (0 <= u_n, r_n >= 0, one of them zero) and holds or slides by Coulomb's law. Files are\n"
    "plain .fc3d or Siconos' .dat, local or global; the content tells. Format:\n"
    "docs/contact_files.md.\n",
    "  printf '1 3 3\\n0.5\\n-1 2 0\\n0 0 1\\n1 1 1\\n2 2 1\\n' > one.fc3d    contacts rows "
    "entries, mu, q, W\n"
    "  sinew solve one.fc3d                                one contact, which slides\n"
    "  sinew solve one.fc3d --siconos-error --json         judged as Siconos judges, for a script\n"
    "  sinew solve one.fc3d --solver admm --tol 1e-4       another method, less exactly\n"
    "  sinew solve one.fc3d --deadline-us 500              what half a millisecond gives\n"
    "  sinew solve one.fc3d --write one.dat --impulses one.r\n",
    "Which error is meant. Both measure by how much r fails to be its own projection on the\n"
    "friction cones, r = proj(r - u^) with u^ = u + mu |u_t| n:\n"
    "  residual  the default everywhere in sinew: u and q scaled by s = mean of W's diagonal, "
    "then\n"
    "            |r - proj(r - u^/s)| / max(|q/s|, |r|, |u/s|). Does not depend on units.\n"
    "  error     |r - proj(r - u^)| / |q| with the numbers as given: Siconos' figure, and that of\n"
    "            published results on these files. --siconos-error stops by it.\n"
    "Both are always printed; --tol is of the one that was chosen. Solved (ok) also wants the map\n"
    "over |q/s| alone to be at most the root of --tol: impulses that grow against each other\n"
    "without end do not count (docs/contact_files.md).\n"
    "\n"
    "Time is that of a solve from zero impulses; reading the file and creating the solver are not\n"
    "in it, and up to 20 ms are solved before, untimed, so that all memory was touched. Impulses "
    "are\n"
    "not unique where contacts outnumber freedoms: compare residuals, not r.\n"
    "A file that cannot be read is said, the others are solved, and the exit status is 2; a\n"
    "problem that is not solved to the tolerance makes it 1.\n",
    1,
    INT_MAX,
};

static bool sensible(const solve_run* run, const text_list* files) {
    if (files->count > 1 && (run->impulses || run->write)) {
        message_error("%s writes one file; give one problem",
                      run->impulses ? "--impulses" : "--write");
        return false;
    }
    if (run->repeat > REPEAT_MOST || run->workers > WORKERS_MOST) {
        message_error("--repeat is at most %d, --workers %d", REPEAT_MOST, WORKERS_MOST);
        return false;
    }
    if (run->options.facets < FACETS_LEAST || run->options.facets > FACETS_MOST ||
        run->options.facets % 2) {
        message_error("--facets must be even, %d to %d", FACETS_LEAST, FACETS_MOST);
        return false;
    }
    if (!(run->options.relaxation < 2)) {
        message_error("--relaxation %g: it must lie between 0 and 2", run->options.relaxation);
        return false;
    }
    sn_contact_format format;
    return !run->write || solve_format_of(run->write, &format);
}

static int solve_all(const solve_run* run, const text_list* files) {
    solve_result* results = memory_take((size_t)files->count, sizeof *results);
    json_writer w = jw_start(stdout);
    int status = STATUS_DONE;
    if (run->json)
        jw_array(&w);
    else
        solve_print_heading(run, files);
    for (int i = 0; i < files->count; i++) {
        results[i] = solve_file(run, files->items[i]);
        if (run->json)
            solve_write_json(&w, run, &results[i]);
        else
            solve_print_line(files, &results[i]);
        if (!results[i].readable)
            status = STATUS_USAGE;
        else if ((!results[i].ok || results[i].lost) && status == STATUS_DONE)
            status = STATUS_FAILED;
    }
    if (run->json) {
        jw_array_end(&w);
        jw_finish(&w);
    } else {
        solve_print_summary(run, results, files->count);
    }
    free(results);
    return status;
}

int command_solve(int argc, char** argv) {
    solve_run run = {.options = sn_solve_options_default(), .repeat = 1, .workers = 1};
    int local = 0;
    long iterations = 0, facets = run.options.facets;
    bool plain = false, no_newton = false, forward = false;
    choice_text solvers = algorithms_contact();
    text_list files = {0};
    const option options[] = {
        {"solver", solvers.text, "method; the first is the default", OPTION_CHOICE, &run.solver},
        {"tol", "X",
         "stop when the residual (with --siconos-error: the error) is at most this; 1e-8 if not "
         "given",
         OPTION_POSITIVE, &run.options.tolerance},
        {"siconos-error", NULL, "stop by the error |.|/|q| of Siconos, not by the scaled residual",
         OPTION_FLAG, &run.options.siconos_error},
        {"deadline-us", "N",
         "stop after so many microseconds with what there is; none if not given", OPTION_COUNT,
         &run.deadline_us},
        {"iterations", "N",
         "at most so many in each group of contacts; if not given, the solver's own limit",
         OPTION_COUNT, &iterations},
        {"local", "exact|newton|projection",
         "how a sweep solves one contact: exactly, by Newton on Alart and Curnier's equations, or "
         "by one projected step",
         OPTION_CHOICE, &local},
        {"relaxation", "X", "over-relaxation of sweeps, between 0 and 2; 1 (none) if not given",
         OPTION_POSITIVE, &run.options.relaxation},
        {"no-accelerate", NULL, "plain Gauss-Seidel sweeps, without conjugate gradients over them",
         OPTION_FLAG, &plain},
        {"no-newton", NULL, "no hand-over of stubborn groups to a semismooth Newton method",
         OPTION_FLAG, &no_newton},
        {"forward", NULL, "all sweeps forward, instead of every second one backward", OPTION_FLAG,
         &forward},
        {"facets", "N",
         "of the pyramid that stands for the cone in solver lcp: even, 4 to 16; 8 if not given",
         OPTION_COUNT, &facets},
        {"workers", "N", "threads that solve groups side by side; 1 if not given", OPTION_COUNT,
         &run.workers},
        {"repeat", "N",
         "solve so many times from zero; the time is the median, without reading the file and "
         "creating the solver",
         OPTION_COUNT, &run.repeat},
        {"impulses", "FILE", "write the impulses r: a comment, then a number a line", OPTION_TEXT,
         &run.impulses},
        {"write", "FILE",
         "also write the problem, as plain text (FILE ends with .fc3d) or for Siconos (.dat)",
         OPTION_TEXT, &run.write},
        {"json", NULL, "an array of one object a file on standard output", OPTION_FLAG, &run.json},
    };
    options_result parsed =
        options_parse(&PAGE, options, sizeof options / sizeof options[0], argc, argv, &files);
    int status = parsed == OPTIONS_BAD ? STATUS_USAGE : STATUS_DONE;
    run.options.local = (sn_contact_local)local;
    run.options.iterations = iterations;
    run.options.facets = facets > FACETS_MOST ? FACETS_MOST + 1 : (int)facets;
    run.options.accelerate = run.options.accelerate && !plain;
    run.options.newton = run.options.newton && !no_newton;
    run.options.alternate = run.options.alternate && !forward;
    if (parsed == OPTIONS_RUN)
        status = sensible(&run, &files) ? solve_all(&run, &files) : STATUS_USAGE;
    text_list_free(&files);
    return status;
}
