# SPDX-License-Identifier: Apache-2.0
# sinew bench world: what its JSON, its tables and its report hold; not how long anything takes.
. "$(dirname "$0")/common.bash"
export TMPDIR=$work/temporary
mkdir "$TMPDIR"

run 0 bench
prints "world"

run 0 bench world --quick --reps 1 --json --report world
quiet
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "world"'
holds '{"case", "n", "engine", "median_us", "min_us", "reps"} <= set(x["rows"][0])'
holds '[r["case"] for r in x["rows"]] == ["overhead-30", "overhead-30-busy", "load-1e5", "record-cost", "python-step"]'
holds '[r["n"] for r in x["rows"]] == [33, 33, 100000, 33, 1]'
holds 'list(x["ratios"]) == ["overhead_us", "overhead_busy_us", "load_1e5_s", "record_percent", "python_step_us"]'
python3 - <<'PY' || fail "rows and ratios of the world"
import json
x = json.load(open("out"))
row = {r["case"]: r for r in x["rows"]}
plain, load, record, python = (row[n] for n in ("overhead-30", "load-1e5", "record-cost", "python-step"))
assert plain["median_us"] > plain["clock_us"] > 0 and plain["stages_us"] > 1
assert x["ratios"]["overhead_us"] == plain["median_us"]
assert load["dof"] == 600000 and 0 < load["reading_s"] < load["seconds"] == load["median_us"] * 1e-6
assert x["ratios"]["load_1e5_s"] == load["seconds"]
assert record["lost_steps"] == 0 and record["bytes_a_step"] > 8 * 77 and record["step_us"] > 1
assert x["ratios"]["record_percent"] == record["percent"]
assert "skipped" in python.get("trouble", "") or python["step_us"] > 0
page = open("world/report.html").read()
assert all(r["case"] in page for r in x["rows"]) and "How it was measured" in page
assert json.load(open("world/report.json")) == x
PY

# Without a Python that has the module the row says so, and the rest is there.
PATH=/nowhere SINEW_LIBRARY=/nowhere/libsinew.so SINEW_PYTHON=/nowhere/python3 \
    "$SINEW" bench world --quick --reps 1 > out 2> err || fail "without a Python"
prints "skipped: there is no Python"
for part in overhead-30 load-1e5 record-cost record_percent; do
    prints "$part"
done
rmdir "$TMPDIR" || fail "files are left behind"
run 2 bench world --lines chain8
says "--lines belongs to"
finish
