// SPDX-License-Identifier: Apache-2.0
#include "model/builder.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct sni_text_block {
    sni_text_block* next;
    size_t used, size;
    max_align_t bytes[];
};

enum { TEXT_BLOCK = 1 << 16 };

/// A copy that lives as long as the builder; NULL for NULL. *ok becomes false without memory.
static const void* keep_bytes(sn_model_builder* builder, const void* bytes, size_t length,
                              size_t alignment, bool* ok) {
    if (!bytes) return NULL;
    sni_text_block* block = builder->text;
    size_t at = block ? (block->used + alignment - 1) / alignment * alignment : 0;
    if (!block || at > block->size || block->size - at < length) {
        size_t size = length > TEXT_BLOCK ? length : TEXT_BLOCK;
        block = malloc(sizeof *block + size);
        if (!block) {
            *ok = false;
            return NULL;
        }
        at = 0;
        block->next = builder->text;
        block->size = size;
        builder->text = block;
    }
    char* copy = (char*)block->bytes + at;
    memcpy(copy, bytes, length);
    block->used = at + length;
    return copy;
}

static const char* keep(sn_model_builder* builder, const char* text, bool* ok) {
    return keep_bytes(builder, text, text ? strlen(text) + 1 : 0, 1, ok);
}

/// File names repeat: keep one copy of the last.
static const char* keep_file(sn_model_builder* builder, const char* file, const char* last,
                             bool* ok) {
    if (file && last && strcmp(file, last) == 0) return last;
    return keep(builder, file ? file : "", ok);
}

/// Makes room for one more element; NULL (array unchanged) without memory.
static void* grow(void* array, size_t count, size_t* capacity, size_t size) {
    if (count < *capacity) return array;
    size_t wanted = *capacity ? 2 * *capacity : 64;
    void* larger = realloc(array, wanted * size);
    if (larger) *capacity = wanted;
    return larger;
}

sn_model_builder* sn_model_builder_create(const char* model_name) {
    sn_model_builder* builder = calloc(1, sizeof *builder);
    bool ok = builder != NULL;
    if (ok) builder->name = keep(builder, model_name ? model_name : "model", &ok);
    if (!ok) {
        sn_model_builder_free(builder);
        return NULL;
    }
    return builder;
}

void sn_model_builder_free(sn_model_builder* builder) {
    if (!builder) return;
    while (builder->text) {
        sni_text_block* next = builder->text->next;
        free(builder->text);
        builder->text = next;
    }
    free(builder->bodies);
    free(builder->shapes);
    free(builder->loops);
    free(builder->exclusions);
    free(builder);
}

sn_status sn_model_builder_add_body(sn_model_builder* builder, const sn_body_def* def) {
    if (!builder || !def || !def->name) return SN_ERR_ARGUMENT;
    size_t count = builder->body_count;
    sn_body_def* bodies =
        grow(builder->bodies, count, &builder->body_capacity, sizeof *builder->bodies);
    if (!bodies) return SN_ERR_MEMORY;
    builder->bodies = bodies;
    const char* last_file = count ? bodies[count - 1].place.file : NULL;
    bool ok = true;
    sn_body_def copy = *def;
    copy.name = keep(builder, def->name, &ok);
    copy.parent = keep(builder, def->parent, &ok);
    copy.joint.name = def->joint.name ? keep(builder, def->joint.name, &ok) : copy.name;
    copy.place.file = keep_file(builder, def->place.file, last_file, &ok);
    if (!ok) return SN_ERR_MEMORY;
    bodies[count] = copy;
    builder->body_count = count + 1;
    return SN_OK;
}

int sn_model_builder_find_joint(const sn_model_builder* builder, const char* joint) {
    for (size_t i = 0; builder && i < builder->body_count; i++)
        if (strcmp(builder->bodies[i].joint.name, joint) == 0) return (int)i;
    return -1;
}

sn_joint_def sn_model_builder_joint(const sn_model_builder* builder, int body) {
    return builder->bodies[body].joint;
}

void sn_model_builder_set_joint(sn_model_builder* builder, int body, const sn_joint_def* joint) {
    const char* name = builder->bodies[body].joint.name;
    builder->bodies[body].joint = *joint;
    builder->bodies[body].joint.name = name;
}

/// Both lists are there or neither is.
static bool corners_make_sense(const sn_shape_def* def) {
    bool some = def->vertices && def->triangles && def->vertex_count > 0 && def->triangle_count > 0;
    bool none =
        !def->vertices && !def->triangles && def->vertex_count == 0 && def->triangle_count == 0;
    return some || none;
}

sn_status sn_model_builder_add_shape(sn_model_builder* builder, const sn_shape_def* def) {
    if (!builder || !def || !corners_make_sense(def)) return SN_ERR_ARGUMENT;
    size_t count = builder->shape_count;
    sn_shape_def* shapes =
        grow(builder->shapes, count, &builder->shape_capacity, sizeof *builder->shapes);
    if (!shapes) return SN_ERR_MEMORY;
    builder->shapes = shapes;
    const char* last_file = count ? shapes[count - 1].place.file : NULL;
    bool ok = true;
    sn_shape_def copy = *def;
    copy.body = keep(builder, def->body, &ok);
    copy.name = keep(builder, def->name ? def->name : "", &ok);
    copy.mesh = keep(builder, def->mesh ? def->mesh : "", &ok);
    copy.vertices = keep_bytes(builder, def->vertices, (size_t)def->vertex_count * sizeof(sn_vec3),
                               _Alignof(sn_vec3), &ok);
    copy.triangles =
        keep_bytes(builder, def->triangles, (size_t)def->triangle_count * 3 * sizeof(int32_t),
                   _Alignof(int32_t), &ok);
    copy.place.file = keep_file(builder, def->place.file, last_file, &ok);
    if (!ok) return SN_ERR_MEMORY;
    shapes[count] = copy;
    builder->shape_count = count + 1;
    return SN_OK;
}

sn_status sn_model_builder_add_loop(sn_model_builder* builder, const sn_loop_def* def) {
    if (!builder || !def || !def->name) return SN_ERR_ARGUMENT;
    size_t count = builder->loop_count;
    sn_loop_def* loops =
        grow(builder->loops, count, &builder->loop_capacity, sizeof *builder->loops);
    if (!loops) return SN_ERR_MEMORY;
    builder->loops = loops;
    const char* last_file = count ? loops[count - 1].place.file : NULL;
    bool ok = true;
    sn_loop_def copy = *def;
    copy.name = keep(builder, def->name, &ok);
    copy.body_a = keep(builder, def->body_a, &ok);
    copy.body_b = keep(builder, def->body_b, &ok);
    copy.place.file = keep_file(builder, def->place.file, last_file, &ok);
    if (!ok) return SN_ERR_MEMORY;
    loops[count] = copy;
    builder->loop_count = count + 1;
    return SN_OK;
}

int sn_model_builder_shape_count(const sn_model_builder* builder) {
    return builder ? (int)builder->shape_count : 0;
}

sn_material sn_model_builder_material(const sn_model_builder* builder, int shape) {
    return builder->shapes[shape].material;
}

void sn_model_builder_set_material(sn_model_builder* builder, int shape, sn_material material) {
    builder->shapes[shape].material = material;
}

sn_status sn_model_builder_exclude(sn_model_builder* builder, const char* a, const char* b,
                                   sn_place place) {
    if (!builder) return SN_ERR_ARGUMENT;
    size_t count = builder->exclusion_count;
    sni_exclusion_def* exclusions =
        grow(builder->exclusions, count, &builder->exclusion_capacity, sizeof *exclusions);
    if (!exclusions) return SN_ERR_MEMORY;
    builder->exclusions = exclusions;
    const char* last_file = count ? exclusions[count - 1].place.file : NULL;
    bool ok = true;
    sni_exclusion_def copy = {keep(builder, a, &ok), keep(builder, b, &ok), place};
    copy.place.file = keep_file(builder, place.file, last_file, &ok);
    if (!ok) return SN_ERR_MEMORY;
    exclusions[count] = copy;
    builder->exclusion_count = count + 1;
    return SN_OK;
}
