// SPDX-License-Identifier: Apache-2.0
/// Splits a problem into contacts that influence each other. Bodies that do not move join nobody.
#ifndef SN_CONTACT_GROUPS_H
#define SN_CONTACT_GROUPS_H

#include "contact/sn_contact.h"

typedef struct sni_groups_work {
    sni_group* group;    // [contacts]
    int32_t* leader;     // [contacts] union-find, then group
    int32_t* tree_owner; // [bodies] a contact on the tree; -1: none yet
    int32_t* tree_of;    // [bodies] tree of a body
    int32_t* contact;    // [contacts] by group
    int32_t* local;      // [contacts]
    int32_t* first;      // [2 contacts]
    double* q;           // [rows]
    double* r;           // [rows]
    // of the last problem
    int32_t count;    ///< its groups
    int64_t shape;    ///< another number whenever contacts, their sizes or their bodies change
    int32_t contacts; ///< -1: it had a matrix, or there was none
    int32_t trees;    ///< of bodies
    int32_t *a, *b, *start; // [contacts], [contacts], [contacts + 1]: its `first`
    int32_t* tree;          // [trees + 1]
} sni_groups_work;

void sni_contact_groups_layout(sni_groups_work* work, const sn_contact_capacity* capacity,
                               sni_arena* arena);
/// The groups, numbered by their first contact. Who belongs together is found only when it may have
/// changed. Returns how many.
int32_t sni_contact_groups_find(sni_groups_work* work, const sn_contact_problem* problem);

#endif
