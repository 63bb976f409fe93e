# SPDX-License-Identifier: Apache-2.0
# sinew bench adaptive and sinew bench coupling: what their JSON and their reports hold; not how long
# anything takes.
. "$(dirname "$0")/common.bash"

# report FOLDER CHART: a page and a picture that need nothing else, and the data.
report() {
    python3 - "$@" <<'PY' || fail "the report of $1 is not what it should be"
import json, re, sys
import xml.etree.ElementTree as xml
folder, chart = sys.argv[1:]
page = open(f"{folder}/report.html").read()
assert set(re.findall(r"https?://[^\"' )]*", page)) == {"http://www.w3.org/2000/svg"}
assert not re.search(r"<(script|link|img|iframe)|@import|src=", page)
assert "<svg" in page and "How it was measured" in page
xml.fromstring(page.partition("<body>")[2].join(("<body>", "")).replace("</html>", ""))
xml.parse(f"{folder}/{chart}")
data = json.load(open(f"{folder}/report.json"))
assert data == json.load(open("out")) and all(row["case"] in page for row in data["rows"])
PY
}

run 0 bench
prints "adaptive"
prints "coupling"

run 0 bench adaptive --quick --reps 2 --json --report steps
quiet
report steps steps.svg
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "adaptive"'
holds '{"case", "n", "engine", "median_us", "min_us", "reps"} <= set(x["rows"][0])'
holds '[(r["case"], r["engine"]) for r in x["rows"] if "forward" not in r["case"]] == [
    ("build-1e5", "sinew:adaptive")] + [(s + n, "sinew:" + e) for s in ("chain", "tree") for n, e in (
    ("1e3", "adaptive"), ("1e4", "adaptive"), ("1e5", "adaptive"), ("1e3", "aba"), ("1e3", "dca"),
    ("1e5", "aba"), ("1e5", "dca"))]'
holds '[r["case"] for r in x["rows"] if r["engine"] == "sinew:dca" and "forward" in r["case"]] == [
    "forward-" + s for s in ("chain100", "chain1000", "chain10000", "tree1000", "hrp2", "human")]'
holds 'all(0 < r["min_us"] <= r["median_us"] and r["reps"] >= 1 for r in x["rows"])'
holds 'all(r["active"] == 50 and r["left_out"] < 1 for r in x["rows"] if "changed" in r)'
holds 'max(r["changed"] for r in x["rows"] if "changed" in r) > 1' # it is not always the same joints
holds 'all(r["agree"] <= 1e-6 for r in x["rows"] if "agree" in r)'
holds 'x["rows"][0]["seconds"] > 0 and x["rows"][0]["megabytes"] > 10'
holds 'list(x["ratios"]) == ["vs_aba", "vs_dca", "flatness", "proportional", "dca_over_aba"]'
holds 'x["ratios"]["flatness"] is None and x["ratios"]["proportional"] is None'
python3 - <<'PY' || fail "ratios are not those of the rows"
import json
x = json.load(open("out"))
at = {(r["case"], r["engine"].partition(":")[2]): r["median_us"] for r in x["rows"]}
for name in ("aba", "dca"):
    found = min(at[s + "1e5", name] / at[s + "1e5", "adaptive"] for s in ("chain", "tree"))
    assert abs(found / x["ratios"]["vs_" + name] - 1) < 1e-9
found = max(r["over_aba"] for r in x["rows"] if "over_aba" in r and r["n"] >= 100)
assert found == x["ratios"]["dca_over_aba"]
PY

run 0 bench coupling --quick --json --report feel
quiet
report feel coupling.svg
holds 'x["bench"] == "coupling"'
holds 'set(t + "-" + n for t in ("refresh", "two-pass", "tick", "local", "prepare") for n in (
    "40", "857", "1e3")) <= set(r["case"] for r in x["rows"])'
holds '{"refresh-857-fresh", "hands-1", "hands-2", "hands-4", "hands-8"} <= set(r["case"] for r in x["rows"])'
holds '[r["n"] for r in x["rows"] if r["case"].startswith("refresh") and "fresh" not in r["case"][7:]] == [
    40, 857, 1000]'
holds 'all(0 < r["min_us"] <= r["median_us"] for r in x["rows"])'
holds 'all(r["nodes"] <= 3 * math.log2(r["n"]) for r in x["rows"] if r["case"].startswith("refresh"))'
holds 'all(r["nodes"] <= 2 * r["k_log2_n_over_k"] for r in x["rows"] if "hands" in r)'
holds 'set(x["ratios"]) >= {"growth_1e6_over_1e3", "tick_1e6_over_857"}'
holds 'x["ratios"]["growth_1e6_over_1e3"] is None'

run 0 bench coupling --quick --reps 1
prints "growth_1e6_over_1e3"
prints "Making the law of several hands"
run 2 bench coupling --lines chain8
says "--lines belongs to"
run 2 bench adaptive --reps 20000
says "too many"
touch taken
run 2 bench adaptive --quick --report taken
says "--report taken: cannot be made"
finish
