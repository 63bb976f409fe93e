# SPDX-License-Identifier: Apache-2.0
# Molecules on the command line: sinew build, sinew info of PDB files.
. "$(dirname "$0")/common.bash"

run 0 build ala:20 -o helix.pdb
says "22 residues, 212 atoms"
run 0 info helix.pdb
prints "212"
prints "no warnings"
quiet
run 0 info helix.pdb --json
holds 'x["torsions"] == {"A": 40, "B": 40, "C": 61, "D": 40, "E": 62, "F": 83}' \
    'x["atoms"] == 212 and x["rigid_groups"]["B"] == 41 and abs(x["charge_e"]) < 1e-6'
run 0 build ala:20
cmp -s out helix.pdb || fail "standard output differs from the file"

run 0 info bacteriorhodopsin --json
holds 'x["torsions"]["B"] == 857 and x["residues"] == 248'
run 0 build bacteriorhodopsin -o br.pdb
run 0 info br.pdb --json
holds 'x["torsions"]["B"] == 849 and x["warnings"] == 0'

run 0 build --sequence CGHWP --structure EEHHX --ends charged -o peptide.pdb
run 0 info peptide.pdb
prints "CYS 1"
run 0 build --help
prints "sinew build ala:20"

run 2 build
says "either a molecule"
run 2 build ala:20 --sequence AAA
run 2 build ala:x
says "ala:COUNT"
run 2 build --sequence ABA
says "'B' (residue 2)"
run 2 build --sequence AAA --structure HH
says "not 2"
run 1 build ala:2 -o no/such/folder/x.pdb

# a damaged file: line and column
sed '9s/./x/35' helix.pdb > bad.pdb
run 2 info bad.pdb
says "bad.pdb:9:31: x: expected a finite number"
: > empty.pdb
run 2 info empty.pdb
says "no ATOM or HETATM record"
gzip -k helix.pdb
run 2 info helix.pdb.gz
says "gunzip"
run 2 info no_such.pdb
says "no such file"

# in scenes
run 0 sim ala:6 --duration 0.1 --json
says "lengths are in nm, times in ps"
holds 'x["ok"] and x["units"]["energy"] == "kJ/mol" and x["units"]["time"] == "ps"' \
    'math.isclose(x["simulated_ps"], 0.1) and "simulated_s" not in x'
run 0 sim helix.pdb --duration 0.05 --dynamics adaptive --max-active 10 --plot run.svg --record run.csv
prints "kJ/mol (kinetic"
prints "u nm/ps"
prints "rad/ps, A/"
prints "sqrt(kJ/mol)/ps"
prints "ps a second"
! grep -qE ' (J|kg|s|m/s)( |$|,)' <(grep -v "wall time" out) || fail "a unit of SI"
grep -q "time \[ps\]" run.svg && grep -q "energy \[kJ/mol\]" run.svg || fail "units of the plot"
head -1 run.csv | grep -q "^time_ps,.*rad/ps.*,kinetic_kJ/mol," || fail "units of the CSV"
run 0 energy helix.pdb --cutoff 1 --soften 0.5 --precision mixed --json
mv out energy.json
run 0 sim helix.pdb --duration 0.001 --json
holds 'math.isclose(x["energy_start"]["potential"],
           json.load(open("energy.json"))["energy_kJ_per_mol"]["total"], rel_tol=1e-5)'
cat > pull.yaml <<'YAML'
version: 1
molecules:
- {name: helix, build: "ala:10", temperature: 300, seed: 4}
YAML
run 0 check pull.yaml
prints "helix"
run 0 sim pull.yaml --duration 0.05
printf '0 0 0 0 1\n0.2 0.02 0 0 1\n' > script
run 0 run pull.yaml --headless --virtual-time --script script --duration 0.2
prints "hand hand on"
prints "pN in its axes"
prints "pN/nm"
run 2 sim nothing.pdb --duration 1
says "no such file"

# structures of the Protein Data Bank
if [ -d "$SHARED/data/proteins" ]; then
    for file in "$SHARED"/data/proteins/*.pdb; do
        run 0 info "$file" --json
        holds 'x["atoms"] > 0 and x["torsions"]["F"] > x["torsions"]["A"]'
    done
    run 0 info "$SHARED/data/proteins/1c3w.pdb"
    says "gap between residues 156 and 162"
    run 0 info "$SHARED/data/proteins/1m0l_A.pdb"
    says "does not know"
fi
finish
