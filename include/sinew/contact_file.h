// SPDX-License-Identifier: Apache-2.0
/// Contact problems in files: plain .fc3d, and Siconos' .dat, local (W, q) or global (M, H, f, w, which
/// is reduced to W = H' M^-1 H, q = H' M^-1 f + w). Which one it is is told by the content, not by the
/// name. docs/contact_files.md describes both. What is wrong is an error with line and reason.
#ifndef SINEW_CONTACT_FILE_H
#define SINEW_CONTACT_FILE_H

#include <stddef.h>

#include "sinew/contact.h"
#include "sinew/load.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every contact is an SN_CONTACT_POINT, W a matrix of 3 x 3 blocks.
sn_status sn_contact_problem_load(const char* path, sn_contact_problem** problem, sn_error* error);
/// The same from memory. `name` stands for the file in messages.
sn_status sn_contact_problem_load_memory(const char* text, size_t length, const char* name,
                                         sn_contact_problem** problem, sn_error* error);
/// Of a problem that was loaded; NULL: nothing.
void sn_contact_problem_free(sn_contact_problem* problem);

typedef enum sn_contact_format {
    SN_CONTACT_FC3D,    ///< plain text
    SN_CONTACT_SICONOS, ///< Siconos' local problem, W in blocks
    SN_CONTACT_SICONOS_GLOBAL ///< Siconos' global problem; of a problem by bodies with invertible responses
} sn_contact_format;

/// The problem as text, all numbers to the last bit; free it with sn_text_free. These files know point
/// contacts with one coefficient of friction and nothing else, so EQUAL rows are eliminated (the contacts
/// left keep their order), LIMIT rows become contacts without friction whose tangential rows are zero,
/// and compliance becomes part of W (in a global problem: a coordinate of its own). SN_ERR_ARGUMENT names the
/// contact that cannot be told so: DRY, PATCH, viscous or velocity-dependent friction, and in a global
/// problem EQUAL.
sn_status sn_contact_problem_write(const sn_contact_problem* problem, sn_contact_format format,
                                   char** text, sn_error* error);

#ifdef __cplusplus
}
#endif
#endif
