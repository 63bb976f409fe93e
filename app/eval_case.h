// SPDX-License-Identifier: Apache-2.0
/// Cases of `sinew eval`: states and forces at which dynamics is asked for (docs/eval.md).
///
/// Files are read first (eval_files), so that the number of coordinates is known before the model
/// is settled; then each case is checked against the model and turned to the order of the C API.
#ifndef SINEW_APP_EVAL_CASE_H
#define SINEW_APP_EVAL_CASE_H

#include <jansson.h>
#include <stdbool.h>

#include "options.h"
#include "sinew/coupling.h"

/// What a case may ask for beside the things that are always answered.
enum { EVAL_M = 1, EVAL_DELASSUS_LOCAL = 2, EVAL_DELASSUS_WORLD = 4 };

typedef struct body_list {
    sn_body_id* at;
    int count;
} body_list;

typedef struct eval_case {
    const char* file;
    json_t* object; ///< as it stands in the file
    char* name;     ///< its `case`, or the file's name
    unsigned wants; ///< EVAL_ bits
    sn_vec3 gravity;
    double *q, *v, *tau;         ///< API order
    sn_body_wrench *fext, *grab; ///< external wrenches; hands
    int fext_count, grab_count;
    body_list local, world; ///< bodies of the two Delassus matrices
} eval_case;

typedef struct eval_files {
    json_t** roots;
    int root_count;
    eval_case* cases;
    int count, capacity;
} eval_files;

/// Reads all files; false, with the reason said, when one cannot be. Free either way.
bool eval_files_read(const text_list* paths, eval_files* files);
void eval_files_free(eval_files* files);

/// Numbers in the case's q, -1 when it has none.
int eval_case_nq(const eval_case* c);

/// Bits of "M,delassus_local,..."; false, with the reason said, when a word is not known.
bool eval_wants_parse(const char* text, unsigned* wants);

/// Checks the case against the model and fills it in; `wants` adds to what the file asks for.
/// False, with the field named, when it does not fit.
bool eval_case_read(eval_case* c, const sn_model* model, const int* q_order, const int* v_order,
                    unsigned wants);

#endif
