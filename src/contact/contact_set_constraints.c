// SPDX-License-Identifier: Apache-2.0
// Rows of the constraints of a set. What is off is seen from the frame on b, and both bodies are held at
// one point, so that impulses keep angular momentum however far off it is.
#include "contact/contact_set.h"

enum { PART_ROWS = 3 };

/// Rows of one unit: those that move, or those that turn.
typedef struct part {
    int32_t rows;
    bool turns;
    sn_vec3 axis[PART_ROWS]; ///< world
    double off[PART_ROWS];   ///< m, of turning times set->length
    double stiffness, damping;
} part;

static sn_pose frame_in_world(const sn_contact_set* set, int32_t slot, sn_pose X_bc) {
    return slot < 0 ? X_bc : sn_pose_mul(set->bodies.pose[slot], X_bc);
}

static part moving_part(const sn_constraint* c, sn_pose X_wa, sn_pose X_wb) {
    part p = {.rows = 3, .stiffness = c->stiffness, .damping = c->damping};
    sn_vec3 d = sn_vec3_sub(X_wa.p, X_wb.p);
    if (c->type == SN_CONSTRAINT_DISTANCE) {
        double distance = sn_vec3_norm(d);
        p.rows = 1; // where the origins meet any direction parts them
        p.axis[0] = distance > 0 ? sn_vec3_scale(1 / distance, d) : sn_mat3_column(X_wb.R, 0);
        p.off[0] = distance - c->length;
        return p;
    }
    for (int k = 0; k < 3; k++) {
        p.axis[k] = sn_mat3_column(X_wb.R, k);
        p.off[k] = sn_vec3_dot(p.axis[k], d);
    }
    return p;
}

/// Rotation vector that turns the z axis of b into that of a, world axes.
static sn_vec3 tilt(sn_pose X_wa, sn_pose X_wb) {
    sn_vec3 z_a = sn_mat3_column(X_wa.R, 2), z_b = sn_mat3_column(X_wb.R, 2);
    sn_vec3 across = sn_vec3_cross(z_b, z_a);
    double sine = sn_vec3_norm(across), angle = atan2(sine, sn_vec3_dot(z_b, z_a));
    if (sine > 0) return sn_vec3_scale(angle / sine, across);
    return sn_vec3_scale(angle, sn_mat3_column(X_wb.R, 0)); // upside down: any axis will do
}

/// A turn at the rate -phi/h undoes the rotation vector phi in h, however large: about its own axis there is
/// nothing nonlinear.
static part turning_part(const sn_constraint* c, double length, sn_pose X_wa, sn_pose X_wb) {
    part p = {.turns = true, .stiffness = c->turn_stiffness, .damping = c->turn_damping};
    sn_vec3 phi = sn_vec3_zero(); // world
    if (c->type == SN_CONSTRAINT_WELD) {
        sn_quat turned = sn_quat_from_matrix(sn_mat3_mul(sn_mat3_transpose(X_wb.R), X_wa.R));
        p.rows = 3;
        phi = sn_mat3_apply(X_wb.R, sn_quat_log(turned));
    } else if (c->type == SN_CONSTRAINT_HINGE) {
        p.rows = 2;
        phi = tilt(X_wa, X_wb);
    }
    for (int k = 0; k < p.rows; k++) {
        p.axis[k] = sn_mat3_column(X_wb.R, k);
        p.off[k] = length * sn_vec3_dot(p.axis[k], phi);
    }
    return p;
}

static bool is_rigid(const part* p) { return p->stiffness == INFINITY; }

/// One entry of one part, or of two that are both rigid.
static void write_entry(sn_contact_set* set, const sn_constraint* c, uint64_t id, int32_t a,
                        int32_t b, sn_vec3 x, const part* parts, int count) {
    int32_t rows = parts[0].rows + (count > 1 ? parts[1].rows : 0);
    sni_entry entry = sni_rows_push(&set->rows, SN_CONTACT_EQUAL, rows, c->id ? id : 0, a, b);
    double scale = parts[0].turns ? set->length : 1;
    sni_spring spring = {0, set->options.constraint_factor / set->h};
    if (!is_rigid(&parts[0])) {
        spring = sni_spring_make(parts[0].stiffness, parts[0].damping, set->h);
        entry.law->compliance = scale * scale * spring.compliance;
    }
    double off[SN_CONTACT_ROWS_MAX];
    int32_t row = 0;
    for (int p = 0; p < count; p++) {
        for (int32_t k = 0; k < parts[p].rows; k++, row++) {
            double *C_a = entry.C_a + (ptrdiff_t)6 * row, *C_b = entry.C_b + (ptrdiff_t)6 * row;
            if (parts[p].turns) {
                sni_row_turn(&set->bodies, a, parts[p].axis[k], set->length, C_a);
                sni_row_turn(&set->bodies, b, parts[p].axis[k], -set->length, C_b);
            } else {
                sni_row_move(&set->bodies, a, x, parts[p].axis[k], 1, C_a);
                sni_row_move(&set->bodies, b, x, parts[p].axis[k], -1, C_b);
            }
            off[row] = parts[p].off[k];
        }
    }
    for (int32_t k = 0; k < rows; k++) {
        double u = sni_row_speed(&set->rows, entry.index, k, set->bodies.free);
        set->u_free[entry.row + k] = u;
        set->u_work[entry.row + k] = entry.q[k] = u + off[k] * spring.pull;
    }
    if (!is_rigid(&parts[0])) return;
    double left = 1 - set->options.constraint_factor;
    for (int32_t k = 0; k < rows; k++)
        off[k] = set->options.position_factor * left * off[k] / set->h;
    sni_positions_push(set, &entry, off, rows);
}

static void write_constraint(sn_contact_set* set, int32_t i) {
    const sn_constraint* c = &set->constraint[i];
    int32_t a = c->a.i < 0 ? -1 : set->bodies.slot[c->a.i];
    int32_t b = c->b.i < 0 ? -1 : set->bodies.slot[c->b.i];
    sn_pose X_wa = frame_in_world(set, a, c->X_ac), X_wb = frame_in_world(set, b, c->X_bc);
    part parts[2] = {moving_part(c, X_wa, X_wb), turning_part(c, set->length, X_wa, X_wb)};
    int32_t first = set->rows.count;
    uint64_t id = sni_made_id(SNI_ID_CONSTRAINT, c->id);
    bool whole = is_rigid(&parts[0]) && is_rigid(&parts[1]) && parts[1].rows > 0;
    write_entry(set, c, id, a, b, X_wa.p, parts, whole ? 2 : 1);
    if (!whole && parts[1].rows > 0) { // an entry has one compliance
        id = sni_made_id(SNI_ID_CONSTRAINT_TURN, c->id);
        write_entry(set, c, id, a, b, X_wa.p, parts + 1, 1);
    }
    set->constraint_rows[i] = (sni_constraint_rows){first, set->rows.count - first, X_wa.p};
}

// Of the two entries of a compliant constraint the second turns.
double sni_constraint_pull(const sn_contact_set* set, int32_t entry) {
    for (int32_t i = 0; i < set->constraint_count; i++) {
        const sn_constraint* c = &set->constraint[i];
        int32_t second = entry - set->constraint_rows[i].first;
        if (second < 0 || second >= set->constraint_rows[i].count) continue;
        double k = second ? c->turn_stiffness : c->stiffness;
        double damping = second ? c->turn_damping : c->damping;
        if (k != INFINITY) return sni_spring_make(k, damping, set->h).pull;
        return set->options.constraint_factor / set->h;
    }
    return 0; // dry friction that never slides
}

void sni_set_constraint_rows(sn_contact_set* set) {
    for (int32_t i = 0; i < set->constraint_count; i++) write_constraint(set, i);
}
