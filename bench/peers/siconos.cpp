// SPDX-License-Identifier: Apache-2.0
// Siconos: fc3d_nsgs, its nonsmooth Gauss-Seidel, with its default local solver, on contact problems.
// Started by `sinew bench solve`; unlike the other programs here it knows nothing of models.
//
// It reads one command per line on standard input and answers each with one line of JSON:
//   solve TOLERANCE LIMIT REPEAT PATH    to |.|/|q| <= TOLERANCE, in LIMIT seconds, the median of REPEAT
//   quit
// {"engine": "siconos:fc3d_nsgs", "file": PATH, "contacts": N, "seconds": S, "iterations": N, "error": X,
//  "ok": true}, or with "trouble" when it did not get so far. With files as arguments it solves those, to
// 1e-8 in ten seconds.
//
// `seconds` is fc3d_driver alone, from zero impulses; `error` is recomputed here, by sn_contact_judge. Each
// problem is solved in a process of its own, because Siconos has no time limit and ends the program when
// something goes wrong.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>

#include "sinew/contact_file.h"

namespace {

struct Task {
    double tolerance, limit;
    int repeat;
    std::string path;
};

// What the process that solves sends back.
struct Answer {
    int contacts, iterations;
    double seconds, error;
};

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return out + "\"";
}

// The problem as Siconos has it, read from the text that our writer made.
FrictionContactProblem* convert(const sn_contact_problem* problem) {
    char* text = nullptr;
    if (sn_contact_problem_write(problem, SN_CONTACT_SICONOS, &text, nullptr) != SN_OK)
        return nullptr;
    FILE* file = std::tmpfile();
    FrictionContactProblem* result = nullptr;
    if (file) {
        std::fputs(text, file);
        std::rewind(file);
        result = frictionContact_newFromFile(file);
        std::fclose(file);
    }
    sn_text_free(text);
    return result;
}

double now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

// Solves from zero; the iterations it took.
int solve_once(FrictionContactProblem* problem, double tolerance, std::vector<double>& r,
               std::vector<double>& u) {
    constexpr int ITERATIONS_MOST = 100000000; // the time limit comes first
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = ITERATIONS_MOST;
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(u.begin(), u.end(), 0.0);
    fc3d_driver(problem, r.data(), u.data(), options);
    const int iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    return iterations;
}

// Siconos 4.4 stops by a figure that is up to 60 times smaller than |r - proj(r - u^)| / |q|: where ours is
// not reached, it is asked again for more, and only the last time counts.
Answer solve(const Task& task, const sn_contact_problem* ours) {
    constexpr int TRIES = 4;
    FrictionContactProblem* problem = convert(ours);
    if (!problem) return {ours->count, 0, NAN, NAN};
    const size_t rows = static_cast<size_t>(sn_contact_rows(ours));
    std::vector<double> r(rows), u(rows), times;
    Answer answer = {ours->count, 0, NAN, NAN};
    double tolerance = task.tolerance;
    int tries = 0;
    const double started = now();
    do {
        const double start = now();
        answer.iterations = solve_once(problem, tolerance, r, u);
        times.push_back(now() - start);
        answer.error = sn_contact_judge(ours, r.data()).error;
        if (answer.error <= task.tolerance) continue;
        times.clear();
        tolerance *= 0.5 * task.tolerance / answer.error;
        if (++tries == TRIES) break;
    } while (static_cast<int>(times.size()) < task.repeat &&
             (times.empty() || now() - started < 0.25 * task.limit));
    std::sort(times.begin(), times.end());
    if (!times.empty()) answer.seconds = times[times.size() / 2];
    frictionContactProblem_free(problem);
    return answer;
}

// True, and the answer, when it comes in time.
bool solve_apart(const Task& task, const sn_contact_problem* problem, Answer& answer) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        // Whatever Siconos prints is not an answer.
        if (!std::freopen("/dev/null", "w", stdout)) _exit(1);
        const Answer found = solve(task, problem);
        const bool sent = write(ends[1], &found, sizeof found) == sizeof found;
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    pollfd waiting = {ends[0], POLLIN, 0};
    // The limit is for one solve: repetitions and conversion come on top.
    const int patience = static_cast<int>(1000 * (2 * task.limit + 1));
    bool good = child > 0 && poll(&waiting, 1, patience) == 1 &&
                read(ends[0], &answer, sizeof answer) == sizeof answer;
    close(ends[0]);
    if (child > 0) {
        if (!good) kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    return good;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::isfinite(value) ? text : "null";
}

std::string describe(const Task& task) {
    std::string out = "{\"engine\": \"siconos:fc3d_nsgs\", \"file\": " + quoted(task.path);
    sn_contact_problem* problem = nullptr;
    sn_error error = {};
    if (sn_contact_problem_load(task.path.c_str(), &problem, &error) != SN_OK) {
        char text[800];
        sn_error_format(&error, text, sizeof text);
        return out + ", \"ok\": false, \"trouble\": " + quoted(text) + "}";
    }
    Answer answer = {problem->count, 0, NAN, NAN};
    const bool came = solve_apart(task, problem, answer);
    sn_contact_problem_free(problem);
    out += ", \"contacts\": " + std::to_string(answer.contacts);
    if (!came || answer.seconds > task.limit)
        return out + ", \"ok\": false, \"trouble\": \"not solved within the time limit\"}";
    out += ", \"seconds\": " + number(answer.seconds) +
           ", \"iterations\": " + std::to_string(answer.iterations) +
           ", \"error\": " + number(answer.error);
    return out + ", \"ok\": " + (answer.error <= task.tolerance ? "true" : "false") + "}";
}

bool read_task(const std::string& line, Task& task) {
    std::istringstream words(line);
    std::string word;
    return words >> word >> task.tolerance >> task.limit >> task.repeat && word == "solve" &&
           task.repeat > 0 && task.limit > 0 && std::getline(words >> std::ws, task.path);
}

} // namespace

int main(int argc, char** argv) {
    numerics_set_verbose(0);
    for (int i = 1; i < argc; i++) std::cout << describe({1e-8, 10, 1, argv[i]}) << std::endl;
    std::string line;
    while (argc == 1 && std::getline(std::cin, line) && line != "quit") {
        Task task;
        std::cout << (read_task(line, task) ? describe(task)
                                            : "{\"ok\": false, \"trouble\": \"no such command\"}")
                  << std::endl;
    }
    return 0;
}
