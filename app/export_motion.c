// SPDX-License-Identifier: Apache-2.0
#include "export_motion.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"

static const double BOLTZMANN = 0.0083144626181532; // kJ/(mol K)

struct export_motion {
    const sn_recording* recording;
    unsigned what;
    sn_dynamics* dynamics;
    double* poses;               ///< NULL: not wanted
    int molecules;               ///< 0: atoms are not wanted, or there are none
    sn_molecule_forces** forces; // [molecules]
    int* first_body;             // [molecules] -1: not there
    sn_vec3 *p, *v;              // [atoms]
    export_atoms atoms;
};

static int atom_count(const sn_recording* recording, int molecule) {
    const sn_world_molecule* m = sn_recording_molecule(recording, molecule);
    return sn_molecule_atom_count(sn_torsion_tree_molecule(m->tree));
}

export_motion* export_motion_create(const sn_recording* recording, unsigned what) {
    export_motion* m = memory_take(1, sizeof *m);
    m->recording = recording;
    m->what = what;
    if (what & EXPORT_ATOMS) m->molecules = sn_recording_molecule_count(recording);
    if (!(what & EXPORT_POSES) && m->molecules == 0) {
        free(m);
        return NULL;
    }
    m->forces = memory_take((size_t)m->molecules, sizeof(sn_molecule_forces*));
    m->first_body = memory_take((size_t)m->molecules, sizeof *m->first_body);
    for (int i = 0; i < m->molecules; i++) m->atoms.count += atom_count(recording, i);
    m->p = memory_take((size_t)m->atoms.count, sizeof *m->p);
    m->v = memory_take((size_t)m->atoms.count, sizeof *m->v);
    m->atoms.p = m->p;
    m->atoms.v = m->v;
    return m;
}

void export_motion_free(export_motion* m) {
    if (!m) return;
    for (int i = 0; i < m->molecules; i++) sn_molecule_forces_free(m->forces[i]);
    sn_dynamics_free(m->dynamics);
    free(m->poses);
    free(m->forces);
    free(m->first_body);
    free(m->p);
    free(m->v);
    free(m);
}

bool export_motion_begin(export_motion* m, const sn_model* model) {
    sn_error error = {0};
    if (!m) return true;
    sn_dynamics_free(m->dynamics);
    m->dynamics = NULL;
    error.status = sn_dynamics_create(model, NULL, &m->dynamics, &error);
    for (int i = 0; i < m->molecules && !error.status; i++) {
        const sn_world_molecule* molecule = sn_recording_molecule(m->recording, i);
        m->first_body[i] = sn_world_molecule_find(molecule, model);
        if (!m->forces[i])
            error.status =
                sn_molecule_forces_create(molecule->tree, &molecule->forces, &m->forces[i], &error);
    }
    if (error.status) {
        message_error_from(&error);
        return false;
    }
    free(m->poses);
    size_t numbers = (size_t)sn_model_body_count(model) * EXPORT_POSE_NUMBERS;
    m->poses = m->what & EXPORT_POSES ? memory_take(numbers + 1, sizeof *m->poses) : NULL;
    return true;
}

static void compute_poses(export_motion* m, const sn_model* model, bool good) {
    for (int i = 0; i < sn_model_body_count(model); i++) {
        sn_pose X = sn_dynamics_pose(m->dynamics, sn_body(i));
        sn_quat q = sn_quat_from_matrix(X.R);
        double pose[EXPORT_POSE_NUMBERS] = {X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z};
        for (int k = 0; k < EXPORT_POSE_NUMBERS; k++)
            m->poses[i * EXPORT_POSE_NUMBERS + k] = good ? pose[k] : NAN;
    }
}

/// Where it is and what it weighs in energy; nowhere when it is gone.
static void compute_molecule(export_motion* m, int i, int first_atom, bool good) {
    const sn_world_molecule* molecule = sn_recording_molecule(m->recording, i);
    int first = m->first_body[i], count = atom_count(m->recording, i);
    sn_forcefield_report report;
    if (first < 0 || !good) {
        const sn_vec3 nowhere = sn_vec3_make(NAN, NAN, NAN);
        for (int a = first_atom; a < first_atom + count; a++) m->p[a] = m->v[a] = nowhere;
        return;
    }
    sn_world_molecule_place(molecule, m->dynamics, first, m->p + first_atom, m->v + first_atom);
    sn_status status =
        sn_molecule_forces_measure(m->forces[i], m->dynamics, first, molecule->pose, &report);
    if (status) report.energy.total = NAN;
    sn_forcefield_energy_add(&m->atoms.energy, &report.energy);
}

export_frame export_motion_compute(export_motion* m, const sn_sample* sample) {
    export_frame frame = {.sample = sample};
    if (!m) return frame;
    bool good = sn_dynamics_kinematics(m->dynamics, sample->q, sample->v) == SN_OK;
    if (m->poses) compute_poses(m, sample->model, good);
    frame.poses = m->poses;
    if (m->molecules == 0) return frame;
    int nv = sn_model_nv(sample->model), first_atom = 0;
    m->atoms.energy = (sn_forcefield_energy){0};
    for (int i = 0; i < m->molecules; first_atom += atom_count(m->recording, i++))
        compute_molecule(m, i, first_atom, good);
    m->atoms.kinetic = good ? sn_dynamics_energy(m->dynamics).kinetic : NAN;
    m->atoms.temperature = nv > 0 ? 2 * m->atoms.kinetic / (nv * BOLTZMANN) : NAN;
    frame.atoms = &m->atoms;
    return frame;
}
