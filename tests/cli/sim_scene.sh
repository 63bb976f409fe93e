# SPDX-License-Identifier: Apache-2.0
# sinew sim with scene files, plugins, recordings, a pace and a stream of commands.
. "$(dirname "$0")/common.bash"

cat > scene.yaml <<'YAML'
version: 1
name: play
duration: 0.5
step: 0.002
gravity: [0, 0, -10]
floor: true
models:
  - {name: arm, model: double_pendulum, at: [0, 0, 3]}
objects:
  - {name: ball, sphere: 0.1, mass: 2, at: [1, 0, 5]}
controllers:
  - {name: posture, item: arm, kp: 50, kd: 5}
sensors:
  - {name: ball_at, type: pose, item: ball}
  - {name: energy, type: energy}
YAML

# What the file says holds, unless an option says otherwise.
run 0 sim scene.yaml --record run.csv
quiet
for part in "play, 8 degrees of freedom" "step 0.002 s" "250, 0.5 s simulated" "floor, arm, ball" "controllers" \
    "time of a step" "publish" "sensors at the end" "ball_at"; do
    prints "$part"
done
run 0 sim scene.yaml --json
holds 'x["ok"] and x["asked"]["scene"] == "scene.yaml" and x["asked"]["duration"] == 0.5 and x["report"]["step"] == 250'
holds 'x["scene"]["name"] == "play" and x["scene"]["items"] == 3 and x["scene"]["controllers"] == ["posture"]'
holds 'abs(x["sensors"]["ball_at"][2] - (5 - 10 * 0.5**2 / 2)) < 1e-9'
holds 'set(x["report"]["stage_us"]) == set(x["report"]["stage_ns"]) and len(x["report"]["stage_us"]) == 9'
holds 'all(abs(x["report"]["stage_us"][k] * 250 * 1e3 - n) < 1 for k, n in x["report"]["stage_ns"].items())'
run 0 sim scene.yaml --duration 0.1 --step 0.001 --gravity 0,0,0 --dynamics crba --json
holds 'x["report"]["step"] == 100 and x["asked"]["dynamics"] == "crba" and x["sensors"]["ball_at"][2] == 5'
python3 - <<'PY' || fail "sensors in the record"
import csv
rows = list(csv.DictReader(open("run.csv")))
assert len(rows) == 251
for r in rows:
    assert r["sensor:ball_at[2]"] == r["q:ball[z]_m"] or abs(float(r["sensor:ball_at[2]"]) - float(r["q:ball[z]_m"]) - 5) < 1e-12
    assert r["sensor:energy[0]"] == r["kinetic_J"]
PY

# A scene takes the options of a model: objects, pushes, joints, and a floor where it has none.
run 0 sim scene.yaml --object box:0.2x0.2x0.2@-1,0 --q0 arm/upper_hinge=0.3 --hold --push ball=20,0,0 --json
holds 'x["scene"]["objects"] == ["box_1"] and x["scene"]["items"] == 4'
holds 'abs(x["sensors"]["ball_at"][0] - (1 + 10 * 0.5**2 / 2)) < 1e-9'
run 0 sim scene.yaml --floor --duration 0.01
says "play has a floor already"
printf 'version: 1\nobjects: [{name: box_1, box: [1, 1, 1], at: [0, 0, 0.5]}]\n' > bare.yaml
run 0 sim bare.yaml --floor --object box:0.1x0.1x0.1@2,0 --duration 0.2 --json
holds 'x["scene"]["floor"] == 0 and x["scene"]["objects"] == ["box_2"] and abs(x["energy_change"]) < 1e-3'
run 0 sim bare.yaml --floor --mu 0 --push box_1=500,0,0 --duration 0.2 --json
holds 'abs(x["momentum_end"]["linear"][0] - 100) < 1e-6'
run 2 sim bare.yaml
says "how long?"
for option in "--base free" "--meshes hull" "--srdf x.srdf" "--floor --drop 1"; do
    # shellcheck disable=SC2086
    run 2 sim scene.yaml $option
    says "is for a MODEL"
done
run 2 sim nowhere.yaml --duration 1
says "nowhere.yaml: no such file"
printf 'version: 1\nobjects: [{spere: 1}]\n' > bad.yaml
run 2 sim bad.yaml --duration 1
says "bad.yaml:2:12: there is no key 'spere'"
run 2 draw groups bad.yaml
says "bad.yaml:2:12"
run 0 draw groups scene.yaml --time 0.1 -o groups.svg
prints "2 groups"

# A script: bodies come and go, everything that follows the run goes on.
cat > busy.yaml <<'YAML'
version: 1
duration: 1
floor: true
objects:
  - {name: ball, sphere: 0.1, at: [1, 0, 5]}
  - {name: box, box: [0.2, 0.2, 0.2], at: [0, 0, 0.1]}
sensors: [{name: ball_at, type: pose, item: ball}]
script:
  - {at: 0.3, add: {name: late, box: [0.2, 0.2, 0.2], at: [-1, 0, 0.1]}}
  - {at: 0.6, remove: ball}
  - {at: 0.9, remove: ball}
YAML
run 0 sim busy.yaml --until-rest --record run.csv --plot run.svg --film film.svg --json
says "the script: busy.yaml:11:5: there is no item 'ball'"
says "'late' came later and has no columns"
holds 'x["bodies"] == 2 and x["edits"]["script"] == 3 and x["sensors"]["ball_at"] == [None] * 7'
holds 'x["fastest_linear"]["joint"] == "ball" and abs(x["fastest_linear"]["value"] - 9.81 * 0.6) < 1e-9'
python3 - <<'PY' || fail "files of a scene that changes"
import csv, math, xml.dom.minidom
rows = list(csv.DictReader(open("run.csv")))
assert [math.isnan(float(r["q:ball[z]_m"])) for r in rows] == [float(r["time_s"]) > 0.6 + 5e-4 for r in rows]
assert not any(math.isnan(float(r["q:box[z]_m"])) for r in rows)
film = xml.dom.minidom.parse("film.svg")
shapes = []
for g in film.getElementsByTagName("g"):
    if g.getAttribute("visibility"):
        classes = [p.getAttribute("class") for p in g.getElementsByTagName("path")]
        shapes.append([c for c in classes if c in ("g0", "g1", "g2") or c.endswith(" asleep")])
assert len(shapes) == 11 and shapes[0] == ["g0", "g1"] or shapes[0] == ["g1", "g0"], shapes
assert sorted(c[:2] for c in shapes[5]) == ["g0", "g1", "g2"] and sorted(c[:2] for c in shapes[-1]) == ["g1", "g2"]
plot = [t.firstChild.data for t in xml.dom.minidom.parse("run.svg").getElementsByTagName("text")]
assert any("ball[z]" in t for t in plot)
PY
run 0 sim busy.yaml
prints "(bodies came or went)"

# A recording: by the ending, or as the scene has it. The same run is the same to the bit.
run 0 sim busy.yaml --record run.sinew --json
holds 'x["recording"]["state"] == "whole" and x["recording"]["steps"] == 1000 and x["recording"]["lost"] == 0'
[ "$(head -c 5 run.sinew)" != time_ ] && [ -s run.sinew ] || fail "a recording is written as CSV"
cp out first.json
run 0 sim busy.yaml --json
holds 'x["hash"] == json.load(open("first.json"))["hash"] and "recording" not in x'
(cat busy.yaml && echo "recording: {file: own.sinew, every: 10}") > own.yaml
run 0 sim own.yaml --json
holds 'x["recording"]["path"] == "own.sinew" and x["recording"]["steps"] == 1000'
[ -s own.sinew ] || fail "the scene's own recording"
[ "$(stat -c %s own.sinew)" -lt "$(stat -c %s run.sinew)" ] || fail "every 10th step takes as much room as all"
run 2 sim busy.yaml --record nowhere/run.sinew
says "nowhere/run.sinew"
if "$SINEW" help replay > /dev/null 2>&1; then
    for file in run.sinew own.sinew; do run 0 replay "$file" --verify; done
    run 0 sim hrp2 --floor --hold --q0 l_knee=0.2 --push l_finger=30,0,0@0.05-0.1 --duration 0.2 --record hrp2.sinew
    run 0 replay hrp2.sinew --verify
fi
# A disk that is full: the simulation goes on, and what was written can be read.
(trap '' XFSZ && ulimit -f 40 && exec "$SINEW" sim busy.yaml --record full.sinew --json) > out 2> err
[ $? -eq 1 ] || fail "exit status when the recording cannot be written"
holds 'not x["ok"] and "stopped" not in x and x["report"]["step"] == 1000 and x["recording"]["state"] == "stopped"'
says "what was written until then can be read"

# A pace: real time, or a multiple of it; lateness is counted.
run 0 sim stack:1 --duration 0.3 --pace 1 --json
holds 'x["pace"]["asked"] == 1 and 0.28 < x["wall_s"] and x["pace"]["late_steps"] <= 300'
run 0 sim stack:1 --duration 0.2 --pace 1e9
prints "1e+09x real time"
prints "steps began late"

# Commands: at their times, in order, errors by line, and the run goes on.
cat > commands.txt <<'TEXT'
# a comment, and a line without anything

gravity: [0, 0, 0]
0.1: add: {name: new, sphere: 0.1, at: [3, 0, 5], v: [1, 0, 0]}
0.3: remove: new
0.2: push: {body: ball, force: [0, 4, 0]}
0.3: gravty: [0, 0, 0]
  0.3: remove: bal
9: reset
nan: reset
TEXT
run 0 sim scene.yaml --commands commands.txt --json
holds 'x["edits"] == {"script": 0, "commands": 4, "refused": 3, "not_due": 1} and x["ok"]'
holds 'x["fastest_linear"]["joint"] == "new" and abs(x["fastest_linear"]["value"] - 1) < 1e-12'
holds 'abs(x["sensors"]["ball_at"][1] - 2 * 0.3**2 / 2) < 1e-9 and x["sensors"]["ball_at"][2] == 5'
says "commands.txt:7:6: there is no key 'gravty'"
says "commands.txt:8:8: there is no item 'bal'; did you mean 'ball'?"
says "commands.txt:10: a time is a number of seconds"
run 0 sim scene.yaml --commands commands.txt
prints "4 done, 3 refused, 1 not due before the end"
printf 'gravity: [0, 0, 0]\n0.1: gravity: [0, 0, -10]' > stream
"$SINEW" sim scene.yaml --commands - --json < stream > out 2> err || fail "commands of standard input"
quiet
holds 'x["edits"]["commands"] == 2 and abs(x["sensors"]["ball_at"][2] - (5 - 10 * 0.4**2 / 2)) < 1e-9'
# with a pace they are applied as they come: here never before the first, and before the last, however slowly it starts
(sleep 2; echo "gravity: [0, 0, 0]"; sleep 3) |
    "$SINEW" sim bare.yaml --duration 4 --pace 1 --commands - --json > out 2> err || fail "commands that come"
holds 'x["edits"]["commands"] == 1 and 0.05 * 9.81 < x["fastest_linear"]["value"] < 3.95 * 9.81'
run 2 sim scene.yaml --commands nowhere.txt
says "nowhere.txt cannot be read"
run 2 sim scene.yaml --commands .
says "it is a directory"
run 2 sim - --commands - --duration 1
says "standard input is the model already"

# Plugins: options, commands, drawing, modules by name; one that fails is stopped and named.
cat > plugin.c <<'C'
#include <stdlib.h>
#include <string.h>
#include "sinew/plugin.h"
static int steps, most;
static sn_status init(sn_simulation* sim, const char* options, void** memory, sn_error* error) {
    (void)sim, (void)memory, (void)error;
    most = atoi(options);
    return most > 0 ? SN_OK : SN_ERR_ARGUMENT;
}
static sn_status step(void* memory, sn_simulation* sim) {
    (void)memory, (void)sim;
    return ++steps <= most ? SN_OK : SN_ERR_NUMERIC;
}
static void cleanup(void* memory) { (void)memory; }
static sn_status command(void* memory, sn_simulation* sim, const char* words, char* answer, size_t room) {
    (void)memory, (void)sim;
    strncpy(answer, words, room);
    return SN_OK;
}
static void draw(void* memory, sn_simulation* sim, sn_drawing* drawing) {
    const double red[4] = {1, 0, 0, 1};
    (void)memory, (void)sim;
    sn_drawing_line(drawing, sn_vec3_zero(), sn_vec3_make(1, 0, 1), red);
    sn_drawing_text(drawing, sn_vec3_make(0, 0, 1), "a < b", red);
}
const sn_plugin sn_plugin_table = {SN_PLUGIN_HEAD, .name = "test", .init = init, .step = step, .cleanup = cleanup,
                                   .command = command, .draw = draw};
C
cc -shared -fPIC -I "$here/../../include" plugin.c -o plugin.so || fail "the test's plugin"
run 0 sim scene.yaml --plugin plugin.so:1000 --film film.svg --json
quiet
holds 'x["plugins"] == [{"name": "test"}] and x["asked"]["plugins"] == ["plugin.so:1000"]'
grep -q 'class="stroke".*stroke="#ff0000"' film.svg && grep -q 'a &lt; b' film.svg || fail "what plugins draw"
echo "0.1: plugin: {name: test, words: hello}" > ask
run 0 sim scene.yaml --plugin plugin.so:1000 --commands ask
says "ask:1: hello"
prints "plugins"
run 0 sim scene.yaml --plugin ./plugin.so:100 --json
says "plugin 'test' was stopped: its step failed"
holds 'x["ok"] and "its step failed" in x["plugins"][0]["stopped"] and x["report"]["step"] == 250'
run 0 sim scene.yaml --plugin ./plugin.so:100
prints "test (stopped)"
run 2 sim scene.yaml --plugin plugin.so
says "plugin 'test' does not begin"
run 2 sim scene.yaml --plugin nowhere.so
says "nowhere.so"
run 2 sim scene.yaml --plugin scene.yaml
says "scene.yaml: it cannot be loaded"
run 2 sim scene.yaml --solver magic
says "--solver: 'magic' is not known"
for module in simulator detector; do
    run 2 sim scene.yaml --$module magic
    says "--$module: 'magic' would be a plugin's"
done
for module in dynamics solver simulator detector; do
    run 2 sim scene.yaml --plugin plugin.so:1 --$module magic
    says "magic"
done
finish
