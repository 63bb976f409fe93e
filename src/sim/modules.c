// SPDX-License-Identifier: Apache-2.0
// Modules by name: a list a kind, and who is meant by a name in an sn_world_def.
#include "sim/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guest.h"
#include "base/nearest.h"

typedef enum kind { DYNAMICS, DETECTOR, SOLVER, SIMULATOR, KIND_COUNT } kind;

static const char* const kind_text[KIND_COUNT] = {
    [DYNAMICS] = "dynamics algorithm",
    [DETECTOR] = "collision detector",
    [SOLVER] = "contact solver",
    [SIMULATOR] = "simulator",
};

/// A module, in the order they were added.
typedef struct entry {
    struct entry* next;
    union {
        sn_dynamics_module dynamics;
        sn_detector_module detector;
        sn_solver_module solver;
        sn_simulator_module simulator;
    } table;
    const char* name;
} entry;

struct sn_modules {
    const sn_modules* others; ///< found here, too; NULL: none
    entry* first[KIND_COUNT];
};

sn_modules* sni_modules_beside(const sn_modules* others) {
    sn_modules* modules = calloc(1, sizeof *modules);
    if (modules) modules->others = others;
    return modules;
}

sn_modules* sn_modules_create(void) { return sni_modules_beside(NULL); }

void sn_modules_free(sn_modules* modules) {
    if (!modules) return;
    for (int k = 0; k < KIND_COUNT; k++) {
        while (modules->first[k]) {
            entry* gone = modules->first[k];
            modules->first[k] = gone->next;
            free(gone);
        }
    }
    free(modules);
}

// ---- names ----------------------------------------------------------------------------------------------

/// There is one of these by us, and this is its name.
static const char* const OURS = "sinew";

/// Name of our i-th implementation, NULL past the last.
static const char* our_name(kind k, int i) {
    if (k == DYNAMICS) return sn_dynamics_algorithm(i);
    if (k == SOLVER) return sn_contact_solver_name(i);
    return i == 0 ? OURS : NULL;
}

/// NULL: the default.
static bool is_ours(kind k, const char* name) {
    if (!name || (k == SOLVER && sni_contact_solver_is_ours(name))) return true;
    for (int i = 0; our_name(k, i); i++)
        if (strcmp(our_name(k, i), name) == 0) return true;
    return false;
}

static const entry* find(const sn_modules* modules, kind k, const char* name) {
    for (; modules && name; modules = modules->others)
        for (const entry* e = modules->first[k]; e; e = e->next)
            if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

/// One more of "a, b, c"; what does not fit is cut.
static void append_name(char* text, size_t size, const char* name) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

/// "a, b, c" of everything there is, and the nearest.
static void list_names(const sn_modules* modules, kind k, char* text, size_t size,
                       sni_nearest* nearest) {
    text[0] = '\0';
    for (int i = 0; our_name(k, i); i++) {
        sni_nearest_offer(nearest, our_name(k, i));
        append_name(text, size, our_name(k, i));
    }
    for (; modules; modules = modules->others) {
        for (const entry* e = modules->first[k]; e; e = e->next) {
            sni_nearest_offer(nearest, e->name);
            append_name(text, size, e->name);
        }
    }
}

static sn_status unknown(const sn_modules* modules, kind k, const char* name, sn_error* error) {
    sni_nearest nearest = {.wanted = name};
    char names[320];
    list_names(modules, k, names, sizeof names, &nearest);
    if (nearest.best)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "there is no %s '%s'; did you mean '%s'? there are %s", kind_text[k], name,
                        nearest.best, names);
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "there is no %s '%s'; choose one of %s",
                    kind_text[k], name, names);
}

// ---- adding -----------------------------------------------------------------------------------------------

/// A place for a module whose table was checked; NULL with the reason.
static entry* add(sn_modules* modules, kind k, const char* name, sn_status* status,
                  sn_error* error) {
    if (is_ours(k, name) || find(modules, k, name)) {
        *status = sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                           "there is a %s '%s' already; take another name", kind_text[k], name);
        return NULL;
    }
    entry* e = calloc(1, sizeof *e);
    if (!e) {
        *status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
        return NULL;
    }
    e->name = name;
    entry** last = &modules->first[k];
    while (*last) last = &(*last)->next;
    *last = e;
    return e;
}

static sn_status check_modules(const sn_modules* modules, sn_error* error) {
    if (modules) return SN_OK;
    return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no sn_modules to add to");
}

static sn_status check_simulator(const sn_simulator_module* table, sn_error* error) {
    if (!table) return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "no simulator module given");
    const sni_guest_function functions[] = {
        {"create", table->create},
        {"free", table->free},
        {"advance", table->advance},
    };
    enum { COUNT = sizeof functions / sizeof functions[0] };
    return sni_guest_check("simulator", table->name, functions, COUNT, error);
}

sn_status sn_modules_add_dynamics(sn_modules* modules, const sn_dynamics_module* module,
                                  sn_error* error) {
    sn_status status = check_modules(modules, error);
    if (!status) status = sni_dynamics_module_check(module, error);
    entry* e = status ? NULL : add(modules, DYNAMICS, module->name, &status, error);
    if (e) e->table.dynamics = *module;
    return status;
}

sn_status sn_modules_add_detector(sn_modules* modules, const sn_detector_module* module,
                                  sn_error* error) {
    sn_status status = check_modules(modules, error);
    if (!status) status = sni_detector_module_check(module, error);
    entry* e = status ? NULL : add(modules, DETECTOR, module->name, &status, error);
    if (e) e->table.detector = *module;
    return status;
}

sn_status sn_modules_add_solver(sn_modules* modules, const sn_solver_module* module,
                                sn_error* error) {
    sn_status status = check_modules(modules, error);
    if (!status) status = sni_solver_module_check(module, error);
    entry* e = status ? NULL : add(modules, SOLVER, module->name, &status, error);
    if (e) e->table.solver = *module;
    return status;
}

sn_status sn_modules_add_simulator(sn_modules* modules, const sn_simulator_module* module,
                                   sn_error* error) {
    sn_status status = check_modules(modules, error);
    if (!status) status = check_simulator(module, error);
    entry* e = status ? NULL : add(modules, SIMULATOR, module->name, &status, error);
    if (e) e->table.simulator = *module;
    return status;
}

// ---- finding ------------------------------------------------------------------------------------------------

const sn_dynamics_module* sn_modules_dynamics(const sn_modules* modules, const char* name) {
    const entry* e = find(modules, DYNAMICS, name);
    return e ? &e->table.dynamics : NULL;
}

const sn_detector_module* sn_modules_detector(const sn_modules* modules, const char* name) {
    const entry* e = find(modules, DETECTOR, name);
    return e ? &e->table.detector : NULL;
}

const sn_solver_module* sn_modules_solver(const sn_modules* modules, const char* name) {
    const entry* e = find(modules, SOLVER, name);
    return e ? &e->table.solver : NULL;
}

const sn_simulator_module* sn_modules_simulator(const sn_modules* modules, const char* name) {
    const entry* e = find(modules, SIMULATOR, name);
    return e ? &e->table.simulator : NULL;
}

sn_status sni_make_dynamics(const sn_world_def* def, const sn_model* model, sn_dynamics** dynamics,
                            sn_error* error) {
    const sn_dynamics_module* module = sn_modules_dynamics(def->modules, def->dynamics);
    if (module) return sn_dynamics_create_module(model, module, dynamics, error);
    if (!is_ours(DYNAMICS, def->dynamics))
        return unknown(def->modules, DYNAMICS, def->dynamics, error);
    return sn_dynamics_create(model, def->dynamics, dynamics, error);
}

sn_status sni_make_collider(const sn_world_def* def, const sn_model* model, sn_collider** collider,
                            sn_error* error) {
    const sn_world_contact* contact = &def->contact;
    const sn_detector_module* module = sn_modules_detector(def->modules, contact->detector);
    if (module)
        return sn_collider_create_module(model, &contact->collider, def->log, module, collider,
                                         error);
    if (!is_ours(DETECTOR, contact->detector))
        return unknown(def->modules, DETECTOR, contact->detector, error);
    return sn_collider_create(model, &contact->collider, def->log, collider, error);
}

sn_status sni_make_solver(const sn_world_def* def, const sn_contact_capacity* capacity,
                          sn_contact_solver** solver, sn_error* error) {
    const sn_world_contact* contact = &def->contact;
    const sn_solver_module* module = sn_modules_solver(def->modules, contact->solver);
    if (module) return sn_contact_solver_create_module(module, capacity, solver, error);
    if (!is_ours(SOLVER, contact->solver))
        return unknown(def->modules, SOLVER, contact->solver, error);
    return sn_contact_solver_create(contact->solver, capacity, contact->workers, solver, error);
}

sn_status sni_make_simulator(const sn_world_def* def, const sn_model* model,
                             sni_simulator* simulator, sn_error* error) {
    const sn_simulator_module* module = sn_modules_simulator(def->modules, def->simulator);
    if (!module)
        return is_ours(SIMULATOR, def->simulator)
                   ? SN_OK
                   : unknown(def->modules, SIMULATOR, def->simulator, error);
    sn_error said = {0};
    sn_status status = module->create(module->context, model, &simulator->memory, &said);
    if (status) return sni_guest_refused("simulator", module->name, status, &said, error);
    simulator->table = *module;
    return SN_OK;
}

void sni_simulator_free(sni_simulator* simulator) {
    if (simulator->table.free) simulator->table.free(simulator->table.context, simulator->memory);
}
