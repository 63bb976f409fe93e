# SPDX-License-Identifier: Apache-2.0
# sinew eval against closed forms (tests/data/make_cases.py), and cases that do not fit.
. "$(dirname "$0")/common.bash"

# The stored cases are what the script writes.
mkdir made
python3 "$data/make_cases.py" made
diff -r made "$data/cases" > /dev/null || fail "tests/data/cases is not what make_cases.py writes"

for model in "$data"/cases/*.model.json; do
    name=$(basename "$model" .model.json)
    cases=$data/cases/$name.cases.json
    for algorithm in aba crba dca adaptive; do
        run 0 eval "$model" --cases "$cases" --algorithm $algorithm
        prints "0 different"
        grep -q DIFFERENT out && fail "$name, $algorithm: $(grep DIFFERENT out | head -1)"
        run 0 eval "$model" --cases "$cases" --algorithm $algorithm --json
        python3 - "$cases" <<'PY' || fail "$name, $algorithm: JSON differs from the closed form"
import json, sys

def numbers(x):
    if isinstance(x, dict):
        return [n for k in sorted(x) for n in numbers(x[k])]
    if isinstance(x, list):
        return [n for y in x for n in numbers(y)]
    return [x]

answers, cases = json.load(open("out")), json.load(open(sys.argv[1]))
assert [a["case"] for a in answers] == [c["case"] for c in cases]
for answer, case in zip(answers, cases):
    for key, value in case.items():
        if key in ("case", "model"):
            assert answer[key] == value
            continue
        a, b = numbers(answer[key]), numbers(value)
        assert len(a) == len(b), key
        size = max([abs(y) for y in b] + [1e-3])
        for x, y in zip(a, b):
            assert abs(x - y) <= 1e-9 * size, (key, x, y)
    for key in ("qdd", "nle", "gravity_torque", "body_pose", "body_vel", "body_acc",
                "kinetic_energy", "potential_energy", "com", "centroidal_momentum"):
        assert key in answer, key
PY
    done
done

# An answer is a case with answers: it can be given back.
model=$data/cases/double_pendulum.model.json
run 0 eval "$model" --cases "$data/cases/double_pendulum.cases.json" --json \
    --with M,delassus_local,delassus_world_aligned
holds 'len(x) == 1 and len(x[0]["delassus_local"]["matrix"]) == 12 and "M" in x[0]'
cp out stored.json
run 0 eval "$model" --cases stored.json --algorithm crba
prints "delassus_world_aligned"
prints "0 different"

# Several files, in their order; a file with one case; a case with no answers.
echo '{"q": [0.3, -0.2]}' > one.json
echo '[{"case": "b", "q": [0, 0]}, {"case": "a", "q": [1, 1], "v": [1, 0]}]' > two.json
run 0 eval "$model" --cases one.json two.json --json
holds '[c["case"] for c in x] == ["one", "b", "a"] and all("M" not in c for c in x)'
run 0 eval "$model" --cases one.json
prints "kinetic energy"
run 0 eval hrp2 --cases <("$SINEW" info hrp2 --json | python3 -c '
import json, sys
m = json.load(sys.stdin)
print(json.dumps({"q": [0, 0, 1, 0, 0, 0, 1] + [0.1] * 32}))') --json
holds 'abs(x[0]["qdd"][2] + 9.81) < 5'

# Accelerations alone: many cases at once, some with wrenches or another gravity, equal those one by one.
for model_name in chain:20 hrp2 human random:15:3; do
    "$SINEW" info $model_name --json > model.json
    python3 - <<'PY'
import json, math, random

random.seed(7)
bodies = json.load(open("model.json"))["bodies"]

def quaternion():
    x = [random.gauss(0, 1) for _ in range(4)]
    return [y / math.hypot(*x) for y in x]

def numbers(count):
    return [random.uniform(-1, 1) for _ in range(count)]

def joint_q(body):
    if body["type"] == "free":
        return numbers(3) + quaternion()
    return quaternion() if body["type"] == "spherical" else numbers(body["nq"])

cases = []
for i in range(50):
    case = {"case": f"number {i}", "q": sum((joint_q(b) for b in bodies), [])}
    nv = sum(b["nv"] for b in bodies)
    if i != 3:
        case["v"], case["tau"] = numbers(nv), numbers(nv)
    if i % 6 == 0:
        case["fext"] = [{"body": len(bodies) - 1, "wrench": numbers(6)}]
    if i % 4 == 0:
        case["gravity"] = [1, 2, 3]
    if i == 5:
        case["gravity"] = [0, 0, 0]
    cases.append(case)
json.dump(cases, open("many.json", "w"))
PY
    run 0 eval $model_name --cases many.json --json
    cp out whole.json
    for algorithm in aba crba; do
        run 0 eval $model_name --cases many.json --only qdd --algorithm $algorithm --json
        quiet
        python3 - $algorithm <<'PY' || fail "$model_name, $algorithm: --only qdd differs from one by one"
import json, sys
tolerance = 1e-12 if sys.argv[1] == "aba" else 1e-9  # another way to compute it
few, whole = json.load(open("out")), json.load(open("whole.json"))
assert len(few) == len(whole) == 50
for a, b in zip(few, whole):
    assert list(a) == ["case", "model", "qdd"], list(a)
    assert a["case"] == b["case"] and a["model"] == b["model"]
    size = max(map(abs, b["qdd"]))
    assert len(a["qdd"]) == len(b["qdd"])
    for x, y in zip(a["qdd"], b["qdd"]):
        assert abs(x - y) <= tolerance * size, (a["case"], x, y, size)
PY
    done
    run 0 eval $model_name --cases whole.json --only qdd
    prints "50 cases, 50 compared, 0 different"
    grep -q nle out && fail "--only qdd compares more"
done
run 0 eval chain:20 --cases <(python3 -c 'print({"q": [0] * 20})' | tr "'" '"') --only qdd
grep -q energy out && fail "--only qdd prints energies"
run 2 eval "$model" --cases one.json --only qdd --with M
says "--only qdd answers nothing else"
run 2 eval "$model" --cases one.json --only qd
says "did you mean 'qdd'?"

# Hands: the law answers what its definition says of the other answers, whatever the algorithm.
for model_name in double_pendulum hrp2 human random:15:3; do
    "$SINEW" info $model_name --json > model.json
    python3 - <<'PY'
import json, math, random

random.seed(8)
bodies = json.load(open("model.json"))["bodies"]

def joint_q(body):
    if body["type"] in ("free", "spherical"):
        x = [random.gauss(0, 1) for _ in range(4)]
        return [0.1, 0.2, 0.3][:3 * (body["type"] == "free")] + [y / math.hypot(*x) for y in x]
    return [random.uniform(-1, 1) for _ in range(body["nq"])]

last = len(bodies) - 1
some = [[last], [0], [last, last // 2], [last, 0, last]]
cases = []
for grabbed in some:
    case = {"case": f"hands {grabbed}", "q": sum((joint_q(b) for b in bodies), [])}
    case["v"] = [random.uniform(-1, 1) for _ in range(sum(b["nv"] for b in bodies))]
    case["fext"] = [{"body": last, "wrench": [1, -2, 3, 0.1, 0.2, -0.3]}]
    case["delassus_local"] = {"bodies": grabbed}
    cases.append(dict(case))
    case["grab"] = [{"body": b, "wrench": [random.uniform(-3, 3) for _ in range(6)]} for b in grabbed]
    cases.append(case)
json.dump(cases, open("hands.json", "w"))
PY
    for algorithm in $("$SINEW" eval --help | sed -n 's/^ *--algorithm \([a-z|-]*\).*$/\1/p' | head -1 | tr '|' ' '); do
        run 0 eval $model_name --cases hands.json --algorithm "$algorithm" --json
        quiet
        python3 - <<'PY' || fail "$model_name, $algorithm: hands do not feel what they should"
import json

bodies = json.load(open("model.json"))["bodies"]
answers = json.load(open("out"))

def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def near(a, b, size):
    assert len(a) == len(b)
    for x, y in zip(a, b):
        assert abs(x - y) <= 1e-9 * max(size, *map(abs, b)), (x, y, size)

def momentum(body, t):  # I t, [force; moment] of [linear; angular]
    v, w, c, m = t[:3], t[3:], body["com"], body["mass"]
    xx, xy, xz, yy, yz, zz = body["inertia_com"]
    p = [m * (a + b) for a, b in zip(v, cross(w, c))]
    J = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    n = [sum(J[i][k] * w[k] for k in range(3)) + cross(c, p)[i] for i in range(3)]
    return p + n

def cross_force(t, f):
    v, w = t[:3], t[3:]
    return cross(w, f[:3]) + [a + b for a, b in zip(cross(w, f[3:]), cross(v, f[:3]))]

for plain, x in zip(answers[::2], answers[1::2]):
    assert "K" not in plain and plain["qdd"] == x["qdd"]  # hands enter f_feed only
    grab = x["grab"]
    f_u = sum((g["wrench"] for g in grab), [])
    n = len(f_u)
    big = max(max(map(abs, row)) for row in x["Lambda"])
    for row, other in zip(x["Lambda"], x["delassus_local"]["matrix"]):
        near(row, other, big)
    for i, g in enumerate(grab):
        b, rows = g["body"], range(6 * i, 6 * i + 6)
        R, v = x["body_pose"][b]["R"], x["body_vel"][b]
        g_b = [sum(R[3 * k + j] * x["gravity"][k] for k in range(3)) for j in range(3)] + [0, 0, 0]
        a0 = [p - q for p, q in zip(x["body_acc"][b], g_b)]
        near([x["a0"][r] for r in rows], a0, max(map(abs, a0)))
        gyro = cross_force(v, momentum(bodies[b], v))
        f0 = [p + q for p, q in zip(momentum(bodies[b], a0), gyro)]
        size = 1 + max(map(abs, f0 + gyro))
        near([x["f0"][r] for r in rows], f0, size)
        near([x["weight"][r] for r in rows], momentum(bodies[b], g_b), 1)
        for c in range(n):
            column = momentum(bodies[b], [x["Lambda"][r][c] for r in rows])
            near([x["K"][r][c] for r in rows],
                 [y - (6 * i + k == c) for k, y in enumerate(column)], 1)
        near([x["f_feed"][r] for r in rows],
             [x["f0"][r] + sum(x["K"][r][c] * f_u[c] for c in range(n)) for r in rows], size)
PY
    done
    cp out stored_hands.json
    run 0 eval $model_name --cases stored_hands.json
    for key in Lambda a0 K f0 weight f_feed; do prints "  $key "; done
    prints "0 different"
done
python3 -c '
import json
x = json.load(open("stored_hands.json"))
x[1]["K"][0][1] += 1e-6
x[3]["f_feed"][2] += 1e-3
json.dump(x, open("wrong_hands.json", "w"))'
run 1 eval random:15:3 --cases wrong_hands.json
prints "2 different"
# A body in free fall answers with nothing, one that is held with the opposite and without its weight.
echo '{"q": [0,0,0,0,0,0,1], "grab": [{"body": 0, "wrench": [1,2,3,4,5,6]}]}' > one_hand.json
run 0 eval chain:1 --base free --cases one_hand.json
prints "feels force"
run 0 eval "$data/cases/free_body.model.json" --cases one_hand.json --json
holds 'max(map(abs, x[0]["f_feed"])) < 1e-12 and x[0]["weight"][2] < 0'

# Adaptive dynamics against dca: what it leaves out is known exactly, falls with the budget, and a case
# does not depend on the one before it.
python3 - <<'PY'
import json, random
random.seed(9)
cases = [{"case": f"number {i}", "q": [random.uniform(-1, 1) for _ in range(24)]} for i in range(3)]
cases[1]["fext"] = [{"body": 12, "wrench": [5, -9, 3, 0.1, 0.2, 0.3]}]
json.dump(cases, open("chain.json", "w"))
json.dump(cases[2], open("last.json", "w"))
PY
run 0 eval chain:24 --cases chain.json --algorithm dca --json
cp out dca.json
for budget in 0 1 4 9 23 24; do
    run 0 eval chain:24 --cases chain.json --algorithm adaptive --max-active $budget --metric unit --json
    quiet
    cp out adaptive_$budget.json
done
python3 - <<'PY' || fail "adaptive dynamics does not leave out what it says"
import json, math
full = json.load(open("dca.json"))
before = [math.inf] * 3
for budget in (0, 1, 4, 9, 23, 24):
    for i, (x, all) in enumerate(zip(json.load(open(f"adaptive_{budget}.json")), full)):
        assert x["active_joints"] == len(x["active"]) <= budget
        total = math.hypot(*all["qdd"])
        left_out = math.hypot(*(a for k, a in enumerate(all["qdd"]) if k not in x["active"]))
        assert abs(x["total_metric"] - total) <= 1e-9 * total
        assert abs(x["remaining_error"] ** 2 - left_out ** 2) <= 1e-9 * total ** 2
        assert x["remaining_error"] <= before[i] * (1 + 1e-9)
        before[i] = x["remaining_error"]
        assert not any(a for k, a in enumerate(x["qdd"]) if k not in x["active"])
        if budget == 24:
            assert max(abs(a - b) for a, b in zip(x["qdd"], all["qdd"])) <= 1e-9 * total
PY
run 0 eval chain:24 --cases last.json --algorithm adaptive --max-active 9 --json
cp out alone.json
run 0 eval chain:24 --cases chain.json --algorithm adaptive --max-active 9 --json
holds 'x[2] == json.load(open("alone.json"))[0]'
cp out stored_adaptive.json
run 0 eval chain:24 --cases stored_adaptive.json --algorithm adaptive --max-active 9
prints "3 compared, 0 different"
prints "9 of 24 joints active, remaining error"
prints "  total_metric "
run 1 eval chain:24 --cases stored_adaptive.json --algorithm adaptive --max-active 8
prints "3 different"
run 0 eval chain:24 --cases chain.json --algorithm adaptive --threshold 50 --json
holds 'all(0 < c["remaining_error"] <= 50 and 0 < c["active_joints"] < 24 for c in x)'
for option in "--max-active 3" "--threshold 1" "--metric unit"; do
    # shellcheck disable=SC2086
    run 2 eval chain:24 --cases chain.json $option
    says "only adaptive dynamics locks joints, aba moves all of them; add --algorithm adaptive"
done
run 2 eval chain:24 --cases chain.json --algorithm adaptive --threshold -1
says "'-1' is not a number of at least 0"
run 2 eval chain:24 --cases chain.json --algorithm adaptive --metric mass
says "choose one of inertia|unit"

# A wrong answer is found.
python3 -c '
import json
x = json.load(open("stored.json"))
x[0]["qdd"][1] *= 1 + 1e-7
json.dump(x, open("wrong.json", "w"))'
for only in "" "--only qdd"; do
    # shellcheck disable=SC2086
    run 1 eval "$model" --cases wrong.json $only
    prints DIFFERENT
    prints "1 different"
done

# Cases that do not fit name the file, the case, the field, what it has and what it needs.
try() {
    echo "$1" > bad.json
    run 2 eval "$model" --cases bad.json --json
    says "sinew: bad.json: case \"$2\": $3"
    [ ! -s out ] || fail "output for a bad case"
}
try '{"case": "x", "q": [1]}' x "q has 1 numbers, the model needs 2"
try '{"case": "x", "q": [1, 2, 3]}' x "q has 3 numbers, the model needs 2"
try '{"q": [1, 2], "v": [1]}' bad "v has 1 numbers, the model needs 2"
try '{"q": [1, 2], "tau": []}' bad "tau has 0 numbers, the model needs 2"
try '{"q": [1, "a"]}' bad "q[1] is not a number"
try '{"q": 3}' bad "q is not a list of numbers"
try '{"v": [0, 0]}' bad "q is missing"
try '{"q": [1, 2], "gravity": [1]}' bad "gravity has 1 numbers, it needs 3"
try '{"q": [1, 2], "fext": {}}' bad "fext is not a list"
try '{"q": [1, 2], "fext": [{"body": 2, "wrench": [0,0,0,0,0,0]}]}' bad "fext[0].body is not a body"
try '{"q": [1, 2], "fext": [{"body": 0.5, "wrench": [0,0,0,0,0,0]}]}' bad "fext[0].body is not a body"
try '{"q": [1, 2], "fext": [{"body": "nobody", "wrench": [0,0,0,0,0,0]}]}' bad "fext[0].body: there is no moving body 'nobody'"
try '{"q": [1, 2], "fext": [{"body": 1, "wrench": [0,0,0]}]}' bad "fext[0].wrench has 3 numbers"
try '{"q": [1, 2], "grab": 3}' bad "grab is not a list"
try '{"q": [1, 2], "grab": [{"body": 2, "wrench": [0,0,0,0,0,0]}]}' bad "grab[0].body is not a body"
try '{"q": [1, 2], "grab": [{"body": 1, "wrench": [0,0,0]}]}' bad "grab[0].wrench has 3 numbers"
try '{"q": [1, 2], "grab": [{"body": 1}]}' bad "grab[0].wrench is not a list of numbers"
hand='{"body": 1, "wrench": [0,0,0,0,0,0]}'
try "{\"q\": [1, 2], \"grab\": [$hand,$hand,$hand,$hand,$hand,$hand,$hand,$hand,$hand]}" bad "grab lists 9 hands; at most 8"
try '{"q": [1, 2], "delassus_local": {"bodies": [5]}}' bad "delassus_local.bodies[0] is not a body"
try '{"q": [1, 2], "delassus_local": [1]}' bad "delassus_local has no list of bodies"

echo '[{"q": [0, 0, 0, 0, 0, 0, 1]}, {"case": "long", "q": [0, 0, 0, 0, 0, 0.1, 1]}]' > bad.json
run 2 eval "$data/cases/free_body.model.json" --cases bad.json
says 'case "long": q: the quaternion of joint '
says "order x,y,z,w"
echo '{"q": [1, 2], "taux": [1, 2]}' > bad.json
run 0 eval "$model" --cases bad.json --json
says "taux is not used; did you mean tau?"

run 2 eval chain:40 --cases <(python3 -c 'print({"q": [0] * 40})' | tr "'" '"') --with delassus_local
says '"delassus_local": {"bodies": [...]}'
run 2 eval "$model" --cases one.json --with N
says "--with: 'N' is not known"
run 2 eval "$model"
says "no cases given"
run 2 eval "$model" --cases nowhere.json
says "sinew: nowhere.json: cannot be read"
echo '{"q": [1, 2' > cut.json
run 2 eval "$model" --cases cut.json
grep -qE '^sinew: cut.json:[0-9]+:[0-9]+: ' err || fail "no place in: $(head -1 err)"
echo '{"q": [NaN, 1]}' > nan.json
run 2 eval "$model" --cases nan.json
echo '[]' > none.json
run 2 eval "$model" --cases none.json
says "holds no case"
echo '[3]' > three.json
run 2 eval "$model" --cases three.json
says "case 0 is not an object"
echo '{"q": [1, 2], "q": [1, 2]}' > twice.json
run 2 eval "$model" --cases twice.json
says "duplicate"
python3 -c 'print("[" * 100000)' > deep.json
run 2 eval "$model" --cases deep.json

# A case that fits but cannot be computed: status 1, and the array stays whole.
echo '[{"case": "huge", "q": [0, 0], "v": [1e200, 1e200]}, {"case": "fine", "q": [0, 0]}]' > huge.json
run 1 eval "$model" --cases huge.json --json
says 'case "huge": cannot be evaluated'
holds 'len(x) == 2 and "error" in x[0] and "qdd" in x[1]'

python3 -c '
import json
cases = [{"case": str(i), "q": [0.1 * i, 0], "v": [1e200, 0] if i in (2, 9) else [1, 0]} for i in range(12)]
json.dump(cases, open("huge.json", "w"))'
run 1 eval "$model" --cases huge.json --only qdd --json
says 'case "2": cannot be evaluated'
says 'case "9": cannot be evaluated'
holds '[c["case"] for c in x if "error" in c] == ["2", "9"] and sum("qdd" in c for c in x) == 10'

# A URDF gets the free root its cases were made with, and says so.
cat > box.urdf <<'X'
<robot name="box"><link name="box"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="box"/><child link="arm"/></joint></robot>
X
echo '{"q": [0, 0, 0, 0, 0, 0, 1, 0.5]}' > free.json
run 0 eval box.urdf --cases free.json --json
says "loaded with a free root"
holds 'abs(x[0]["qdd"][2] + 9.81) < 1e-12'
run 0 eval box.urdf --cases free.json --base free --json
quiet
run 2 eval box.urdf --cases free.json --base file
says "q has 8 numbers, the model needs 1"
finish
