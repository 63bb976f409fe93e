// SPDX-License-Identifier: Apache-2.0
// What the helper programs for contact share: each runs one other engine on Sinew's scenes, step by
// step, so that `sinew bench contact` can time whole steps beside our own and compare what happens
// with what must.
//
// A program reads one command per line on standard input and answers each with one line:
//   variants                     its ways to step            variants NAME NAME ...
//   scene VARIANT MODEL SCENE    two files, see Scene below  ok ENGINE VERSION
//   advance N K                  N more steps, and looks after all that K divides
//                                                            {"us": [...], "looks": [...]}
//   quit
// or with `error REASON`. "us" has the time of every step; a look is {"contacts", "depth", "roots"}:
// points, m of the deepest overlap, both as the engine counts them, and 13 numbers for each free root.
// Looking is not timed. Whatever an engine itself prints on standard output goes to standard error.
#pragma once

#include "scene.h"

namespace peer {

struct Look {
    unsigned contacts;
    double depth; // m, 0 when nothing overlaps
    std::vector<Root> roots;
};

// One engine that has built one scene. What it cannot do it throws as std::runtime_error.
class Stepper {
  public:
    Stepper() = default;
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;
    virtual ~Stepper() = default;

    // One step. This is what is timed.
    virtual void step() = 0;
    // What there is after the last one.
    virtual Look look() const = 0;
};

using StepperBuilder =
    std::function<std::unique_ptr<Stepper>(const Scene&, const std::string& variant)>;

// Answer commands until `quit` or the end of the input; returns what main() should.
int serve_steps(const std::string& engine_name, const std::string& version,
                const std::vector<std::string>& variants, const StepperBuilder& build);

} // namespace peer
