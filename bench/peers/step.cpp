// SPDX-License-Identifier: Apache-2.0
#include "step.h"

#include "lines.h"

#include <chrono>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace peer {

namespace {

void append(std::string& text, const char* pattern, double x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, pattern, x);
    text += std::isfinite(x) ? digits : "null";
}

void append(std::string& text, const Vec3& x) {
    for (const double part : x) append(text, "%.17g", part), text += ",";
}

std::string describe(const Look& look) {
    std::string text = "{\"contacts\":" + std::to_string(look.contacts) + ",\"depth\":";
    append(text, "%.6g", look.depth);
    text += ",\"roots\":[";
    for (const Root& root : look.roots) {
        const Quat& a = root.rotation;
        append(text, root.position);
        append(text, {a.x, a.y, a.z});
        append(text, "%.17g", a.w);
        text += ",";
        append(text, root.velocity);
        append(text, root.omega);
    }
    if (text.back() == ',') text.pop_back();
    return text + "]}";
}

class Server {
  public:
    Server(std::string engine_name, std::string version, std::vector<std::string> variants,
           StepperBuilder build)
        : name_(std::move(engine_name)), version_(std::move(version)),
          variants_(std::move(variants)), build_(std::move(build)) {}

    // The answer to one command.
    std::string answer(const std::string& command, const std::string& argument) {
        if (command == "variants") return list_variants();
        if (command == "scene") return load_scene(argument);
        if (command != "advance") throw std::runtime_error("unknown command");
        if (!stepper_) throw std::runtime_error("no scene");
        return advance(argument);
    }

  private:
    std::string list_variants() const {
        std::string line = "variants";
        for (const std::string& variant : variants_) line += " " + variant;
        return line;
    }

    std::string load_scene(const std::string& argument) {
        std::istringstream words(argument);
        std::string variant, model, scene;
        if (!(words >> variant >> model >> scene)) throw std::runtime_error("three words needed");
        stepper_.reset();
        steps_ = 0;
        stepper_ = build_(read_scene(model, scene), variant);
        return "ok " + name_ + " " + version_;
    }

    std::string advance(const std::string& argument) {
        using Clock = std::chrono::steady_clock;
        std::istringstream words(argument);
        long count = 0, every = 0;
        if (!(words >> count >> every) || count < 1 || every < 1) {
            throw std::runtime_error("advance needs two counts of at least 1");
        }
        std::string times, looks;
        for (long i = 1; i <= count; i++) {
            const auto start = Clock::now();
            stepper_->step();
            const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
            append(times, i > 1 ? ",%.6g" : "%.6g", taken.count());
            if (++steps_ % every == 0)
                looks += (looks.empty() ? "" : ",") + describe(stepper_->look());
        }
        return "{\"us\":[" + times + "],\"looks\":[" + looks + "]}";
    }

    std::string name_, version_;
    std::vector<std::string> variants_;
    StepperBuilder build_;
    std::unique_ptr<Stepper> stepper_;
    long steps_ = 0; // that it has done
};

} // namespace

int serve_steps(const std::string& engine_name, const std::string& version,
                const std::vector<std::string>& variants, const StepperBuilder& build) {
    Server server(engine_name, version, variants, build);
    return answer_lines([&](const std::string& command, const std::string& argument) {
        return server.answer(command, argument);
    });
}

} // namespace peer
