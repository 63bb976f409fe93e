// SPDX-License-Identifier: Apache-2.0
// Hands on molecules: how far and how strong a hand's movements and forces are among atoms.
//
// The workspace of the device holds the molecule, so that every atom can be reached from the middle, but not more than is
// good for feeling single atoms; and the strongest force of the device is that of a strong pull at one.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/sn_session.h"
#include "sinew/units.h"

// nm of the molecule for a metre of the device: 1 cm is 0.1 to 5 A.
static const double SCALE_LEAST = 1, SCALE_MOST = 50;
// pN, at the device's peak: hydrogen bonds break at some hundred, a helix unfolds.
static const double PULL_MOST = 1200;
// Of a pointer, kJ/(mol nm^2): 3.3 N/m, so that 3.6 A are the strongest pull.
static const double POINTER_STIFFNESS = 2000;

const sn_scene_molecule* sni_molecule_of(const sn_session* session, sn_item_id id) {
    const sn_scene* scene = sn_simulation_scene(session->sim);
    const sn_item* item = sn_simulation_item(session->sim, id);
    for (int i = 0; item && i < sn_scene_molecule_count(scene); i++) {
        const sn_scene_molecule* m = sn_scene_molecule_at(scene, i);
        if (strcmp(item->name, sn_scene_item(scene, m->item)->name) == 0) return m;
    }
    return NULL;
}

/// nm, from the middle of its atoms to the farthest.
static double radius_of(const sn_molecule* m) {
    int count = sn_molecule_atom_count(m);
    sn_vec3 sum = sn_vec3_zero();
    double most = 0;
    for (int i = 0; i < count; i++) sum = sn_vec3_add(sum, sn_molecule_atom(m, i).p);
    for (int i = 0; i < count; i++) {
        sn_vec3 d = sn_vec3_sub(sn_molecule_atom(m, i).p, sn_vec3_scale(1.0 / count, sum));
        most = fmax(most, sn_vec3_norm(d));
    }
    return most;
}

/// The first two digits.
static double rounded(double x) {
    double unit = pow(10, floor(log10(x)) - 1);
    return unit * round(x / unit);
}

void sni_choose_scales(const sn_session* session, sni_session_hand* hand) {
    const sn_scene* scene = sn_simulation_scene(session->sim);
    const sn_device_profile* profile = sn_device_profile_of(hand->device);
    sn_hand_def* def = &hand->def;
    bool molecular = def->scale == 0 && sn_scene_molecule_count(scene) > 0;
    bool rendered = !profile->shown && profile->workspace > 0 && profile->peak_force > 0;
    if (molecular && rendered) {
        double radius = 0;
        for (int i = 0; i < sn_scene_molecule_count(scene); i++)
            radius = fmax(radius, radius_of(sn_scene_molecule_at(scene, i)->molecule));
        def->scale = rounded(fmin(SCALE_MOST, fmax(SCALE_LEAST, radius / profile->workspace)));
        if (def->force_scale == 0)
            def->force_scale = rounded(PULL_MOST / profile->peak_force) / SN_MOLECULE_FORCE_PN;
        if (def->strength == 0) def->strength = 1;
        hand->scales[0] = ' '; // to be described
    }
    if (def->scale == 0) def->scale = 1;
    if (def->force_scale == 0) def->force_scale = 1;
}

void sni_describe_scales(sni_session_hand* hand) {
    const sn_hand_def* def = &hand->def;
    if (!hand->scales[0]) return;
    double felt = hand->terms.stiffness * def->scale / def->force_scale;
    (void)snprintf(hand->scales, sizeof hand->scales,
                   "%s: 1 cm = %.2g A, 1 N = %.3g pN; the spring to what is held is felt with %.3g "
                   "N/m and has %.3g pN/A",
                   sn_device_profile_of(hand->device)->name, 0.1 * def->scale,
                   SN_MOLECULE_FORCE_PN * def->force_scale, felt,
                   0.1 * SN_MOLECULE_FORCE_PN * hand->terms.stiffness);
}

sn_gains sni_molecule_gains(double* most_force) {
    *most_force = PULL_MOST / SN_MOLECULE_FORCE_PN;
    return (sn_gains){.stiffness = POINTER_STIFFNESS};
}
