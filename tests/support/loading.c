// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // scandir
#include "support/loading.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static void keep_warning(void* context, sn_log_level level, sn_place place, const char* text) {
    loaded* l = context;
    if (l->warning_count == LOADED_WARNINGS) fail_msg("more than %d warnings", LOADED_WARNINGS);
    loaded_warning* w = &l->warnings[l->warning_count++];
    w->level = level;
    w->line = place.line;
    w->column = place.column;
    snprintf(w->file, sizeof w->file, "%s", place.file);
    snprintf(w->text, sizeof w->text, "%s", text);
}

loaded* load_bytes(const char* bytes, size_t length, const char* name, sn_load_def def) {
    loaded* l = calloc(1, sizeof *l);
    assert_non_null(l);
    def.log.write = keep_warning;
    def.log.context = l;
    // In memory of the exact size, so that sanitizers see a read past the end.
    char* copy = malloc(length ? length : 1);
    assert_non_null(copy);
    if (length) memcpy(copy, bytes, length);
    l->status = sn_model_load_memory(copy, length, name, &def, &l->model, &l->error);
    free(copy);
    return l;
}

loaded* load_text(const char* text, sn_load_base base) {
    sn_load_def def = sn_load_def_default();
    def.base = base;
    return load_bytes(text, strlen(text), "test.urdf", def);
}

loaded* load_file(const char* path, sn_load_base base) {
    loaded* l = calloc(1, sizeof *l);
    assert_non_null(l);
    sn_load_def def = sn_load_def_default();
    def.base = base;
    def.log.write = keep_warning;
    def.log.context = l;
    l->status = sn_model_load(path, &def, &l->model, &l->error);
    return l;
}

void loaded_free(loaded* l) {
    sn_model_free(l->model);
    free(l);
}

const loaded_warning* find_warning(const loaded* l, const char* text) {
    for (int i = 0; i < l->warning_count; i++)
        if (strstr(l->warnings[i].text, text)) return &l->warnings[i];
    return NULL;
}

static void show(const loaded* l) {
    char text[800];
    sn_error_format(&l->error, text, sizeof text);
    print_error("status %d: %s\n", (int)l->status, l->status ? text : "loaded");
    for (int i = 0; i < l->warning_count; i++)
        print_error("warning %d:%d: %s\n", l->warnings[i].line, l->warnings[i].column,
                    l->warnings[i].text);
}

void check_loads(const loaded* l, const char* file, int line) {
    if (l->status == SN_OK && l->model) return;
    show(l);
    print_error("expected a model\n");
    _fail(file, line);
}

void check_fails(const loaded* l, int at_line, const char* text, const char* file, int line) {
    bool right = l->status != SN_OK && !l->model && l->error.status == l->status &&
                 l->error.file[0] && strstr(l->error.text, text) &&
                 (at_line == 0 || at_line == l->error.line);
    if (right) return;
    show(l);
    print_error("expected an error at line %d with '%s'\n", at_line, text);
    _fail(file, line);
}

void check_warned(const loaded* l, int at_line, const char* text, const char* file, int line) {
    int count = 0;
    for (int i = 0; i < l->warning_count; i++)
        if (strstr(l->warnings[i].text, text) && l->warnings[i].file[0] &&
            (at_line == 0 || l->warnings[i].line == at_line))
            count++;
    if (count == 1) return;
    show(l);
    print_error("expected one warning at line %d with '%s', got %d\n", at_line, text, count);
    _fail(file, line);
}

// ---- the same model -------------------------------------------------------------------------------

static bool same(const double* a, const double* b, int n) {
    for (int i = 0; i < n; i++)
        if (!(a[i] == b[i])) return false;
    return true;
}

static bool same_pose(sn_pose a, sn_pose b) {
    return same(&a.R.m[0][0], &b.R.m[0][0], 9) && same(&a.p.x, &b.p.x, 3);
}

static void check_same_body(const sn_body_info* a, const sn_body_info* b, uint64_t seed) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->joint_name, b->joint_name);
    CHECK(a->parent.i == b->parent.i && a->type == b->type, seed);
    CHECK(a->iq == b->iq && a->iv == b->iv && a->nq == b->nq && a->nv == b->nv, seed);
    CHECK(same_pose(a->placement, b->placement), seed);
    CHECK(same(&a->axis.x, &b->axis.x, 3), seed);
    CHECK(same(&a->axis2.x, &b->axis2.x, 3), seed);
    CHECK(a->pitch == b->pitch, seed);
    CHECK(a->inertia.mass == b->inertia.mass, seed);
    CHECK(same(&a->inertia.com.x, &b->inertia.com.x, 3), seed);
    CHECK(same(&a->inertia.I.m[0][0], &b->inertia.I.m[0][0], 9), seed);
    CHECK(same(a->armature, b->armature, a->nv), seed);
    CHECK(same(a->damping, b->damping, a->nv), seed);
    CHECK(same(a->stiffness, b->stiffness, a->nv), seed);
    CHECK(same(a->rest, b->rest, a->nq), seed);
    CHECK(same(a->friction, b->friction, a->nv), seed);
    CHECK(same(a->lower, b->lower, a->nv), seed);
    CHECK(same(a->upper, b->upper, a->nv), seed);
    CHECK(same(a->velocity, b->velocity, a->nv), seed);
    CHECK(same(a->effort, b->effort, a->nv), seed);
}

static void check_same_shape(const sn_shape_info* a, const sn_shape_info* b, uint64_t seed) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->mesh, b->mesh);
    CHECK(a->body.i == b->body.i && a->frame.i == b->frame.i, seed);
    CHECK(a->type == b->type && a->use == b->use, seed);
    CHECK(same_pose(a->X_bs, b->X_bs) && same_pose(a->X_fs, b->X_fs), seed);
    CHECK(same(&a->size.x, &b->size.x, 3) && same(a->color, b->color, 4), seed);
    CHECK(a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count, seed);
    for (int k = 0; k < a->vertex_count; k++)
        CHECK(same(&a->vertices[k].x, &b->vertices[k].x, 3), seed);
    for (int k = 0; k < 3 * a->triangle_count; k++) CHECK(a->triangles[k] == b->triangles[k], seed);
    const sn_material *m = &a->material, *n = &b->material;
    CHECK(m->mu == n->mu && m->mu_kinetic == n->mu_kinetic, seed);
    CHECK(m->stribeck_speed == n->stribeck_speed && m->viscous == n->viscous, seed);
    CHECK(m->restitution == n->restitution && m->spin == n->spin && m->roll == n->roll, seed);
    CHECK(m->stiffness == n->stiffness && m->damping == n->damping, seed);
    CHECK(a->group == b->group && a->mask == b->mask, seed);
}

static void check_same_loop(const sn_loop_info* a, const sn_loop_info* b, uint64_t seed) {
    const sn_loop_end *ends_a[2] = {&a->a, &a->b}, *ends_b[2] = {&b->a, &b->b};
    assert_string_equal(a->name, b->name);
    CHECK(a->type == b->type && a->pitch == b->pitch && a->t_s == b->t_s, seed);
    CHECK(same(&a->axis.x, &b->axis.x, 3) && same(&a->axis2.x, &b->axis2.x, 3), seed);
    for (int e = 0; e < 2; e++) {
        CHECK(ends_a[e]->body.i == ends_b[e]->body.i, seed);
        CHECK(ends_a[e]->frame.i == ends_b[e]->frame.i, seed);
        CHECK(same_pose(ends_a[e]->X_bc, ends_b[e]->X_bc), seed);
        CHECK(same_pose(ends_a[e]->X_fc, ends_b[e]->X_fc), seed);
    }
}

void check_same_model(const sn_model* a, const sn_model* b, uint64_t seed) {
    assert_string_equal(sn_model_name(a), sn_model_name(b));
    assert_int_equal(sn_model_body_count(a), sn_model_body_count(b));
    assert_int_equal(sn_model_frame_count(a), sn_model_frame_count(b));
    assert_int_equal(sn_model_shape_count(a), sn_model_shape_count(b));
    for (int i = 0; i < sn_model_body_count(a); i++) {
        sn_body_info x = sn_model_body(a, sn_body(i)), y = sn_model_body(b, sn_body(i));
        check_same_body(&x, &y, seed);
    }
    for (int i = 0; i < sn_model_frame_count(a); i++) {
        sn_frame_info x = sn_model_frame(a, (sn_frame_id){i});
        sn_frame_info y = sn_model_frame(b, (sn_frame_id){i});
        assert_string_equal(x.name, y.name);
        assert_string_equal(x.joint_name, y.joint_name);
        CHECK(x.body.i == y.body.i && x.folded == y.folded && same_pose(x.X_bf, y.X_bf), seed);
    }
    for (int i = 0; i < sn_model_shape_count(a); i++) {
        sn_shape_info x = sn_model_shape(a, i), y = sn_model_shape(b, i);
        check_same_shape(&x, &y, seed);
    }
    assert_int_equal(sn_model_loop_count(a), sn_model_loop_count(b));
    for (int i = 0; i < sn_model_loop_count(a); i++) {
        sn_loop_info x = sn_model_loop(a, i), y = sn_model_loop(b, i);
        check_same_loop(&x, &y, seed);
    }
    assert_int_equal(sn_model_exclusion_count(a), sn_model_exclusion_count(b));
    for (int i = 0; i < sn_model_exclusion_count(a); i++) {
        sn_exclusion x = sn_model_exclusion(a, i), y = sn_model_exclusion(b, i);
        CHECK(x.a.i == y.a.i && x.b.i == y.b.i, seed);
    }
}

// ---- files ----------------------------------------------------------------------------------------

char* read_whole_file(const char* path, size_t* length) {
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char* text = malloc(*length + 1);
    assert_non_null(text);
    assert_true(fread(text, 1, *length, file) == *length);
    text[*length] = '\0';
    fclose(file);
    return text;
}

int for_each_file(const char* folder, const char* ending, void (*visit)(const char* path)) {
    struct dirent** entries;
    int found = scandir(folder, &entries, NULL, alphasort), count = 0;
    for (int i = 0; i < found; i++) {
        size_t length = strlen(entries[i]->d_name), end = strlen(ending);
        if (length > end && strcmp(entries[i]->d_name + length - end, ending) == 0) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            visit(path);
            count++;
        }
        free(entries[i]);
    }
    if (found >= 0) free(entries);
    return count;
}

char* repeated(const char* start, const char* piece, int count, const char* end) {
    size_t length = strlen(piece);
    char* text = malloc(strlen(start) + length * (size_t)count + strlen(end) + 1);
    assert_non_null(text);
    char* at = text + sprintf(text, "%s", start);
    for (int i = 0; i < count; i++) memcpy(at + length * (size_t)i, piece, length);
    strcpy(at + length * (size_t)count, end);
    return text;
}

void make_scratch_folder(char path[64]) {
    snprintf(path, 64, "%s/sinew_XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(path));
}

static bool set_comma_locale(const char* folder) {
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i])) return true;
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             folder);
    if (system(command) != 0) return false;
    setenv("LOCPATH", folder, 1);
    bool made = setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    return made;
}

void use_comma_locale(void) {
    char folder[64], command[80];
    make_scratch_folder(folder);
    bool usable = set_comma_locale(folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (usable) return;
    print_message("no locale with a decimal comma\n");
    skip();
}
