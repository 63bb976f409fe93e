# SPDX-License-Identifier: Apache-2.0
# sinew sim: files, summary, interruption, and what cannot be written or simulated.
. "$(dirname "$0")/common.bash"

run 0 sim hrp2 --pin --duration 0.5 --record run.csv --plot run.svg
for part in "energy at start" "energy change" "fastest turning" "beyond limits" "state hash"; do
    prints "$part"
done
says "not enforced yet"
[ ! -e run.csv.tmp ] && [ ! -e run.svg.tmp ] || fail "temporary files are left"
python3 - <<'PY' || fail "record or plot is not as it should be"
import csv, xml.dom.minidom
rows = list(csv.reader(open("run.csv")))
names = rows[0]
assert names[0] == "time_s" and names[-3:] == ["kinetic_J", "potential_J", "spring_J"]
assert len(names) == 1 + 39 + 38 + 3 and len(set(names)) == len(names)
assert "q:l_knee_rad" in names and "v:l_knee_rad/s" in names and "q:root[qw]" in names
assert len(rows) == 502 and all(len(r) == len(names) for r in rows)
assert abs(float(rows[-1][0]) - 0.5) < 1e-12
root = [names.index(n) for n in names if n.startswith(("q:root", "v:root"))]
assert all(rows[1][k] == r[k] for r in rows[1:] for k in root), "the pinned pelvis moves"
svg = xml.dom.minidom.parse("run.svg")
text = [t.firstChild.data for t in svg.getElementsByTagName("text")]
assert any("time [s]" in t for t in text) and any("energy [J]" in t for t in text)
assert any("angle [deg]" in t for t in text)
PY

# The same run twice: the same state to the last bit, with either algorithm close to each other.
run 0 sim hrp2 --pin --duration 0.2 --json
holds 'x["ok"] and x["asked"]["pin"] and x["report"]["step"] == 200 and len(x["hash"]) == 16'
cp out first.json
run 0 sim hrp2 --pin --duration 0.2 --json
holds 'x["hash"] == json.load(open("first.json"))["hash"]'
run 0 sim hrp2 --pin --duration 0.2 --json --dynamics crba
holds 'abs(x["energy_change"] - json.load(open("first.json"))["energy_change"]) < 1e-9'

# A pendulum keeps its energy at the order of its integrator.
for pair in "euler 1" "midpoint 1e-3" "rk4 1e-6"; do
    read -r integrator bound <<< "$pair"
    run 0 sim double_pendulum --duration 2 --q0 upper_hinge=90deg --integrator $integrator --json
    holds "x['fastest_angular']['value'] > 1 and abs(x['energy_change']) < $bound"
done

# So does a mechanism with a closed loop; the crank starts upright and is pushed.
run 0 sim four_bar --duration 2 --q0 crank_hinge=0 --integrator rk4 --json
holds "x['fastest_angular']['value'] > 1 and abs(x['energy_change']) < 1e-6"

# Free fall: closed form; semi-implicit Euler is exact up to one step.
run 0 sim "$data/cases/free_body.model.json" --duration 1 --record fall.csv --every 100 --json
holds 'abs(x["energy_change"]) < 0.5 and abs(x["momentum_end"]["linear"][2] + 2 * 9.81) < 1e-9'
[ "$(wc -l < fall.csv)" -eq 12 ] || fail "--every 100 of 1000 steps does not make 11 rows"
run 0 sim "$data/cases/free_body.model.json" --duration 1 --gravity 0,0,0 --push joint0=2,0,0 --json
holds 'abs(x["momentum_end"]["linear"][0] - 2) < 1e-9'
run 0 sim "$data/cases/free_body.model.json" --duration 0.1 --q0 joint0=1,2,3,90deg,0,0 --record q.csv
python3 -c '
import csv
r = list(csv.reader(open("q.csv")))[1]
assert [float(x) for x in r[1:4]] == [1, 2, 3] and abs(float(r[4]) - 0.5 ** 0.5) < 1e-12' ||
    fail "--q0 of a free joint"
run 0 sim chain:2 --duration 0.1 --pin
says "no free root to pin"
run 0 sim chain:2 --duration 0.1 --step 0.03
says "not a whole number of steps"

# Names that are not there.
run 2 sim hrp2 --duration 1 --q0 l_kne=1
says "did you mean 'l_knee'?"
run 2 sim hrp2 --duration 1 --q0 l_knee
says "is not JOINT=VALUE"
run 2 sim hrp2 --duration 1 --q0 l_knee=1,2
says "takes 1 number, not 2"
run 2 sim hrp2 --duration 1 --q0 root=1deg,0,0
says "leave out deg"
run 2 sim hrp2 --duration 1 --push l_sole=1,0,0
says "is fixed to"
run 2 sim hrp2 --duration 1 --push nobody=1,0,0
says "there is no body 'nobody'"
run 2 sim hrp2 --duration 1 --push l_finger=1,0
says "is not BODY=fx,fy,fz"

# A path that cannot be written is an error before simulating; an old file survives.
run 2 sim chain:2 --duration 1e6 --record nowhere/run.csv
says "nowhere/run.csv: cannot be written"
run 2 sim chain:2 --duration 1e6 --plot .
says "is a directory"
echo precious > old.csv
run 2 sim chain:2 --duration 1e6 --record old.csv --plot nowhere/run.svg
grep -q precious old.csv && [ ! -e old.csv.tmp ] || fail "an old record is lost"
if [ -e /dev/full ]; then
    run 1 sim chain:2 --duration 1e6 --record /dev/full
    says "not everything could be written"
fi

# A step that is too long: where it stops, what to try, what was recorded.
run 1 sim chain:40 --duration 100 --step 0.3 --record bad.csv --json
says "the state is no longer finite; try a smaller --step"
holds 'not x["ok"] and x["stopped"] == "not finite" and x["report"]["not_finite"]'
[ "$(wc -l < bad.csv)" -gt 2 ] || fail "what was simulated before the fault is lost"

# Ctrl-C: ends cleanly, keeps the files, says so.
"$SINEW" sim chain:20 --duration 1e6 --record cut.csv --every 100 --plot cut.svg --json > out 2> err &
pid=$!
for _ in $(seq 100); do
    [ -s cut.csv.tmp ] && break
    sleep 0.1
done
kill -INT $pid
wait $pid
[ $? -eq 1 ] || fail "exit status after Ctrl-C"
says "interrupted after"
holds 'not x["ok"] and x["stopped"] == "interrupted"'
[ -s cut.csv ] && [ -s cut.svg ] && [ ! -e cut.csv.tmp ] || fail "files after Ctrl-C"
tail -1 cut.csv | awk -F, 'NF != 44 { exit 1 }' || fail "the last row is cut"
finish
