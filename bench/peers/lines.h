// SPDX-License-Identifier: Apache-2.0
// How a helper program talks: a line in, a line out.
#pragma once

#include <functional>
#include <string>

namespace peer {

// The answer to a command with its argument, the rest of its line. What it throws becomes `error REASON`.
using Answering =
    std::function<std::string(const std::string& command, const std::string& argument)>;

// Answers lines of standard input until `quit` or their end; returns what main() should. Whatever else
// is printed on standard output goes to standard error.
int answer_lines(const Answering& answer);

} // namespace peer
