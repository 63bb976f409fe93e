# SPDX-License-Identifier: Apache-2.0
# sinew run: hands on simulated devices in virtual and real time, what they report, what goes wrong.
. "$(dirname "$0")/common.bash"
build=$(dirname "$SINEW")
export HOME=$work

cat > box.yaml <<'YAML'
version: 1
gravity: [0, 0, 0]
objects:
- {name: box, box: [0.1, 0.1, 0.1], mass: 0.2, at: [0.3, 0.2, 0.5]}
YAML
cat > lift.txt <<'TXT'
# lifts by 2 cm within a second
0 0 0 0 1
1 0 0 0.02 1
TXT
virtual="--headless --virtual-time"

# the body follows the hand by as much as the script says, and the report says how
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --device sim:omega3 --hand firm --script lift.txt --duration 3 --json
holds 'x["ok"] and x["steps"] == 3000 and abs(x["simulated_s"] - 3) < 1e-9' \
    '[l["loop"] for l in x["loops"]] == ["simulation", "coupling", "haptics"]' \
    '[round(l["rate_hz"]) for l in x["loops"]] == [1000, 2000, 1000]' \
    'all(l["late"] == 0 and l["worst_us"] == 0 and sum(l["jitter"]) == l["ticks"] for l in x["loops"])' \
    'all(len(l["jitter"]) == len(x["jitter_below_us"]) + 1 for l in x["loops"])' \
    'len(x["hands"]) == 1 and x["hands"][0]["device"] == "sim:omega3" and x["hands"][0]["body"] == "box"' \
    'x["hands"][0]["trips"] == 0 and not x["hands"][0]["latched"] and x["hands"][0]["last_trip"] == ""' \
    'x["hands"][0]["gains"]["stiffness"] == 500 and x["hands"][0]["gains"]["reason"] == ""' \
    'all(abs(a - b) < 2e-3 for a, b in zip(x["hands"][0]["position"], [0.3, 0.2, 0.52]))' \
    'x["loops"][2]["max_force_step"] == x["hands"][0]["max_force_step"] > 0' \
    'x["loops"][2]["energy_min"] == x["hands"][0]["energy_min"] and x["loops"][2]["trips"] == 0' \
    'x["hands"][0]["acted"]["peak force"] == 0 and x["hands"][0]["acted"]["ramp"] > 0'
quiet

# the same each time, with jitter as well; another seed is another run
for seed in 1 1 2; do
    # shellcheck disable=SC2086
    run 0 run box.yaml $virtual --script lift.txt --duration 1.5 --jitter 2e-4 --step-time 5e-4 --seed $seed --json
    python3 -c 'import json; print(json.load(open("out"))["hash"])' >> hashes
done
[ "$(sort hashes | uniq -c | awk '{print $1}' | sort | tr '\n' ' ')" = "1 2 " ] ||
    fail "hashes of seeds 1, 1, 2: $(tr '\n' ' ' < hashes)"
holds '50 < x["loops"][2]["worst_us"] <= 200'

# weight is felt, m g of 0.2 kg, as force on the hand and on the body
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --gravity 0,0,-9.81 --device sim:omega3 --hand firm --duration 4 --json
says "the simulated hand rests; --script FILE"
holds 'abs(x["hands"][0]["force"][2] + 1.962) < 0.02 and abs(x["hands"][0]["wrench"]["force"][2] - 1.962) < 0.02'

# a device that cannot be as stiff as asked for says why
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --hold box --duration 0.1 --json
says "cut to 240 N/m"
holds '"cut to 240 N/m" in x["hands"][0]["gains"]["reason"] and x["hands"][0]["gains"]["asked_stiffness"] == 500'

# what is recorded happens again, bit for bit: held in virtual time, touched, and in real time
# shellcheck disable=SC2086
run 0 run table $virtual --hold mug@0,0,0.03 --script lift.txt --duration 1 --record held.sinew --plot held.svg
prints "held.sinew"
prints "haptics: hand"
# the recording has the meters of the report
# shellcheck disable=SC2086
run 0 run table $virtual --hold mug@0,0,0.03 --script lift.txt --duration 1 --record metered.sinew --stall haptics@0.3+0.06 --json
cp out report.json
run 0 replay metered.sinew --json
cp out replay.json
python3 -c '
import json
report, replay = json.load(open("report.json")), json.load(open("replay.json"))
assert len(report["loops"]) == len(replay["loops"]) == 3
for said, kept in zip(report["loops"], replay["loops"]):
    assert said["ticks"] > 900 and all(kept[key] == value for key, value in said.items()), (said, kept)
hand, kept = report["hands"][0], replay["loops"][2]
for key in ("energy", "acted", "trips", "last_trip", "latched", "max_force"):
    assert hand[key] == kept[key], key
assert kept["trips"] == 1
' || fail "the meters of the recording are not those of the report"
run 0 replay metered.sinew --verify
prints "haptics: hand"
prints "bit for bit"
run 0 export metered.sinew -o metered.csv
[ "$(cut -d, -f2,3 metered.meters.csv | tail -3 | tr '\n' ' ')" = "1000,simulation 1000,coupling 1000,haptics " ] ||
    fail "meters as a table: $(tail -3 metered.meters.csv)"
[ "$(wc -l < metered.meters.csv)" -ge 10 ] || fail "meters are written some times a second"
# a loop that falls behind is told of, and so is that it keeps up again
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --script lift.txt --duration 3.2 --stall haptics@1.2+0.5 --json
says "the haptics loop of hand hand falls behind: it ran at 501 Hz of 1000 Hz for a second"
says "the haptics loop of hand hand runs at its rate again: 1000 Hz of 1000 Hz"
grep -q "force on hand" held.svg || fail "the plot has no force"
grep -q "body z" held.svg || fail "the plot has no way of the body"
printf '0 0 0 0 1\n0.5 0 0 -0.04 1\n' > press.txt
# shellcheck disable=SC2086
run 0 run stack:1 $virtual --mode touch --hand firm --script press.txt --duration 1 --record touched.sinew --json
holds 'x["hands"][0]["mode"] == "touch" and x["hands"][0]["force"][2] > 0.5'
run 0 run box.yaml --headless --script lift.txt --duration 0.3 --record real.sinew --json
holds 'x["ok"] and x["steps"] == 300 and x["wall_s"] >= 0.29 and x["loops"][2]["ticks"] > 0'
for name in held touched real; do
    run 0 replay $name.sinew --verify
    prints "bit for bit"
done

# a simulation that stands still: force ends with the cause named, and comes back
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --gravity 0,0,-3 --hand firm --duration 3 --stall simulation@1+0.5 --json
says "force was stopped 1 time, last because: the simulation has stopped or is late"
holds 'x["hands"][0]["trips"] == 1 and "simulation has stopped" in x["hands"][0]["last_trip"]' \
    'x["hands"][0]["acted"]["watchdog"] > 0 and not x["hands"][0]["latched"] and x["hands"][0]["gain"] == 1' \
    'round(x["loops"][2]["rate_hz"]) == 1000 and x["loops"][0]["late"] == 1 and x["loops"][0]["worst_us"] == 5e5'
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --duration 2 --stall haptics@1+0.1 --json
holds '"haptic loop was kept from running" in x["hands"][0]["last_trip"]'

# slow is not stopped: 10 steps a second
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --script lift.txt --pace 0.01 --duration 0.04 --json
holds 'round(x["loops"][0]["rate_hz"]) == 10 and round(x["loops"][2]["rate_hz"]) == 1000 and x["hands"][0]["trips"] == 0'

# hands of a scene, two on one bar, with options over them; a pointer is left out
cat > two.yaml <<'YAML'
version: 1
gravity: [0, 0, 0]
objects:
- {name: bar, box: [0.4, 0.05, 0.05], mass: 0.5}
devices:
- {name: a, driver: simulated, profile: omega3}
- {name: b, driver: sim}
- {name: mouse, driver: pointer}
hands:
- {name: left, device: a, item: bar, point: [-0.15, 0, 0], stiffness: 300, buttons: [grab]}
- {name: right, device: b, item: bar, point: [0.15, 0, 0]}
- {name: third, device: mouse, item: bar}
duration: 1
YAML
# shellcheck disable=SC2086
run 0 run two.yaml $virtual --script lift.txt --stiffness 150 --rate 2000 --json
says "hand 'third' is moved by a pointer"
holds '[(h["name"], h["device"], h["body"]) for h in x["hands"]] == [("left", "sim:omega3", ""), ("right", "sim:touch", "bar")]' \
    'all(h["gains"]["stiffness"] == 150 for h in x["hands"]) and x["asked"]["duration"] == 1' \
    '[round(l["rate_hz"]) for l in x["loops"][2:]] == [2000, 2000]'
printf '0 0 0 0\n1 0 0 0\n' > still.txt
# shellcheck disable=SC2086
run 0 run two.yaml $virtual --script still.txt lift.txt --json
holds '[h["body"] for h in x["hands"]] == ["bar", "bar"]'
# shellcheck disable=SC2086
run 2 run two.yaml $virtual --script lift.txt lift.txt lift.txt
says "3 files, but 2 simulated hands"

# a device of one's own; vendors' devices, which are fakes here; nobody's time can be hurried
export SINEW_OPENHAPTICS=$build/tests/fake/libHD.so GTDD_HOME=$work/gtdd
mkdir -p gtdd/config
touch "gtdd/config/Left Device.config"
run 0 run box.yaml --headless --device "openhaptics:Left Device" --duration 0.2 --json
holds 'x["hands"][0]["profile"] == "omni" and x["hands"][0]["acted"]["enable button"] > 0'
run 0 run box.yaml --headless --driver "$build/examples/driver/knob.so" --device knob --duration 0.1 --json
holds 'x["hands"][0]["device"] == "knob"'
# shellcheck disable=SC2086
run 2 run box.yaml $virtual --device "openhaptics:Left Device" --duration 1
says "whose time nobody can hurry"
run 2 run box.yaml --device "openhaptics:Left Device" --hand firm --duration 1
says "--hand is for simulated devices"

# the enable button
printf '0 0 0 0\n1 0 0 0.02\n' > open.txt
# shellcheck disable=SC2086
run 0 run box.yaml $virtual --script open.txt --duration 1 --json
says "has an enable button, which the script never holds"
holds 'x["hands"][0]["max_force"] == 0 and x["hands"][0]["cause"] == "the enable button is not held"'

# what cannot be
run 2 run box.yaml --headless --device sim:tuch --duration 1
says "did you mean 'sim:touch'?"
run 2 run box.yaml --headless --device nothing --duration 1
says "nothing"
run 2 run box.yaml --headless --hand strong --duration 1
says "there is no hand 'strong'; choose one of light"
run 2 run box.yaml --headless --script nowhere.txt --duration 1
says "nowhere.txt cannot be read"
printf '0 0 0 0 1\n1 0 nan 0 1\n' > bad.txt
run 2 run box.yaml --headless --script bad.txt --duration 1
says "bad.txt:2"
printf '# a comment\n0 0 0 0 1\n0 0 0 1 1\n' > back.txt
run 2 run box.yaml --headless --script back.txt --duration 1
says "back.txt:3"
run 2 run box.yaml --headless --hold bux --duration 1
says "did you mean 'box'?"
run 2 run box.yaml --headless --hold box@1,2 --duration 1
says "BODY@X,Y,Z"
run 2 run floor --headless --duration 1
says "nothing in it moves"
run 2 run box.yaml --headless
says "how long?"
run 2 run box.yaml --headless --duration 1 --rate 100
says "1000 to 4000 Hz"
run 2 run box.yaml --headless --duration 1 --stall simulation@1+1
says "add --virtual-time"
for word in simulation sim@1+1 simulation@+1 simulation@1 haptics@1+0 haptics@-1+1 @1+1; do
    # shellcheck disable=SC2086
    run 2 run box.yaml $virtual --duration 1 --stall $word
    says "is not LOOP@T+D"
done
run 2 run box.yaml --headless --duration 1 --plot nowhere/run.svg
says "nowhere/run.svg"
run 2 run box.yaml --headless --duration 1 --record nowhere/run.sinew
says "nowhere/run.sinew"
run 2 run box.yaml --headless --duration 1 --driver /nowhere/driver.so
says "/nowhere/driver.so"

# what the viewer cannot do (what it can: tests/server); Ctrl-C ends early and keeps what there is
run 2 run box.yaml --virtual-time --duration 0.1
says "add --headless"
run 2 run box.yaml --plot run.svg --no-open
says "add --duration"
run 2 run --headless --duration 1
says "give a SCENE"
run 0 run box.yaml --duration 0.1 --no-open --port 0
prints "http://127.0.0.1:"
"$SINEW" run box.yaml --headless --duration 60 --json --record cut.sinew > out 2> err &
pid=$!
for _ in $(seq 100); do
    [ -s cut.sinew ] && break
    sleep 0.05
done
sleep 0.2
kill -INT $pid
wait $pid
[ $? -eq 1 ] || fail "an interrupted run has another exit status than 1"
says "interrupted after"
holds 'not x["ok"] and x["stopped"] == "interrupted" and 0 < x["simulated_s"] < 60'
run 0 replay cut.sinew --verify
finish
