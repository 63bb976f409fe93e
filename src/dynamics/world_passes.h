// SPDX-License-Identifier: Apache-2.0
// Articulated-body passes in world axes over a number type: one state of doubles, or four states in
// the lanes of a vector. Define before inclusion: REAL; WHOLE(double), a REAL; SINCOS(x, &s, &c);
// LEAST(a, b); TYPE(name). What an instance does not use the compiler drops.
//
// Origins at the body frames, classical accelerations: nothing turns but R, and inertias are only
// shifted from origin to origin. Bias accelerations run forward with gravity at the ground, so that
// the backward pass has none of its own; one update serves inertia and bias force.   [F08 ch 7]

typedef TYPE(vec) vec;

// ---- vectors ---------------------------------------------------------------------------------------------

static inline vec make(REAL x, REAL y, REAL z) { return (vec){x, y, z}; }
static inline vec zero(void) { return make(WHOLE(0), WHOLE(0), WHOLE(0)); }
static inline vec add(vec a, vec b) { return make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec scaled(REAL s, vec a) { return make(s * a.x, s * a.y, s * a.z); }
static inline REAL dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec cross(vec a, vec b) {
    return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// a + s b.
static inline vec plus(vec a, REAL s, vec b) {
    return make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/// x a + y b + z c for numbers of the model.
static inline vec combine(const TYPE(body) * up, double a, double b, double c) {
    return make(up->x.x * a + up->y.x * b + up->z.x * c, up->x.y * a + up->y.y * b + up->z.y * c,
                up->x.z * a + up->y.z * b + up->z.z * c);
}

/// The ground: world axes, at rest, accelerating against gravity.
static inline void set_ground(TYPE(memory) * at, vec a) {
    TYPE(body)* ground = &at->body[0];
    REAL o = WHOLE(0), one = WHOLE(1);
    ground->x = make(one, o, o);
    ground->y = make(o, one, o);
    ground->z = make(o, o, one);
    ground->r = ground->w = ground->alpha = zero();
    ground->a = a;
}

// ---- forward: motion ---------------------------------------------------------------------------------------

/// Axes turned by the angle about the first given one: b' = b c + d s, d' = d c - b s.
static inline void turn(REAL angle, vec* b, vec* d) {
    REAL s, c;
    SINCOS(angle, &s, &c);
    vec old = *b;
    *b = plus(scaled(c, old), s, *d);
    *d = plus(scaled(c, *d), -s, old);
}

static void turn_by_quaternion(const REAL* q, TYPE(body) * body) {
    REAL w = q[0], x = q[1], y = q[2], z = q[3];
    vec a = body->x, b = body->y, c = body->z;
    body->x = plus(plus(scaled(1 - 2 * (y * y + z * z), a), 2 * (x * y + w * z), b),
                   2 * (x * z - w * y), c);
    body->y = plus(plus(scaled(2 * (x * y - w * z), a), 1 - 2 * (x * x + z * z), b),
                   2 * (y * z + w * x), c);
    body->z = plus(plus(scaled(2 * (x * z + w * y), a), 2 * (y * z - w * x), b),
                   1 - 2 * (x * x + y * y), c);
}

/// Joint frame -> body frame: moves axes and r by q, and writes the subspace and S_ring v of joints
/// other than hinges.
static void articulate(const sni_joint* joint, const REAL* q, const REAL* v, TYPE(body) * body,
                       TYPE(axis) * axis, vec* ring) {
    *ring = zero();
    for (int d = 0; d < joint->nv; d++) axis[d].w = axis[d].v = zero();
    switch ((sn_joint_type)joint->type) {
    case SN_JOINT_PRISMATIC:
        body->r = plus(body->r, q[0], body->z);
        axis[0].v = body->z;
        break;
    case SN_JOINT_HELICAL:
        body->r = plus(body->r, joint->pitch * q[0], body->z);
        turn(q[0], &body->x, &body->y);
        axis[0].w = body->z;
        axis[0].v = scaled(WHOLE(joint->pitch), body->z);
        break;
    case SN_JOINT_CYLINDRICAL:
        body->r = plus(body->r, q[1], body->z);
        turn(q[0], &body->x, &body->y);
        axis[0].w = axis[1].v = body->z;
        break;
    case SN_JOINT_PLANAR:
        body->r = plus(plus(body->r, q[1], body->x), q[2], body->y);
        turn(q[0], &body->x, &body->y);
        axis[0].w = body->z;
        axis[1].v = body->x;
        axis[2].v = body->y;
        break;
    case SN_JOINT_UNIVERSAL:
        axis[0].w = body->x; // before the second turn
        turn(q[0], &body->y, &body->z);
        turn(q[1], &body->z, &body->x);
        axis[1].w = body->y;
        // the first axis turns about the second one in the child frame
        *ring = scaled(-v[0] * v[1], cross(body->y, axis[0].w));
        break;
    case SN_JOINT_FREE:
        body->r = plus(plus(plus(body->r, q[0], body->x), q[1], body->y), q[2], body->z);
        turn_by_quaternion(q + 3, body);
        axis[0].w = axis[3].v = body->x;
        axis[1].w = axis[4].v = body->y;
        axis[2].w = axis[5].v = body->z;
        break;
    case SN_JOINT_SPHERICAL:
        turn_by_quaternion(q, body);
        axis[0].w = body->x;
        axis[1].w = body->y;
        axis[2].w = body->z;
        break;
    case SN_JOINT_REVOLUTE:
    case SN_JOINT_FIXED:
    case SN_JOINT_TYPE_COUNT: break;
    }
}

/// Motion of body i from its parent's; qdd may be NULL (zero).
static inline void move(const sni_joint* joint, const REAL* q, const REAL* v, const REAL* qdd,
                        const TYPE(body) * up, TYPE(axis) * axis, TYPE(body) * body) {
    const sn_pose* X = &joint->X_pj;
    body->x = combine(up, X->R.m[0][0], X->R.m[1][0], X->R.m[2][0]);
    body->y = combine(up, X->R.m[0][1], X->R.m[1][1], X->R.m[2][1]);
    body->z = combine(up, X->R.m[0][2], X->R.m[1][2], X->R.m[2][2]);
    body->r = combine(up, X->p.x, X->p.y, X->p.z);
    vec w = up->w, w_J, alpha;
    vec v_J = zero(), a = zero();
    if (joint->type == SN_JOINT_REVOLUTE) {
        turn(q[0], &body->x, &body->y);
        w_J = scaled(v[0], body->z);
        alpha = cross(w, w_J);
        if (qdd) alpha = plus(alpha, qdd[0], body->z);
    } else {
        vec ring;
        articulate(joint, q, v, body, axis, &ring);
        w_J = zero();
        for (int d = 0; d < joint->nv; d++) {
            w_J = plus(w_J, v[d], axis[d].w);
            v_J = plus(v_J, v[d], axis[d].v);
        }
        alpha = add(ring, cross(w, w_J));
        a = cross(plus(w_J, WHOLE(2), w), v_J);
        for (int d = 0; qdd && d < joint->nv; d++) {
            alpha = plus(alpha, qdd[d], axis[d].w);
            a = plus(a, qdd[d], axis[d].v);
        }
    }
    body->w = add(w, w_J);
    body->alpha = add(up->alpha, alpha);
    body->a = add(add(up->a, a), add(cross(up->alpha, body->r), cross(w, cross(w, body->r))));
}

/// Adds inertia and bias force of one body in world axes.
static inline void weigh(const sni_rigid* I, const TYPE(body) * body, TYPE(rows) * rows) {
    vec x = body->x, y = body->y, z = body->z, w = body->w, al = body->alpha, a = body->a;
    vec A[3]; // columns of R J
    for (int c = 0; c < 3; c++) A[c] = combine(body, I->J.m[0][c], I->J.m[1][c], I->J.m[2][c]);
    vec h = combine(body, I->h.x, I->h.y, I->h.z);
    REAL xx = A[0].x * x.x + A[1].x * y.x + A[2].x * z.x;
    REAL xy = A[0].x * x.y + A[1].x * y.y + A[2].x * z.y;
    REAL xz = A[0].x * x.z + A[1].x * y.z + A[2].x * z.z;
    REAL yy = A[0].y * x.y + A[1].y * y.y + A[2].y * z.y;
    REAL yz = A[0].y * x.z + A[1].y * y.z + A[2].y * z.z;
    REAL zz = A[0].z * x.z + A[1].z * y.z + A[2].z * z.z;
    vec Jw = make(xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z,
                  xz * w.x + yz * w.y + zz * w.z);
    vec Ja = make(xx * al.x + xy * al.y + xz * al.z, xy * al.x + yy * al.y + yz * al.z,
                  xz * al.x + yz * al.y + zz * al.z);
    REAL m = WHOLE(I->m);
    rows->f = add(rows->f, add(scaled(m, a), add(cross(al, h), cross(w, cross(w, h)))));
    rows->n = add(rows->n, add(Ja, add(cross(w, Jw), cross(h, a))));
    rows->J[0] += xx, rows->J[1] += xy, rows->J[2] += xz;
    rows->J[3] += yy, rows->J[4] += yz, rows->J[5] += zz;
    rows->H[0][1] -= h.z, rows->H[0][2] += h.y;
    rows->H[1][0] += h.z, rows->H[1][2] -= h.x;
    rows->H[2][0] -= h.y, rows->H[2][1] += h.x;
    rows->M[0] += m, rows->M[3] += m, rows->M[5] += m;
}

static inline TYPE(rows) no_rows(void) {
    REAL o = WHOLE(0);
    return (TYPE(rows)){.J = {o, o, o, o, o, o},
                        .H = {{o, o, o}, {o, o, o}, {o, o, o}},
                        .M = {o, o, o, o, o, o},
                        .n = zero(),
                        .f = zero()};
}

/// What is kept for a body, to be filled.
static inline TYPE(rows) * touch(TYPE(memory) * at, int32_t index) {
    if (!at->touched[index]) at->rows[index] = no_rows();
    at->touched[index] = true;
    return &at->rows[index];
}

static inline void pass_forward(const sn_model* model, TYPE(memory) * at, const REAL* q,
                                const REAL* v, const REAL* qdd) {
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        move(joint, q + joint->iq, v + joint->iv, qdd ? qdd + joint->iv : NULL,
             &at->body[joint->parent + 1], at->axis + joint->iv, &at->body[i + 1]);
    }
}

/// Joint forces of this motion, leaf to root.
static inline void pass_inverse(const sn_model* model, TYPE(memory) * at, REAL* tau) {
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const TYPE(body)* body = &at->body[i + 1];
        TYPE(rows) rows = at->touched[i + 1] ? at->rows[i + 1] : no_rows();
        at->touched[i + 1] = false;
        weigh(&model->inertia[i], body, &rows);
        for (int d = joint->iv; d < joint->iv + joint->nv; d++)
            tau[d] = joint->type == SN_JOINT_REVOLUTE
                         ? dot(rows.n, body->z)
                         : dot(rows.n, at->axis[d].w) + dot(rows.f, at->axis[d].v);
        if (joint->parent < 0) continue;
        TYPE(rows)* up = touch(at, joint->parent + 1);
        up->n = add(up->n, add(rows.n, cross(body->r, rows.f)));
        up->f = add(up->f, rows.f);
    }
}

// ---- backward: eliminate joints, leaf to root ------------------------------------------------------------------

static inline vec symmetric_times(const REAL A[6], vec s) {
    return make(A[0] * s.x + A[1] * s.y + A[2] * s.z, A[1] * s.x + A[3] * s.y + A[4] * s.z,
                A[2] * s.x + A[4] * s.y + A[5] * s.z);
}

/// A -= a b^T where that is symmetric.
static inline void symmetric_subtract(REAL A[6], vec a, vec b) {
    A[0] -= a.x * b.x, A[1] -= a.x * b.y, A[2] -= a.x * b.z;
    A[3] -= a.y * b.y, A[4] -= a.y * b.z, A[5] -= a.z * b.z;
}

/// Takes one degree of freedom out: I -= (V, U)(V, U)^T / D, (n, f) += (V, U) u / D. Returns D.
static inline REAL eliminate(TYPE(rows) * at, const vec* S_w, const vec* S_v, REAL tau,
                             REAL armature, TYPE(factor) * factor) {
    vec V = zero(), U = zero();
    REAL D = armature, u = tau;
    REAL(*H)[3] = at->H;
    if (S_w) {
        vec s = *S_w;
        V = symmetric_times(at->J, s);
        U = make(H[0][0] * s.x + H[1][0] * s.y + H[2][0] * s.z,
                 H[0][1] * s.x + H[1][1] * s.y + H[2][1] * s.z,
                 H[0][2] * s.x + H[1][2] * s.y + H[2][2] * s.z);
    }
    if (S_v) {
        vec s = *S_v;
        V = add(V, make(H[0][0] * s.x + H[0][1] * s.y + H[0][2] * s.z,
                        H[1][0] * s.x + H[1][1] * s.y + H[1][2] * s.z,
                        H[2][0] * s.x + H[2][1] * s.y + H[2][2] * s.z));
        U = add(U, symmetric_times(at->M, s));
    }
    if (S_w) D = D + dot(V, *S_w), u = u - dot(at->n, *S_w);
    if (S_v) D = D + dot(U, *S_v), u = u - dot(at->f, *S_v);
    REAL k = 1 / D;
    vec kV = scaled(k, V), kU = scaled(k, U);
    symmetric_subtract(at->J, V, kV);
    symmetric_subtract(at->M, U, kU);
    H[0][0] -= V.x * kU.x, H[0][1] -= V.x * kU.y, H[0][2] -= V.x * kU.z;
    H[1][0] -= V.y * kU.x, H[1][1] -= V.y * kU.y, H[1][2] -= V.y * kU.z;
    H[2][0] -= V.z * kU.x, H[2][1] -= V.z * kU.y, H[2][2] -= V.z * kU.z;
    at->n = plus(at->n, u, kV);
    at->f = plus(at->f, u, kU);
    factor->V = kV;
    factor->U = kU;
    factor->inverse = k;
    factor->u = u * k;
    return D;
}

/// To the parent's origin: with Q = [r]x M and C = -(H + Q/2) [r]x,  H' = H + Q,  J' = J + C + C^T.
static inline void shift(TYPE(rows) * at, vec r) {
    REAL *J = at->J, *M = at->M;
    const vec M0 = make(M[0], M[1], M[2]), M1 = make(M[1], M[3], M[4]), M2 = make(M[2], M[4], M[5]);
    const vec Q[3] = {plus(scaled(r.y, M2), -r.z, M1), plus(scaled(r.z, M0), -r.x, M2),
                      plus(scaled(r.x, M1), -r.y, M0)};
    vec C[3];
    for (int i = 0; i < 3; i++) {
        REAL* H = at->H[i];
        C[i] = cross(r, make(H[0] + 0.5 * Q[i].x, H[1] + 0.5 * Q[i].y, H[2] + 0.5 * Q[i].z));
        H[0] += Q[i].x, H[1] += Q[i].y, H[2] += Q[i].z;
    }
    J[0] += 2 * C[0].x, J[3] += 2 * C[1].y, J[5] += 2 * C[2].z;
    J[1] += C[0].y + C[1].x, J[2] += C[0].z + C[2].x, J[4] += C[1].z + C[2].y;
    at->n = add(at->n, cross(r, at->f));
}

static inline void add_rows(TYPE(rows) * to, const TYPE(rows) * from) {
    for (int i = 0; i < 6; i++) to->J[i] += from->J[i], to->M[i] += from->M[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->H[i][j] += from->H[i][j];
    to->n = add(to->n, from->n);
    to->f = add(to->f, from->f);
}

/// Reduces body i to what its parent feels. D of every degree
/// of freedom must come out positive; *least keeps the smallest.
static inline void reduce(const sni_joint* joint, const TYPE(body) * body, const TYPE(axis) * axis,
                          const REAL* tau, const double* armature, TYPE(factor) * factor,
                          TYPE(rows) * rows, REAL* least) {
    if (joint->type == SN_JOINT_REVOLUTE) {
        REAL D = eliminate(rows, &body->z, NULL, tau[0], WHOLE(armature[0]), factor);
        shift(rows, body->r);
        vec moved = cross(body->r, factor->U); // factors of a hinge are at the parent's origin
        factor->V = add(factor->V, moved);
        *least = LEAST(*least, D);
        return;
    }
    for (int d = joint->nv - 1; d >= 0; d--) {
        REAL D = eliminate(rows, &axis[d].w, &axis[d].v, tau[d], WHOLE(armature[d]), factor + d);
        *least = LEAST(*least, D);
    }
    shift(rows, body->r);
}

/// Returns the smallest D. What a body hands to the body before it stays in local variables.
static inline REAL pass_backward(const sn_model* model, TYPE(memory) * at, const REAL* tau,
                                 const double* armature, const bool* locked) {
    REAL least = WHOLE(INFINITY);
    TYPE(rows) rows = no_rows();
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const TYPE(body)* body = &at->body[i + 1];
        int32_t iv = joint->iv;
        if (at->touched[i + 1]) add_rows(&rows, &at->rows[i + 1]);
        at->touched[i + 1] = false;
        weigh(&model->inertia[i], body, &rows);
        if (locked && locked[i])
            shift(&rows, body->r);
        else
            reduce(joint, body, at->axis + iv, tau + iv, armature + iv, at->factor + iv, &rows,
                   &least);
        if (joint->parent == i - 1) continue;
        if (joint->parent >= 0) add_rows(touch(at, joint->parent + 1), &rows);
        rows = no_rows();
    }
    return least;
}

// ---- forward again: accelerations ---------------------------------------------------------------------------------

static inline REAL answer(const TYPE(factor) * factor, vec alpha, vec a) {
    return factor->u - dot(factor->V, alpha) - dot(factor->U, a);
}

static inline void pass_accelerate(const sn_model* model, TYPE(memory) * at, const bool* locked,
                                   REAL* qdd) {
    at->rate[0].alpha = at->rate[0].a = zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const TYPE(body)* body = &at->body[i + 1];
        const TYPE(rate)* up = &at->rate[joint->parent + 1];
        vec alpha = up->alpha, a = add(up->a, cross(up->alpha, body->r));
        bool held = locked && locked[i];
        for (int d = joint->iv; d < joint->iv + joint->nv; d++) {
            if (held) {
                qdd[d] = WHOLE(0);
            } else if (joint->type == SN_JOINT_REVOLUTE) {
                qdd[d] = answer(&at->factor[d], up->alpha, up->a);
                alpha = plus(alpha, qdd[d], body->z);
            } else {
                qdd[d] = answer(&at->factor[d], alpha, a);
                alpha = plus(alpha, qdd[d], at->axis[d].w);
                a = plus(a, qdd[d], at->axis[d].v);
            }
        }
        at->rate[i + 1].alpha = alpha;
        at->rate[i + 1].a = a;
    }
}

// ---- impulses with kept factors ---------------------------------------------------------------------------------

/// dv = M^-1 (tau + J^T wrenches). hit holds minus the wrenches, n in alpha and f in a, and is used up
/// (left zero); tau may be NULL.
static inline void pass_impulse(const sn_model* model, TYPE(memory) * at, const REAL* tau,
                                const bool* locked, TYPE(rate) * hit, TYPE(rate) * change,
                                REAL* dv) {
    for (int32_t i = model->body_count - 1; i >= 0; i--) {
        const sni_joint* joint = &model->joint[i];
        const TYPE(body)* body = &at->body[i + 1];
        vec n = hit[i + 1].alpha, f = hit[i + 1].a;
        hit[i + 1].alpha = hit[i + 1].a = zero();
        bool hinge = joint->type == SN_JOINT_REVOLUTE; // its factors are at the parent's origin
        vec n_own = n;
        if (hinge) n = add(n, cross(body->r, f));
        for (int d = joint->iv + joint->nv - 1; d >= joint->iv; d--) {
            // u stays in dv until the way back
            dv[d] = tau ? tau[d] : WHOLE(0);
            if (hinge)
                dv[d] = dv[d] - dot(n_own, body->z);
            else
                dv[d] = dv[d] - dot(n, at->axis[d].w) - dot(f, at->axis[d].v);
            if (locked && locked[i]) continue;
            n = plus(n, dv[d], at->factor[d].V);
            f = plus(f, dv[d], at->factor[d].U);
        }
        if (!hinge) n = add(n, cross(body->r, f));
        hit[joint->parent + 1].alpha = add(hit[joint->parent + 1].alpha, n);
        hit[joint->parent + 1].a = add(hit[joint->parent + 1].a, f);
    }
    hit[0].alpha = hit[0].a = change[0].alpha = change[0].a = zero();
    for (int32_t i = 0; i < model->body_count; i++) {
        const sni_joint* joint = &model->joint[i];
        const TYPE(body)* body = &at->body[i + 1];
        const TYPE(rate)* up = &change[joint->parent + 1];
        vec alpha = up->alpha, a = add(up->a, cross(up->alpha, body->r));
        for (int d = joint->iv; d < joint->iv + joint->nv; d++) {
            const TYPE(factor)* factor = &at->factor[d];
            bool hinge = joint->type == SN_JOINT_REVOLUTE;
            if (locked && locked[i]) {
                dv[d] = WHOLE(0);
                continue;
            }
            vec from_w = hinge ? up->alpha : alpha, from_v = hinge ? up->a : a;
            dv[d] = dv[d] * factor->inverse - dot(factor->V, from_w) - dot(factor->U, from_v);
            alpha = plus(alpha, dv[d], hinge ? body->z : at->axis[d].w);
            if (!hinge) a = plus(a, dv[d], at->axis[d].v);
        }
        change[i + 1].alpha = alpha;
        change[i + 1].a = a;
    }
}
