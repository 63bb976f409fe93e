// SPDX-License-Identifier: Apache-2.0
// Options of the world.
#include <math.h>

#include "scene/read.h"

static sn_status read_sleep(sni_reader* reader, const sni_value* value, sn_world_contact* contact) {
    if (!value->at) return SN_OK;
    if (value->is == SN_ACCEPT_BOOL) {
        if (!value->truth) contact->rest_time = INFINITY;
        return SN_OK;
    }
    sni_sleep_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_sleep_map, &k);
    if (status) return status;
    contact->rest_speed = sni_number_or(&k.speed, contact->rest_speed);
    contact->rest_time = sni_number_or(&k.time, contact->rest_time);
    return SN_OK;
}

static int whole_or(const sni_value* value, int otherwise) {
    return value->at ? (int)value->number[0] : otherwise;
}

/// A name of ours, or, when plugins may bring more, any.
static sn_status read_module(sni_reader* reader, const sni_value* value, const sni_key* key,
                             bool foreign, const char** name) {
    if (!value->at) return SN_OK;
    if (value->word < 0 && !foreign) {
        char expected[256];
        sni_key_expects(key, expected, sizeof expected);
        return sni_node_fail(&reader->source, value->at,
                             "'%s' must be %s; '%.60s' is none, and the scene has no 'plugins'",
                             key->name, expected, value->text);
    }
    *name = sni_memory_text(reader->memory, value->text);
    return *name ? SN_OK : sni_fail_memory(reader);
}

static const sni_key* key_of(const sni_map* map, const sni_value* values, const sni_value* value) {
    return &map->key[value - values];
}

static sn_status read_contact(sni_reader* reader, const sni_value* value, bool foreign) {
    sn_world_contact* contact = &reader->scene->world.contact;
    if (!value->at) return SN_OK;
    if (value->is == SN_ACCEPT_BOOL) {
        contact->on = value->truth;
        return SN_OK;
    }
    sni_contact_keys k;
    sni_value* values = (sni_value*)&k;
    sn_status status = sni_map_read(&reader->source, value->at, &sni_contact_map, values);
    if (!status)
        status = read_module(reader, &k.solver, key_of(&sni_contact_map, values, &k.solver),
                             foreign, &contact->solver);
    if (!status)
        status = read_module(reader, &k.detector, key_of(&sni_contact_map, values, &k.detector),
                             foreign, &contact->detector);
    if (!status) status = read_sleep(reader, &k.sleep, contact);
    if (status) return status;
    if (k.patch_points.at && k.patch_points.number[0] < 4)
        return sni_node_fail(&reader->source, k.patch_points.at,
                             "%g points are too few to hold a body; give at least 4",
                             k.patch_points.number[0]);
    contact->solve.tolerance = sni_number_or(&k.tolerance, contact->solve.tolerance);
    contact->solve.iterations = whole_or(&k.sweeps, (int)contact->solve.iterations);
    contact->solve_time = sni_number_or(&k.solve_time, contact->solve_time);
    contact->workers = contact->solve.workers = whole_or(&k.workers, contact->workers);
    contact->collider.contacts = whole_or(&k.contacts, contact->collider.contacts);
    reader->scene->contacts_given = k.contacts.at != NULL;
    contact->constraints = whole_or(&k.constraints, contact->constraints);
    contact->collider.margin = sni_number_or(&k.margin, contact->collider.margin);
    contact->collider.patch_points = whole_or(&k.patch_points, contact->collider.patch_points);
    contact->skip_overlapping = sni_truth_or(&k.skip_overlapping, contact->skip_overlapping);
    return SN_OK;
}

static sn_status read_step(sni_reader* reader, const sni_value* value, bool molecules,
                           double* step) {
    if (!value->at) return SN_OK;
    if (value->is == SN_ACCEPT_NUMBER) *step = value->number[0];
    if (value->is == SN_ACCEPT_NUMBER || molecules) return SN_OK; // chosen when they are there
    return sni_node_fail(&reader->source, value->at,
                         "only the steps of molecules can be chosen; give 'step' in s");
}

static sn_status read_relaxation(sni_reader* reader, const sni_value* value,
                                 sn_relaxation* relaxation) {
    if (!value->at) return SN_OK;
    sni_relaxation_keys k;
    sn_status status = SN_MAP_READ(&reader->source, value->at, &sni_relaxation_map, &k);
    if (status) return status;
    relaxation->evaluations = whole_or(&k.evaluations, relaxation->evaluations);
    relaxation->tolerance = sni_number_or(&k.tolerance, relaxation->tolerance);
    return SN_OK;
}

sn_status sni_read_world(sni_reader* reader, const sni_scene_keys* k) {
    sn_world_def* world = &reader->scene->world;
    bool molecules = k->molecules.at && k->molecules.at->count > 0;
    const sni_value* values = (const sni_value*)k;
    bool foreign = reader->def.foreign_modules || (k->plugins.at && k->plugins.at->count > 0);
    if (molecules) sni_become_molecular(reader->scene);
    world->gravity = sni_vec3_or(&k->gravity, world->gravity);
    if (k->integrator.at) world->integrator = (sn_integrator)k->integrator.word;
    sn_status status = read_step(reader, &k->step, molecules, &world->step);
    if (!status) status = read_relaxation(reader, &k->relaxation, &world->relaxation);
    if (!status)
        status = read_module(reader, &k->dynamics, key_of(&sni_scene_map, values, &k->dynamics),
                             foreign, &world->dynamics);
    if (!status)
        status = read_module(reader, &k->simulator, key_of(&sni_scene_map, values, &k->simulator),
                             foreign, &world->simulator);
    if (!status) status = sni_read_adaptive(reader, &k->adaptive, &world->adaptivity);
    if (!status) status = read_contact(reader, &k->contact, foreign);
    if (status) return status;
    bool molecular = k->molecules.at && !k->contact.at; // nothing touches
    if (k->integrator.at && world->integrator != SN_INTEGRATE_EULER && world->contact.on &&
        !molecular)
        return sni_node_fail(&reader->source, k->integrator.at,
                             "contact needs the integrator euler; write 'contact: false'");
    return SN_OK;
}
