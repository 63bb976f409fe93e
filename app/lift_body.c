// SPDX-License-Identifier: Apache-2.0
/// A humanoid in its sagittal plane: what a posture and its motion ask of the joints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lift_plan.h"
#include "memory.h"

const char* const lift_joint_names[LIFT_JOINTS] = {"hip_pitch",   "knee",           "ankle_pitch",
                                                   "waist_pitch", "shoulder_pitch", "elbow"};

struct lift_body {
    const sn_model* model;
    sn_dynamics* dynamics;
    int joint[2][LIFT_JOINTS]; ///< place in v, left and right; the waist twice
    int turned[2];             ///< places in q of the wrists, which are turned by a quarter
    double limit[LIFT_JOINTS];
    sn_frame_id sole[2], grasp[2];
    double *q, *v, *qdd, *tau;
};

static bool find_joints(lift_body* b) {
    for (int j = 0; j < LIFT_JOINTS; j++) {
        for (int side = 0; side < 2; side++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s%s",
                           j == LIFT_WAIST ? ""
                           : side          ? "r_"
                                           : "l_",
                           lift_joint_names[j]);
            sn_body_id body = sn_model_find_joint(b->model, name);
            if (body.i < 0) return false;
            sn_body_info info = sn_model_body(b->model, body);
            b->joint[side][j] = info.iv;
            b->limit[j] = info.effort[0];
        }
    }
    static const char *const SOLES[] = {"l_sole", "r_sole"}, *const GRASPS[] = {"l_grasp",
                                                                                "r_grasp"};
    static const char* const WRISTS[] = {"l_wrist_yaw", "r_wrist_yaw"};
    for (int side = 0; side < 2; side++) {
        b->sole[side] = sn_model_find_frame(b->model, SOLES[side]);
        b->grasp[side] = sn_model_find_frame(b->model, GRASPS[side]);
        sn_body_id wrist = sn_model_find_joint(b->model, WRISTS[side]);
        if (b->sole[side].i < 0 || b->grasp[side].i < 0 || wrist.i < 0) return false;
        b->turned[side] = sn_model_body(b->model, wrist).iq;
    }
    return sn_model_body(b->model, sn_body(0)).type == SN_JOINT_FREE;
}

lift_body* lift_body_create(const sn_model* model) {
    lift_body* b = memory_take(1, sizeof *b);
    b->model = model;
    b->q = memory_take((size_t)sn_model_nq(model), sizeof *b->q);
    b->v = memory_take((size_t)sn_model_nv(model), sizeof *b->v);
    b->qdd = memory_take((size_t)sn_model_nv(model), sizeof *b->qdd);
    b->tau = memory_take((size_t)sn_model_nv(model), sizeof *b->tau);
    if (find_joints(b) && !sn_dynamics_create(model, NULL, &b->dynamics, NULL)) return b;
    lift_body_free(b);
    return NULL;
}

void lift_body_free(lift_body* b) {
    if (!b) return;
    sn_dynamics_free(b->dynamics);
    free(b->q), free(b->v), free(b->qdd), free(b->tau);
    free(b);
}

const double* lift_body_limits(const lift_body* b) { return b->limit; }

static double trunk_turn(const double* x) { return -(x[LIFT_HIP] + x[LIFT_KNEE] + x[LIFT_ANKLE]); }

// q after the free root has one number a joint, one place later than v.
void lift_body_pose(lift_body* b, const double* angles, double* q) {
    sn_model_neutral(b->model, q);
    double half = 0.5 * trunk_turn(angles);
    q[3] = cos(half), q[5] = sin(half);
    for (int j = 0; j < LIFT_JOINTS; j++)
        for (int side = 0; side < 2; side++) q[b->joint[side][j] + 1] = angles[j];
    for (int side = 0; side < 2; side++) // jaws above and below a bar along y
        q[b->turned[side]] = side ? -M_PI / 2 : M_PI / 2;
    (void)sn_dynamics_kinematics(b->dynamics, q, NULL); // of finite numbers it cannot fail
    sn_vec3 sole = sn_dynamics_frame_pose(b->dynamics, b->sole[0]).p;
    q[0] -= sole.x;
    q[2] -= sole.z;
}

/// The root's motion that leaves the soles where they are: what the legs' angles move, taken back.
static void root_rates(lift_body* b, const double* rates, double* v) {
    sn_body_id foot = sn_model_frame(b->model, b->sole[0]).body;
    sn_twist moved;
    memset(v, 0, (size_t)sn_model_nv(b->model) * sizeof *v);
    for (int j = 0; j < LIFT_JOINTS; j++)
        for (int side = 0; side < 2; side++) v[b->joint[side][j]] = rates[j];
    (void)sn_dynamics_twists(b->dynamics, v, &foot, 1, &moved);
    // seen from the root: the root moves by the opposite of the foot's motion at the root's origin
    sn_pose X_rf = sn_pose_mul(sn_pose_inverse(sn_dynamics_pose(b->dynamics, sn_body(0))),
                               sn_dynamics_pose(b->dynamics, foot));
    sn_twist at_root = sn_pose_twist(X_rf, moved);
    const double root[6] = {-at_root.w.x, -at_root.w.y, -at_root.w.z,
                            -at_root.v.x, -at_root.v.y, -at_root.v.z};
    memcpy(v, root, sizeof root);
}

/// The bar pulls at both hands by half its weight and inertia.
static void load_hands(lift_body* b, double mass) {
    for (int side = 0; side < 2; side++) {
        sn_frame_info grasp = sn_model_frame(b->model, b->grasp[side]);
        sn_pose X = sn_dynamics_pose(b->dynamics, grasp.body);
        sn_twist a = sn_dynamics_acceleration(b->dynamics, grasp.body);
        sn_twist v = sn_dynamics_velocity(b->dynamics, grasp.body);
        sn_vec3 r = grasp.X_bf.p;
        sn_vec3 point = sn_vec3_add(a.v, sn_vec3_cross(a.w, r)); // of the spatial acceleration
        point = sn_vec3_add(point, sn_vec3_cross(v.w, sn_vec3_add(v.v, sn_vec3_cross(v.w, r))));
        sn_vec3 g = sn_mat3_apply_transposed(X.R, sn_vec3_make(0, 0, -9.81));
        sn_vec3 f = sn_vec3_scale(0.5 * mass, sn_vec3_sub(g, point));
        sn_wrench w = {sn_vec3_cross(r, f), f};
        (void)sn_dynamics_set_wrench(b->dynamics, grasp.body, SN_AXES_BODY, w);
    }
}

/// A force on a body at a place in the world, with a moment about y.
static void carry(lift_body* b, sn_body_id body, sn_vec3 at, sn_vec3 force, double moment) {
    sn_vec3 n = sn_vec3_add(sn_vec3_make(0, moment, 0), sn_vec3_cross(at, force));
    sn_pose X = sn_dynamics_pose(b->dynamics, body);
    (void)sn_dynamics_set_wrench(b->dynamics, body, SN_AXES_BODY,
                                 sn_pose_wrench_inverse(X, sn_wrench_make(n, force)));
}

/// How much of the weight a seat below x carries when the soles carry the rest in their middle, x = 0.
static double share_of(double centre, double x) {
    static const double MOST = 0.9;
    return fmax(0, fmin(MOST, centre / x));
}

void lift_body_load(lift_body* b, double mass, bool seated, const double* angles,
                    const double* rates, const double* accelerations, lift_load* load) {
    sn_dynamics* d = b->dynamics;
    sn_dynamics_clear_wrenches(d);
    lift_body_pose(b, angles, b->q);
    (void)sn_dynamics_kinematics(d, b->q, NULL);
    root_rates(b, rates, b->v);
    root_rates(b, accelerations, b->qdd); // without what speeds add: lifts are slow
    (void)sn_dynamics_inverse(d, b->q, b->v, b->qdd, b->tau);
    load_hands(b, mass);
    (void)sn_dynamics_inverse(d, b->q, b->v, b->qdd, b->tau);
    // what is left at the root comes from the soles, half from each, and from the seat
    sn_pose X = sn_dynamics_pose(d, sn_body(0));
    sn_wrench root = {{b->tau[0], b->tau[1], b->tau[2]}, {b->tau[3], b->tau[4], b->tau[5]}};
    sn_wrench total = sn_pose_wrench(X, root); // about the origin of the world
    double centre = -total.n.y / total.f.z;    // the soles' middle is at x = 0
    load->share = seated ? share_of(centre, X.p.x) : 0;
    sn_vec3 on_seat = sn_vec3_make(0, 0, load->share * total.f.z);
    sn_vec3 on_soles = sn_vec3_sub(total.f, on_seat);
    load->cop = (centre * total.f.z - X.p.x * on_seat.z) / on_soles.z;
    for (int side = 0; side < 2; side++) {
        sn_vec3 half = sn_vec3_scale(0.5, on_soles);
        carry(b, sn_model_frame(b->model, b->sole[side]).body,
              sn_dynamics_frame_pose(d, b->sole[side]).p, half, -load->cop * half.z);
    }
    if (load->share > 0) carry(b, sn_body(0), X.p, on_seat, 0);
    (void)sn_dynamics_inverse(d, b->q, b->v, b->qdd, b->tau);
    for (int j = 0; j < LIFT_JOINTS; j++) load->tau[j] = b->tau[b->joint[0][j]];
    sn_vec3 hand = sn_dynamics_frame_pose(d, b->grasp[0]).p;
    load->bar[0] = hand.x, load->bar[1] = hand.z;
    load->pelvis[0] = X.p.x, load->pelvis[1] = X.p.z;
}
