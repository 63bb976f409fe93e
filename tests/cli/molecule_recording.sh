# SPDX-License-Identifier: Apache-2.0
# Recordings of molecules: complete in themselves, exact, good up to the moment their program was killed.
. "$(dirname "$0")/common.bash"

run 0 build ala:8 -o chain.pdb
grep -v "^END" chain.pdb > with.pdb
cat >> with.pdb <<'PDB'
HETATM   90  C1  LIG A  90       9.000   0.000   0.000  1.00  0.00           C
HETATM   91 ZN    ZN A  91      10.200   0.000   0.000  1.00  0.00          ZN
PDB
run 0 sim with.pdb --duration 0.05 --step 0.001 --record with.sinew
python3 "$here/../programs/check_format.py" with.sinew --molecule with.pdb || fail "the format is not as documented"
rm with.pdb # it is in the recording
run 0 replay with.sinew --verify
prints "all 50 steps are the same, bit for bit"
prints "0 ps to 0.05 ps, a step is 0.001 ps"
prints "molecules"
run 0 replay with.sinew --info --json
holds 'x["units"]["system"] == "molecular" and x["units"]["energy"] == "kJ/mol"' \
    'x["molecules"] == [{"prefix": "", "name": "with.pdb", "atoms": x["molecules"][0]["atoms"], "torsions": 16}]' \
    'x["molecules"][0]["atoms"] == 8 * 10 + 12 + 2'

# a hand that pulls, a heat bath, torsions that sleep
cat > bath.yaml <<'YAML'
version: 1
step: 0.001
dynamics: adaptive
adaptive: {max_active: 10, period: 10}
molecules:
- {name: helix, build: "ala:10", temperature: 300, seed: 4}
YAML
printf '0 0 0 0 1\n0.1 0.02 0 0 1\n' > script
run 0 run bath.yaml --headless --virtual-time --script script --duration 0.1 --record hand.sinew --hold "helix/A/11 psi"
run 0 replay hand.sinew --verify
prints "all 100 steps are the same, bit for bit"
run 0 replay hand.sinew --info --json
holds 'x["inputs"] > 50 and x["molecules"][0]["prefix"] == "helix/"'

# killed: good up to its last whole block
"$SINEW" sim bath.yaml --duration 1e6 --record killed.sinew > /dev/null 2>&1 &
victim=$!
for _ in $(seq 600); do
    [ "$(stat -c %s killed.sinew 2> /dev/null || echo 0)" -gt 200000 ] && break
    sleep 0.1
done
kill -9 $victim
wait $victim 2> /dev/null
run 0 replay killed.sinew --verify --json
holds 'not x["closed"] and not x["damaged"] and x["verify"]["verdict"] == "same" and x["verify"]["same_steps"] > 20'

finish
