// SPDX-License-Identifier: Apache-2.0
/// JSON values with a path for messages, such as "bodies[3].inertia_com".
#ifndef SN_LOAD_JSON_H
#define SN_LOAD_JSON_H

#include <jansson.h>

#include "load/context.h"

/// An object of the document and how to call it.
typedef struct sni_json_at {
    sni_load* load;
    const char* list; ///< "bodies", "links", "shapes", ...; NULL: the document itself
    int index;        ///< in the list
    json_t* object;
} sni_json_at;

/// Fails with "bodies[3].field: ...". Returns SN_ERR_FORMAT.
sn_status sni_json_fail(const sni_json_at* at, const char* field, const char* format, ...)
    SN_PRINTF(3, 4);

/// Element `index` of a list of objects.
sn_status sni_json_object(sni_load* load, const char* name, json_t* list, int index,
                          sni_json_at* at);

/// Exactly `count` numbers out of `value` (which may be NULL: missing).
sn_status sni_json_numbers(const sni_json_at* at, const char* field, json_t* value, int count,
                           double* numbers);
/// The same from at->object[field].
sn_status sni_json_field_numbers(const sni_json_at* at, const char* field, int count,
                                 double* numbers);
sn_status sni_json_field_number(const sni_json_at* at, const char* field, double* number);
sn_status sni_json_field_vector(const sni_json_at* at, const char* field, sn_vec3* v);
/// A string; NULL when the field is not there or null.
sn_status sni_json_field_text(const sni_json_at* at, const char* field, const char** text);
/// A whole number from lowest to highest.
sn_status sni_json_field_int(const sni_json_at* at, const char* field, int lowest, int highest,
                             int* number);
/// Fails unless the field is missing or has this value.
sn_status sni_json_expect(const sni_json_at* at, const char* field, int64_t expected);
/// "R" (nine numbers, row by row, a rotation) and "p" of `holder`; `prefix` is its path, "" or
/// "placement.".
sn_status sni_json_pose(const sni_json_at* at, const char* prefix, json_t* holder, sn_pose* pose);

/// Warns about keys that are not in `known`, a list of words separated by blanks.
void sni_json_warn_unknown(const sni_json_at* at, const char* known);

#endif
