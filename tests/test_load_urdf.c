// SPDX-License-Identifier: Apache-2.0
// What a URDF means: joints, inertias, shapes, order, base, and what is only warned about.
#define _XOPEN_SOURCE 700 // mkdtemp
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/loading.h"
#include "support/random_state.h"

#define BODY                                                                                       \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define LINK(name) "<link name='" name "'>" BODY "</link>"
#define FRAME(name) "<link name='" name "'/>"
#define ENDS(parent, child) "<parent link='" parent "'/><child link='" child "'/>"
#define LIMIT "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
/// A robot with link a, link b and one joint j between them.
#define PAIR(type, inside)                                                                         \
    "<robot name='r'>" FRAME("a") LINK("b") "<joint name='j' type='" type "'>" ENDS("a", "b")      \
        inside "</joint></robot>"

static sn_body_info body_named(const loaded* l, const char* name) {
    sn_body_id id = sn_model_find_body(l->model, name);
    if (id.i < 0) fail_msg("no body '%s'", name);
    return sn_model_body(l->model, id);
}

// ---- joints -------------------------------------------------------------------------------------

static void every_joint_type_of_urdf_becomes_ours(void** state) {
    (void)state;
    static const struct {
        const char* text;
        sn_joint_type type;
    } cases[] = {
        {PAIR("revolute", LIMIT), SN_JOINT_REVOLUTE},   {PAIR("continuous", ""), SN_JOINT_REVOLUTE},
        {PAIR("prismatic", LIMIT), SN_JOINT_PRISMATIC}, {PAIR("floating", ""), SN_JOINT_FREE},
        {PAIR("planar", ""), SN_JOINT_PLANAR},          {PAIR("spherical", ""), SN_JOINT_SPHERICAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded* l = load_text(cases[i].text, SN_BASE_AS_FILE);
        CHECK_LOADS(l);
        assert_int_equal(l->warning_count, 0);
        sn_body_info b = body_named(l, "b");
        assert_int_equal(b.type, cases[i].type);
        assert_string_equal(b.joint_name, "j");
        assert_int_equal(b.parent.i, -1);
        loaded_free(l);
    }
}

static void a_fixed_joint_becomes_a_frame_with_its_mass_folded_in(void** state) {
    (void)state;
    loaded* l =
        load_text("<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='fixed'>" ENDS(
                      "a", "b") "<origin xyz='1 2 3'/></joint></robot>",
                  SN_BASE_FREE);
    CHECK_LOADS(l);
    assert_int_equal(sn_model_body_count(l->model), 1);
    CHECK_NEAR(sn_model_mass(l->model), 4, 0, 0);
    sn_frame_info f = sn_model_frame(l->model, sn_model_find_frame(l->model, "b"));
    assert_true(f.folded);
    assert_string_equal(f.joint_name, "j");
    CHECK_NEAR(f.X_bf.p.y, 2, 0, 0);
    loaded_free(l);
}

static void the_axis_is_x_unless_given_and_of_unit_length(void** state) {
    (void)state;
    loaded* l = load_text(PAIR("continuous", ""), SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    sn_vec3 axis = body_named(l, "b").axis;
    assert_true(axis.x == 1 && axis.y == 0 && axis.z == 0);
    loaded_free(l);
    l = load_text(PAIR("continuous", "<axis xyz='0 3e-200 -4e-200'/>"), SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    axis = body_named(l, "b").axis;
    CHECK_NEAR(axis.y, 0.6, TOL_ROUNDOFF, 0);
    CHECK_NEAR(axis.z, -0.8, TOL_ROUNDOFF, 0);
    loaded_free(l);
    l = load_text(PAIR("fixed", "<axis xyz='0 0 0'/>"), SN_BASE_FREE);
    CHECK_LOADS(l); // the axis of a fixed joint means nothing
    loaded_free(l);
    l = load_text(PAIR("planar", "<axis xyz='0 0 0'/>"), SN_BASE_AS_FILE);
    CHECK_FAILS(l, 1, "axis 0 0 0");
    loaded_free(l);
}

/// Roll about x, then pitch about y, then yaw about z, all of the parent: by quaternions.
static sn_mat3 turned(double roll, double pitch, double yaw) {
    sn_quat x = sn_quat_make(cos(roll / 2), sin(roll / 2), 0, 0);
    sn_quat y = sn_quat_make(cos(pitch / 2), 0, sin(pitch / 2), 0);
    sn_quat z = sn_quat_make(cos(yaw / 2), 0, 0, sin(yaw / 2));
    return sn_quat_matrix(sn_quat_mul(z, sn_quat_mul(y, x)));
}

static void origins_turn_by_roll_then_pitch_then_yaw(void** state) {
    (void)state;
    uint64_t seed = test_seed();
    test_rng rng = test_rng_make(seed);
    for (int i = 0; i < 50; i++) {
        double r = test_uniform(&rng, -3, 3), p = test_uniform(&rng, -3, 3),
               y = test_uniform(&rng, -3, 3);
        char text[1024];
        snprintf(text, sizeof text,
                 PAIR("continuous", "<origin xyz='1 2 3' rpy='%.17g %.17g %.17g'/>"), r, p, y);
        loaded* l = load_text(text, SN_BASE_AS_FILE);
        CHECK_LOADS(l);
        sn_pose X = body_named(l, "b").placement;
        sn_mat3 R = turned(r, p, y);
        CHECK_VECTOR(&X.R.m[0][0], &R.m[0][0], 9, TOL_ROUNDOFF, seed);
        assert_true(X.p.x == 1 && X.p.y == 2 && X.p.z == 3);
        loaded_free(l);
    }
}

static void limits_and_dynamics_reach_the_joint(void** state) {
    (void)state;
    loaded* l = load_text(PAIR("revolute", LIMIT "<dynamics damping='0.5' friction='0.25'/>"),
                          SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    sn_body_info b = body_named(l, "b");
    assert_true(b.lower[0] == -1 && b.upper[0] == 2 && b.effort[0] == 3 && b.velocity[0] == 4);
    assert_true(b.damping[0] == 0.5 && b.friction[0] == 0.25);
    loaded_free(l);
    l = load_text(
        PAIR("spherical",
             "<limit effort='3' velocity='4'/><dynamics damping='0.5' spring_stiffness='7'/>"),
        SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    b = body_named(l, "b");
    assert_true(b.effort[2] == 3 && b.velocity[1] == 4 && b.damping[0] == 0.5);
    assert_true(b.stiffness[0] == 7 && b.stiffness[2] == 7);
    assert_true(b.lower[0] == -INFINITY && b.upper[2] == INFINITY);
    loaded_free(l);
}

static void doubtful_limits_are_loaded_with_a_warning(void** state) {
    (void)state;
    static const struct {
        const char *text, *warning;
        double lower, upper, effort;
    } cases[] = {
        {PAIR("revolute", ""), "no <limit>", -INFINITY, INFINITY, INFINITY},
        {PAIR("prismatic", "<limit effort='3' velocity='1'/>"), "without lower", -INFINITY,
         INFINITY, 3},
        {PAIR("revolute", "<limit lower='-1' effort='3' velocity='1'/>"), "without upper", -1,
         INFINITY, 3},
        {PAIR("revolute", "<limit lower='0' upper='-1' effort='3' velocity='1'/>"),
         "as Bullet does", -INFINITY, INFINITY, 3},
        {PAIR("revolute", "<limit lower='0' upper='1' velocity='1'/>"), "no effort", 0, 1,
         INFINITY},
        {PAIR("revolute", "<limit lower='0' upper='1' effort='3'/>"), "no velocity", 0, 1, 3},
        {PAIR("revolute", "<limit lower='0' upper='1' effort='-1' velocity='1'/>"),
         "negative effort", 0, 1, INFINITY},
        {PAIR("continuous", "<limit lower='0' upper='1' effort='3' velocity='1'/>"),
         "turns without end", -INFINITY, INFINITY, 3},
        {PAIR("spherical", "<limit lower='.2' upper='.8' twist='.3' effort='3'/>"),
         "swing and twist", -INFINITY, INFINITY, 3},
        {PAIR("revolute", "<limit lower='0' upper='1' twist='.3' effort='3' velocity='1'/>"),
         "'twist'", 0, 1, 3},
        {PAIR("floating", "<limit lower='0' upper='1' effort='3'/>"), "floating", -INFINITY,
         INFINITY, INFINITY},
        {PAIR("planar", "<dynamics damping='1'/>"), "planar", -INFINITY, INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded* l = load_text(cases[i].text, SN_BASE_AS_FILE);
        CHECK_LOADS(l);
        CHECK_WARNED(l, 1, cases[i].warning);
        sn_body_info b = body_named(l, "b");
        CHECK(b.lower[0] == cases[i].lower && b.upper[0] == cases[i].upper, i);
        CHECK(b.effort[0] == cases[i].effort && b.damping[0] == 0, i);
        assert_int_equal(l->warning_count, 1);
        loaded_free(l);
    }
}

// ---- inertia ------------------------------------------------------------------------------------

static void the_inertia_is_turned_by_the_origin_of_inertial(void** state) {
    (void)state;
    loaded* l = load_text("<robot name='r'><link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 "
                          "1.5707963267948966'/>"
                          "<mass value='5'/><inertia ixx='2' ixy='0.1' ixz='0.2' iyy='3' iyz='0.3' "
                          "izz='4'/></inertial>"
                          "</link></robot>",
                          SN_BASE_FREE);
    CHECK_LOADS(l);
    sn_inertia I = body_named(l, "a").inertia;
    // A quarter turn about z: x of the inertia frame is y of the link, y is -x.
    double expected[9] = {3, -0.1, -0.3, -0.1, 2, 0.2, -0.3, 0.2, 4};
    CHECK_VECTOR(&I.I.m[0][0], expected, 9, TOL_ROUNDOFF, 0);
    assert_true(I.mass == 5 && I.com.x == 1 && I.com.y == 2 && I.com.z == 3);
    loaded_free(l);
}

static void a_moving_link_without_mass_is_refused_at_its_joint(void** state) {
    (void)state;
    loaded* l = load_text("<robot name='r'>" FRAME("a")
                              FRAME("b") "\n<joint name='j' "
                                         "type='continuous'>" ENDS("a", "b") "</joint></robot>",
                          SN_BASE_AS_FILE);
    CHECK_FAILS(l, 2, "no mass");
    assert_string_equal(l->error.file, "test.urdf");
    assert_int_equal(l->error.column, 1);
    loaded_free(l);
}

static void products_of_inertia_may_be_left_out(void** state) {
    (void)state;
    loaded* l = load_text("<robot name='r'><link name='a'><inertial><mass value='1'/>"
                          "<inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>",
                          SN_BASE_FREE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 1, "no ixy");
    loaded_free(l);
}

// ---- base and order -----------------------------------------------------------------------------

static void the_root_link_is_a_frame_of_the_world_or_floats(void** state) {
    (void)state;
    const char* text = "<robot name='r'>" LINK("a") "</robot>";
    loaded* l = load_text(text, SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    assert_int_equal(sn_model_body_count(l->model), 0);
    assert_int_equal(sn_model_frame(l->model, sn_model_find_frame(l->model, "a")).body.i, -1);
    loaded_free(l);
    l = load_text(text, SN_BASE_FREE);
    CHECK_LOADS(l);
    assert_int_equal(body_named(l, "a").type, SN_JOINT_FREE);
    assert_int_equal(sn_model_find_joint(l->model, "root_joint").i, 0);
    loaded_free(l);
}

static void a_world_link_with_a_floating_joint_floats_either_way(void** state) {
    (void)state;
    const char* text = "<robot name='r'>" FRAME("world") LINK(
        "base") "<joint name='float' type='floating'>" ENDS("world", "base") "</joint></robot>";
    for (int base = SN_BASE_AS_FILE; base <= SN_BASE_FREE; base++) {
        loaded* l = load_text(text, (sn_load_base)base);
        CHECK_LOADS(l);
        assert_int_equal(sn_model_nv(l->model), 6);
        assert_int_equal(sn_model_find_joint(l->model, "float").i, 0);
        if (base == SN_BASE_FREE) CHECK_WARNED(l, 1, "floats already");
        loaded_free(l);
    }
}

static void a_joint_of_the_file_may_be_called_root_joint(void** state) {
    (void)state;
    loaded* l = load_text("<robot name='r'>" LINK("a")
                              LINK("b") "<joint name='root_joint' "
                                        "type='continuous'>" ENDS("a", "b") "</joint></robot>",
                          SN_BASE_FREE);
    CHECK_LOADS(l);
    assert_int_equal(sn_model_find_joint(l->model, "root_joint").i, 1);
    assert_int_equal(sn_model_find_joint(l->model, "root_joint_2").i, 0);
    loaded_free(l);
}

static void bodies_come_depth_first_by_byte_order_of_joint_names(void** state) {
    (void)state;
#define TURN(name, parent, child)                                                                  \
    "<joint name='" name "' type='continuous'>" ENDS(parent, child) "</joint>"
#define WELD(name, parent, child)                                                                  \
    "<joint name='" name "' type='fixed'>" ENDS(parent, child) "</joint>"
    // Joints of the root in byte order: 10, 9, B (fixed), _, a.
    loaded* l = load_text(
        "<robot name='r'>" TURN("a", "root", "la") TURN("B1", "lB", "lB1") WELD("B", "root", "lB")
            TURN("9", "root", "l9") TURN("_", "root", "l_") TURN("10", "root", "l10")
                TURN("90", "l9", "l90") FRAME("root") LINK("la") LINK("lB") LINK("lB1") LINK("l9")
                    LINK("l_") LINK("l10") LINK("l90") "</robot>",
        SN_BASE_AS_FILE);
#undef TURN
#undef WELD
    CHECK_LOADS(l);
    static const char* const bodies[] = {"l10", "l9", "l90", "lB1", "l_", "la"};
    static const char* const frames[] = {"root", "l10", "l9", "l90", "lB", "lB1", "l_", "la"};
    assert_int_equal(sn_model_body_count(l->model), 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(sn_model_body(l->model, sn_body(i)).name, bodies[i]);
    for (int i = 0; i < 8; i++)
        assert_string_equal(sn_model_frame(l->model, (sn_frame_id){i}).name, frames[i]);
    loaded_free(l);
}

// ---- shapes -------------------------------------------------------------------------------------

static void shapes_keep_their_size_pose_name_and_use(void** state) {
    (void)state;
    loaded* l = load_text(
        "<robot name='r'><link name='a'>" BODY
        "<visual name='v'><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry></visual>"
        "<collision><geometry><sphere radius='4'/></geometry></collision>"
        "<collision><geometry><cylinder radius='5' length='6'/></geometry></collision>"
        "<collision><geometry><capsule radius='7' length='8'/></geometry></collision>"
        "<visual><geometry><mesh filename='m.stl' scale='1 -1 2'/></geometry></visual>"
        "<visual><geometry><box size='0 0 0'/></geometry></visual>"
        "<visual><geometry><torus r='1'/></geometry></visual>"
        "</link></robot>",
        SN_BASE_FREE);
    CHECK_LOADS(l);
    assert_int_equal(sn_model_shape_count(l->model), 5);
    sn_shape_info box = sn_model_shape(l->model, 0), ball = sn_model_shape(l->model, 1),
                  cylinder = sn_model_shape(l->model, 2), capsule = sn_model_shape(l->model, 3),
                  mesh = sn_model_shape(l->model, 4);
    assert_true(box.type == SN_SHAPE_BOX && box.use == SN_SHAPE_VISUAL && box.size.z == 3);
    assert_true(box.X_bs.p.x == 1);
    assert_string_equal(box.name, "v");
    assert_true(ball.type == SN_SHAPE_SPHERE && ball.use == SN_SHAPE_COLLISION && ball.size.x == 4);
    assert_true(cylinder.type == SN_SHAPE_CYLINDER && cylinder.size.x == 5 && cylinder.size.z == 6);
    assert_true(capsule.type == SN_SHAPE_CAPSULE && capsule.size.x == 7 && capsule.size.z == 8);
    assert_true(mesh.type == SN_SHAPE_MESH && mesh.size.y == -1);
    assert_string_equal(mesh.mesh, "m.stl");
    CHECK_WARNED(l, 1, "size zero");
    CHECK_WARNED(l, 1, "<torus>");
    CHECK_WARNED(l, 1, "capsule or mesh is left out");
    CHECK_WARNED(l, 1, "'m.stl' does not exist");
    loaded_free(l);
}

static void colours_come_from_the_visual_or_from_a_named_material(void** state) {
    (void)state;
#define VISUAL(material) "<visual><geometry><sphere radius='1'/></geometry>" material "</visual>"
    loaded* l = load_text(
        "<robot name='r'><link name='a'>" BODY VISUAL("<material name='red'/>")
            VISUAL("<material name='late'/>")
                VISUAL("<material name='late'><color rgba='0 0 1 0.5'/></material>")
                    VISUAL("<material name=''><color rgba='0 300 0 1'/></material>") VISUAL("")
                        VISUAL("<material name='none'/>")
                            VISUAL("<material name='none'/>") "</link><material name='red'><color "
                                                              "rgba='1 0 0 1'/></material></robot>",
        SN_BASE_FREE);
#undef VISUAL
    CHECK_LOADS(l);
    static const double expected[7][4] = {{1, 0, 0, 1},      {0, 0, 1, 0.5},     {0, 0, 1, 0.5},
                                          {0, 1, 0, 1},      {0.7, 0.7, 0.7, 1}, {0.7, 0.7, 0.7, 1},
                                          {0.7, 0.7, 0.7, 1}};
    for (int i = 0; i < 7; i++) {
        sn_shape_info shape = sn_model_shape(l->model, i);
        CHECK_VECTOR(shape.color, expected[i], 4, 0, (uint64_t)i);
    }
    CHECK_WARNED(l, 1, "'none' has no colour anywhere in the file; drawn grey (2 times");
    CHECK_WARNED(l, 1, "300");
    loaded_free(l);
}

static void write_file(const char* folder, const char* path, const char* text) {
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE* file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_folder(const char* folder, const char* path) {
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    assert_int_equal(mkdir(full, 0700), 0);
}

static void check_mesh(const loaded* l, int shape, const char* start, const char* end) {
    char expected[1024];
    snprintf(expected, sizeof expected, "%s%s", start, end);
    assert_string_equal(sn_model_shape(l->model, shape).mesh, expected);
}

static void mesh_paths_are_resolved(void** state) {
    (void)state;
    char folder[64];
    make_scratch_folder(folder);
    // near/ holds the robot's own package, far/ is given by the user
    make_folder(folder, "near");
    make_folder(folder, "near/mine");
    make_folder(folder, "near/mine/urdf");
    make_folder(folder, "far");
    make_folder(folder, "far/other");
    write_file(folder, "near/mine/a.stl", "");
    write_file(folder, "far/other/b.stl", "");
    write_file(folder, "near/mine/urdf/c.stl", "");
#define MESH(name) "<collision><geometry><mesh filename='" name "'/></geometry></collision>"
    write_file(folder, "near/mine/urdf/r.urdf",
               "<robot name='r'><link name='a'>" BODY MESH("package://mine/a.stl")
                   MESH("package://other/b.stl") MESH("c.stl") MESH("../a.stl")
                       MESH("file:///x/y.stl") MESH("package://nowhere/d.stl")
                           MESH("package://nowhere/e.stl") MESH("http://h/f.stl")
                               MESH("package://../g.stl") MESH("/abs/h.stl") "</link></robot>");
#undef MESH
    char path[512], far_folder[512];
    snprintf(path, sizeof path, "%s/near/mine/urdf/r.urdf", folder);
    snprintf(far_folder, sizeof far_folder, "%s/far", folder);
    const char* paths[] = {"/not/there", far_folder, NULL};
    size_t length;
    char* text = read_whole_file(path, &length);
    assert_non_null(text);
    sn_load_def def = sn_load_def_default();
    def.base = SN_BASE_FREE;
    def.package_paths = paths;
    loaded* l = load_bytes(text, length, path, def);
    CHECK_LOADS(l);
    check_mesh(l, 0, folder, "/near/mine/a.stl");
    check_mesh(l, 1, folder, "/far/other/b.stl");
    check_mesh(l, 2, folder, "/near/mine/urdf/c.stl");
    check_mesh(l, 3, folder, "/near/mine/urdf/../a.stl");
    check_mesh(l, 4, "/x/y.stl", "");
    check_mesh(l, 5, "package://nowhere/d.stl", "");
    check_mesh(l, 7, "http://h/f.stl", "");
    check_mesh(l, 8, "package://../g.stl", "");
    check_mesh(l, 9, "/abs/h.stl", "");
    CHECK_WARNED(l, 1, "package 'nowhere' is not found");
    CHECK_WARNED(l, 1, "'/x/y.stl' does not exist; it cannot be shown or touched (2 times");
    CHECK_WARNED(l, 1, "http://h/f.stl");
    loaded_free(l);
    // The package itself, not the folder above it, is as good; and nothing is said when not asked.
    snprintf(far_folder, sizeof far_folder, "%s/far/other/", folder);
    def.check_meshes = false;
    l = load_bytes(text, length, path, def);
    CHECK_LOADS(l);
    check_mesh(l, 1, folder, "/far/other//b.stl");
    assert_int_equal(l->warning_count, 0);
    loaded_free(l);
    free(text);
    char command[600];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

// ---- contact ------------------------------------------------------------------------------------

#define BALL "<collision><geometry><sphere radius='1'/></geometry>%s</collision>"

/// The material of the last shape of a link with these elements in it.
static sn_material material_of(const char* in_link, const char* in_collision, int warnings) {
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "<robot name='r'><link name='a'>" BODY "%s" BALL "</link></robot>",
                          in_link, in_collision);
    assert_true(length < (int)sizeof text);
    loaded* l = load_text(text, SN_BASE_FREE);
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, warnings);
    sn_material m = sn_model_shape(l->model, sn_model_shape_count(l->model) - 1).material;
    loaded_free(l);
    return m;
}

static void contact_of_bullet_and_contact_coefficients_reach_the_surface(void** state) {
    (void)state;
    sn_material m = material_of("", "", 0);
    assert_true(m.mu == 0.5 && m.mu_kinetic == 0.5 && m.restitution == 0);
    m = material_of("<contact><lateral_friction value='0.9'/><restitution value='0.25'/>"
                    "<rolling_friction value='0.001'/><spinning_friction value='0.002'/>"
                    "<stiffness value='3e4'/><damping value='100'/></contact>",
                    "", 0);
    assert_true(m.mu == 0.9 && m.mu_kinetic == 0.9 && m.restitution == 0.25);
    assert_true(m.roll == 0.001 && m.spin == 0.002 && m.stiffness == 3e4 && m.damping == 100);
    m = material_of("<contact_coefficients mu='0.1'/>", "", 0);
    assert_true(m.mu == 0.1 && m.mu_kinetic == 0.1);
    // what stands nearer to the shape counts; kp and kd are not used
    m = material_of("<contact><lateral_friction value='0.9'/></contact>"
                    "<contact_coefficients mu='0.1'/>",
                    "<contact_coefficients mu='0.2' kp='1000' kd='1'/>", 2);
    assert_true(m.mu == 0.2 && m.stiffness == INFINITY);
    loaded* l = load_text("<robot name='r'><link name='a'>" BODY "\n<contact>\n"
                          "<inertia_scaling value='3'/><restitution value='0.5'/>\n"
                          "<contact_erp value='1'/></contact><collision><geometry><sphere "
                          "radius='1'/></geometry></collision></link></robot>",
                          SN_BASE_FREE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 3, "<inertia_scaling> is not used: the inertia is used as it is");
    CHECK_WARNED(l, 4, "<contact_erp> is not used");
    assert_int_equal(l->warning_count, 2);
    loaded_free(l);
}

static void surfaces_that_cannot_be_are_refused_at_their_line(void** state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"<contact><restitution value='2'/></contact>", "restitution must be from 0 to 1"},
        {"<contact><lateral_friction value='-1'/></contact>", "friction coefficients must be"},
        {"<contact><lateral_friction/></contact>", "no attribute 'value'"},
        {"<contact><stiffness value='0'/></contact>", "stiffness must be positive"},
        {"<contact_coefficients mu='x'/>", "'x' is not a number"},
        {"<contact_coefficients mu='-0.5'/>", "friction coefficients must be"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<robot name='r'><link name='a'>" BODY
                 "\n%s<collision><geometry><sphere radius='1'/></geometry></collision>"
                 "</link></robot>",
                 cases[i].text);
        loaded* l = load_text(text, SN_BASE_FREE);
        CHECK_FAILS(l, 2, cases[i].reason);
        loaded_free(l);
    }
}

// ---- warnings -----------------------------------------------------------------------------------

static void what_has_no_effect_is_named_once_with_its_first_line(void** state) {
    (void)state;
    loaded* l = load_text("<robot name='r' xmlns:xacro='x' color='red'>\n"
                          "<gazebo><plugin/></gazebo>\n"
                          "<gazebo reference='a'/>\n"
                          "<transmission name='t'/>\n"
                          "<xacro:macro name='m'/>\n"
                          "<undeclared:thing/>\n"
                          "<link name='a' kinematic='1'>" BODY BODY
                          "<contact><friction_anchor/></contact></link>\n"
                          "<sensor/><gazebo/>\n"
                          "</robot>",
                          SN_BASE_FREE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 1, "attribute 'color' of <robot>");
    CHECK_WARNED(l, 2,
                 "<gazebo> is not used: settings and plugins for Gazebo have no effect (3 times");
    CHECK_WARNED(l, 4, "<transmission>");
    CHECK_WARNED(l, 5, "run xacro");
    CHECK_WARNED(l, 6, "<undeclared:thing>");
    CHECK_WARNED(l, 7, "attribute 'kinematic' of <link>");
    CHECK_WARNED(l, 7, "a second <inertial>");
    CHECK_WARNED(l, 7, "<friction_anchor>");
    CHECK_WARNED(l, 8, "<sensor>");
    assert_int_equal(l->warning_count, 9);
    for (int i = 1; i < 9; i++) assert_true(l->warnings[i].line >= l->warnings[i - 1].line);
    loaded_free(l);
}

static void elements_are_found_by_line_and_column(void** state) {
    (void)state;
    static char text[300000];
    // 70000 lines, more than libxml2 counts in its tree; then a long line; then a tag over lines.
    int used = sprintf(text, "<robot name='r'>");
    for (int i = 1; i < 70000; i++) text[used++] = '\n';
    used += sprintf(text + used, "<first/>");
    for (int i = 0; i < 1000; i++) used += sprintf(text + used, "<link%s/>", i ? "_" : " name='a'");
    int column = used - 70000 - (int)strlen("<robot name='r'>") + 2;
    sprintf(text + used, "<second/>\n\n  <third\n\n a='1'\n/>\n</robot>");
    loaded* l = load_text(text, SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 70000, "<first>");
    CHECK_WARNED(l, 70000, "<second>");
    CHECK_WARNED(l, 70002, "<third>");
    assert_int_equal(find_warning(l, "<first>")->column, 1);
    assert_int_equal(find_warning(l, "<second>")->column, column);
    assert_int_equal(find_warning(l, "<third>")->column, 3);
    loaded_free(l);
}

static void mimic_and_other_joint_extras_are_warned_about(void** state) {
    (void)state;
    loaded* l = load_text(PAIR("continuous", "<mimic joint='k'/><safety_controller k_velocity='1'/>"
                                             "<calibration rising='0'/>"),
                          SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 1, "moves independently");
    CHECK_WARNED(l, 1, "<safety_controller>");
    CHECK_WARNED(l, 1, "<calibration>");
    assert_int_equal(sn_model_nv(l->model), 1);
    loaded_free(l);
}

static void fixed_joints_give_way_where_that_is_asked_for(void** state) {
    (void)state;
    const sn_flexible_joint bush = {"j", 300, 2}, other = {"k", 1, 0};
    sn_load_def def = sn_load_def_default();
    static const char* const text = PAIR("fixed", "");
    loaded* stiff = load_bytes(text, strlen(text), "pair.urdf", def);
    CHECK_LOADS(stiff);
    assert_int_equal(sn_model_nv(stiff->model), 0);
    loaded_free(stiff);
    def.flexible = &bush;
    def.flexible_count = 1;
    loaded* soft = load_bytes(text, strlen(text), "pair.urdf", def);
    CHECK_LOADS(soft);
    sn_body_info joint = sn_model_body(soft->model, sn_model_find_joint(soft->model, "j"));
    assert_int_equal(joint.type, SN_JOINT_SPHERICAL);
    for (int k = 0; k < 3; k++) CHECK(joint.stiffness[k] == 300 && joint.damping[k] == 2, 0);
    loaded_free(soft);
    def.flexible = &other; // there is no such joint
    loaded* none = load_bytes(text, strlen(text), "pair.urdf", def);
    assert_int_equal(none->status, SN_ERR_MODEL);
    CHECK(!none->model && strstr(none->error.text, "'k'"), 0);
    loaded_free(none);
}

static void a_zero_byte_at_the_end_is_tolerated(void** state) {
    (void)state;
    static const char text[] = "<robot name='r'><link name='a'/></robot>\n\0\0 \n";
    loaded* l = load_bytes(text, sizeof text, "zero.urdf", sn_load_def_default());
    CHECK_LOADS(l);
    CHECK_WARNED(l, 2, "zero byte");
    loaded_free(l);
}

static void comments_a_declaration_and_a_byte_order_mark_are_fine(void** state) {
    (void)state;
    loaded* l = load_text("\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?><!-- a --><robot "
                          "name='r'><!-- b --><link name='a'/><![CDATA[ x ]]></robot><!-- c -->\n",
                          SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    assert_int_equal(l->warning_count, 0);
    loaded_free(l);
}

static void a_robot_without_a_name_is_called_robot(void** state) {
    (void)state;
    loaded* l = load_text("<robot><link name='a'/></robot>", SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 1, "no name");
    assert_string_equal(sn_model_name(l->model), "robot");
    loaded_free(l);
}

// ---- files that ship with the project or lie beside it --------------------------------------------

static void check_file_loads(const char* path) {
    loaded* l = load_file(path, SN_BASE_AS_FILE);
    CHECK_LOADS(l);
    assert_true(sn_model_body_count(l->model) > 0);
    loaded_free(l);
}

static void every_robot_at_hand_loads(void** state) {
    (void)state;
    int shipped = for_each_file(SN_TEST_MODELS_DIR, ".urdf", check_file_loads);
    int shared = for_each_file(SN_TEST_SHARED_DIR "/data/robots", ".urdf", check_file_loads);
    print_message("%d shipped, %d shared robots\n", shipped, shared);
    assert_true(shipped > 0);
}

static void check_against_json(const char* path) {
    char json[1024];
    size_t length;
    snprintf(json, sizeof json, "%.*s.json", (int)(strlen(path) - strlen(".urdf")), path);
    char* text = read_whole_file(json, &length);
    if (!text) return;
    bool free_base = strstr(text, "\"free_flyer_root_added\": true") != NULL;
    free(text);
    loaded* u = load_file(path, free_base ? SN_BASE_FREE : SN_BASE_AS_FILE);
    loaded* j = load_file(json, SN_BASE_AS_FILE);
    CHECK_LOADS(u);
    CHECK_LOADS(j);
    assert_int_equal(sn_model_body_count(u->model), sn_model_body_count(j->model));
    for (int i = 0; i < sn_model_body_count(u->model); i++) {
        sn_body_info a = sn_model_body(u->model, sn_body(i)),
                     b = sn_model_body(j->model, sn_body(i));
        assert_string_equal(a.name, b.name);
        assert_string_equal(a.joint_name, b.joint_name);
        assert_true(a.parent.i == b.parent.i && a.type == b.type);
        CHECK_VECTOR(&a.placement.R.m[0][0], &b.placement.R.m[0][0], 9, TOL_CHAIN, 0);
        CHECK_VECTOR(&a.placement.p.x, &b.placement.p.x, 3, TOL_CHAIN, 0);
        CHECK_VECTOR(&a.axis.x, &b.axis.x, 3, TOL_CHAIN, 0);
        CHECK_RELATIVE(a.inertia.mass, b.inertia.mass, TOL_CHAIN, 0);
        CHECK_VECTOR(&a.inertia.com.x, &b.inertia.com.x, 3, TOL_CHAIN, 0);
        CHECK_VECTOR(&a.inertia.I.m[0][0], &b.inertia.I.m[0][0], 9, TOL_CHAIN, 0);
    }
    assert_int_equal(sn_model_frame_count(u->model), sn_model_frame_count(j->model));
    for (int i = 0; i < sn_model_frame_count(j->model); i++) {
        sn_frame_info b = sn_model_frame(j->model, (sn_frame_id){i});
        sn_frame_info a = sn_model_frame(u->model, sn_model_find_frame(u->model, b.name));
        assert_int_equal(a.body.i, b.body.i);
        CHECK_VECTOR(&a.X_bf.R.m[0][0], &b.X_bf.R.m[0][0], 9, TOL_CHAIN, 0);
        CHECK_VECTOR(&a.X_bf.p.x, &b.X_bf.p.x, 3, TOL_CHAIN, 0);
    }
    loaded_free(u);
    loaded_free(j);
}

static void urdf_and_json_of_the_same_robot_agree(void** state) {
    (void)state;
    int count =
        for_each_file(SN_TEST_SHARED_DIR "/vectors/dynamics/models", ".urdf", check_against_json);
    if (count == 0) skip();
    print_message("%d robots\n", count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_type_of_urdf_becomes_ours),
        cmocka_unit_test(a_fixed_joint_becomes_a_frame_with_its_mass_folded_in),
        cmocka_unit_test(the_axis_is_x_unless_given_and_of_unit_length),
        cmocka_unit_test(origins_turn_by_roll_then_pitch_then_yaw),
        cmocka_unit_test(limits_and_dynamics_reach_the_joint),
        cmocka_unit_test(doubtful_limits_are_loaded_with_a_warning),
        cmocka_unit_test(the_inertia_is_turned_by_the_origin_of_inertial),
        cmocka_unit_test(a_moving_link_without_mass_is_refused_at_its_joint),
        cmocka_unit_test(products_of_inertia_may_be_left_out),
        cmocka_unit_test(the_root_link_is_a_frame_of_the_world_or_floats),
        cmocka_unit_test(a_world_link_with_a_floating_joint_floats_either_way),
        cmocka_unit_test(a_joint_of_the_file_may_be_called_root_joint),
        cmocka_unit_test(bodies_come_depth_first_by_byte_order_of_joint_names),
        cmocka_unit_test(shapes_keep_their_size_pose_name_and_use),
        cmocka_unit_test(colours_come_from_the_visual_or_from_a_named_material),
        cmocka_unit_test(mesh_paths_are_resolved),
        cmocka_unit_test(contact_of_bullet_and_contact_coefficients_reach_the_surface),
        cmocka_unit_test(surfaces_that_cannot_be_are_refused_at_their_line),
        cmocka_unit_test(what_has_no_effect_is_named_once_with_its_first_line),
        cmocka_unit_test(elements_are_found_by_line_and_column),
        cmocka_unit_test(mimic_and_other_joint_extras_are_warned_about),
        cmocka_unit_test(fixed_joints_give_way_where_that_is_asked_for),
        cmocka_unit_test(a_zero_byte_at_the_end_is_tolerated),
        cmocka_unit_test(comments_a_declaration_and_a_byte_order_mark_are_fine),
        cmocka_unit_test(a_robot_without_a_name_is_called_robot),
        cmocka_unit_test(every_robot_at_hand_loads),
        cmocka_unit_test(urdf_and_json_of_the_same_robot_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
