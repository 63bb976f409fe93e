// SPDX-License-Identifier: Apache-2.0
// The force field's tables, and looking things up in them.
#include "molecule/templates.h"

#include <stdbool.h>
#include <string.h>

#include "molecule/amber99sb.inc"

int32_t sni_template_find(const char* base, sni_end end) {
    for (int32_t i = 0; i < sni_templates_count; ++i) {
        if (sni_templates[i].end == end && strcmp(sni_templates[i].base, base) == 0) {
            return i;
        }
    }
    return -1;
}

static const char* name_of(const sni_template_atom* atom, bool alias) {
    return alias ? atom->alias : atom->name;
}

static int32_t find_atom(const sni_template* t, const char* name, bool alias) {
    for (int32_t i = 0; i < t->atom_count; ++i) {
        if (strcmp(name_of(&sni_template_atoms[t->first_atom + i], alias), name) == 0) {
            return i;
        }
    }
    return -1;
}

int32_t sni_template_atom_find(const sni_template* t, const char* name) {
    return find_atom(t, name, false);
}

static int32_t count_known(const sni_template* t, int32_t count, const char* const* names,
                           bool alias) {
    int32_t known = 0;
    for (int32_t i = 0; i < count; ++i) {
        known += find_atom(t, names[i], alias) >= 0;
    }
    return known;
}

int32_t sni_template_match(const sni_template* t, int32_t count, const char* const* names,
                           int32_t* atoms) {
    int32_t by_name = count_known(t, count, names, false);
    int32_t by_alias = count_known(t, count, names, true);
    for (int32_t i = 0; i < count; ++i) {
        atoms[i] = find_atom(t, names[i], by_alias > by_name);
    }
    return by_alias > by_name ? by_alias : by_name;
}

const sni_bond_type* sni_bond_type_find(int32_t a, int32_t b) {
    for (int32_t i = 0; i < sni_bond_types_count; ++i) {
        const sni_bond_type* t = &sni_bond_types[i];
        if ((t->type[0] == a && t->type[1] == b) || (t->type[0] == b && t->type[1] == a)) {
            return t;
        }
    }
    return NULL;
}

const sni_angle_type* sni_angle_type_find(int32_t a, int32_t b, int32_t c) {
    for (int32_t i = 0; i < sni_angle_types_count; ++i) {
        const sni_angle_type* t = &sni_angle_types[i];
        if (t->type[1] == b &&
            ((t->type[0] == a && t->type[2] == c) || (t->type[0] == c && t->type[2] == a))) {
            return t;
        }
    }
    return NULL;
}

double sni_bond_length(int32_t a, int32_t b) {
    const sni_bond_type* type = sni_bond_type_find(a, b);
    return type ? type->length : 0;
}

double sni_bond_angle(int32_t a, int32_t b, int32_t c) {
    const sni_angle_type* type = sni_angle_type_find(a, b, c);
    return type ? type->angle : 0;
}
