// SPDX-License-Identifier: Apache-2.0
// A molecule in a world: force field, friction, heat bath.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "molecule/field.h"
#include "molecule/torsion_tree.h"
#include "sinew/molecule_forces.h"

static const double BOLTZMANN = 0.0083144626181532; // kJ/(mol K)

struct sn_molecule_forces {
    const sn_torsion_tree* tree;
    sn_molecule_forces_def def;
    sn_forcefield* field;
    sn_forcefield* meter; // for energies; NULL: nobody has asked
    sn_pose* X_wg;        // [groups]
    sn_wrench* wrench;    // [groups]
    int32_t* part;        // [groups] that joints at rest hold together
    uint64_t updates;     // choices of adaptive dynamics, when the parts were found
    bool is_fresh;        // nothing was computed yet: who is active is not known either
    sn_mat3* root;   // [groups] lower triangle L of the inertia I = L L' about the centre of mass
    sn_mat3* turned; // [groups] on their parents, when parts were last found
    bool reports;
    sn_forcefield_report report;
};

sn_molecule_forces_def sn_molecule_forces_def_default(void) {
    sn_molecule_forces_def def = {
        .field = sn_forcefield_def_default(), .friction = 5, .step = 1e-3};
    return def;
}

/// Cholesky factor of a positive definite matrix.
static sn_mat3 root_of(sn_mat3 I) {
    sn_mat3 L = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = I.m[i][j];
            for (int k = 0; k < j; k++) sum -= L.m[i][k] * L.m[j][k];
            L.m[i][j] = i == j ? sqrt(sum) : sum / L.m[j][j];
        }
    return L;
}

static bool are_sound(const sn_molecule_forces_def* def) {
    return def->friction >= 0 && isfinite(def->friction) && def->temperature >= 0 &&
           isfinite(def->temperature) && def->step > 0 && isfinite(def->step);
}

sn_status sn_molecule_forces_create(const sn_torsion_tree* tree, const sn_molecule_forces_def* def,
                                    sn_molecule_forces** out, sn_error* error) {
    if (out) *out = NULL;
    sn_molecule_forces_def options = def ? *def : sn_molecule_forces_def_default();
    if (!out || !tree || !are_sound(&options))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "forces of a molecule need a torsion tree, friction and temperature of at "
                        "least 0 and a step above 0");
    sn_molecule_forces* forces = calloc(1, sizeof *forces);
    size_t n = (size_t)tree->group_count;
    if (forces) {
        forces->X_wg = calloc(n, sizeof *forces->X_wg);
        forces->wrench = calloc(n, sizeof *forces->wrench);
        forces->part = calloc(n, sizeof *forces->part);
        forces->root = calloc(n, sizeof *forces->root);
        forces->turned = calloc(n, sizeof *forces->turned);
    }
    if (!forces || !forces->turned || !forces->X_wg || !forces->wrench || !forces->part ||
        !forces->root) {
        sn_molecule_forces_free(forces);
        return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    }
    forces->tree = tree;
    forces->def = options;
    for (size_t g = 0; g < n; g++) forces->root[g] = root_of(tree->groups[g].inertia.I);
    sn_status status =
        sn_forcefield_create(tree->molecule, tree, &options.field, &forces->field, error);
    if (status) {
        sn_molecule_forces_free(forces);
        return status;
    }
    sn_molecule_forces_forget(forces);
    *out = forces;
    return SN_OK;
}

void sn_molecule_forces_forget(sn_molecule_forces* forces) {
    sni_field_forget(forces->field);
    for (int32_t g = 0; g < forces->tree->group_count; g++) {
        forces->part[g] = g;
        forces->turned[g] = (sn_mat3){0};
    }
    forces->is_fresh = true;
}

void sn_molecule_forces_free(sn_molecule_forces* forces) {
    if (!forces) return;
    sn_forcefield_free(forces->field);
    sn_forcefield_free(forces->meter);
    free(forces->X_wg);
    free(forces->wrench);
    free(forces->part);
    free(forces->root);
    free(forces->turned);
    free(forces);
}

// ---- friction and heat --------------------------------------------------------------------------

/// Two normal numbers at a time [BM58].
static void normal_pair(sni_rng* rng, double* a, double* b) {
    double u = 1 - sni_rng_uniform(rng, 0, 1), angle = sni_rng_uniform(rng, 0, 6.283185307179586);
    double r = sqrt(-2 * log(u));
    *a = r * cos(angle);
    *b = r * sin(angle);
}

/// Random numbers of a group in a step, from nothing else.
static sni_rng rng_of(uint64_t seed, uint64_t step, int32_t group) {
    sni_rng rng = {seed};
    rng.state = sni_rng_next(&rng) ^ step;
    rng.state = sni_rng_next(&rng) ^ (uint64_t)group;
    return rng;
}

// With M the inertia of a group and xi normal numbers, the group feels -gamma M v and
// sqrt(2 gamma kT / h) M^1/2 xi; joints see J' of both, whose friction gamma J' M J and fluctuations belong together.
/// In body axes, about the body's origin.
static sn_wrench bath_wrench(const sn_molecule_forces* forces, int32_t g, sn_twist v,
                             uint64_t step) {
    const sn_inertia* I = &forces->tree->groups[g].inertia;
    double gamma = forces->def.friction;
    sn_vec3 p = sn_vec3_scale(I->mass, sn_vec3_add(v.v, sn_vec3_cross(v.w, I->com)));
    sn_vec3 f = sn_vec3_scale(-gamma, p);
    sn_vec3 n = sn_vec3_scale(-gamma, sn_mat3_apply(I->I, v.w)); // about the centre of mass
    double heat = 2 * gamma * BOLTZMANN * forces->def.temperature / forces->def.step;
    if (heat > 0) {
        double x[6];
        sni_rng rng = rng_of(forces->def.seed, step, g);
        for (int k = 0; k < 6; k += 2) normal_pair(&rng, &x[k], &x[k + 1]);
        f = sn_vec3_add(f, sn_vec3_scale(sqrt(heat * I->mass), sn_vec3_make(x[0], x[1], x[2])));
        sn_vec3 turn = sn_mat3_apply(forces->root[g], sn_vec3_make(x[3], x[4], x[5]));
        n = sn_vec3_add(n, sn_vec3_scale(sqrt(heat), turn));
    }
    return sn_wrench_make(sn_vec3_add(n, sn_vec3_cross(I->com, f)), f);
}

/// Whether a group stands otherwise on its parent than when it was last looked at: a state may have been set.
static bool has_turned(sn_molecule_forces* forces, int32_t g) {
    sn_mat3 parent = forces->X_wg[forces->tree->groups[g].parent].R, off;
    sn_mat3 R = sn_mat3_mul(sn_mat3_transpose(parent), forces->X_wg[g].R);
    double most = 0;
    off = sn_mat3_sub(R, forces->turned[g]);
    for (int k = 0; k < 9; k++) most = fmax(most, fabs(off.m[k / 3][k % 3]));
    forces->turned[g] = R;
    return most > 1e-9; // rounding of products along a chain
}

// ---- parts --------------------------------------------------------------------------------------

/// Groups between joints that adaptive dynamics keeps at rest move as one: what they do to each other need not be
/// computed again. Looked at when dynamics has chosen anew.
static void find_parts(sn_molecule_forces* forces, const sn_dynamics* dynamics, int first_body) {
    const sn_torsion_tree* tree = forces->tree;
    uint64_t updates = sn_dynamics_region(dynamics).updates;
    bool changed = false, same = updates == forces->updates || forces->is_fresh;
    forces->updates = updates;
    forces->is_fresh = false;
    if (same) return;
    for (int32_t g = 0; g < tree->group_count; g++) { // parents come before their children
        int32_t body = tree->groups[g].body.i, parent = tree->groups[g].parent, part = g;
        if (parent >= 0 && !sn_dynamics_is_active(dynamics, sn_body(first_body + body)))
            part = forces->part[parent];
        bool turned = part != g && has_turned(forces, g); // always, as it takes note
        changed = changed || turned || part != forces->part[g];
        forces->part[g] = part;
    }
    if (changed) sn_forcefield_set_parts(forces->field, forces->part);
}

// ---- in a step ----------------------------------------------------------------------------------

static void place_groups(sn_molecule_forces* forces, const sn_dynamics* dynamics, int first_body,
                         sn_pose X_w) {
    const sn_torsion_tree* tree = forces->tree;
    for (int32_t g = 0; g < tree->group_count; g++) {
        int32_t body = tree->groups[g].body.i;
        forces->X_wg[g] = body < 0 ? sn_pose_mul(X_w, tree->groups[g].X_wg)
                                   : sn_dynamics_pose(dynamics, sn_body(first_body + body));
    }
}

sn_status sn_molecule_forces_compute(sn_molecule_forces* forces, const sn_dynamics* dynamics,
                                     int first_body, sn_pose X_w, uint64_t step,
                                     sn_wrench* wrench_w) {
    const sn_torsion_tree* tree = forces->tree;
    place_groups(forces, dynamics, first_body, X_w);
    find_parts(forces, dynamics, first_body);
    sn_status status = SN_OK;
    if (forces->reports)
        status =
            sn_forcefield_evaluate(forces->meter, forces->X_wg, forces->wrench, &forces->report);
    if (!status) status = sn_forcefield_evaluate(forces->field, forces->X_wg, forces->wrench, NULL);
    if (status) return status;
    for (int32_t g = 0; g < tree->group_count; g++) {
        int32_t body = tree->groups[g].body.i;
        if (body < 0) continue;
        sn_wrench w = forces->wrench[g];
        if (forces->def.friction > 0) {
            sn_twist v = sn_dynamics_velocity(dynamics, sn_body(first_body + body));
            sn_wrench b = bath_wrench(forces, g, v, step);
            sn_mat3 R = forces->X_wg[g].R;
            w = sn_wrench_add(w, sn_wrench_make(sn_mat3_apply(R, b.n), sn_mat3_apply(R, b.f)));
        }
        wrench_w[first_body + body] = sn_wrench_add(wrench_w[first_body + body], w);
    }
    return SN_OK;
}

static sn_status make_meter(sn_molecule_forces* forces) {
    const sn_torsion_tree* tree = forces->tree;
    if (forces->meter) return SN_OK;
    return sn_forcefield_create(tree->molecule, tree, &forces->def.field, &forces->meter, NULL);
}

sn_status sn_molecule_forces_measure(sn_molecule_forces* forces, const sn_dynamics* dynamics,
                                     int first_body, sn_pose X_w, sn_forcefield_report* report) {
    sn_status status = make_meter(forces);
    if (status) return status;
    place_groups(forces, dynamics, first_body, X_w);
    return sn_forcefield_evaluate(forces->meter, forces->X_wg, forces->wrench, report);
}

sn_status sn_molecule_forces_want_report(sn_molecule_forces* forces, bool wanted) {
    sn_status status = wanted ? make_meter(forces) : SN_OK;
    forces->reports = wanted && !status;
    return status;
}

sn_forcefield_report sn_molecule_forces_report(const sn_molecule_forces* forces) {
    return forces->report;
}

const sn_vec3* sn_molecule_forces_positions(const sn_molecule_forces* forces) {
    return sn_forcefield_atom_positions(forces->field);
}
