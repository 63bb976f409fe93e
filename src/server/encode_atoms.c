// SPDX-License-Identifier: Apache-2.0
#include "server/encode_atoms.h"

#include <stdio.h>
#include <strings.h>

json_t* sni_place_in_blob(size_t at, size_t count) {
    return json_pack("{s:I,s:I}", "at", (json_int_t)at, "count", (json_int_t)count);
}

// ---- how atoms look ---------------------------------------------------------------------------------------------------

typedef struct look {
    const char* element;
    double radius; ///< nm, van der Waals
    unsigned char colour[4];
} look;

/// Radii are those of [B64], of elements that it does not have those of carbon; colours after Corey, Pauling and Koltun,
/// as viewers of molecules have them.
static look look_of(const char* element) {
    static const look known[] = {
        {"H", 0.120, {240, 240, 240, 255}},  {"C", 0.170, {120, 120, 120, 255}},
        {"N", 0.155, {48, 80, 248, 255}},    {"O", 0.152, {230, 30, 20, 255}},
        {"S", 0.180, {240, 210, 50, 255}},   {"P", 0.180, {255, 128, 0, 255}},
        {"F", 0.147, {144, 224, 80, 255}},   {"CL", 0.175, {31, 220, 31, 255}},
        {"BR", 0.185, {166, 41, 41, 255}},   {"I", 0.198, {148, 0, 148, 255}},
        {"SE", 0.190, {255, 161, 0, 255}},   {"NA", 0.227, {171, 92, 242, 255}},
        {"MG", 0.173, {138, 255, 0, 255}},   {"K", 0.275, {143, 64, 212, 255}},
        {"ZN", 0.139, {125, 128, 176, 255}}, {"FE", 0.170, {224, 102, 51, 255}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcasecmp(known[k].element, element) == 0) return known[k];
    return (look){"", 0.170, {221, 119, 255, 255}};
}

// ---- where they are -----------------------------------------------------------------------------------------------------

static const sni_cast_item* find_item(const sni_cast* cast, const char* name) {
    for (int i = 0; i < cast->count; i++)
        if (strcmp(cast->item[i].name, name) == 0) return &cast->item[i];
    return NULL;
}

static bool next_of_scene(const sni_molecule_source* source, int* next,
                          sni_shown_molecule* molecule) {
    while (*next < sn_scene_molecule_count(source->scene)) {
        const sn_scene_molecule* of = sn_scene_molecule_at(source->scene, (*next)++);
        const sn_item* item = sn_scene_item(source->scene, of->item);
        const sni_cast_item* shown = find_item(source->cast, item->name);
        // it may have been removed, and another thing called so
        if (!shown || shown->bodies != sn_model_body_count(item->model)) continue;
        *molecule =
            (sni_shown_molecule){{item->prefix, of->tree, item->pose, of->forces}, shown->first};
        return true;
    }
    return false;
}

static bool next_of_recording(const sni_molecule_source* source, int* next,
                              sni_shown_molecule* molecule) {
    while (*next < sn_recording_molecule_count(source->recording)) {
        const sn_world_molecule* of = sn_recording_molecule(source->recording, (*next)++);
        int first = sn_world_molecule_find(of, source->cast->model);
        if (first < 0) continue;
        *molecule = (sni_shown_molecule){*of, first};
        return true;
    }
    return false;
}

bool sni_next_molecule(const sni_molecule_source* source, int* next, sni_shown_molecule* molecule) {
    if (source->scene) return next_of_scene(source, next, molecule);
    return source->recording && next_of_recording(source, next, molecule);
}

sni_atom_place sni_place_atom(const sni_shown_molecule* molecule, int atom) {
    const sn_torsion_tree* tree = molecule->of.tree;
    int group = sn_torsion_tree_atom_group(tree, atom);
    int32_t body = sn_torsion_tree_group_body(tree, group).i;
    sn_vec3 p = sn_torsion_tree_atom_offset(tree, atom);
    if (body < 0)
        p = sn_pose_apply(molecule->of.pose,
                          sn_pose_apply(sn_torsion_tree_group_pose(tree, group), p));
    double radius = look_of(sn_molecule_atom(sn_torsion_tree_molecule(tree), atom).element).radius;
    return (sni_atom_place){body < 0 ? -1 : molecule->first_body + body, p, radius};
}

// ---- all of them --------------------------------------------------------------------------------------------------------

/// Numbers of all molecules, one kind each: in the blob they follow each other.
typedef struct columns {
    int count; ///< of atoms
    sni_bytes body, offset, radius, colour, label, bonds;
    json_t *labels, *ribbon;
} columns;

/// "A/12 ALA CA", behind the prefix of the item's bodies.
static json_t* label_of(const sn_molecule* molecule, const char* prefix, int atom) {
    char words[160];
    sn_atom_info info = sn_molecule_atom(molecule, atom);
    sn_residue_info residue = sn_molecule_residue(molecule, info.residue);
    char insertion[2] = {residue.insertion == ' ' ? '\0' : residue.insertion, '\0'};
    snprintf(words, sizeof words, "%s%s/%d%s %s %s", prefix,
             sn_molecule_chain(molecule, residue.chain).label, residue.number, insertion,
             residue.name, info.name);
    json_t* label = json_string(words); // names come from files: no UTF-8 gets no label
    return label ? label : json_string("");
}

static void add_atom(columns* c, const sni_shown_molecule* shown, int atom) {
    const sn_molecule* molecule = sn_torsion_tree_molecule(shown->of.tree);
    sni_atom_place place = sni_place_atom(shown, atom);
    sni_put_u32(&c->body, (uint32_t)place.body);
    sni_put_f32(&c->offset, place.p.x);
    sni_put_f32(&c->offset, place.p.y);
    sni_put_f32(&c->offset, place.p.z);
    sni_put_f32(&c->radius, place.radius);
    sni_put(&c->colour, look_of(sn_molecule_atom(molecule, atom).element).colour, 4);
    sni_put_u32(&c->label, (uint32_t)c->count++);
    (void)json_array_append_new(c->labels, label_of(molecule, shown->of.prefix, atom));
}

static void add_bonds(columns* c, const sn_molecule* molecule, int first_atom) {
    for (int k = 0; k < sn_molecule_bond_count(molecule); k++) {
        sn_bond_info bond = sn_molecule_bond(molecule, k);
        sni_put_u32(&c->bonds, (uint32_t)(first_atom + bond.a));
        sni_put_u32(&c->bonds, (uint32_t)(first_atom + bond.b));
    }
}

/// The CA of a residue, -1: it has none. Calcium is called so, too.
static int alpha_carbon(const sn_molecule* molecule, const sn_residue_info* residue) {
    for (int a = residue->first_atom; a < residue->first_atom + residue->atom_count; a++) {
        sn_atom_info atom = sn_molecule_atom(molecule, a);
        if (strcmp(atom.name, "CA") == 0 && strcmp(atom.element, "C") == 0) return a;
    }
    return -1;
}

static void end_backbone(columns* c, size_t* at, sni_bytes* blob) {
    size_t count = (blob->count - *at) / sizeof(uint32_t);
    if (count > 0) (void)json_array_append_new(c->ribbon, sni_place_in_blob(*at, count));
    sni_put_padding(blob);
    *at = blob->count;
}

/// One for each chain, and one more behind each gap.
static void add_backbones(columns* c, const sn_molecule* molecule, int first_atom,
                          sni_bytes* blob) {
    size_t at = blob->count;
    for (int k = 0; k < sn_molecule_chain_count(molecule); k++) {
        sn_chain_info chain = sn_molecule_chain(molecule, k);
        for (int r = chain.first_residue; r < chain.first_residue + chain.residue_count; r++) {
            sn_residue_info residue = sn_molecule_residue(molecule, r);
            int atom = alpha_carbon(molecule, &residue);
            if (residue.after_gap) end_backbone(c, &at, blob);
            if (atom >= 0) sni_put_u32(blob, (uint32_t)(first_atom + atom));
        }
        end_backbone(c, &at, blob);
    }
}

/// Moves a column into the blob; `size` bytes an element.
static json_t* put_column(sni_bytes* column, size_t size, sni_bytes* blob) {
    size_t at = blob->count;
    sni_put(blob, column->at, column->count);
    sni_put_padding(blob);
    blob->failed = blob->failed || column->failed;
    json_t* place = sni_place_in_blob(at, column->count / size);
    sni_bytes_free(column);
    return place;
}

void sni_encode_atoms(const sni_molecule_source* source, json_t* out, sni_bytes* blob) {
    enum { WORD = 4 };
    columns c = {.labels = json_array(), .ribbon = json_array()};
    sni_shown_molecule shown;
    for (int next = 0; sni_next_molecule(source, &next, &shown);) {
        const sn_molecule* molecule = sn_torsion_tree_molecule(shown.of.tree);
        int first_atom = c.count;
        for (int a = 0; a < sn_molecule_atom_count(molecule); a++) add_atom(&c, &shown, a);
        add_bonds(&c, molecule, first_atom);
        add_backbones(&c, molecule, first_atom, blob);
    }
    json_t* atoms = json_pack(
        "{s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "count", c.count, "body", put_column(&c.body, WORD, blob),
        "offset", put_column(&c.offset, 3 * WORD, blob), "radius",
        put_column(&c.radius, WORD, blob), "colour", put_column(&c.colour, WORD, blob), "label",
        put_column(&c.label, WORD, blob), "labels", c.labels);
    json_t* bonds = put_column(&c.bonds, 2 * WORD, blob);
    if (c.count == 0) {
        json_decref(atoms);
        json_decref(bonds);
        json_decref(c.ribbon);
        atoms = json_null(), bonds = json_null(), c.ribbon = json_null();
    }
    (void)json_object_set_new(out, "atoms", atoms);
    (void)json_object_set_new(out, "bonds", bonds);
    (void)json_object_set_new(out, "ribbon", c.ribbon);
}
