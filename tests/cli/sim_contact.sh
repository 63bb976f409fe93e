# SPDX-License-Identifier: Apache-2.0
# sinew sim with things that touch: generated scenes, floor, objects, rest, the report, and what goes wrong.
. "$(dirname "$0")/common.bash"

# A scene with a floor touches by itself; the report and the files say so.
run 0 sim stack:3 --duration 0.3 --record run.csv --plot run.svg
for part in "contacts" "groups" "deepest overlap" "residual" "iterations" "energy by contact" \
    "time of a step" "solve"; do
    prints "$part"
done
python3 - <<'PY' || fail "record or plot of contact"
import csv, xml.dom.minidom
rows = list(csv.reader(open("run.csv")))
assert rows[0][-3:] == ["contacts", "deepest_overlap_m", "residual"]
assert [float(x) for x in rows[1][-3:]] == [0, 0, 0] and len(rows) == 302
assert all(float(r[-3]) == 12 and 0 <= float(r[-2]) < 1e-4 and float(r[-1]) <= 1e-4 for r in rows[2:])
text = [t.firstChild.data for t in xml.dom.minidom.parse("run.svg").getElementsByTagName("text")]
assert "Contacts" in text and any("overlap [mm]" in t for t in text)
PY
run 0 sim stack:3 --duration 0.3 --contact off --json
holds '"contact" not in x and abs(x["momentum_end"]["linear"][2] + 12 * 9.81 * 0.3) < 1e-9'

# What stands stays; what is at rest sleeps, and the run ends.
for scene in stack:6 apart:4 pyramid:3 wall:3x4 cards:2; do
    run 0 sim $scene --until-rest --duration 3 --json
    quiet
    holds 'x["at_rest"] and x["simulated_s"] < 1.2 and x["contact"]["asleep_end"] == x["bodies"]'
    holds 'x["contact"]["unsolved_steps"] == 0 and x["contact"]["deepest_overlap"]["value"] < 1e-4'
    holds 'abs(x["energy_change"]) < 1e-3'
done
run 0 sim stack:3 --until-rest --no-sleep --json
holds 'x["at_rest"] and x["contact"]["asleep_end"] == 0 and x["contact"]["groups_end"] == 1'
run 0 sim dominoes:6 --until-rest --json
holds 'x["at_rest"] and x["contact"]["groups_end"] == 1 and x["energy_change"] < -0.5'
run 0 sim heap:8 --until-rest --json
holds 'x["at_rest"] and x["energy_change"] < -10 and x["contact"]["energy"] < 0'

# The same scene, the same bits, with however many workers.
run 0 sim pyramid:4 --duration 0.1 --json
cp out first.json
run 0 sim pyramid:4 --duration 0.1 --workers 2 --json
holds 'x["hash"] == json.load(open("first.json"))["hash"]'

# Coulomb: on a slope of 30 degrees mu 0.3 slides with g (sin a - mu cos a), mu 0.7 holds.
slope=4.905,0,-8.495709211124343
run 0 sim apart:1 --gravity $slope --mu 0.3 --duration 1 --json
holds 'abs(x["momentum_end"]["linear"][0] / 4 - (4.905 - 0.3 * 8.495709)) < 1e-3'
run 0 sim apart:1 --gravity $slope --mu 0.7 --duration 1 --json
holds 'abs(x["momentum_end"]["linear"][0]) < 1e-4'

# Objects: placed, thrown, bouncing, on the floor; a model among them.
run 0 sim floor --object sphere:0.1@0,0,1.1:mass=2,e=0.8 --duration 0.6 --record ball.csv --json
holds 'x["scene"]["objects"] == ["sphere_1"] and x["contact"]["bounces"] == 1'
python3 - <<'PY' || fail "a ball that bounces"
import csv
rows = list(csv.DictReader(open("ball.csv")))
v = [float(r["v:sphere_1[vz]_m/s"]) for r in rows]
down, up = min(v), max(v)
assert abs(up + 0.8 * down) < 0.02 * up and abs(down + (2 * 9.81) ** 0.5) < 0.02
PY
run 0 sim floor --object box:0.2x0.3x0.1@1,2:mu=0.4,v=2/0/0 --mu 0.4 --until-rest --record box.csv --json
holds 'x["at_rest"] and x["contact"]["groups_end"] == 1'
python3 - <<'PY' || fail "a box that slides until it stops"
import csv
rows = list(csv.DictReader(open("box.csv")))
x = float(rows[-1]["q:box_1[x]_m"]) - float(rows[0]["q:box_1[x]_m"])
assert abs(x - 4 / (2 * 0.4 * 9.81)) < 0.005
PY
run 0 sim stack:2 --object capsule:0.05x0.2@0.5,0:turn=0/90deg/0 cylinder:0.1x0.3@-0.5,0,0.15 wall:2@0,1 \
    --until-rest --json
quiet
holds 'x["at_rest"] and x["scene"]["objects"] == ["capsule_1", "cylinder_2", "wall_3"] and x["bodies"] == 9'
run 0 sim floor --object hrp2@0,1 --hold --q0 hrp2_1/l_knee=0.4 --duration 0.01 --record two.csv
head -1 two.csv | grep -q "q:hrp2_1/l_knee_rad" || fail "names of a model among the objects"
run 0 sim floor --object sphere:0.1@0,0:v=1/0/0 --until-rest --duration 0.3 --json
says "not at rest after 0.3 s: sphere_1 still moves"
holds 'not x["at_rest"] and x["ok"]'

# A film: frames that follow each other; the last one is what shows where nothing plays.
run 0 sim stack:2 --object box:0.1x0.1x0.1@0.5,0:v=-2/0/0 --duration 0.55 --film film.svg --json
holds 'x["asked"]["film"] == "film.svg"'
python3 - <<'PY' || fail "a film"
import xml.dom.minidom
frames = [g for g in xml.dom.minidom.parse("film.svg").getElementsByTagName("g") if g.getAttribute("visibility")]
assert [f.getAttribute("visibility") for f in frames] == ["hidden"] * 6 + ["visible"]
for k, f in enumerate(frames):
    show = f.getElementsByTagName("animate")[0]
    times = [float(t) for t in show.getAttribute("keyTimes").split(";")]
    assert len(times) == len(show.getAttribute("values").split(";")) and times[0] == 0 and times == sorted(times)
times = [f.getElementsByTagName("text")[0].firstChild.data for f in frames]
assert times == ["0.00 s", "0.10 s", "0.20 s", "0.30 s", "0.40 s", "0.50 s", "0.55 s"], times
PY
run 0 sim floor --object sphere:0.1@0,0:v=1/0/0 --duration 30 --step 0.01 --film long.svg
[ "$(grep -c '<animate' long.svg)" -le 101 ] || fail "a long film has too many frames"
run 0 sim floor --duration 0.01 --film empty.svg
run 2 sim stack:2 --duration 1 --film nowhere/film.svg
says "nowhere/film.svg: cannot be written"

# A floor under a model: lifted when it is free, below it when it is held.
run 0 sim hrp2 --floor --hold --until-rest --json
says "hrp2 was lifted by 0.705 m, to start on the floor"
holds 'x["at_rest"] and x["contact"]["most"]["value"] == 32 and abs(x["scene"]["lifted"] - 0.705) < 1e-9'
holds 'abs(x["energy_change"]) < 1e-3'
run 0 sim hrp2 --floor=0.9 --drop 0.1 --duration 0.05 --json
says "to start above the floor"
holds 'abs(x["scene"]["lifted"] - 0.805) < 1e-9 and x["asked"]["floor"] == 0.9 and x["contact"]["most"]["value"] == 0'
run 0 sim double_pendulum --floor --duration 0.1
says "double_pendulum is held where it is; the floor is below it"
run 0 sim stack:3 --floor --duration 0.01
says "has a floor already"
run 0 sim chain:3 --base free --floor --duration 0.01
says "has no collision shapes"
run 0 sim hrp2 --pin --duration 0.1 --contact on
if grep -q "hold only with" err; then fail "limits are said not to hold"; fi

# Too little room, too little time: said, with what to do, and the step goes on.
run 0 sim pyramid:3 --contacts 10 --duration 0.05 --json
says "raise --contacts"
holds 'x["contact"]["dropped_contacts"] > 0 and x["contact"]["full_steps"] > 0'
run 0 sim pyramid:5 --iterations 1 --duration 0.05 --json
says "raise --iterations"
holds 'x["contact"]["unsolved_share"] > 0.5'
run 0 sim pyramid:5 --solve-time 1e-9 --duration 0.05 --json
says "solving stopped at --solve-time"
holds 'x["contact"]["late_steps"] > 0'
run 0 sim floor --object box:1x1x1@0,0 box:1x1x1@0.1,0,0.6 --duration 0.02
says "where the scene begins; they are pushed apart"

# Huge, tiny, far, fast: the step finishes.
for object in sphere:1e-3@0,0,0.01 box:1e3x1e3x1e3@0,0,600 sphere:0.1@0,0,1e4 \
    capsule:0.1x0.2@0,0,1:v=0/0/-1e4 cylinder:1e-3x1e-3@0,0:mass=1e-6; do
    run 0 sim floor --object $object --duration 0.05 --json
    holds 'x["ok"] and math.isfinite(x["energy_change"])'
done
run 0 sim floor --object sphere:0.1@0,0,1 sphere:0.1@0,0,1 --duration 0.1 --json
holds 'x["ok"]'

# Words that are no object, options that do not fit.
for object in box:1x1 box:1x1x0 box:1x1xa box sphere:0.1x2 sphere:-1 sphere:nan; do
    run 2 sim floor --object=$object --duration 1
done
run 2 sim floor --object box:1x1@0,0 --duration 1
says "sizes in m, above zero, are box:XxYxZ"
run 2 sim floor --object sphere:1@0 --duration 1
says "after @ comes its place X,Y,Z"
run 2 sim floor --object sphere:1@0,0,1:mas=2 --duration 1
says "there is no 'mas', perhaps mass"
run 2 sim floor --object sphere:1:e=1.5 --duration 1
says "e must be a number from 0 to 1"
run 2 sim floor --object sphere:1:mass=0 --duration 1
says "mass must be a number above zero"
run 2 sim floor --object sphere:1:v=1/2 --duration 1
says "v must be three numbers, such as v=3/0/0"
run 2 sim floor --object hrp2:mass=3 --duration 1
says "a model has its own masses"
run 2 sim floor --object double_pendulum:v=1/0/0 --duration 1
says "is held by the world"
run 2 sim floor --object spere:1 --duration 1
says "spere:1"
run 2 sim stack:3 --floor=-1 --duration 1
says "'-1' is not a number of at least 0"
run 2 sim stack:3 --restitution 2 --duration 1
says "more than 1"
run 2 sim stack:3 --drop 1 --duration 1
says "there is no floor to be above; add --floor"
run 2 sim hrp2 --floor --integrator rk4 --duration 1
says "contact needs euler"
run 0 sim stack:1 --integrator rk4 --duration 0.01
run 2 sim hrp2 --margin 0.01 --duration 1
says "nothing touches in this scene"
run 2 sim stack:3 --patch-points 2 --duration 1
says "give at least 4"
run 2 sim stack:x --duration 1
says "a generated one is SHAPE:COUNT"
run 2 sim stacc:3 --duration 1
says "such as stack:10"
finish
