// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>

#include <unistd.h>

namespace peer {

namespace {

// Answers have a line of their own: a private copy of standard output, whose place standard error
// takes for all that an engine may print.
std::FILE* take_standard_output() {
    std::FILE* out = fdopen(dup(STDOUT_FILENO), "w");
    if (out && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return nullptr;
    return out;
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

} // namespace

int answer_lines(const Answering& answer) {
    std::FILE* out = take_standard_output();
    if (!out) return 1;
    std::string line;
    while (std::getline(std::cin, line)) {
        const size_t space = std::min(line.find(' '), line.size());
        const std::string command = line.substr(0, space);
        if (command == "quit") break;
        std::string said;
        try {
            said = answer(command, line.substr(std::min(space + 1, line.size())));
        } catch (const std::exception& error) {
            said = one_line(std::string("error ") + error.what());
        }
        std::fprintf(out, "%s\n", said.c_str());
        std::fflush(out);
    }
    std::fclose(out);
    return 0;
}

} // namespace peer
