// SPDX-License-Identifier: Apache-2.0
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_map.h"

static sn_status no_memory(sn_error* error) {
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory for the model");
}

/// Fails when a body or joint name stands twice.
static sn_status check_duplicate(const sn_model_builder* builder, int32_t i, int32_t first,
                                 const char* kind, const char* name, sn_error* error) {
    if (first < 0) return SN_OK;
    const sn_place other = builder->bodies[first].place;
    if (other.line > 0)
        return sni_fail(error, SN_ERR_MODEL, builder->bodies[i].place,
                        "%s '%s' is defined twice; the first is in line %d", kind, name,
                        other.line);
    return sni_fail(error, SN_ERR_MODEL, builder->bodies[i].place, "%s '%s' is defined twice", kind,
                    name);
}

static sn_status find_parents(const sn_model_builder* builder, const sni_name_map* names,
                              int32_t* parent, sn_error* error) {
    for (int32_t i = 0; i < (int32_t)builder->body_count; i++) {
        const sn_body_def* def = &builder->bodies[i];
        parent[i] = def->parent ? sni_name_map_find(names, def->parent) : -1;
        if (def->parent && parent[i] < 0)
            return sni_fail(error, SN_ERR_MODEL, def->place,
                            "body '%s' has parent '%s', which does not exist", def->name,
                            def->parent);
    }
    return SN_OK;
}

static sn_status fill_names(const sn_model_builder* builder, sni_name_map* bodies,
                            sni_name_map* joints, sn_error* error) {
    for (int32_t i = 0; i < (int32_t)builder->body_count; i++) {
        const sn_body_def* def = &builder->bodies[i];
        int32_t first = sni_name_map_add(bodies, def->name, i);
        sn_status status = check_duplicate(builder, i, first, "body", def->name, error);
        if (status) return status;
        first = sni_name_map_add(joints, def->joint.name, i);
        status = check_duplicate(builder, i, first, "joint", def->joint.name, error);
        if (status) return status;
    }
    return SN_OK;
}

static sn_status resolve(const sn_model_builder* builder, int32_t* parent, sn_error* error) {
    sni_arena arena = {0};
    sni_name_map bodies, joints;
    sni_name_map_layout(&bodies, &arena, (int32_t)builder->body_count);
    sni_name_map_layout(&joints, &arena, (int32_t)builder->body_count);
    if (!sni_arena_allocate(&arena)) return no_memory(error);
    sni_name_map_layout(&bodies, &arena, (int32_t)builder->body_count);
    sni_name_map_layout(&joints, &arena, (int32_t)builder->body_count);
    sn_status status = fill_names(builder, &bodies, &joints, error);
    if (!status) status = find_parents(builder, &bodies, parent, error);
    sni_arena_free(&arena);
    return status;
}

/// Writes "a -> b -> a" for the cycle that contains body i.
static void describe_cycle(const sn_model_builder* builder, const int32_t* parent, int32_t i,
                           char* out, size_t size) {
    size_t used = 0;
    int32_t at = i;
    out[0] = '\0';
    for (int shown = 0; shown < 5; shown++) {
        const char* name = builder->bodies[at].name;
        size_t length = strlen(name);
        if (used + length + 9 > size) break;
        memcpy(out + used, name, length);
        memcpy(out + used + length, " -> ", 5);
        used += length + 4;
        at = parent[at];
        if (at == i) break;
    }
    const char* end = at == i ? builder->bodies[i].name : "...";
    if (used + strlen(end) < size) memcpy(out + used, end, strlen(end) + 1);
}

static sn_status fail_on_cycle(const sn_model_builder* builder, const int32_t* parent,
                               const bool* done, sn_error* error) {
    // From any body that was not reached, climbing body_count times ends inside a cycle.
    int32_t i = 0, count = (int32_t)builder->body_count;
    while (done[i]) i++;
    for (int32_t k = 0; k < count; k++) i = parent[i];
    char cycle[256];
    describe_cycle(builder, parent, i, cycle, sizeof cycle);
    return sni_fail(error, SN_ERR_MODEL, builder->bodies[i].place,
                    "bodies form a cycle: %s; kinematic loops must be cut at one joint", cycle);
}

/// Depth first, children in the order they were added; `scratch` holds 3 count numbers.
static sn_status depth_first(const sn_model_builder* builder, const int32_t* parent, int32_t* at,
                             int32_t* scratch, bool* done, sn_error* error) {
    int32_t count = (int32_t)builder->body_count, root = -1, placed = 0, depth = 0;
    int32_t *first = scratch, *next = scratch + count, *stack = scratch + 2 * count;
    for (int32_t i = 0; i < count; i++) first[i] = -1;
    for (int32_t i = count - 1; i >= 0; i--) { // lists in order of addition
        int32_t* head = parent[i] < 0 ? &root : &first[parent[i]];
        next[i] = *head;
        *head = i;
    }
    if (root >= 0) stack[depth++] = root;
    while (depth > 0) {
        int32_t i = stack[--depth];
        at[placed++] = i;
        done[i] = true;
        if (next[i] >= 0) stack[depth++] = next[i];
        if (first[i] >= 0) stack[depth++] = first[i];
    }
    return placed == count ? SN_OK : fail_on_cycle(builder, parent, done, error);
}

sn_status sni_order_find(const sn_model_builder* builder, sni_order* order, sn_error* error) {
    size_t count = builder->body_count;
    order->parent = malloc((count + 1) * sizeof *order->parent);
    order->at = malloc((count + 1) * sizeof *order->at);
    if (!order->parent || !order->at) return no_memory(error);
    sn_status status = resolve(builder, order->parent, error);
    if (status) return status;

    bool parents_first = true;
    for (int32_t i = 0; i < (int32_t)count; i++) {
        order->at[i] = i;
        if (order->parent[i] >= i) parents_first = false;
    }
    if (parents_first) return SN_OK;

    int32_t* scratch = malloc(3 * count * sizeof *scratch);
    bool* done = calloc(count, sizeof *done);
    status = scratch && done ? depth_first(builder, order->parent, order->at, scratch, done, error)
                             : no_memory(error);
    free(scratch);
    free(done);
    return status;
}

void sni_order_free(sni_order* order) {
    free(order->parent);
    free(order->at);
}
