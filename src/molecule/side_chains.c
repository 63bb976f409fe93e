// SPDX-License-Identifier: Apache-2.0
// Lengths and angles of [EH91]; where atoms branch off, and the shape of proline, means over crambin and
// bacteriorhodopsin (1CRN, 1M0L). Torsions stand where side chains in helices like to be.
#include "molecule/side_chains.h"

#include <stddef.h>
#include <string.h>

#define BETA(angle, dihedral)                                                                      \
    { "CB", "CA", "N", "C", 0.1530, angle, dihedral, 0 }
#define GAMMA(atom, r, angle, chi1)                                                                \
    { atom, "CB", "CA", "N", r, angle, chi1, 1 }
#define DELTA(atom, gamma, r, angle, chi2)                                                         \
    { atom, gamma, "CB", "CA", r, angle, chi2, 2 }

// clang-format off
static const sni_side_row ALA[] = {BETA(110.4, -122.8)};
static const sni_side_row ARG[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1520, 114.1, -65), DELTA("CD", "CG", 0.1520, 111.3, 180),
    {"NE", "CD", "CG", "CB", 0.1460, 112.0, 180, 3}, {"CZ", "NE", "CD", "CG", 0.1329, 124.2, 180, 4},
    {"NH1", "CZ", "NE", "CD", 0.1326, 120.0, 0, 0}, {"NH2", "CZ", "NE", "NH1", 0.1326, 120.0, 180, 0}};
static const sni_side_row ASN[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1516, 112.6, -70), DELTA("OD1", "CG", 0.1231, 120.8, -20),
    {"ND2", "CG", "CB", "OD1", 0.1328, 116.4, 180, 0}};
static const sni_side_row ASP[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1516, 112.6, -70), DELTA("OD1", "CG", 0.1249, 118.4, -15),
    {"OD2", "CG", "CB", "OD1", 0.1249, 118.4, 180, 0}};
static const sni_side_row CYS[] = {BETA(110.5, -122.8), GAMMA("SG", 0.1808, 114.4, -65)};
static const sni_side_row GLN[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1520, 114.1, -65), DELTA("CD", "CG", 0.1516, 112.6, 180),
    {"OE1", "CD", "CG", "CB", 0.1231, 120.8, 20, 3}, {"NE2", "CD", "CG", "OE1", 0.1328, 116.4, 180, 0}};
static const sni_side_row GLU[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1520, 114.1, -65), DELTA("CD", "CG", 0.1516, 112.6, 180),
    {"OE1", "CD", "CG", "CB", 0.1249, 118.4, 10, 3}, {"OE2", "CD", "CG", "OE1", 0.1249, 118.4, 180, 0}};
static const sni_side_row HIS[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1497, 113.8, -65), DELTA("ND1", "CG", 0.1378, 122.7, -75),
    {"CD2", "CG", "CB", "ND1", 0.1354, 131.2, 180, 0}, {"CE1", "ND1", "CG", "CB", 0.1321, 109.0, 180, 0},
    {"NE2", "CD2", "CG", "CB", 0.1374, 107.2, 180, 0}};
static const sni_side_row ILE[] = {
    BETA(111.5, -122.8), GAMMA("CG1", 0.1530, 110.4, -65), {"CG2", "CB", "CA", "CG1", 0.1521, 110.5, -124, 0},
    DELTA("CD1", "CG1", 0.1513, 113.8, 170)};
static const sni_side_row LEU[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1530, 116.3, -65), DELTA("CD1", "CG", 0.1521, 110.7, 175),
    {"CD2", "CG", "CB", "CD1", 0.1521, 110.7, 123, 0}};
static const sni_side_row LYS[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1520, 114.1, -65), DELTA("CD", "CG", 0.1520, 111.3, 180),
    {"CE", "CD", "CG", "CB", 0.1520, 111.3, 180, 3}, {"NZ", "CE", "CD", "CG", 0.1489, 111.9, 180, 4}};
static const sni_side_row MET[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1520, 114.1, -65), DELTA("SD", "CG", 0.1803, 112.7, 180),
    {"CE", "SD", "CG", "CB", 0.1791, 100.9, 180, 3}};
static const sni_side_row PHE[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1502, 113.8, -65), DELTA("CD1", "CG", 0.1384, 120.7, 90),
    {"CD2", "CG", "CB", "CD1", 0.1384, 120.7, 180, 0}, {"CE1", "CD1", "CG", "CB", 0.1382, 120.7, 180, 0},
    {"CE2", "CD2", "CG", "CB", 0.1382, 120.7, 180, 0}, {"CZ", "CE1", "CD1", "CG", 0.1382, 120.0, 0, 0}};
static const sni_side_row PRO[] = {
    BETA(103.2, -118.5), {"CG", "CB", "CA", "N", 0.1500, 104.4, 29, 0}, {"CD", "CG", "CB", "CA", 0.1508, 104.8, -37, 0}};
static const sni_side_row SER[] = {BETA(110.5, -122.8), GAMMA("OG", 0.1417, 111.1, -65)};
static const sni_side_row THR[] = {
    BETA(111.5, -122.8), GAMMA("OG1", 0.1433, 109.6, -60), {"CG2", "CB", "CA", "OG1", 0.1521, 110.5, -120, 0}};
static const sni_side_row TRP[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1498, 113.6, -65), DELTA("CD1", "CG", 0.1365, 126.9, 100),
    {"CD2", "CG", "CB", "CD1", 0.1433, 126.8, 180, 0}, {"NE1", "CD1", "CG", "CB", 0.1374, 110.2, 180, 0},
    {"CE2", "CD2", "CG", "CB", 0.1409, 107.2, 180, 0}, {"CE3", "CD2", "CG", "CB", 0.1398, 133.9, 0, 0},
    {"CZ3", "CE3", "CD2", "CG", 0.1382, 118.6, 180, 0}, {"CZ2", "CE2", "CD2", "CG", 0.1394, 122.4, 180, 0},
    {"CH2", "CZ2", "CE2", "CD2", 0.1368, 117.5, 0, 0}};
static const sni_side_row TYR[] = {
    BETA(110.5, -122.8), GAMMA("CG", 0.1512, 113.9, -65), DELTA("CD1", "CG", 0.1389, 120.8, 90),
    {"CD2", "CG", "CB", "CD1", 0.1389, 120.8, 180, 0}, {"CE1", "CD1", "CG", "CB", 0.1382, 121.2, 180, 0},
    {"CE2", "CD2", "CG", "CB", 0.1382, 121.2, 180, 0}, {"CZ", "CE1", "CD1", "CG", 0.1378, 119.6, 0, 0},
    {"OH", "CZ", "CE1", "CD1", 0.1376, 119.9, 180, 0}};
static const sni_side_row VAL[] = {
    BETA(111.5, -122.8), GAMMA("CG1", 0.1521, 110.5, 175), {"CG2", "CB", "CA", "CG1", 0.1521, 110.5, 122.8, 0}};
// clang-format on

typedef struct side_chain {
    char base[5];
    const sni_side_row* rows;
    int count;
} side_chain;

#define CHAIN(name, table)                                                                         \
    { name, table, sizeof(table) / sizeof(table)[0] }
static const side_chain CHAINS[] = {
    CHAIN("ALA", ALA), CHAIN("ARG", ARG), CHAIN("ASH", ASP), CHAIN("ASN", ASN), CHAIN("ASP", ASP),
    CHAIN("CYM", CYS), CHAIN("CYS", CYS), CHAIN("CYX", CYS), CHAIN("GLH", GLU), CHAIN("GLN", GLN),
    CHAIN("GLU", GLU), CHAIN("HID", HIS), CHAIN("HIE", HIS), CHAIN("HIP", HIS), CHAIN("ILE", ILE),
    CHAIN("LEU", LEU), CHAIN("LYN", LYS), CHAIN("LYS", LYS), CHAIN("MET", MET), CHAIN("PHE", PHE),
    CHAIN("PRO", PRO), CHAIN("SER", SER), CHAIN("THR", THR), CHAIN("TRP", TRP), CHAIN("TYR", TYR),
    CHAIN("VAL", VAL),
};

int sni_side_chain(const char* base, const sni_side_row** rows) {
    for (size_t i = 0; i < sizeof CHAINS / sizeof CHAINS[0]; i++) {
        if (strcmp(CHAINS[i].base, base) != 0) continue;
        *rows = CHAINS[i].rows;
        return CHAINS[i].count;
    }
    *rows = NULL;
    return 0;
}
