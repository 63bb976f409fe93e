# SPDX-License-Identifier: Apache-2.0
# sinew bench haptics: what its JSON, its tables and its report hold; not how long anything takes.
. "$(dirname "$0")/common.bash"

run 0 bench
prints "haptics"

run 0 bench haptics --quick --reps 2 --json --report haptics
quiet
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "haptics"'
holds '[r["case"] for r in x["rows"]] == ["tick-40", "tick-857", "tick-1e5", "device-3", "device-6", "safety-3", "safety-6", "tick-857-fresh", "coupling-857", "tick-contact-fresh", "coupling-contact"]'
holds '[r["dof"] for r in x["rows"]][:3] == [40, 857, 100000]'
holds 'all("trouble" not in r and r["reps"] == 2 and 0 < r["min_us"] <= r["median_us"] for r in x["rows"])'
holds 'all(r["min_us"] <= r["mean_us"] for r in x["rows"])'
holds 'list(x["ratios"]) == ["tick_857_over_40", "tick_1e5_over_40", "tick_1e6_over_40"]'
holds 'x["ratios"]["tick_857_over_40"] == x["rows"][1]["mean_us"] / x["rows"][0]["mean_us"]'
holds 'x["ratios"]["tick_1e6_over_40"] is None'
python3 - <<'PY' || fail "report"
import json
x = json.load(open("out"))
page = open("haptics/report.html").read()
assert all(r["case"] in page for r in x["rows"]) and "How it was measured" in page
assert json.load(open("haptics/report.json")) == x
assert "whole tick" in open("haptics/ticks.svg").read()
PY

run 2 bench haptics --lines chain8
says "--lines belongs to"
finish
