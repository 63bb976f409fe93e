# SPDX-License-Identifier: Apache-2.0
# Scenarios with avatars: what they must show, and how they are told.
. "$(dirname "$0")/common.bash"

run 0 reproduce chardonnet-identify --plot identify.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("identify.svg")' || fail "not XML"
run 0 reproduce chardonnet-pillar --json --plot pillar.svg
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("pillar.svg")' || fail "not XML"
holds 'x["holds"] and all(f["holds"] for f in x["facts"])'
cat > facts.py <<'PY'
import json, math, sys
x = json.load(open("out"))
fact = {f["key"]: f["value"] for f in x["facts"]}
assert all(math.isfinite(v) for v in fact.values()), fact
assert fact["force_balance"] < 0.02 and fact["moment_balance"] < 0.02, fact
assert 0.099 < fact["ratio"] < 0.1001, fact
assert abs(fact["rocking"] - 1) < 0.1, fact
PY
python3 facts.py || fail "chardonnet-pillar: forces or frequency are off"
run 0 reproduce chardonnet-penalty --quick --json
holds 'x["holds"] and {f["key"] for f in x["facts"]} >= {"pillar_penalty", "lift_nsgs"}'
run 2 reproduce chardonnay
says "did you mean 'chardonnet'?"
# the hands of a scene on a device that is asked for: what they hold and what their buttons do
run 0 run collaboration --headless --virtual-time --coupling-rate 50 --duration 0.2 --device sim:omega3 --json
holds 'x["hands"][0]["body"] == "robot/r_wrist" and x["hands"][0]["profile"] == "omega3"'
mkdir plans
run 0 reproduce chardonnet-lift --save plans
for plan in lift lift_heavy lift_sitting; do
    python3 - plans/$plan.csv "$here/../../scenes/papers/$plan.csv" <<'PY' || fail "$plan.csv is not what the planner finds"
import csv, sys
new, kept = ([[float(x) for x in row] for row in list(csv.reader(open(path)))[1:]] for path in sys.argv[1:])
assert len(new) == len(kept) == 41 and all(abs(a - b) < 0.05 for p, q in zip(new, kept) for a, b in zip(p, q))
PY
done
run 2 reproduce pushes --save plans
says "chardonnet-lift"
finish
