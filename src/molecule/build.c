// SPDX-License-Identifier: Apache-2.0
// Chains from a sequence, with ideal geometry [EH91].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "molecule/complete.h"
#include "molecule/fill.h"
#include "molecule/geometry.h"
#include "molecule/residue_names.h"

// nm and degrees
#define N_CA 0.1458
#define CA_C 0.1525
#define C_N 0.1329
#define C_O 0.1231
#define N_CA_C 111.2
#define CA_C_N 116.2
#define C_N_CA 121.7
#define CA_C_O 120.8
#define PROLINE_PHI (-63.0)

enum { RESIDUES_MOST = 1000000 };

typedef struct fold {
    char letter;
    const char* name;
    double phi, psi;
} fold;

#define FOLD(code, letter, name, phi, psi) {letter, name, phi, psi},
static const fold FOLDS[] = {SN_FOLD_LIST(FOLD)};
enum { FOLD_COUNT = sizeof FOLDS / sizeof FOLDS[0] };

typedef struct chain_build {
    const sn_molecule_build_def* def;
    int32_t length; ///< letters
    sn_molecule* m;
    bool* placed;
    const fold* all; ///< one for every residue; NULL: by letters
} chain_build;

sn_molecule_build_def sn_molecule_build_def_default(void) {
    sn_molecule_build_def def = {.name = "peptide", .capped = true};
    return def;
}

// ---- what is asked for --------------------------------------------------------------------------

static const fold* fold_of(const chain_build* b, int32_t i) {
    if (b->all) return b->all;
    for (int k = 0; k < FOLD_COUNT; k++)
        if (FOLDS[k].letter == b->def->structure[i]) return &FOLDS[k];
    return NULL;
}

static sn_status refuse(sn_error* error, const char* what, char letter, int32_t at) {
    sn_place place = {"", 0, (int)at + 1};
    return sni_fail(error, SN_ERR_ARGUMENT, place, what, letter, (int)at + 1);
}

static sn_status check(chain_build* b, sn_error* error) {
    const sn_molecule_build_def* def = b->def;
    size_t length = def->sequence ? strlen(def->sequence) : 0;
    if (length == 0 || length > RESIDUES_MOST || (length == 1 && !def->capped))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "a chain has 1 to %d residues, without caps at least 2", RESIDUES_MOST);
    b->length = (int32_t)length;
    for (int32_t i = 0; i < b->length; i++)
        if (!sni_residue_of_letter(def->sequence[i]))
            return refuse(error,
                          "'%c' (residue %d) is no amino acid; the letters are "
                          "ACDEFGHIKLMNPQRSTVWY",
                          def->sequence[i], i);
    if (!def->structure) b->all = &FOLDS[0];
    for (int k = 0; k < FOLD_COUNT && !b->all; k++)
        if (strcmp(FOLDS[k].name, def->structure) == 0) b->all = &FOLDS[k];
    if (b->all) return SN_OK;
    if (strlen(def->structure) != length)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "the structure is helix, strand, 3-10, pi, polyproline or extended, or has "
                        "one letter (H E G I P X) for each of the %d residues, not %d",
                        (int)length, (int)strlen(def->structure));
    for (int32_t i = 0; i < b->length; i++)
        if (!fold_of(b, i))
            return refuse(error, "'%c' (residue %d) is no structure; the letters are H E G I P X",
                          def->structure[i], i);
    return SN_OK;
}

// ---- residues -----------------------------------------------------------------------------------

static void describe(const chain_build* b, int32_t i, const char* base, sni_end end) {
    sni_residue* r = &b->m->residues[i];
    const char* name = strncmp(base, "HI", 2) == 0 ? "HIS" : base; // as files call it
    snprintf(r->name, sizeof r->name, "%s", name);
    r->insertion = ' ';
    r->number = i + 1;
    r->template_index = (int16_t)sni_template_find(base, end);
}

static bool make_residues(chain_build* b) {
    int32_t caps = b->def->capped ? 1 : 0, count = b->length + 2 * caps;
    b->m = sni_molecule_create(b->def->name, count, 1);
    if (!b->m) return false;
    snprintf(b->m->chains[0].label, sizeof b->m->chains[0].label, "A");
    b->m->chains[0].residue_count = count;
    for (int32_t i = 0; i < b->length; i++) {
        sni_end end = SNI_END_NONE;
        if (caps == 0 && i == 0) end = SNI_END_N;
        if (caps == 0 && i == b->length - 1) end = SNI_END_C;
        const char* base = sni_residue_of_letter(b->def->sequence[i]);
        describe(b, i + caps, base, end);
    }
    if (caps) {
        describe(b, 0, "ACE", SNI_END_NONE);
        describe(b, count - 1, "NME", SNI_END_NONE);
    }
    if (!sni_molecule_make_atoms(b->m)) return false;
    b->placed = calloc((size_t)b->m->atom_count + 1, sizeof *b->placed);
    return b->placed != NULL;
}

// ---- backbone -----------------------------------------------------------------------------------

/// The last three atoms of the backbone, from which the next one is placed.
typedef struct backbone {
    sn_vec3 p[3];
} backbone;

static sn_vec3 grow(backbone* chain, double r, double angle, double dihedral) {
    sn_vec3 next = sni_place_atom(chain->p[0], chain->p[1], chain->p[2], r, angle * SN_DEGREE,
                                  dihedral * SN_DEGREE);
    chain->p[0] = chain->p[1];
    chain->p[1] = chain->p[2];
    chain->p[2] = next;
    return next;
}

static void put(const chain_build* b, int32_t residue, const char* name, sn_vec3 p) {
    int32_t atom = sni_residue_atom(b->m, residue, name);
    b->m->atoms[atom].p = p;
    b->placed[atom] = true;
}

/// O behind the last three atoms N, CA, C: across from where the next N will be.
static void put_oxygen(const chain_build* b, int32_t residue, const backbone* c, double psi) {
    put(b, residue, "O",
        sni_place_atom(c->p[0], c->p[1], c->p[2], C_O, CA_C_O * SN_DEGREE,
                       (psi + 180) * SN_DEGREE));
}

/// N, CA and C of an amino acid. Its C turns by phi about the two before it.
static void put_residue(const chain_build* b, int32_t i, int32_t residue, backbone* c, double psi,
                        bool first) {
    const fold* f = fold_of(b, i);
    double phi = b->def->sequence[i] == 'P' ? PROLINE_PHI : f->phi;
    if (first) { // anywhere
        c->p[0] = sn_vec3_zero();
        c->p[1] = sn_vec3_make(N_CA, 0, 0);
        double angle = N_CA_C * SN_DEGREE;
        c->p[2] = sn_vec3_make(N_CA - CA_C * cos(angle), CA_C * sin(angle), 0);
    } else {
        grow(c, C_N, CA_C_N, psi);
        grow(c, N_CA, C_N_CA, 180);
        grow(c, CA_C, N_CA_C, phi);
    }
    put(b, residue, "N", c->p[0]);
    put(b, residue, "CA", c->p[1]);
    put(b, residue, "C", c->p[2]);
    put_oxygen(b, residue, c, f->psi);
}

static void put_backbone(const chain_build* b) {
    backbone c = {0};
    int32_t caps = b->def->capped ? 1 : 0;
    double psi = 180;
    if (caps) {
        c.p[1] = sn_vec3_zero();
        c.p[2] = sn_vec3_make(CA_C, 0, 0);
        c.p[0] = sn_vec3_make(0, -0.1, 0); // only a direction
        put(b, 0, "CH3", c.p[1]);
        put(b, 0, "C", c.p[2]);
        put_oxygen(b, 0, &c, psi);
    }
    for (int32_t i = 0; i < b->length; i++) {
        put_residue(b, i, i + caps, &c, psi, i == 0 && !caps);
        psi = fold_of(b, i)->psi;
    }
    if (!caps) return;
    put(b, b->length + 1, "N", grow(&c, C_N, CA_C_N, psi));
    put(b, b->length + 1, "CH3", grow(&c, N_CA, C_N_CA, 180));
}

// ---- doors --------------------------------------------------------------------------------------

sn_status sn_molecule_build(const sn_molecule_build_def* def, sn_molecule** molecule,
                            sn_error* error) {
    if (molecule) *molecule = NULL;
    if (!molecule || !def || !def->name)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_molecule_build needs a definition with a name and a place for the "
                        "molecule");
    chain_build b = {.def = def};
    sn_status status = check(&b, error);
    if (status) return status;
    sni_warnings* silent = calloc(1, sizeof *silent);
    bool done = silent && make_residues(&b);
    if (done) {
        put_backbone(&b);
        sni_molecule_complete(b.m, b.placed, NULL, silent);
        done = sni_molecule_bond_atoms(b.m, NULL);
    }
    free(silent);
    free(b.placed);
    if (done) {
        *molecule = b.m;
        return SN_OK;
    }
    sn_molecule_free(b.m);
    return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
}

// P02945 of UniProt, residues 14 to 261: the chain after its signal is cut off. The first residue becomes pyroglutamate
// in the cell, which the force field does not know.
static const char BACTERIORHODOPSIN[] = "QAQITGRPEWIWLALGTALMGLGTLYFLVKGMGVSDPDAKKFYAITTLVPAIAFTMYL"
                                        "SMLLGYGLTMVPFGGEQNPIYWARYADWLFTTPLLLLD"
                                        "LALLVDADQGTILALVGADGIMIGTGLVGALTKVYSYRFVWWAISTAAMLYILYVLFF"
                                        "GFTSKAESMRPEVASTFKVLRNVTVVLWSAYPVVWLIG"
                                        "SEGAGIVPLNIETLLFMVLDVSAKVGFGLILLRSRAIFGEAEAPEPSAGDGAAATS";

static sn_status build_polyalanine(const char* text, sn_molecule** molecule, sn_error* error) {
    char* rest;
    long count = strtol(text + 4, &rest, 10);
    bool counted = rest != text + 4 && (*rest == '\0' || *rest == ':');
    if (!counted || count < 1 || count > RESIDUES_MOST)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "%s: polyalanine is ala:COUNT or ala:COUNT:STRUCTURE, such as ala:20 or "
                        "ala:20:strand, with 1 to %d residues",
                        text, RESIDUES_MOST);
    char* letters = malloc((size_t)count + 1);
    if (!letters) return sni_fail(error, SN_ERR_MEMORY, sni_nowhere(), "not enough memory");
    memset(letters, 'A', (size_t)count);
    letters[count] = '\0';
    sn_molecule_build_def def = sn_molecule_build_def_default();
    def.name = text;
    def.sequence = letters;
    if (*rest == ':') def.structure = rest + 1;
    sn_status status = sn_molecule_build(&def, molecule, error);
    free(letters);
    return status;
}

bool sn_molecule_is_built(const char* text) {
    return strncmp(text, "ala:", 4) == 0 || strcmp(text, "bacteriorhodopsin") == 0;
}

sn_status sn_molecule_build_named(const char* text, sn_molecule** molecule, sn_error* error) {
    if (molecule) *molecule = NULL;
    if (!text || !molecule)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "sn_molecule_build_named needs a name and a place for the molecule");
    if (strncmp(text, "ala:", 4) == 0) return build_polyalanine(text, molecule, error);
    if (strcmp(text, "bacteriorhodopsin") != 0)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(),
                        "%s: not a molecule that can be built; there are ala:COUNT and "
                        "bacteriorhodopsin",
                        text);
    sn_molecule_build_def def = sn_molecule_build_def_default();
    def.name = text;
    def.sequence = BACTERIORHODOPSIN;
    def.capped = false;
    sn_status status = sn_molecule_build(&def, molecule, error);
    if (!status) (*molecule)->every_phi = true;
    return status;
}
