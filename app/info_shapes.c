// SPDX-License-Identifier: Apache-2.0
#include "info_shapes.h"

#include <math.h>

#include "table.h"

enum { ROWS_MOST = 20 }; // of a list, unless all of it is wanted

static bool touches(const sn_shape_info* shape) { return (shape->use & SN_SHAPE_COLLISION) != 0; }

// ---- by type -----------------------------------------------------------------------------------------

enum { TYPES = SN_SHAPE_HULL + 1, UNREAD = TYPES, KINDS };

typedef struct kind_total {
    int shapes;
    long corners, triangles;
} kind_total;

static void add_count(table* t, long count) {
    if (count > 0) {
        table_cell(t, "%ld", count);
    } else {
        table_cell(t, "-");
    }
}

static void print_types(const sn_model* model, FILE* out) {
    kind_total totals[KINDS] = {0};
    int touching = 0;
    for (int i = 0; i < sn_model_shape_count(model); i++) {
        sn_shape_info shape = sn_model_shape(model, i);
        if (!touches(&shape)) continue;
        bool unread = shape.type == SN_SHAPE_MESH && !shape.vertices;
        kind_total* total = &totals[unread ? UNREAD : (int)shape.type];
        total->shapes += 1;
        total->corners += shape.vertex_count;
        total->triangles += shape.triangle_count;
        touching += 1;
    }
    if (touching == 0) return;
    fprintf(out, "\nShapes that can be touched\n");
    table* t = table_create("lrrr", "type|shapes|corners|triangles");
    for (int k = 0; k < KINDS; k++) {
        if (totals[k].shapes == 0) continue;
        table_cell(t, "%s", k == UNREAD ? "mesh, not read" : sn_shape_type_name((sn_shape_type)k));
        table_cell(t, "%d", totals[k].shapes);
        add_count(t, totals[k].corners);
        add_count(t, totals[k].triangles);
    }
    table_print(t, 2, out);
}

// ---- surfaces ----------------------------------------------------------------------------------------

typedef struct surface {
    sn_material material;
    int shapes;
    const char* first; // body of the first of them
} surface;

static bool same_material(const sn_material* a, const sn_material* b) {
    return a->mu == b->mu && a->mu_kinetic == b->mu_kinetic &&
           a->stribeck_speed == b->stribeck_speed && a->viscous == b->viscous &&
           a->restitution == b->restitution && a->spin == b->spin && a->roll == b->roll &&
           a->stiffness == b->stiffness && (isinf(a->stiffness) || a->damping == b->damping);
}

// Surfaces other than the usual one, in the order of their first shapes; how many, at most `most`.
static int find_surfaces(const sn_model* model, surface* surfaces, int most) {
    sn_material usual = sn_material_default();
    int count = 0;
    for (int i = 0; i < sn_model_shape_count(model); i++) {
        sn_shape_info shape = sn_model_shape(model, i);
        if (!touches(&shape) || same_material(&shape.material, &usual)) continue;
        int k = 0;
        while (k < count && !same_material(&surfaces[k].material, &shape.material)) k++;
        if (k == most) continue;
        if (k == count) {
            const char* body = shape.body.i < 0 ? "world" : sn_model_body(model, shape.body).name;
            surfaces[count++] = (surface){shape.material, 0, body};
        }
        surfaces[k].shapes += 1;
    }
    return count;
}

static void print_surfaces(const sn_model* model, FILE* out) {
    surface surfaces[ROWS_MOST];
    int count = find_surfaces(model, surfaces, ROWS_MOST);
    if (count == 0) return;
    fprintf(out, "\nSurfaces other than the usual (mu 0.5, rigid, no bounce)\n");
    table* t = table_create("rrrrrrrl", "shapes|mu|mu moving|bounce|spin [m]|roll [m]|"
                                        "stiffness [N/m]|first on");
    for (int k = 0; k < count; k++) {
        const sn_material* m = &surfaces[k].material;
        table_cell(t, "%d", surfaces[k].shapes);
        table_cell(t, "%.4g", m->mu);
        table_cell(t, "%.4g", m->mu_kinetic);
        table_cell(t, "%.4g", m->restitution);
        table_cell(t, "%.4g", m->spin);
        table_cell(t, "%.4g", m->roll);
        if (isinf(m->stiffness)) {
            table_cell(t, "rigid");
        } else {
            table_cell(t, "%.4g", m->stiffness);
        }
        table_cell(t, "%s", surfaces[k].first);
    }
    table_print(t, 2, out);
}

// ---- pairs -------------------------------------------------------------------------------------------

static const char* name_of(const sn_model* model, sn_body_id body) {
    return body.i < 0 ? "world" : sn_model_body(model, body).name;
}

static void print_exclusions(const sn_model* model, bool all, FILE* out) {
    int count = sn_model_exclusion_count(model);
    int shown = all || count <= ROWS_MOST ? count : ROWS_MOST;
    if (count == 0) return;
    fprintf(out, "\nPairs of bodies that never touch: %d\n", count);
    table* t = table_create("ll", NULL);
    for (int i = 0; i < shown; i++) {
        sn_exclusion pair = sn_model_exclusion(model, i);
        table_cell(t, "%s", name_of(model, pair.a));
        table_cell(t, "%s", name_of(model, pair.b));
    }
    table_print(t, 2, out);
    if (shown < count) fprintf(out, "  %d rows left out; --all shows them\n", count - shown);
}

void info_shapes_print(const sn_model* model, bool all, FILE* out) {
    print_types(model, out);
    print_surfaces(model, out);
    print_exclusions(model, all, out);
}
