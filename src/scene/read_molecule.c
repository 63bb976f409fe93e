// SPDX-License-Identifier: Apache-2.0
// Molecules: items whose model is a torsion tree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/read.h"

// ---- by hand ----------------------------------------------------------------------------------------

/// The tree's item, with everything the scene owns of it.
static sn_status put(sn_scene* scene, const char* name, sn_place place, sn_scene_molecule* made,
                     sn_pose pose, sn_error* error) {
    sn_scene_molecule* list = sni_grow(scene->molecule, scene->molecule_count,
                                       &scene->molecule_capacity, sizeof *scene->molecule);
    if (!list)
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
    scene->molecule = list;
    sn_item item = {.name = name ? name : "molecule",
                    .prefix = name ? NULL : "",
                    .model = sn_torsion_tree_model(made->tree),
                    .pose = pose,
                    .place = place};
    made->item = scene->item_count;
    sn_status status = sni_scene_put(scene, &item, error);
    if (!status) scene->molecule[scene->molecule_count++] = *made;
    return status;
}

static sn_status add(sn_scene* scene, const char* name, sn_place place, sn_molecule* molecule,
                     const sn_torsion_tree_def* tree_def, const sn_molecule_forces_def* forces,
                     sn_pose pose, sn_error* error) {
    sn_torsion_tree_def defaults = sn_torsion_tree_def_for(molecule);
    sn_torsion_tree* tree;
    sn_status status =
        sn_torsion_tree_create(molecule, tree_def ? tree_def : &defaults, &tree, error);
    if (status) return status;
    sn_scene_molecule made = {.molecule = molecule, .tree = tree};
    made.forces = forces ? *forces : sn_molecule_forces_def_default();
    status = put(scene, name, place, &made, pose, error);
    if (status) {
        sn_torsion_tree_free(tree);
    } else {
        scene->world.field = true;
        scene->world.units = SN_UNITS_MOLECULAR;
    }
    return status;
}

void sni_become_molecular(sn_scene* scene) {
    scene->world.gravity = sn_vec3_zero();
    scene->world.contact.on = false;
    scene->world.relaxation.tolerance =
        0.1; // kJ/mol: 0.17 pN at a lever of 1 nm; rounding of single precision is less
}

sn_status sn_scene_add_molecule(sn_scene* scene, const char* name, sn_molecule* molecule,
                                const sn_torsion_tree_def* tree,
                                const sn_molecule_forces_def* forces, sn_pose pose,
                                sn_error* error) {
    if (!scene || !molecule)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "needs a scene and a molecule");
    bool first = scene->molecule_count == 0;
    sn_place place = {"", 0, 0};
    sn_status status = add(scene, name, place, molecule, tree, forces, pose, error);
    if (!status && first) sni_become_molecular(scene);
    return status;
}

// ---- alone ------------------------------------------------------------------------------------------

static sn_status make_molecule(const char* word, bool file, bool hetero, const sn_log* log,
                               sn_molecule** molecule, sn_error* error) {
    if (!file) return sn_molecule_build_named(word, molecule, error);
    sn_molecule_read_def def = sn_molecule_read_def_default();
    def.hetero = hetero;
    def.log = *log;
    return sn_molecule_read(word, &def, molecule, error);
}

sn_status sni_scene_of_molecule(const char* word, const sn_log* log, sn_scene** scene,
                                sn_error* error) {
    sn_molecule* molecule;
    sn_status status =
        make_molecule(word, !sn_molecule_is_built(word), true, log, &molecule, error);
    if (status) return status;
    sn_scene* made = sn_scene_create(sn_molecule_name(molecule));
    if (made)
        status = sn_scene_add_molecule(made, NULL, molecule, NULL, NULL, sn_pose_identity(), error);
    else
        status = sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the scene");
    if (status) {
        sn_molecule_free(molecule);
        sn_scene_free(made);
        return status;
    }
    sni_choose_step(made, log);
    *scene = made;
    return SN_OK;
}

// ---- in a file --------------------------------------------------------------------------------------

static sn_molecule_forces_def forces_of(const sni_molecule_keys* k) {
    sn_molecule_forces_def def = sn_molecule_forces_def_default();
    def.friction = sni_number_or(&k->friction, def.friction);
    def.temperature = sni_number_or(&k->temperature, def.temperature);
    def.seed = (uint64_t)sni_number_or(&k->seed, 0);
    def.field.soften = sni_number_or(&k->soften, def.field.soften);
    def.field.cutoff = sni_number_or(&k->cutoff, def.field.cutoff);
    if (k->dielectric.at && k->dielectric.word == SN_DIELECTRIC_DISTANCE) {
        def.field.dielectric = SN_DIELECTRIC_DISTANCE;
        def.field.permittivity = 4;
    }
    return def;
}

static sn_status build_chain(const sni_molecule_keys* k, sn_molecule** molecule, sn_error* error) {
    sn_molecule_build_def def = sn_molecule_build_def_default();
    def.name = sni_text_or(&k->name, "chain");
    def.sequence = k->sequence.text;
    def.structure = sni_text_or(&k->structure, NULL);
    return sn_molecule_build(&def, molecule, error);
}

/// The molecule that a mapping names; errors without a place get the mapping's.
static sn_status named_molecule(sni_reader* reader, const sni_node* node,
                                const sni_molecule_keys* k, sn_molecule** molecule) {
    const char* word = k->build.at ? k->build.text : NULL;
    sn_status status = SN_OK;
    if (k->file.at) status = sni_read_path(reader, &k->file, &word);
    if (!status && k->sequence.at)
        status = build_chain(k, molecule, reader->source.error);
    else if (!status)
        status = make_molecule(word, k->file.at != NULL, sni_truth_or(&k->hetero, true),
                               &reader->def.log, molecule, reader->source.error);
    sn_error* error = reader->source.error;
    if (!status || !error || error->line > 0) return status;
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%.500s", error->text);
    return sni_fail(error, status, sni_node_place(&reader->source, node), "%s", text);
}

static sn_status read_molecule(sni_reader* reader, const sni_node* node, int number) {
    sni_molecule_keys k;
    sn_pose pose;
    sn_molecule* molecule = NULL;
    sn_status status = SN_MAP_READ(&reader->source, node, &sni_molecule_map, &k);
    if (!status) status = sni_read_pose(reader, &k.at, &pose);
    if (!status) status = named_molecule(reader, node, &k, &molecule);
    if (status) return status;
    char name[64];
    snprintf(name, sizeof name, "molecule_%d", number);
    sn_torsion_tree_def tree = sn_torsion_tree_def_for(molecule);
    if (k.policy.at) tree.policy = (sn_torsion_policy)k.policy.word;
    if (k.disulfides.at) tree.disulfides = (sn_disulfide)k.disulfides.word;
    tree.free_base = k.base.at && k.base.word == 1;
    sn_molecule_forces_def forces = forces_of(&k);
    status = add(reader->scene, sni_text_or(&k.name, name), sni_node_place(&reader->source, node),
                 molecule, &tree, &forces, pose, reader->source.error);
    if (status) sn_molecule_free(molecule);
    return status;
}

sn_status sni_read_molecules(sni_reader* reader, const sni_scene_keys* k) {
    if (!k->molecules.at || k->molecules.at->count == 0) return SN_OK;
    sni_walk walk = sni_walk_list(&k->molecules);
    const sni_node* node;
    sn_status status = SN_OK;
    for (int i = 1; !status && (node = sni_walk_on(reader, &walk)); i++)
        status = read_molecule(reader, node, i);
    bool chosen = !k->step.at || k->step.is == SN_ACCEPT_WORD;
    if (!status && chosen) sni_choose_step(reader->scene, &reader->def.log);
    return status;
}
