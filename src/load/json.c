// SPDX-License-Identifier: Apache-2.0
#include "load/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Rotations printed with six digits or more pass; anything further off is a mistake.
static const double ROTATION_TOLERANCE = 1e-6;

static void path_of(const sni_json_at* at, const char* field, char* out, size_t size) {
    if (at->list)
        snprintf(out, size, "%s[%d]%s%s", at->list, at->index, *field ? "." : "", field);
    else
        snprintf(out, size, "%s", field);
}

sn_status sni_json_fail(const sni_json_at* at, const char* field, const char* format, ...) {
    char path[128], reason[384];
    path_of(at, field, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return sni_fail(at->load->error, SN_ERR_FORMAT, sni_load_place(at->load), "%s: %s", path,
                    reason);
}

/// What a value is, for people.
static const char* kind_of(const json_t* value) {
    if (!value) return "nothing";
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "a whole number";
    case JSON_REAL: return "a number";
    case JSON_TRUE:
    case JSON_FALSE: return "true or false";
    case JSON_NULL: break;
    }
    return "null";
}

sn_status sni_json_object(sni_load* load, const char* name, json_t* list, int index,
                          sni_json_at* at) {
    sni_json_at here = {load, name, index, json_array_get(list, (size_t)index)};
    *at = here;
    if (json_is_object(here.object)) return SN_OK;
    return sni_json_fail(at, "", "expected an object, got %s", kind_of(here.object));
}

sn_status sni_json_numbers(const sni_json_at* at, const char* field, json_t* value, int count,
                           double* numbers) {
    if (!json_is_array(value))
        return sni_json_fail(at, field, "expected %d number%s in an array, got %s", count,
                             count == 1 ? "" : "s", kind_of(value));
    if (json_array_size(value) != (size_t)count)
        return sni_json_fail(at, field, "expected %d number%s, got %zu", count,
                             count == 1 ? "" : "s", json_array_size(value));
    for (int k = 0; k < count; k++) {
        const json_t* element = json_array_get(value, (size_t)k);
        if (!json_is_number(element))
            return sni_json_fail(at, field, "expected numbers, got %s at place %d",
                                 kind_of(element), k);
        numbers[k] = json_number_value(element);
    }
    return SN_OK;
}

sn_status sni_json_field_numbers(const sni_json_at* at, const char* field, int count,
                                 double* numbers) {
    return sni_json_numbers(at, field, json_object_get(at->object, field), count, numbers);
}

sn_status sni_json_field_vector(const sni_json_at* at, const char* field, sn_vec3* v) {
    double a[3];
    sn_status status = sni_json_field_numbers(at, field, 3, a);
    if (!status) *v = sn_vec3_make(a[0], a[1], a[2]);
    return status;
}

sn_status sni_json_field_number(const sni_json_at* at, const char* field, double* number) {
    const json_t* value = json_object_get(at->object, field);
    if (!json_is_number(value))
        return sni_json_fail(at, field, "expected a number, got %s", kind_of(value));
    *number = json_number_value(value);
    return SN_OK;
}

sn_status sni_json_field_text(const sni_json_at* at, const char* field, const char** text) {
    const json_t* value = json_object_get(at->object, field);
    *text = NULL;
    if (!value || json_is_null(value)) return SN_OK;
    if (!json_is_string(value))
        return sni_json_fail(at, field, "expected a string, got %s", kind_of(value));
    *text = json_string_value(value);
    return SN_OK;
}

sn_status sni_json_field_int(const sni_json_at* at, const char* field, int lowest, int highest,
                             int* number) {
    const json_t* value = json_object_get(at->object, field);
    if (!json_is_integer(value))
        return sni_json_fail(at, field, "expected a whole number, got %s", kind_of(value));
    json_int_t read = json_integer_value(value);
    if (read < lowest || read > highest)
        return sni_json_fail(at, field, "%lld is not from %d to %d", (long long)read, lowest,
                             highest);
    *number = (int)read;
    return SN_OK;
}

sn_status sni_json_expect(const sni_json_at* at, const char* field, int64_t expected) {
    const json_t* value = json_object_get(at->object, field);
    if (!value) return SN_OK;
    if (!json_is_integer(value))
        return sni_json_fail(at, field, "expected a whole number, got %s", kind_of(value));
    if (json_integer_value(value) == expected) return SN_OK;
    return sni_json_fail(at, field,
                         "the file says %lld, the order and types of its bodies make it %lld; "
                         "correct it or leave it out",
                         (long long)json_integer_value(value), (long long)expected);
}

/// The largest deviation of R R^T from 1; infinite when R turns right hands into left ones.
static double rotation_error(const sn_mat3* R) {
    sn_mat3 E = sn_mat3_mul(*R, sn_mat3_transpose(*R));
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(E.m[i][j] - (i == j)));
    sn_vec3 z = sn_vec3_cross(sn_mat3_row(*R, 0), sn_mat3_row(*R, 1));
    return sn_vec3_dot(z, sn_mat3_row(*R, 2)) > 0 ? worst : INFINITY;
}

sn_status sni_json_pose(const sni_json_at* at, const char* prefix, json_t* holder, sn_pose* pose) {
    char field_R[64], field_p[64];
    snprintf(field_R, sizeof field_R, "%sR", prefix);
    snprintf(field_p, sizeof field_p, "%sp", prefix);
    double R[9], p[3];
    sn_status status = sni_json_numbers(at, field_R, json_object_get(holder, "R"), 9, R);
    if (!status) status = sni_json_numbers(at, field_p, json_object_get(holder, "p"), 3, p);
    if (status) return status;
    memcpy(pose->R.m, R, sizeof R);
    pose->p = sn_vec3_make(p[0], p[1], p[2]);
    double error = rotation_error(&pose->R);
    if (!(error <= ROTATION_TOLERANCE))
        return sni_json_fail(at, field_R,
                             "not a rotation (off by %.2g); its rows must be orthonormal and "
                             "right-handed",
                             error);
    return SN_OK;
}

static bool has_word(const char* list, const char* word) {
    size_t length = strlen(word);
    for (const char* at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

void sni_json_warn_unknown(const sni_json_at* at, const char* known) {
    const char* key;
    json_t* value;
    json_object_foreach(at->object, key, value) {
        if (*key && has_word(known, key)) continue;
        char kind[192], path[128];
        snprintf(kind, sizeof kind, "key %s %.100s", at->list ? at->list : "", key);
        path_of(at, "", path, sizeof path);
        sni_warn(at->load, kind, sni_load_place(at->load),
                 "%s%skey '%.100s' is not known and has no effect", path, *path ? ": " : "", key);
    }
}
