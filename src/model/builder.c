// SPDX-License-Identifier: Apache-2.0
#include "model/builder.h"

#include <stdlib.h>
#include <string.h>

struct sni_text_block {
    sni_text_block* next;
    size_t used, size;
    char bytes[];
};

enum { TEXT_BLOCK = 1 << 16 };

/// A copy that lives as long as the builder; NULL for NULL. *ok becomes false without memory.
static const char* keep(sn_model_builder* builder, const char* text, bool* ok) {
    if (!text) return NULL;
    size_t length = strlen(text) + 1;
    sni_text_block* block = builder->text;
    if (!block || block->size - block->used < length) {
        size_t size = length > TEXT_BLOCK ? length : TEXT_BLOCK;
        block = malloc(sizeof *block + size);
        if (!block) {
            *ok = false;
            return NULL;
        }
        block->next = builder->text;
        block->used = 0;
        block->size = size;
        builder->text = block;
    }
    char* copy = block->bytes + block->used;
    memcpy(copy, text, length);
    block->used += length;
    return copy;
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

sn_status sn_model_builder_add_shape(sn_model_builder* builder, const sn_shape_def* def) {
    if (!builder || !def) return SN_ERR_ARGUMENT;
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
