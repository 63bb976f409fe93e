#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write src/molecule/amber99sb.inc: AMBER99SB as plain data of our own.

Numbers (types, charges, Lennard-Jones, torsions, impropers, bond lengths, angles) come from OpenMM's
amber99sb.xml (MIT); the second set of atom names, the hydrogen rules and TIP3P water from the amber99sb.ff
that comes with GROMACS (LGPL-2.1-or-later; names and numbers only). Nucleic acids are left out.

usage: make_amber99sb.py [--check] [--data FOLDER]     FOLDER defaults to ../shared/data/forcefield
"""

import argparse
import math
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "src" / "molecule" / "amber99sb.inc"
DATA = ROOT.parent / "shared" / "data" / "forcefield"

NUCLEIC = {"DA", "DC", "DG", "DT", "RA", "RC", "RG", "RU"}
IONS = {"Cl-": "CL", "Cs+": "CS", "K+": "K", "Li+": "LI", "MG2": "MG", "Na+": "NA", "Rb+": "RB"}
WATER_NAMES = {"OW": "O", "HW1": "H1", "HW2": "H2"}
NO_ATOM, PREVIOUS_C, PREVIOUS_CA = -1, -2, -3

HEADER = """\
// SPDX-License-Identifier: Apache-2.0
// AMBER99SB [HAO06], with TIP3P water, as plain data. Units: u, e, nm, kJ/mol, rad.
// Written by tools/make_amber99sb.py; change that, not this file. Sources:
//   numbers: OpenMM 7.7, amber99sb.xml (MIT licence, (c) Stanford University and the authors);
//   second names of atoms, hydrogen rules, water: GROMACS 2022.5, amber99sb.ff (LGPL-2.1-or-later): facts only.
// What the fields mean: molecule/templates.h.
// clang-format off
"""


class Residue:
    def __init__(self, name):
        self.name = name
        self.atoms = []      # (name, type, charge)
        self.bonds = []      # (index, index)
        self.outside = []    # names of atoms with a bond to another residue
        self.alias = {}      # name -> name in GROMACS

    def index(self, name):
        return [a[0] for a in self.atoms].index(name)

    def parent(self, k):
        """The heavy atom that atom k hangs on, as an index, or None."""
        others = [i + j - k for i, j in self.bonds if k in (i, j)]
        return others[0] if len(others) == 1 else None


def is_nucleic(name):
    return name.rstrip("35N") in NUCLEIC


def read_openmm(path):
    """(types, residues, propers, impropers, bonds, angles, scales)"""
    root = xml.parse(path).getroot()
    kinds = {t.get("name"): t for t in root.find("AtomTypes")}
    force = root.find("NonbondedForce")
    nonbonded = {a.get("type"): a for a in force.findall("Atom")}
    types, residues = {}, []
    for element in root.find("Residues"):
        if is_nucleic(element.get("name")):
            continue
        residue = Residue(IONS.get(element.get("name"), element.get("name")))
        for atom in element.findall("Atom"):
            kind, numbers = kinds[atom.get("type")], nonbonded[atom.get("type")]
            name = IONS.get(atom.get("name"), atom.get("name"))
            entry = (kind.get("element"), kind.get("mass"), numbers.get("sigma"), numbers.get("epsilon"))
            assert types.setdefault(kind.get("class"), entry) == entry, kind.get("class")
            residue.atoms.append((name, kind.get("class"), numbers.get("charge")))
        residue.bonds = [(int(b.get("from")), int(b.get("to"))) for b in element.findall("Bond")]
        residue.outside = [residue.atoms[int(b.get("from"))][0] for b in element.findall("ExternalBond")]
        residues.append(residue)
    torsions = root.find("PeriodicTorsionForce")
    return (types, residues, torsions.findall("Proper"), torsions.findall("Improper"),
            root.find("HarmonicBondForce").findall("Bond"), root.find("HarmonicAngleForce").findall("Angle"),
            (force.get("lj14scale"), force.get("coulomb14scale")))


def read_rtp(path):
    """{residue: [(atom, type, charge)]}, {residue: [(atom, atom)]} of GROMACS."""
    atoms, bonds, residue, section = {}, {}, None, None
    for line in path.read_text().splitlines():
        words = line.split(";")[0].split()
        if not words:
            continue
        if words[0] == "[":
            if words[1] in ("atoms", "bonds", "impropers", "dihedrals", "angles", "bondedtypes"):
                section = words[1]
            else:
                residue, section = words[1], None
                atoms[residue], bonds[residue] = [], []
        elif section == "atoms":
            atoms[residue].append(tuple(words[:3]))
        elif section == "bonds":
            bonds[residue].append(tuple(words[:2]))
    return atoms, bonds


def water(rtp_atoms, nonbonded):
    """TIP3P as a Residue, and its types."""
    residue, types = Residue("HOH"), {}
    for name, kind, charge in rtp_atoms["HOH"]:
        residue.atoms.append((WATER_NAMES[name], kind, charge))
    residue.bonds = [(0, 1), (0, 2)]
    for line in nonbonded.read_text().splitlines():
        words = line.split()
        if words and words[0] in ("OW", "HW"):
            types[words[0]] = (words[0][0], words[2], words[5], words[6])
    return residue, types


def find_aliases(residue, atoms, bonds):
    """Names in GROMACS: the same, or in order among the atoms on the same heavy atom."""
    theirs = [a[0] for a in atoms]
    ours = [a[0] for a in residue.atoms]
    residue.alias = {n: n for n in ours}
    if residue.name == "HOH":
        residue.alias = {v: k for k, v in WATER_NAMES.items()}
        return
    parent = {}
    for a, b in bonds:
        for child, other in ((a, b), (b, a)):
            parent.setdefault(child, []).append(other)
    heavy = {n: n for n in theirs if n in ours and not n.startswith("H")}
    for name in theirs:  # heavy atoms that GROMACS calls differently
        if name not in heavy and not name.startswith("H"):
            near = {heavy.get(p) for p in parent[name]}
            free = [n for n in ours if n not in heavy.values() and n[0] == name[0] and
                    residue.atoms[residue.parent(ours.index(n)) or 0][0] in near or n == {"CD": "CD1"}.get(name)]
            heavy[name] = free[0]
            residue.alias[free[0]] = name
    for name, ours_name in heavy.items():
        k = ours.index(ours_name)
        here = [n for i, n in enumerate(ours) if n.startswith("H") and residue.parent(i) == k]
        there = [n for n in theirs if n.startswith("H") and parent[n] == [name]]
        assert len(here) == len(there), (residue.name, name)
        residue.alias.update(zip(sorted(here), sorted(there)))


def read_hydrogen_rules(path, residues):
    """[(residue index, kind, [hydrogens], [controls])], indices into the residue's atoms."""
    by_name = {r.name: i for i, r in enumerate(residues)}
    rules, current = [], None
    for line in path.read_text().splitlines():
        words = line.split()
        if len(words) == 2 and not words[0].isdigit():
            current = by_name.get(words[0])
        elif words and current is not None and not words[2].startswith("O"):
            residue = residues[current]
            ours = {alias: residue.index(name) for name, alias in residue.alias.items()}
            count, kind = int(words[0]), int(words[1])
            names = [words[2]] if count == 1 else [words[2] + str(k + 1) for k in range(count)]
            if residue.name == "HOH":
                continue  # a water without hydrogens is turned at will: no rule says where they are
            outside = {"-C": PREVIOUS_C, "-CA": PREVIOUS_CA}
            controls = [outside[w] if w in outside else ours[w] for w in words[3:]]
            rules.append((current, kind, [ours[n] for n in names], controls))
    return rules


def terms(element):
    """The cosines of a torsion that are not zero: [(periodicity, phase, k)]."""
    found = []
    for k in range(1, 7):
        if element.get(f"periodicity{k}") and float(element.get(f"k{k}")) != 0:
            found.append((element.get(f"periodicity{k}"), element.get(f"phase{k}"), element.get(f"k{k}")))
    return found


def rows(texts, width=118):
    """Texts in lines of at most `width` columns."""
    lines, line = [], "   "
    for text in texts:
        if len(line) + len(text) + 1 > width:
            lines.append(line)
            line = "   "
        line += " " + text
    return "\n".join(lines + [line])


def table(declaration, texts):
    return f"{declaration} = {{\n{rows(texts)}\n}};\n"


class Writer:
    def __init__(self, types, residues):
        self.type_names = sorted(types)
        self.types = types
        self.residues = residues

    def kinds(self, element, count):
        """Types of a definition as indices, -1 for any; None when one of them is not ours."""
        names = [element.get(f"class{k}") for k in range(1, count + 1)]
        if any(n and n not in self.types for n in names):
            return None
        return ", ".join(str(self.type_names.index(n)) if n else "-1" for n in names)

    def write_types(self):
        return table("const sni_atom_type sni_atom_types[]",
                     ['{"%s", "%s", %s, %s, %s},' % (n, *self.types[n]) for n in self.type_names])

    def write_residues(self):
        atoms, bonds, templates = [], [], []
        for r in self.residues:
            outside = [r.index(n) if n in r.outside else -1 for n in ("N", "C", "SG")]
            base, ending = r.name, "SNI_END_NONE"
            if len(r.name) == 4:
                base = r.name[1:]
                ending = {"N": "SNI_END_N", "C": "SNI_END_C"}[r.name[0]]
            templates.append('{"%s", "%s", %s, %d, %d, %d, %d, {%d, %d, %d}},' % (
                r.name, base, ending, len(atoms), len(r.atoms), len(bonds), len(r.bonds), *outside))
            atoms += ['{"%s", "%s", %d, %s},' % (n, r.alias[n], self.type_names.index(t), q)
                      for n, t, q in r.atoms]
            bonds += ["{%d, %d}," % b for b in r.bonds]
        return "\n".join((table("const sni_template sni_templates[]", templates),
                          table("const sni_template_atom sni_template_atoms[]", atoms),
                          table("const sni_template_bond sni_template_bonds[]", bonds)))

    def write_torsions(self, propers, impropers):
        cosines, parts = [], []
        for name, elements in (("sni_propers", propers), ("sni_impropers", impropers)):
            texts = []
            for element in elements:
                kinds, found = self.kinds(element, 4), terms(element)
                if kinds is not None:
                    texts.append("{{%s}, %d, %d}," % (kinds, len(cosines), len(found)))
                    cosines += ["{%s, %s, %s}," % t for t in found]
            parts.append(table(f"const sni_torsion_type {name}[]", texts))
        return "\n".join(parts + [table("const sni_cosine sni_cosines[]", cosines)])

    def write_geometry(self, bonds, angles):
        lengths = ["{{%s}, %s, %s}," % (k, b.get("length"), b.get("k")) for b in bonds
                   if (k := self.kinds(b, 2)) is not None]
        openings = ["{{%s}, %s, %s}," % (k, a.get("angle"), a.get("k")) for a in angles
                    if (k := self.kinds(a, 3)) is not None]
        if "OW" in self.types:  # TIP3P: 0.9572 A, 104.52 degrees
            pair = f"{self.type_names.index('OW')}, {self.type_names.index('HW')}"
            lengths.append("{{%s}, 0.09572, 462750.4}," % pair)
            openings.append("{{%d, %s}, %.11g, 836.8}," % (self.type_names.index("HW"), pair, math.radians(104.52)))
        return "\n".join((table("const sni_bond_type sni_bond_types[]", lengths),
                          table("const sni_angle_type sni_angle_types[]", openings)))

    def write_hydrogens(self, rules):
        def three(values):
            return "{" + ", ".join(str(v) for v in (values + [NO_ATOM] * 3)[:3]) + "}"
        # kind 5 has a third neighbour of the heavy atom besides: four controls
        def four(values):
            return "{" + ", ".join(str(v) for v in (values + [NO_ATOM] * 4)[:4]) + "}"
        return table("const sni_hydrogen_rule sni_hydrogen_rules[]",
                     ["{%d, %d, %d, %s, %s}," % (r, kind, len(h), three(h), four(c))
                      for r, kind, h, c in rules])


def generate(data):
    gromacs = data / "gromacs_amber99sb.ff"
    types, residues, propers, impropers, bonds, angles, scales = read_openmm(data / "openmm_amber99sb.xml")
    rtp_atoms, rtp_bonds = read_rtp(gromacs / "aminoacids.rtp")
    tip3p, water_types = water(rtp_atoms, gromacs / "ffnonbonded.itp")
    residues.append(tip3p)
    types.update(water_types)
    for residue in residues:
        if residue.name in rtp_atoms:
            find_aliases(residue, rtp_atoms[residue.name], rtp_bonds[residue.name])
        else:
            residue.alias = {a[0]: a[0] for a in residue.atoms}
    rules = read_hydrogen_rules(gromacs / "aminoacids.hdb", residues)
    writer = Writer(types, residues)
    counts = "".join(f"const int32_t {name}_count = sizeof({name}) / sizeof({name}[0]);\n" for name in (
        "sni_atom_types", "sni_templates", "sni_propers", "sni_impropers", "sni_bond_types", "sni_angle_types",
        "sni_hydrogen_rules"))
    return "\n".join((
        HEADER,
        f"const double sni_scale_14_lj = {scales[0]};\nconst double sni_scale_14_coulomb = {scales[1]};\n",
        writer.write_types(), writer.write_residues(), writer.write_torsions(propers, impropers),
        writer.write_geometry(bonds, angles), writer.write_hydrogens(rules), counts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail when the file would change; write nothing")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sources")
    options = parser.parse_args()
    if not options.data.is_dir():
        parser.error(f"{options.data}: no such folder; --data names the sources")
    text = generate(options.data)
    if options.check:
        if text != OUTPUT.read_text():
            sys.exit(f"{OUTPUT.relative_to(ROOT)} is out of date; run tools/make_amber99sb.py")
    else:
        OUTPUT.write_text(text)


if __name__ == "__main__":
    main()
