// SPDX-License-Identifier: Apache-2.0
// Mesh files: the same triangles in every format, joined and placed; and shapes of models made of them.
#define _XOPEN_SOURCE 700 // mkdtemp
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "load/mesh.h"
#include "support/leaks.h"
#include "support/loading.h"
#include "support/random_state.h"

// ---- a mesh and its text --------------------------------------------------------------------------

enum { POINTS = 24 };

typedef struct mesh {
    sn_vec3* vertices;
    int32_t* triangles;
    int vertex_count, triangle_count;
} mesh;

/// A closed surface with its outside: the hull of random points that single precision holds exactly.
static mesh random_mesh(test_rng* rng) {
    sn_vec3 p[POINTS];
    for (int k = 0; k < POINTS; k++) {
        sn_vec3 d = test_vec3(rng, 1);
        p[k] = sn_vec3_make((float)d.x, (float)d.y, (float)d.z);
    }
    mesh m;
    CHECK_STATUS(sn_hull_compute(p, POINTS, &m.vertices, &m.vertex_count, &m.triangles,
                                 &m.triangle_count, NULL),
                 SN_OK);
    return m;
}

static void mesh_free(mesh* m) { sn_hull_free(m->vertices, m->triangles); }

typedef struct text {
    char bytes[1 << 16];
    size_t length;
} text;

static void put(text* out, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(out->bytes + out->length, sizeof out->bytes - out->length, format, arguments);
    va_end(arguments);
    out->length += (size_t)length;
    assert_true(out->length < sizeof out->bytes);
}

static void put_bytes(text* out, const void* bytes, size_t length) {
    assert_true(out->length + length < sizeof out->bytes);
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

static void put_floats(text* out, sn_vec3 v) {
    float f[3] = {(float)v.x, (float)v.y, (float)v.z};
    put_bytes(out, f, sizeof f);
}

static void write_stl(const mesh* m, text* out) {
    put(out, "solid test\n");
    for (int t = 0; t < m->triangle_count; t++) {
        put(out, "facet normal 0 0 1\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            sn_vec3 v = m->vertices[m->triangles[3 * t + k]];
            put(out, "vertex %.9g %.9g %.9g\n", v.x, v.y, v.z);
        }
        put(out, "endloop\nendfacet\n");
    }
    put(out, "endsolid test\n");
}

static void write_stl_binary(const mesh* m, text* out) {
    char header[80] = "binary";
    uint32_t count = (uint32_t)m->triangle_count;
    uint16_t attribute = 0;
    put_bytes(out, header, sizeof header);
    put_bytes(out, &count, sizeof count);
    for (int t = 0; t < m->triangle_count; t++) {
        put_floats(out, sn_vec3_make(0, 0, 1));
        for (int k = 0; k < 3; k++) put_floats(out, m->vertices[m->triangles[3 * t + k]]);
        put_bytes(out, &attribute, sizeof attribute);
    }
}

/// With a file of materials that does not exist and must not matter.
static void write_obj(const mesh* m, text* out) {
    put(out, "mtllib nowhere.mtl\no part\nusemtl red\n");
    for (int v = 0; v < m->vertex_count; v++)
        put(out, "v %.9g %.9g %.9g\n", m->vertices[v].x, m->vertices[v].y, m->vertices[v].z);
    for (int t = 0; t < m->triangle_count; t++)
        put(out, "f %d %d %d\n", m->triangles[3 * t] + 1, m->triangles[3 * t + 1] + 1,
            m->triangles[3 * t + 2] + 1);
}

/// `header`: unit and axis; `matrix`: of the node that shows the mesh.
static void write_dae(const mesh* m, const char* header, const char* matrix, text* out) {
    put(out,
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><asset>%s</asset><library_geometries><geometry id=\"g\"><mesh>"
        "<source id=\"p\"><float_array id=\"a\" count=\"%d\">",
        header, 3 * m->vertex_count);
    for (int v = 0; v < m->vertex_count; v++)
        put(out, "%.9g %.9g %.9g ", m->vertices[v].x, m->vertices[v].y, m->vertices[v].z);
    put(out,
        "</float_array><technique_common><accessor source=\"#a\" count=\"%d\" stride=\"3\">"
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
        "<triangles count=\"%d\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>",
        m->vertex_count, m->triangle_count);
    for (int e = 0; e < 3 * m->triangle_count; e++) put(out, "%d ", m->triangles[e]);
    put(out,
        "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
        "<visual_scene id=\"s\"><node id=\"n\">%s<instance_geometry url=\"#g\"/></node>"
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
        "</COLLADA>",
        matrix);
}

static void write_dae_plain(const mesh* m, text* out) { write_dae(m, "", "", out); }

/// The same surface in the four other ways: each triangle as a polygon, in a list, as a fan, as a strip.
static void write_dae_polygons(const mesh* m, text* out) {
    static const char* const kinds[] = {"polygons", "polylist", "trifans", "tristrips"};
    put(out,
        "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array>");
    for (int v = 0; v < m->vertex_count; v++)
        put(out, "7 %.9g %.9g %.9g\n", m->vertices[v].x, m->vertices[v].y, m->vertices[v].z);
    put(out,
        "</float_array><technique_common><accessor count=\"%d\" offset=\"1\" stride=\"4\"/>"
        "</technique_common></source><vertices id=\"v\"><input semantic=\"NORMAL\" source=\"#x\"/>"
        "<input semantic=\"POSITION\" source=\"#p\"/></vertices>",
        m->vertex_count);
    for (int t = 0; t < m->triangle_count; t++) {
        const int32_t* corner = m->triangles + 3 * t;
        put(out,
            "<%s><input semantic=\"NORMAL\" offset=\"0\"/><input semantic=\"VERTEX\" "
            "source=\"#v\" offset=\"1\"/>%s<p>0 %d 1 %d 2 %d</p></%s>",
            kinds[t % 4], t % 4 == 1 ? "<vcount>3</vcount>" : "", corner[0], corner[1], corner[2],
            kinds[t % 4]);
    }
    put(out, "</mesh></geometry></library_geometries></COLLADA>");
}

static const struct {
    const char* ending;
    void (*write)(const mesh* m, text* out);
} formats[] = {
    {"stl", write_stl},       {"STL", write_stl_binary},   {"obj", write_obj},
    {"dae", write_dae_plain}, {"dae", write_dae_polygons},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static sn_status parse(const text* in, const char* ending, sn_vec3 scale, sni_triangles* out,
                       sn_error* error) {
    char* copy = malloc(in->length ? in->length : 1); // exact size: sanitizers see a read past it
    assert_non_null(copy);
    memcpy(copy, in->bytes, in->length);
    sn_status status = sni_mesh_parse(copy, in->length, ending, scale, out, error);
    free(copy);
    return status;
}

// ---- the same mesh ----------------------------------------------------------------------------------

static int find_vertex(const sni_triangles* m, sn_vec3 p, double tolerance) {
    for (int v = 0; v < m->vertex_count; v++)
        if (sn_vec3_norm(sn_vec3_sub(m->vertices[v], p)) <= tolerance) return v;
    return -1;
}

/// Every triangle is there, going around the same way (or the other way, mirrored), and no other.
static void check_same(const sni_triangles* got, const mesh* expected, sn_pose X, double tolerance,
                       bool mirrored, uint64_t seed) {
    CHECK(got->vertex_count == expected->vertex_count, seed);
    CHECK(got->triangle_count == expected->triangle_count && got->degenerate == 0, seed);
    for (int t = 0; t < expected->triangle_count; t++) {
        int corner[3];
        for (int k = 0; k < 3; k++) {
            sn_vec3 p = expected->vertices[expected->triangles[3 * t + k]];
            corner[mirrored && k ? 3 - k : k] = find_vertex(got, sn_pose_apply(X, p), tolerance);
            CHECK(corner[mirrored && k ? 3 - k : k] >= 0, seed);
        }
        int found = 0;
        for (int s = 0; s < got->triangle_count; s++)
            for (int turn = 0; turn < 3; turn++)
                found += got->triangles[3 * s] == corner[turn] &&
                         got->triangles[3 * s + 1] == corner[(turn + 1) % 3] &&
                         got->triangles[3 * s + 2] == corner[(turn + 2) % 3];
        CHECK(found == 1, seed);
    }
}

static double volume(const sni_triangles* m) {
    double six = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        const int32_t* c = m->triangles + 3 * t;
        six += sn_vec3_dot(m->vertices[c[0]], sn_vec3_cross(m->vertices[c[1]], m->vertices[c[2]]));
    }
    return six / 6;
}

static sn_pose stretched(double x, double y, double z) {
    sn_pose X = {sn_mat3_diagonal(x, y, z), sn_vec3_zero()};
    return X;
}

static void every_format_gives_the_same_triangles(void** state) {
    (void)state;
    for (int i = 0; i < 30 * FORMATS; i++) {
        uint64_t seed = test_case_seed(1, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        check_context(formats[i % FORMATS].ending);
        mesh m = random_mesh(&rng);
        text* file = calloc(1, sizeof *file);
        assert_non_null(file);
        formats[i % FORMATS].write(&m, file);
        sni_triangles got;
        sn_error error;
        sn_status status =
            parse(file, formats[i % FORMATS].ending, sn_vec3_make(1, 1, 1), &got, &error);
        if (status) print_error("%s\n", error.text);
        CHECK(status == SN_OK, seed);
        // assimp reads decimals by a way of its own, to some units in the last place of a float
        check_same(&got, &m, sn_pose_identity(), 1e-6, false, seed);
        CHECK(volume(&got) > 0, seed);
        sni_triangles_clear(&got);
        // a scale, mirrored or not, keeps the outside outside
        CHECK_STATUS(
            parse(file, formats[i % FORMATS].ending, sn_vec3_make(0.001, 2, -3), &got, &error),
            SN_OK);
        check_same(&got, &m, stretched(0.001, 2, -3), 1e-5, true, seed);
        CHECK(volume(&got) > 0, seed);
        sni_triangles_clear(&got);
        free(file);
        mesh_free(&m);
    }
    check_context(NULL);
}

static void nodes_and_units_of_collada_place_the_mesh_and_its_upward_axis_does_not(void** state) {
    (void)state;
    static const char* const axes[] = {"X_UP", "Y_UP", "Z_UP"};
    for (int i = 0; i < 60; i++) {
        uint64_t seed = test_case_seed(2, (uint64_t)i);
        test_rng rng = test_rng_make(seed);
        mesh m = random_mesh(&rng);
        double a[12];
        for (int k = 0; k < 12; k++) a[k] = test_normal(&rng);
        sn_pose X = {sn_mat3_rows(sn_vec3_make(a[0], a[1], a[2]), sn_vec3_make(a[4], a[5], a[6]),
                                  sn_vec3_make(a[8], a[9], a[10])),
                     sn_vec3_make(a[3], a[7], a[11])};
        double unit = i % 2 ? 0.01 : 0.5;
        char header[128], matrix[512];
        snprintf(header, sizeof header, "<unit meter=\"%g\"/><up_axis>%s</up_axis>", unit,
                 axes[i % 3]);
        snprintf(matrix, sizeof matrix,
                 "<matrix>%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g 0 0 0 "
                 "1</matrix>",
                 a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
        text* file = calloc(1, sizeof *file);
        assert_non_null(file);
        write_dae(&m, header, matrix, file);
        sni_triangles got;
        sn_error error;
        CHECK_STATUS(parse(file, "dae", sn_vec3_make(2, 2, 2), &got, &error), SN_OK);
        X = sn_pose_mul(stretched(2 * unit, 2 * unit, 2 * unit), X);
        double det = sn_vec3_dot(sn_mat3_row(X.R, 0),
                                 sn_vec3_cross(sn_mat3_row(X.R, 1), sn_mat3_row(X.R, 2)));
        check_same(&got, &m, X, 1e-5, det < 0, seed);
        sni_triangles_clear(&got);
        free(file);
        mesh_free(&m);
    }
}

#define TETRAHEDRON                                                                                \
    "<geometry id='g'><mesh><source id='p'><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array>"     \
    "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles>"     \
    "<input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>"  \
    "</mesh></geometry>"
#define SCENE(nodes)                                                                               \
    "<COLLADA><library_geometries>" TETRAHEDRON "</library_geometries><library_nodes>"             \
    "<node id='used'><translate>0 0 5</translate><instance_geometry url='#g'/></node>"             \
    "<node id='loop'><instance_node url='#loop'/></node></library_nodes><library_visual_scenes>"   \
    "<visual_scene id='s'>" nodes "</visual_scene></library_visual_scenes>"                        \
    "<scene><instance_visual_scene url='#s'/></scene></COLLADA>"

static sn_status parse_text(const char* in, const char* ending, sni_triangles* out,
                            sn_error* error) {
    text* file = calloc(1, sizeof *file);
    assert_non_null(file);
    put(file, "%s", in);
    sn_status status = parse(file, ending, sn_vec3_make(1, 1, 1), out, error);
    free(file);
    return status;
}

/// Transforms of a node apply in their order, those of the nodes around it after them.
static void transforms_of_collada_nodes_are_nested(void** state) {
    (void)state;
    sni_triangles got;
    sn_error error;
    CHECK_STATUS(parse_text(SCENE("<node><translate>1 2 3</translate><rotate>0 0 2 90</rotate>"
                                  "<scale>2 2 2</scale><node><translate>1 0 0</translate>"
                                  "<instance_geometry url='#g'/></node><instance_node url='#used'/>"
                                  "</node>"),
                            "dae", &got, &error),
                 SN_OK);
    assert_int_equal(got.triangle_count, 8);
    assert_int_equal(got.vertex_count, 8);
    // the corner (1, 0, 0): plus (1, 0, 0), doubled, turned to y, plus (1, 2, 3)
    assert_true(find_vertex(&got, sn_vec3_make(1, 6, 3), 1e-12) >= 0);
    // in the node that is used: plus (0, 0, 5), doubled, turned, plus (1, 2, 3)
    assert_true(find_vertex(&got, sn_vec3_make(1, 4, 13), 1e-12) >= 0);
    CHECK_NEAR(volume(&got), 2 * 8 / 6.0, 1e-12, 0);
    sni_triangles_clear(&got);
}

#define PLANE(primitives)                                                                          \
    "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array>0 0 0 1 0 0 " \
    "2 1 0 1 2 0 0 1 0</float_array></source><vertices id='v'><input semantic='POSITION' "         \
    "source='#p'/></vertices>" primitives "</mesh></geometry></library_geometries></COLLADA>"
#define INPUT "<input semantic='VERTEX' source='#v' offset='0'/>"

/// A pentagon as polygon, list, fan and strip, all seen from above.
static void polygons_fans_and_strips_of_collada_cover_the_same_area(void** state) {
    (void)state;
    static const char* const cases[] = {
        PLANE("<polygons>" INPUT "<p>0 1 2 3 4</p></polygons>"),
        PLANE("<polylist>" INPUT "<vcount>4 3</vcount><p>0 1 2 3 0 3 4</p></polylist>"),
        PLANE("<trifans>" INPUT "<p>0 1 2 3 4</p></trifans>"),
        PLANE("<tristrips>" INPUT "<p>0 1 4 2 3</p></tristrips>"),
        PLANE("<triangles>" INPUT "<p>0 1 2</p></triangles><triangles>" INPUT
              "<p>2 3 0 0 3 4</p></triangles>"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sni_triangles got;
        sn_error error;
        CHECK_STATUS(parse_text(cases[i], "dae", &got, &error), SN_OK);
        assert_int_equal(got.triangle_count, 3);
        double area = 0;
        for (int t = 0; t < 3; t++) {
            const int32_t* c = got.triangles + 3 * t;
            sn_vec3 n = sn_vec3_cross(sn_vec3_sub(got.vertices[c[1]], got.vertices[c[0]]),
                                      sn_vec3_sub(got.vertices[c[2]], got.vertices[c[0]]));
            assert_true(n.z > 0);
            area += n.z / 2;
        }
        CHECK_NEAR(area, 2.5, 1e-12, 0);
        sni_triangles_clear(&got);
    }
}

static void polygons_become_triangles_and_what_has_no_area_goes(void** state) {
    (void)state;
    sni_triangles got;
    sn_error error;
    // a square, a triangle with two equal corners, one on a line, and a line
    CHECK_STATUS(parse_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0 0\nv 9 9 9\n"
                            "f 1 2 3 4\nf 1 1 2\nf 1 5 2\nl 1 2\n",
                            "obj", &got, &error),
                 SN_OK);
    assert_int_equal(got.triangle_count, 2);
    assert_int_equal(got.vertex_count, 4); // nothing uses the others
    assert_int_equal(got.degenerate, 2);
    sni_triangles_clear(&got);
}

static void what_cannot_be_read_has_a_reason(void** state) {
    (void)state;
    static const struct {
        const char *text, *ending, *reason;
    } cases[] = {
        {"", "stl", "assimp cannot read it"},
        {"hello", "obj", ""},
        {"<COLLADA>", "dae", "not well-formed XML"},
        {"<COLLADA/>", "dae", "no triangle with an area"},
        {"<robot/>", "dae", "not <COLLADA>"},
        {"{}", "gltf", "'gltf' files are not read"},
        {"ply\n", "ply", "'ply' files are not read"},
        {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "obj", "no triangle with an area"},
        {"solid x", "step", "'step' files are not read"},
        {SCENE("<node><instance_node url='#loop'/></node>"), "dae", "contain themselves"},
        {SCENE("<node><instance_geometry url='#s'/></node>"), "dae", "no <geometry> '#s'"},
        {SCENE("<node><scale>1 2</scale></node>"), "dae", "<scale> has 2 numbers, not 3"},
        {SCENE("<node><scale>1 2 inf</scale></node>"), "dae", "not a number"},
        {SCENE("<node><lookat>1 2</lookat></node>"), "dae", "<lookat> is not read"},
        {PLANE("<polygons>" INPUT "<p>0 1 5</p></polygons>"), "dae", "does not exist"},
        {PLANE("<polygons>" INPUT "<p>0 1 -1</p></polygons>"), "dae", "does not exist"},
        {PLANE("<polylist>" INPUT "<p>0 1 2</p></polylist>"), "dae", "no <vcount>"},
        {PLANE("<polylist>" INPUT "<vcount>4</vcount><p>0 1 2</p></polylist>"), "dae",
         "more corners than there are"},
        {PLANE("<polygons><p>0 1 2</p></polygons>"), "dae", "no <input> of VERTEX"},
        {"solid x", "", "'' files are not read"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sni_triangles got;
        sn_error error;
        sn_status status = parse_text(cases[i].text, cases[i].ending, &got, &error);
        check_context(cases[i].text);
        CHECK(status != SN_OK && error.status == status, 0);
        CHECK(strstr(error.text, cases[i].reason) && strlen(error.text) > 10, 0);
        CHECK(got.vertices == NULL && got.triangles == NULL, 0);
    }
    check_context(NULL);
}

/// Every file cut anywhere, and with bytes changed: triangles or a reason, and whatever there is can be used.
static void damaged_files_do_no_harm(void** state) {
    (void)state;
    test_rng rng = test_rng_make(test_seed());
    for (int i = 0; i < 40 * FORMATS; i++) {
        uint64_t seed = test_case_seed(3, (uint64_t)i);
        mesh m = random_mesh(&rng);
        text* file = calloc(1, sizeof *file);
        assert_non_null(file);
        formats[i % FORMATS].write(&m, file);
        if (i % 2) file->length = (size_t)test_index(&rng, (int)file->length);
        for (int k = i % 3; k > 0 && file->length > 0; k--)
            file->bytes[test_index(&rng, (int)file->length)] = (char)test_index(&rng, 256);
        sni_triangles got;
        sn_error error;
        leaks_ignore(true); // assimp loses its meshes when it gives a file up
        sn_status status =
            parse(file, formats[i % FORMATS].ending, sn_vec3_make(1, 1, 1), &got, &error);
        leaks_ignore(false);
        if (status == SN_OK) {
            CHECK(got.triangle_count > 0 && got.vertex_count >= 3, seed);
            for (int e = 0; e < 3 * got.triangle_count; e++)
                CHECK(got.triangles[e] >= 0 && got.triangles[e] < got.vertex_count, seed);
            for (int v = 0; v < got.vertex_count; v++)
                CHECK(isfinite(got.vertices[v].x + got.vertices[v].y + got.vertices[v].z), seed);
        }
        sni_triangles_clear(&got);
        free(file);
        mesh_free(&m);
    }
}

// ---- shapes -----------------------------------------------------------------------------------------

#define INERTIAL                                                                                   \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"        \
    "</inertial>"
#define GEOMETRY(file) "<geometry><mesh filename='" file "' scale='2 2 2'/></geometry>"
#define COLLISION(file) "<collision>" GEOMETRY(file) "</collision>\n"

/// Five corners of a cube, not convex: a cube without the tetrahedron at one of them.
static const char CORNERS_OBJ[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n"
                                  "f 2 3 4\nf 5 3 2\nf 5 4 3\nf 5 2 4\nf 1 1 2\n";
static const char ROBOT[] =
    "<robot name='r'><link name='a'>" INERTIAL
    "<visual>" GEOMETRY("good.obj") "</visual>\n" COLLISION("good.obj") COLLISION("missing.obj")
        COLLISION("bad.stl") COLLISION("folder.stl") COLLISION("line.obj")
            COLLISION("good.obj") "<collision><geometry><box size='1 1 "
                                  "1'/></geometry></collision></link></robot>";

static void write_file(const char* folder, const char* name, const char* bytes) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
}

static void make_robot(char folder[64]) {
    char command[128];
    make_scratch_folder(folder);
    write_file(folder, "good.obj", CORNERS_OBJ);
    write_file(folder, "bad.stl", "no mesh");
    write_file(folder, "line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    snprintf(command, sizeof command, "mkdir %s/folder.stl", folder);
    assert_int_equal(system(command), 0);
}

static void remove_folder(const char* folder) {
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static loaded* load_robot(const char* folder, sn_mesh_use use, bool check) {
    char path[128];
    snprintf(path, sizeof path, "%s/robot.urdf", folder);
    sn_load_def def = sn_load_def_default();
    def.base = SN_BASE_FREE;
    def.meshes = use;
    def.check_meshes = check;
    return load_bytes(ROBOT, strlen(ROBOT), path, def);
}

static void meshes_are_not_read_unless_asked_for(void** state) {
    (void)state;
    char folder[64];
    make_robot(folder);
    loaded* l = load_robot(folder, SN_MESH_SKIP, true);
    CHECK_LOADS(l);
    for (int s = 0; s < 7; s++) {
        sn_shape_info shape = sn_model_shape(l->model, s);
        assert_true(shape.type == SN_SHAPE_MESH && !shape.vertices && shape.mesh[0]);
    }
    assert_int_equal(l->warning_count, 1); // two files that are not there
    CHECK_WARNED(l, 3, "missing.obj' does not exist");
    loaded_free(l);
    remove_folder(folder);
}

static void collision_meshes_become_hulls_or_triangles(void** state) {
    (void)state;
    char folder[64];
    make_robot(folder);
    for (int use = SN_MESH_HULL; use <= SN_MESH_TRIANGLES; use++) {
        loaded* l = load_robot(folder, (sn_mesh_use)use, true);
        CHECK_LOADS(l);
        bool hull = use == SN_MESH_HULL;
        assert_int_equal(sn_model_shape_count(l->model), 8);
        sn_shape_info visual = sn_model_shape(l->model, 0);
        assert_true(visual.type == SN_SHAPE_MESH && !visual.vertices);
        static const int good[] = {1, 6}, bad[] = {2, 3, 4, 5};
        for (int k = 0; k < 2; k++) {
            sn_shape_info shape = sn_model_shape(l->model, good[k]);
            assert_int_equal(shape.type, hull ? SN_SHAPE_HULL : SN_SHAPE_MESH);
            assert_true(shape.vertex_count == 4 && shape.triangle_count == 4);
            assert_true(shape.size.x == 2 && strstr(shape.mesh, "good.obj"));
            double most = 0;
            for (int v = 0; v < shape.vertex_count; v++) most = fmax(most, shape.vertices[v].x);
            CHECK_NEAR(most, 2, 0, 0); // scaled
        }
        for (int k = 0; k < 4; k++) {
            sn_shape_info shape = sn_model_shape(l->model, bad[k]);
            assert_true(shape.type == SN_SHAPE_MESH && !shape.vertices);
        }
        CHECK_WARNED(l, 3, "missing.obj' does not exist");
        CHECK_WARNED(l, 4, "bad.stl' cannot be used: assimp cannot read it");
        CHECK_WARNED(l, 2, "good.obj': 1 triangle is without area left out (2 times");
        assert_int_equal(l->warning_count, 3);
        loaded_free(l);
    }
    loaded* l = load_robot(folder, SN_MESH_HULL, false);
    CHECK_LOADS(l);
    CHECK_WARNED(l, 3, "missing.obj' cannot be used: no such file");
    loaded_free(l);
    remove_folder(folder);
}

static const char COLOURS_DAE[] =
    "<?xml version='1.0'?><COLLADA version='1.4.1'>\n"
    "<library_effects>\n"
    "<effect id='e1'><profile_COMMON><technique><phong><diffuse><color>0.9 0.2 0.1 "
    "1</color></diffuse></phong></technique></profile_COMMON></effect>\n"
    "<effect id='e2'><profile_COMMON><technique><lambert><diffuse><color>0 0 1 "
    "0.5</color></diffuse></lambert></technique></profile_COMMON></effect>\n"
    "</library_effects>\n"
    "<library_materials><material id='red'><instance_effect url='#e1'/></material><material "
    "id='blue'><instance_effect url='#e2'/></material></library_materials>\n"
    "<library_geometries><geometry id='g'><mesh>\n"
    "<source id='s'><float_array count='15'>0 0 0 1 0 0 0 1 0 0 0 1 3 3 3</float_array></source>\n"
    "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>\n"
    "<triangles material='small'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2 0 2 "
    "3</p></triangles>\n"
    "<triangles material='large'><input semantic='VERTEX' source='#v' offset='0'/><p>1 2 4 2 3 "
    "4</p></triangles>\n"
    "</mesh></geometry></library_geometries>\n"
    "<library_visual_scenes><visual_scene id='scene'><node><instance_geometry "
    "url='#g'><bind_material><technique_common>\n"
    "<instance_material symbol='small' target='#blue'/><instance_material symbol='large' "
    "target='#red'/>\n"
    "</technique_common></bind_material></instance_geometry></node></visual_scene></"
    "library_visual_scenes>\n"
    "<scene><instance_visual_scene url='#scene'/></scene></COLLADA>\n";

#define VISUAL(file, more) "<visual>" GEOMETRY(file) more "</visual>\n"

static const char SEEN[] =
    // clang-format off
    "<robot name='r'><link name='a'>" INERTIAL
    VISUAL("good.obj", "")
    VISUAL("colours.dae", "")
    VISUAL("colours.dae", "<material name='m'><color rgba='0 1 0 1'/></material>")
    VISUAL("missing.obj", "")
    COLLISION("good.obj") "</link></robot>";
// clang-format on

/// For who draws: triangles as they are, never a hull, in the colour of the model, or of most of the mesh.
static void visual_meshes_are_read_for_who_draws(void** state) {
    (void)state;
    static const double red[4] = {0.9, 0.2, 0.1, 1}, green[4] = {0, 1, 0, 1};
    char folder[64], path[128];
    make_robot(folder);
    write_file(folder, "colours.dae", COLOURS_DAE);
    snprintf(path, sizeof path, "%s/robot.urdf", folder);
    sn_load_def def = sn_load_def_default();
    def.check_meshes = false;
    def.visual_meshes = true;
    for (int use = SN_MESH_SKIP; use <= SN_MESH_TRIANGLES; use++) {
        def.meshes = (sn_mesh_use)use;
        loaded* l = load_bytes(SEEN, strlen(SEEN), path, def);
        CHECK_LOADS(l);
        sn_shape_info plain = sn_model_shape(l->model, 0), file = sn_model_shape(l->model, 1),
                      given = sn_model_shape(l->model, 2), lost = sn_model_shape(l->model, 3);
        assert_true(plain.type == SN_SHAPE_MESH && plain.triangle_count == 4);
        assert_true(file.triangle_count == 4 && file.vertex_count == 5);
        assert_memory_equal(file.color, red, sizeof red);
        assert_memory_equal(given.color, green, sizeof green);
        assert_true(lost.type == SN_SHAPE_MESH && !lost.vertices);
        CHECK_WARNED(l, 4,
                     "missing.obj' cannot be used: no such file; check the path; it is not drawn");
        assert_true((sn_model_shape(l->model, 4).vertices != NULL) == (use != SN_MESH_SKIP));
        loaded_free(l);
    }
    remove_folder(folder);
}

/// What was read is in the JSON of the model, and meshes named in a JSON model are read the same way.
static void json_models_keep_corners_and_read_meshes(void** state) {
    (void)state;
    char folder[64], path[128];
    make_robot(folder);
    snprintf(path, sizeof path, "%s/model.json", folder);
    sn_load_def def = sn_load_def_default();
    def.check_meshes = false;
    for (int use = SN_MESH_HULL; use <= SN_MESH_TRIANGLES; use++) {
        loaded *from_urdf = load_robot(folder, (sn_mesh_use)use, true),
               *names = load_robot(folder, SN_MESH_SKIP, true);
        char *whole, *unread;
        CHECK_STATUS(sn_model_to_json(from_urdf->model, &whole, NULL), SN_OK);
        CHECK_STATUS(sn_model_to_json(names->model, &unread, NULL), SN_OK);
        def.meshes = SN_MESH_SKIP;
        loaded* kept = load_bytes(whole, strlen(whole), path, def);
        CHECK_LOADS(kept);
        check_same_model(from_urdf->model, kept->model, 0);
        def.meshes = (sn_mesh_use)use;
        loaded* read = load_bytes(unread, strlen(unread), path, def);
        CHECK_LOADS(read);
        check_same_model(from_urdf->model, read->model, 0);
        sn_text_free(whole);
        sn_text_free(unread);
        loaded_free(kept);
        loaded_free(read);
        loaded_free(from_urdf);
        loaded_free(names);
    }
    remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_triangles),
        cmocka_unit_test(nodes_and_units_of_collada_place_the_mesh_and_its_upward_axis_does_not),
        cmocka_unit_test(transforms_of_collada_nodes_are_nested),
        cmocka_unit_test(polygons_fans_and_strips_of_collada_cover_the_same_area),
        cmocka_unit_test(polygons_become_triangles_and_what_has_no_area_goes),
        cmocka_unit_test(what_cannot_be_read_has_a_reason),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(meshes_are_not_read_unless_asked_for),
        cmocka_unit_test(collision_meshes_become_hulls_or_triangles),
        cmocka_unit_test(visual_meshes_are_read_for_who_draws),
        cmocka_unit_test(json_models_keep_corners_and_read_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
