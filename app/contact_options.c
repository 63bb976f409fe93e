// SPDX-License-Identifier: Apache-2.0
#include "contact_options.h"

#include <limits.h>
#include <math.h>

#include "message.h"

enum { CONTACT_ON, CONTACT_OFF }; // CONTACT_CHOICES
enum {
    POINTS_LEAST = 1024,
    POINTS_EACH = 16, // capacity by the number of shapes that move
    PATCH_LEAST = 4,
    SWEEPS = 500 // nobody waits for a step here: five times what a world takes by default
};

contact_options contact_options_none(void) {
    return (contact_options){.contact = -1, .margin = -1, .solver = -1, .meshes = -1};
}

static int32_t at_most(long value) { return value < INT32_MAX ? (int32_t)value : INT32_MAX; }

static int32_t points_by_shapes(const sn_model* model) {
    long moving = 0;
    for (int s = 0; s < sn_model_shape_count(model); s++) {
        sn_shape_info shape = sn_model_shape(model, s);
        moving += shape.body.i >= 0 && (shape.use & SN_SHAPE_COLLISION);
    }
    long points = POINTS_EACH * moving;
    return at_most(points > POINTS_LEAST ? points : POINTS_LEAST);
}

sn_world_contact contact_options_make(const contact_options* o, const sn_model* model,
                                      bool wanted) {
    sn_world_contact contact = sn_world_contact_default();
    contact.on = o->contact == CONTACT_ON || (o->contact < 0 && wanted);
    contact.collider.contacts = o->contacts ? at_most(o->contacts) : points_by_shapes(model);
    contact.collider.pairs = at_most(o->pairs);
    contact.collider.patch_points = at_most(o->patch_points);
    if (o->margin >= 0) contact.collider.margin = o->margin;
    if (o->solver >= 0) contact.solver = sn_contact_solver_name(o->solver);
    if (o->tolerance > 0) contact.solve.tolerance = o->tolerance;
    contact.solve.iterations = o->iterations > 0 ? o->iterations : SWEEPS;
    if (o->solve_time > 0) contact.solve_time = o->solve_time;
    contact.workers = contact.solve.workers = at_most(o->workers);
    if (o->no_sleep) contact.rest_time = INFINITY;
    return contact;
}

model_extras contact_options_extras(const contact_options* o, bool wanted) {
    bool on = o->contact == CONTACT_ON || (o->contact < 0 && wanted);
    sn_mesh_use meshes = o->meshes >= 0 ? (sn_mesh_use)o->meshes : on ? SN_MESH_HULL : SN_MESH_SKIP;
    return (model_extras){meshes, o->srdf};
}

bool contact_options_fit(const contact_options* o, bool on) {
    const char* given = o->margin >= 0      ? "margin"
                        : o->contacts       ? "contacts"
                        : o->pairs          ? "pairs"
                        : o->patch_points   ? "patch-points"
                        : o->solver >= 0    ? "solver"
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
