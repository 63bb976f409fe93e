// SPDX-License-Identifier: Apache-2.0
/// Atoms, bonds and backbones of the molecules of a SCENE.   docs/protocol.md
#ifndef SN_SERVER_ENCODE_ATOMS_H
#define SN_SERVER_ENCODE_ATOMS_H

#include <jansson.h>

#include "server/bytes.h"
#include "server/cast.h"

/// A molecule that is there, in the model of the whole.
typedef struct sni_shown_molecule {
    sn_world_molecule of;
    int32_t first_body;
} sni_shown_molecule;

/// Where molecules come from.
typedef struct sni_molecule_source {
    const sn_scene* scene;         ///< NULL: of a replay
    const sn_recording* recording; ///< of a replay; NULL: there are none
    const sni_cast* cast;
} sni_molecule_source;

/// The next one, *next counting from 0; false: no more.
bool sni_next_molecule(const sni_molecule_source* source, int* next, sni_shown_molecule* molecule);

/// Where an atom is and how large it is drawn.
typedef struct sni_atom_place {
    int32_t body;  ///< -1: the world
    sn_vec3 p;     ///< nm, in the body
    double radius; ///< nm, van der Waals
} sni_atom_place;

sni_atom_place sni_place_atom(const sni_shown_molecule* molecule, int atom);

/// Sets `atoms`, `bonds` and `ribbon` of the SCENE, null without molecules, with their numbers in the blob.
void sni_encode_atoms(const sni_molecule_source* source, json_t* out, sni_bytes* blob);

/// {at, count} of what begins at a place in the blob.
json_t* sni_place_in_blob(size_t at, size_t count);

#endif
