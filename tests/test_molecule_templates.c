// SPDX-License-Identifier: Apache-2.0
// Whether the force field's table holds together: what must be true of any residue.
#include <math.h>
#include <string.h>

#include "molecule/templates.h"
#include "support/check.h"

static const double TOL_CHARGE = 1e-9; // e; charges are printed with six decimals

static const sni_template_atom* atom_of(const sni_template* t, int32_t i) {
    return &sni_template_atoms[t->first_atom + i];
}

static void charges_of_every_residue_add_up_to_a_whole_number(void** state) {
    (void)state;
    for (int32_t k = 0; k < sni_templates_count; ++k) {
        double sum = 0;
        check_context(sni_templates[k].name);
        for (int32_t i = 0; i < sni_templates[k].atom_count; ++i) {
            sum += atom_of(&sni_templates[k], i)->charge;
        }
        CHECK(fabs(sum - round(sum)) < TOL_CHARGE, 0);
    }
}

static void bonds_join_all_atoms_of_a_residue(void** state) {
    (void)state;
    for (int32_t k = 0; k < sni_templates_count; ++k) {
        const sni_template* t = &sni_templates[k];
        check_context(t->name);
        int32_t root[32], pieces = t->atom_count;
        CHECK(t->atom_count <= 32, 0);
        for (int32_t i = 0; i < t->atom_count; ++i) {
            root[i] = i;
        }
        for (int32_t b = 0; b < t->bond_count; ++b) {
            sni_template_bond bond = sni_template_bonds[t->first_bond + b];
            CHECK(bond.a >= 0 && bond.a < t->atom_count && bond.b >= 0 && bond.b < t->atom_count,
                  0);
            int32_t from = root[bond.a], to = root[bond.b];
            pieces -= from != to;
            for (int32_t i = 0; i < t->atom_count; ++i) {
                root[i] = root[i] == from ? to : root[i];
            }
            CHECK(sni_bond_length(atom_of(t, bond.a)->type, atom_of(t, bond.b)->type) > 0, 0);
        }
        CHECK(pieces == 1, 0);
    }
}

static void both_sets_of_names_are_unique_and_match_whole_residues(void** state) {
    (void)state;
    for (int32_t k = 0; k < sni_templates_count; ++k) {
        const sni_template* t = &sni_templates[k];
        check_context(t->name);
        const char* names[2][32];
        for (int32_t i = 0; i < t->atom_count; ++i) {
            names[0][i] = atom_of(t, i)->name;
            names[1][i] = atom_of(t, i)->alias;
        }
        for (int32_t set = 0; set < 2; ++set) {
            int32_t found[32];
            CHECK(sni_template_match(t, t->atom_count, names[set], found) == t->atom_count, 0);
            for (int32_t i = 0; i < t->atom_count; ++i) {
                CHECK(found[i] == i, 0);
            }
        }
    }
}

static void names_of_gromacs_and_of_the_wwpdb_are_told_apart(void** state) {
    (void)state;
    const sni_template* ser = &sni_templates[sni_template_find("SER", SNI_END_NONE)];
    int32_t at[3];
    CHECK(sni_template_match(ser, 3, (const char*[]){"CB", "HB2", "HB3"}, at) == 3, 0);
    CHECK(at[1] == sni_template_atom_find(ser, "HB2"), 0);
    CHECK(sni_template_match(ser, 3, (const char*[]){"CB", "HB1", "HB2"}, at) == 3, 0);
    CHECK(at[1] == sni_template_atom_find(ser, "HB2") &&
              at[2] == sni_template_atom_find(ser, "HB3"),
          0);
    const sni_template* ile = &sni_templates[sni_template_find("ILE", SNI_END_C)];
    CHECK(sni_template_match(ile, 3, (const char*[]){"CD", "OC1", "OC2"}, at) == 3, 0);
    CHECK(at[0] == sni_template_atom_find(ile, "CD1") && at[1] == sni_template_atom_find(ile, "O"),
          0);
    CHECK(sni_template_match(ile, 1, (const char*[]){"FE"}, at) == 0 && at[0] == -1, 0);
    CHECK(sni_template_find("FOO", SNI_END_NONE) == -1, 0);
}

static void every_amino_acid_has_its_ends(void** state) {
    (void)state;
    const char* names[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "CYX", "GLN", "GLU",
                           "GLY", "HID", "HIE", "HIP", "ILE", "LEU", "LYS", "MET",
                           "PHE", "PRO", "SER", "THR", "TRP", "TYR", "VAL"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        check_context(names[i]);
        const sni_template* inside = &sni_templates[sni_template_find(names[i], SNI_END_NONE)];
        const sni_template* first = &sni_templates[sni_template_find(names[i], SNI_END_N)];
        const sni_template* last = &sni_templates[sni_template_find(names[i], SNI_END_C)];
        CHECK(first->atom_count == inside->atom_count + 2, 0); // NH3+ for NH
        CHECK(last->atom_count == inside->atom_count + 1, 0);  // OXT
        CHECK(inside->link[SNI_LINK_PREVIOUS] >= 0 && inside->link[SNI_LINK_NEXT] >= 0, 0);
        CHECK(first->link[SNI_LINK_PREVIOUS] < 0 && last->link[SNI_LINK_NEXT] < 0, 0);
        CHECK((inside->link[SNI_LINK_SIDE] >= 0) == (strcmp(names[i], "CYX") == 0), 0);
    }
}

static void every_hydrogen_of_an_amino_acid_has_one_rule(void** state) {
    (void)state;
    for (int32_t k = 0; k < sni_templates_count; ++k) {
        const sni_template* t = &sni_templates[k];
        check_context(t->name);
        if (t->atom_count < 6) { // ions, water, NHE
            continue;
        }
        int32_t rules[32] = {0};
        for (int32_t r = 0; r < sni_hydrogen_rules_count; ++r) {
            const sni_hydrogen_rule* rule = &sni_hydrogen_rules[r];
            for (int32_t h = 0; rule->template_index == k && h < rule->count; ++h) {
                rules[rule->hydrogen[h]] += 1;
            }
        }
        for (int32_t i = 0; i < t->atom_count; ++i) {
            const char* element = sni_atom_types[atom_of(t, i)->type].element;
            CHECK(rules[i] == (strcmp(element, "H") == 0), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charges_of_every_residue_add_up_to_a_whole_number),
        cmocka_unit_test(bonds_join_all_atoms_of_a_residue),
        cmocka_unit_test(both_sets_of_names_are_unique_and_match_whole_residues),
        cmocka_unit_test(names_of_gromacs_and_of_the_wwpdb_are_told_apart),
        cmocka_unit_test(every_amino_acid_has_its_ends),
        cmocka_unit_test(every_hydrogen_of_an_amino_acid_has_one_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
