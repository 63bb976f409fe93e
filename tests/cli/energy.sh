# SPDX-License-Identifier: Apache-2.0
# sinew energy: terms, forces, torques; against OpenMM's values where they are; what is refused.
. "$(dirname "$0")/common.bash"

run 0 build ala:20 -o helix.pdb
run 0 energy helix.pdb
prints "212 atoms, 40 torsions; AMBER99SB, vacuum, no cut-off"
grep -q "Coulomb" out && fail "terms without --terms"
quiet
run 0 energy helix.pdb --terms
prints "Coulomb, three bonds apart"
run 0 energy helix.pdb --json --forces f.json
holds 'x["atoms"] == 212 and x["torsions"] == 40 and x["cutoff_nm"] is None' \
    'abs(sum(v for k, v in x["energy_kJ_per_mol"].items() if k != "total") - x["energy_kJ_per_mol"]["total"]) < 1e-9'
python3 - <<'PY' || fail "see above"
import json
x = json.load(open("f.json"))
f = x["forces_kJ_per_mol_nm"]
assert sorted(f) == ["coulomb", "lj", "torsion", "total"]
assert len(f["total"]) == x["n_atoms"] == len(x["positions_nm"]) == 212
for kind in f:  # nothing pulls the molecule as a whole
    for k in range(3):
        assert abs(sum(row[k] for row in f[kind])) < 1e-8 * 212 * max(abs(v) for row in f[kind] for v in row)
assert len(x["torque_kJ_per_mol_rad"]["total"]) == len(x["dihedral_rad"]) == len(x["torsions"]) == 40
PY
cp out exact
run 0 energy helix.pdb --json --cutoff 1 --precision mixed
holds 'x["cutoff_nm"] == 1' 'abs(x["energy_kJ_per_mol"]["torsion"] - json.load(open("exact"))["energy_kJ_per_mol"]["torsion"]) < 1e-3'
run 0 energy helix.pdb --json --dielectric distance
holds 'abs(x["energy_kJ_per_mol"]["coulomb_nonbonded"]) < 0.2 * abs(json.load(open("exact"))["energy_kJ_per_mol"]["coulomb_nonbonded"])'

# atoms on top of each other: refused with their names, or bounded on demand
awk 'substr($0, 13, 4) == " CB " && substr($0, 23, 4) == "   5" { at = substr($0, 31, 24) }
     substr($0, 13, 4) == " CB " && substr($0, 23, 4) == "  15" { $0 = substr($0, 1, 30) at substr($0, 55) } 1' \
    helix.pdb > overlap.pdb
run 2 energy overlap.pdb
says "are 0 nm apart"
says "--soften 0.5"
run 0 energy overlap.pdb --soften 0.5 --json
says "overlap; their forces are bounded"
holds 'x["forces"]["overlaps"] >= 1 and x["forces"]["largest_kJ_per_mol_nm"] < 1e9'

run 2 energy no_such.pdb
run 2 energy hrp2
run 2 energy helix.pdb --soften 2
says "soften"
run 2 energy helix.pdb --cutoff 0
run 1 energy helix.pdb --forces no/such/folder/f.json
head -30 helix.pdb > cut.pdb
run 0 energy cut.pdb --json

if [ -d "$SHARED/data/forcefield/oracle" ]; then
    for name in ala_dipeptide ala20_helix_capped 1l2y crambin br227; do
        run 0 energy "$SHARED/data/forcefield/oracle/$name.pdb" --json --forces f.json
        ORACLE=$SHARED/data/forcefield/oracle/$name.json python3 - <<'PY' || fail "$name: see above"
import json, os
x, f, oracle = json.load(open("out")), json.load(open("f.json")), json.load(open(os.environ["ORACLE"]))
start = oracle["conformations"][0]
energy = start["energy_kJ_per_mol"]
assert x["atoms"] == oracle["n_atoms"]
for key, value in energy.items():
    # a term that nearly vanishes is compared with the whole
    assert abs(x["energy_kJ_per_mol"][key] - value) < 1e-7 * max(abs(value), 1e-3 * abs(energy["total"])), key
for kind, rows in start["forces_kJ_per_mol_nm"].items():
    ours = f["forces_kJ_per_mol_nm"][kind]
    largest = max(abs(v) for row in rows for v in row)
    assert all(abs(a - b) < 1e-7 * largest for r, s in zip(ours, rows) for a, b in zip(r, s)), kind
PY
    done
fi
finish
