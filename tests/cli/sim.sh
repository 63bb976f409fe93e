# SPDX-License-Identifier: Apache-2.0
# sinew sim: files, summary, interruption, and what cannot be written or simulated.
. "$(dirname "$0")/common.bash"

run 0 sim hrp2 --pin --duration 0.5 --record run.csv --plot run.svg
for part in "energy at start" "energy change" "fastest turning" "beyond limits" "state hash"; do
    prints "$part"
done
says "hold only with --contact on"
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

# So does a mechanism with a closed loop, which its weight sets going.
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

# A push for a while is an impulse; pushes on one body add up.
free_body=$data/cases/free_body.model.json
run 0 sim "$free_body" --duration 1 --gravity 0,0,0 --push joint0=2,0,0@0.25-0.75 joint0=0,3,0@0.5- --json
holds 'all(abs(a - b) < 1e-9 for a, b in zip(x["momentum_end"]["linear"], (1, 1.5, 0)))'
run 0 sim "$free_body" --duration 0.1 --push joint0=1,0,0@0.2-0.3
says "begins after the end"
for time in 0.3-0.2 0.3 1-2-3 -1-2; do
    run 2 sim "$free_body" --duration 1 --push joint0=2,0,0@$time
    says "after @ comes when to push"
done

# Adaptive dynamics: with all joints active the same motion; the budget changes while it runs.
run 0 sim chain:60 --duration 0.2 --json
cp out aba.json
run 0 sim chain:60 --duration 0.2 --dynamics dca --json
holds 'abs(x["energy_end"]["kinetic"] / json.load(open("aba.json"))["energy_end"]["kinetic"] - 1) < 1e-9'
run 0 sim chain:60 --duration 0.2 --dynamics adaptive --json
says "all joints stay active"
holds 'abs(x["energy_end"]["kinetic"] / json.load(open("aba.json"))["energy_end"]["kinetic"] - 1) < 1e-9'
holds 'x["adaptive"]["active_least"] == 60 and x["adaptive"]["remaining_error_most"] == 0'
run 0 sim chain:60 --duration 0.3 --dynamics adaptive --schedule 0:all,0.1:10,0.2:40 \
    --record awake.csv --plot awake.svg --json
holds 'x["asked"]["schedule"] == "0:all,0.1:10,0.2:40" and 10 < x["adaptive"]["active_end"] <= 40'
holds 'all(a == 60 if t <= 0.1 else a == 10 if t <= 0.2 else 10 < a <= 40
           for t, a in zip(x["adaptive"]["time"], x["adaptive"]["active"]))'
holds 'all((e == 0) == (t <= 0.1) for t, e in zip(x["adaptive"]["time"], x["adaptive"]["remaining_error"]))'
python3 - <<'PY' || fail "record or plot of adaptive dynamics"
import csv, xml.dom.minidom
rows = list(csv.reader(open("awake.csv")))
assert rows[0][-2:] == ["active_joints", "remaining_error"]
active = [float(rows[1 + step][-2]) for step in (100, 101, 200, 201)]
assert active[:3] == [60, 10, 10] and 10 < active[3] <= 40
text = [t.firstChild.data for t in xml.dom.minidom.parse("awake.svg").getElementsByTagName("text")]
assert "Active joints" in text and any("remaining error" in t for t in text)
PY
run 0 sim chain:60 --duration 0.3 --dynamics adaptive --max-active 10
for part in "10 to 10 of 60" "remaining error" "active joints over time"; do
    prints "$part"
done

# A cable that hangs still sleeps; a push wakes joints; those kept active never sleep.
run 0 sim cable --duration 0.4 --dynamics adaptive --max-active 9 --push link_25=1,0,0@0.2-0.3 --json
holds 'all((a == 0) == (t <= 0.2) and a <= 9 for t, a in zip(x["adaptive"]["time"], x["adaptive"]["active"]))'
run 0 sim cable --duration 0.1 --dynamics adaptive --max-active 9 --keep link_10,link_11 link_40 --json
holds '3 <= x["adaptive"]["active_least"] <= 9 and x["energy_end"]["kinetic"] < 1e-9'
run 2 sim cable --duration 1 --dynamics adaptive --max-active 9 --keep link_10,link10
says "--keep: there is no body 'link10'; did you mean 'link_10'?"
for option in "--max-active 3" "--threshold 1" "--metric unit" "--period 3" "--settling-time 1" \
    "--schedule 0:3" "--keep b000001"; do
    # shellcheck disable=SC2086
    run 2 sim chain:9 --duration 1 $option
    says "only adaptive dynamics locks joints, aba moves all of them; add --dynamics adaptive"
done
for schedule in 3 0:x 0:1, -1:3 0:-1 "0:1;1:2"; do
    run 2 sim chain:9 --duration 1 --dynamics adaptive --schedule=$schedule
    says "is not TIME:N,TIME:N"
done
run 2 sim chain:9 --duration 1 --dynamics adaptive --schedule 1:3,1:4
says "times must grow"

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
