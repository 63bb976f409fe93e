// SPDX-License-Identifier: Apache-2.0
/// Which residues of a file become which residues of a molecule.
#ifndef SN_MOLECULE_RESIDUE_PLAN_H
#define SN_MOLECULE_RESIDUE_PLAN_H

#include "molecule/records.h"
#include "molecule/residue_names.h"
#include "molecule/templates.h"

typedef struct sni_planned_residue {
    int32_t source;         ///< residue of the file
    int32_t chain;          ///< of the molecule
    int32_t partner;        ///< planned residue at the other end of its disulfide; -1: none
    int16_t template_index; ///< -1: a hetero group
    sni_residue_kind kind;
    char base[SN_RESIDUE_NAME];
    bool after_gap; ///< of a chain that goes on, but residues are missing
    bool after_end; ///< the file says that a chain ends before it
} sni_planned_residue;

typedef struct sni_residue_plan {
    sni_planned_residue* residues;
    int32_t count, chain_count;
    int32_t water_count;
} sni_residue_plan;

/// Decides what becomes of every residue. With hetero false those that the force field does not know are left out.
/// sni_residue_plan_free afterwards in any case.
sn_status sni_residue_plan_make(const sni_records* records, bool hetero, sni_warnings* warnings,
                                sni_residue_plan* plan, sn_error* error);
void sni_residue_plan_free(sni_residue_plan* plan);

/// Finds disulfides: base becomes CYX, partners know each other. False without memory.
bool sni_residue_plan_disulfides(const sni_records* records, sni_residue_plan* plan,
                                 sni_warnings* warnings);
/// Decides about histidines: base becomes HID, HIE or HIP. False without memory.
bool sni_residue_plan_histidines(const sni_records* records, sni_residue_plan* plan,
                                 sni_warnings* warnings);

#endif
