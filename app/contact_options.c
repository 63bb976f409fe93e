// SPDX-License-Identifier: Apache-2.0
#include "contact_options.h"

#include <limits.h>
#include <math.h>

#include "algorithms.h"
#include "message.h"

enum { CONTACT_ON, CONTACT_OFF }; // CONTACT_CHOICES
enum {
    PATCH_LEAST = 4,
    SWEEPS = 500 // nobody waits for a step here: five times what a world takes by default
};

contact_options contact_options_none(void) {
    return (contact_options){.contact = -1, .margin = -1, .meshes = -1};
}

static int32_t at_most(long value) { return value < INT32_MAX ? (int32_t)value : INT32_MAX; }

void contact_options_set(const contact_options* o, bool wanted, bool patient,
                         sn_world_contact* contact) {
    contact->on = o->contact == CONTACT_ON || (o->contact < 0 && wanted);
    if (o->contacts) contact->collider.contacts = at_most(o->contacts);
    if (o->pairs) contact->collider.pairs = at_most(o->pairs);
    if (o->patch_points) contact->collider.patch_points = at_most(o->patch_points);
    if (o->margin >= 0) contact->collider.margin = o->margin;
    if (o->solver) contact->solver = o->solver;
    if (o->detector) contact->detector = o->detector;
    if (o->tolerance > 0) contact->solve.tolerance = o->tolerance;
    if (patient) contact->solve.iterations = SWEEPS;
    if (o->iterations > 0) contact->solve.iterations = o->iterations;
    if (o->solve_time > 0) contact->solve_time = o->solve_time;
    if (o->workers) contact->workers = contact->solve.workers = at_most(o->workers);
    if (o->no_sleep) contact->rest_time = INFINITY;
}

model_extras contact_options_extras(const contact_options* o, bool wanted) {
    bool on = o->contact == CONTACT_ON || (o->contact < 0 && wanted);
    sn_mesh_use meshes = o->meshes >= 0 ? (sn_mesh_use)o->meshes : on ? SN_MESH_HULL : SN_MESH_SKIP;
    return (model_extras){meshes, o->srdf, false};
}

// A solver of ours, unless plugins may have others.
static bool solver_is_known(const contact_options* o, bool plugins) {
    int unused;
    choice_text solvers = algorithms_contact();
    return !o->solver || plugins || parse_choice("solver", solvers.text, o->solver, &unused);
}

bool contact_options_fit(const contact_options* o, bool on, bool plugins) {
    if (!solver_is_known(o, plugins)) return false;
    const char* given = o->margin >= 0      ? "margin"
                        : o->contacts       ? "contacts"
                        : o->pairs          ? "pairs"
                        : o->patch_points   ? "patch-points"
                        : o->solver         ? "solver"
                        : o->detector       ? "detector"
                        : o->tolerance > 0  ? "tolerance"
                        : o->iterations     ? "iterations"
                        : o->solve_time > 0 ? "solve-time"
                        : o->workers        ? "workers"
                        : o->no_sleep       ? "no-sleep"
                                            : NULL;
    if (given && !on) {
        message_error("--%s: nothing touches in this scene; add --floor, --object or --contact on, "
                      "or leave out --%s",
                      given, given);
        return false;
    }
    if (o->patch_points && o->patch_points < PATCH_LEAST) {
        message_error("--patch-points: %ld are too few to hold a body; give at least %d",
                      o->patch_points, PATCH_LEAST);
        return false;
    }
    return true;
}
