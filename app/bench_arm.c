// SPDX-License-Identifier: Apache-2.0
/// The arm of `sinew bench dynamics`. Its joints are laid out as those of a Franka Panda, its lengths
/// and masses are of that size and round; it is not a model of that robot.
#include "bench_line.h"

typedef struct arm_link {
    const char* name;
    const char* parent;
    sn_joint_type type;
    double turn;         ///< quarter turns of the joint frame about x
    sn_vec3 at;          ///< of the joint frame in the parent, m
    sn_vec3 axis;        ///< in the joint frame
    double mass;         ///< kg
    sn_vec3 com, edges;  ///< a box of these edges around the centre of mass, m
    double lower, upper; ///< rad, m
} arm_link;

static const arm_link LINKS[] = {
    // name, parent, type, turn, at, axis, mass, com, edges, lower, upper
    {"link1",
     NULL,
     SN_JOINT_REVOLUTE,
     0,
     {0, 0, 0.33},
     {0, 0, 1},
     3,
     {0, -0.03, -0.07},
     {0.12, 0.15, 0.25},
     -2.9,
     2.9},
    {"link2",
     "link1",
     SN_JOINT_REVOLUTE,
     -1,
     {0, 0, 0},
     {0, 0, 1},
     3,
     {0, -0.07, 0.03},
     {0.12, 0.25, 0.15},
     -1.8,
     1.8},
    {"link3",
     "link2",
     SN_JOINT_REVOLUTE,
     1,
     {0, -0.32, 0},
     {0, 0, 1},
     3,
     {0.04, 0.02, -0.05},
     {0.15, 0.12, 0.2},
     -2.9,
     2.9},
    {"link4",
     "link3",
     SN_JOINT_REVOLUTE,
     1,
     {0.08, 0, 0},
     {0, 0, 1},
     3,
     {-0.04, 0.05, 0.02},
     {0.15, 0.2, 0.12},
     -3.1,
     0},
    {"link5",
     "link4",
     SN_JOINT_REVOLUTE,
     -1,
     {-0.08, 0.38, 0},
     {0, 0, 1},
     3.5,
     {0, 0.04, -0.12},
     {0.1, 0.12, 0.3},
     -2.9,
     2.9},
    {"link6",
     "link5",
     SN_JOINT_REVOLUTE,
     1,
     {0, 0, 0},
     {0, 0, 1},
     1.5,
     {0.05, -0.01, -0.01},
     {0.15, 0.1, 0.1},
     0,
     3.7},
    {"hand",
     "link6",
     SN_JOINT_REVOLUTE,
     1,
     {0.09, 0, 0},
     {0, 0, 1},
     1.2,
     {0.01, 0, 0.12},
     {0.06, 0.2, 0.12},
     -2.9,
     2.9},
    {"finger1",
     "hand",
     SN_JOINT_PRISMATIC,
     0,
     {0, 0, 0.17},
     {0, 1, 0},
     0.1,
     {0, 0.01, 0.03},
     {0.02, 0.02, 0.06},
     0,
     0.04},
    {"finger2",
     "hand",
     SN_JOINT_PRISMATIC,
     0,
     {0, 0, 0.17},
     {0, -1, 0},
     0.1,
     {0, -0.01, 0.03},
     {0.02, 0.02, 0.06},
     0,
     0.04},
};
enum { LINK_COUNT = sizeof LINKS / sizeof LINKS[0] };

sn_model* bench_arm(sn_error* error) {
    sn_model* model = NULL;
    sn_model_builder* builder = sn_model_builder_create("arm");
    sn_status status = builder ? SN_OK : SN_ERR_MEMORY;
    for (int i = 0; i < LINK_COUNT && status == SN_OK; i++) {
        const arm_link* link = &LINKS[i];
        sn_body_def def = sn_body_def_default();
        sn_vec3 turn = sn_vec3_make(link->turn * 0.5 * acos(-1), 0, 0);
        def.name = link->name;
        def.parent = link->parent;
        def.joint.type = link->type;
        def.joint.placement = sn_pose_make(sn_quat_matrix(sn_quat_exp(turn)), link->at);
        def.joint.axis = link->axis;
        def.joint.lower[0] = link->lower;
        def.joint.upper[0] = link->upper;
        def.inertia = sn_inertia_box(link->mass, link->edges);
        def.inertia.com = link->com;
        status = sn_model_builder_add_body(builder, &def);
    }
    if (status == SN_OK) status = sn_model_builder_compile(builder, NULL, &model, error);
    if (status != SN_OK && error->status == SN_OK) error->status = status;
    sn_model_builder_free(builder);
    return model;
}
