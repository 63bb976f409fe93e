// SPDX-License-Identifier: Apache-2.0
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_argument.h"
#include "memory.h"
#include "message.h"
#include "sim.h"

static const double WHOLE = 1e-9; // share of a step by which a time may miss its beginning

// The first step that begins at or after a time.
static uint64_t step_at(double time, double h) {
    double exact = time / h;
    if (!(exact < 1e18)) return UINT64_MAX;
    return (uint64_t)fmax(0, ceil(exact - WHOLE * fmax(exact, 1)));
}

// ---- reading ---------------------------------------------------------------------------------------

bool sim_events_read_pushes(sim_events* events, const sn_model* model, const sim_options* options,
                            double step, uint64_t steps) {
    events->pushes = memory_take((size_t)options->push.count, sizeof *events->pushes);
    for (int i = 0; i < options->push.count; i++) {
        body_push push;
        if (!body_push_parse(model, options->push.items[i], &push)) return false;
        sim_push* to = &events->pushes[events->push_count++];
        *to = (sim_push){memory_copy(sn_model_body(model, push.body).name), push.force,
                         step_at(push.from, step), step_at(push.to, step)};
        if (to->from >= steps) {
            message_note("--push: '%s' begins after the end of the run", options->push.items[i]);
        }
    }
    return true;
}

// One "TIME:N" of --schedule, up to a comma or the end; *text moves behind it.
static bool read_budget(const char** text, double* time, int* max_active) {
    char* end;
    *time = strtod(*text, &end);
    if (end == *text || *end != ':' || !(*time >= 0) || !isfinite(*time)) return false;
    const char* number = end + 1;
    if (strncmp(number, "all", 3) == 0) {
        *max_active = -1;
        end = (char*)number + 3;
    } else {
        long count = strtol(number, &end, 10);
        if (end == number || count < 0 || count > INT_MAX) return false;
        *max_active = (int)count;
    }
    if (*end != ',' && *end != '\0') return false;
    *text = *end ? end + 1 : end;
    return *end == '\0' || **text != '\0';
}

bool sim_events_read_budgets(sim_events* events, const sim_options* options, double step,
                             uint64_t steps) {
    const char* text = options->schedule;
    if (!text) return true;
    events->budgets = memory_take(strlen(text) + 1, sizeof *events->budgets);
    for (double before = -1, time; *text; before = time) {
        sim_budget* budget = &events->budgets[events->budget_count++];
        if (!read_budget(&text, &time, &budget->max_active)) {
            message_error("--schedule: '%s' is not TIME:N,TIME:N,...; write 0:857,2:48,4:all for "
                          "857 active joints at first, 48 from 2 s on, all from 4 s on",
                          options->schedule);
            return false;
        }
        if (!(time > before)) {
            message_error("--schedule: '%s': times must grow, %g s comes after %g s",
                          options->schedule, time, before);
            return false;
        }
        budget->step = step_at(time, step);
        if (budget->step >= steps) {
            message_note("--schedule: %g s is after the end of the run", time);
        }
    }
    return true;
}

int sim_events_first_budget(const sim_events* events, int max_active) {
    bool at_once = events->budget_count > 0 && events->budgets[0].step == 0;
    return at_once ? events->budgets[0].max_active : max_active;
}

// ---- applying --------------------------------------------------------------------------------------

static void earlier(uint64_t* next, uint64_t now, uint64_t step) {
    if (step > now && step < *next) *next = step;
}

// All forces that push a body now, together.
static sn_vec3 push_on(const sim_events* events, const char* body, uint64_t now) {
    sn_vec3 sum = sn_vec3_zero();
    for (int i = 0; i < events->push_count; i++) {
        const sim_push* p = &events->pushes[i];
        bool acts = p->from <= now && now < p->to;
        if (acts && strcmp(p->body, body) == 0) sum = sn_vec3_add(sum, p->force);
    }
    return sum;
}

static void apply(sn_simulation* sim, const sn_edit* edit) {
    sn_error error = {0};
    error.status = sn_simulation_apply(sim, edit, &error);
    if (error.status) message_warning("at %g s: %s", edit->time, error.text);
}

void sim_events_apply(sim_events* events, sn_simulation* sim) {
    const sn_world* world = sn_simulation_world(sim);
    uint64_t now = sn_world_step_count(world);
    if (now < events->next) return;
    events->next = UINT64_MAX;
    for (int i = 0; i < events->push_count; i++) {
        const sim_push* p = &events->pushes[i];
        if (p->from == now || p->to == now) {
            sn_wrench wrench = sn_wrench_make(sn_vec3_zero(), push_on(events, p->body, now));
            apply(sim, &(sn_edit){.type = SN_EDIT_PUSH,
                                  .time = sn_world_time(world),
                                  .body = p->body,
                                  .wrench = wrench});
        }
        earlier(&events->next, now, p->from);
        earlier(&events->next, now, p->to);
    }
    for (int i = 0; i < events->budget_count; i++) {
        const sim_budget* budget = &events->budgets[i];
        earlier(&events->next, now, budget->step);
        if (budget->step != now || now == 0) continue; // the world began with the first
        sn_edit edit = {.type = SN_EDIT_ACTIVE, .time = sn_world_time(world)};
        edit.adaptivity = events->adaptivity;
        edit.adaptivity.max_active = budget->max_active;
        apply(sim, &edit);
    }
}

void sim_events_free(sim_events* events) {
    for (int i = 0; i < events->push_count; i++) free(events->pushes[i].body);
    free(events->pushes);
    free(events->budgets);
    *events = (sim_events){0};
}
