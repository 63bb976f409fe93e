# SPDX-License-Identifier: Apache-2.0
# Every case of the reference vectors (Pinocchio in extended precision), through the command line:
# qdd, body accelerations and all else to 1e-9, or ten times the error the file itself reports.
. "$(dirname "$0")/common.bash"

vectors=${SHARED:-nowhere}/vectors/dynamics
[ -d "$vectors" ] || { echo "no reference vectors in $vectors"; exit 77; }

total=0
for model in "$vectors"/models/*.json "$vectors"/models/*.urdf; do
    name=$(basename "${model%.*}")
    cases=("$vectors/$name"__*.json)
    [ -e "${cases[0]}" ] || continue
    run 0 eval "$model" --cases "${cases[@]}" --json
    python3 - "${cases[@]}" <<'PY' || fail "$(basename "$model") differs"
import json, sys

def numbers(x):
    if isinstance(x, dict):
        return [n for k in sorted(x) for n in numbers(x[k])]
    if isinstance(x, list):
        return [n for y in x for n in numbers(y)]
    return [x]

answers = json.load(open("out"))
assert len(answers) == len(sys.argv) - 1
for answer, path in zip(answers, sys.argv[1:]):
    case = json.load(open(path))
    assert (answer["model"], answer["case"]) == (case["model"], case["case"])
    accuracy = case["accuracy"]
    tolerance = max(1e-9, 10 * max(accuracy["pinocchio_double_local_rel_err"],
                                   accuracy["pinocchio_double_world_rel_err"]))
    for key, value in case.items():
        if key in ("model", "case", "accuracy"):
            continue
        a, b = numbers(answer[key]), numbers(value)
        assert len(a) == len(b), (path, key)
        size = max(map(abs, b), default=0) or 1
        worst = max((abs(x - y) for x, y in zip(a, b)), default=0)
        assert worst <= tolerance * max(size, 1e-3), (path, key, worst / size)
PY
    total=$((total + ${#cases[@]}))
    run 0 eval "$model" --cases "${cases[@]}"
    prints "0 different"
done
echo "$total cases"
[ $total -ge 100 ] || fail "only $total cases"
finish
