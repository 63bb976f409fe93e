# SPDX-License-Identifier: Apache-2.0
# sinew bench viewer: what its JSON, its tables and its report hold; not how long anything takes. The page is measured
# in a browser by `make bench` and by people: here there is none.
. "$(dirname "$0")/common.bash"
export CHROMIUM=none

run 0 bench
prints "viewer"

run 0 bench viewer --quick --reps 2 --json --report viewer
says "without a browser"
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "viewer"'
holds '[r["case"] for r in x["rows"]] == ["bodies-10000", "pointer", "viewers-4", "page"]'
holds '[r["n"] for r in x["rows"]] == [10000, 2, 2, 2]'
holds 'list(x["ratios"]) == ["core_percent_60hz", "frames_s", "pointer_ms", "slower_percent", "page_mb", "first_picture_s"]'
python3 - <<'PY' || fail "rows and ratios of the viewer"
import json
x = json.load(open("out"))
row = {r["case"]: r for r in x["rows"]}
frames, pointer, viewers, page = (row[n] for n in ("bodies-10000", "pointer", "viewers-4", "page"))
# every body in every frame: 32 bytes each, and a little around them
assert 320000 < frames["frame_bytes"] < 321000 and frames["frames_s"] > 0
assert abs(frames["core_percent_60hz"] - 60e-4 * frames["median_us"]) < 1e-9 * frames["median_us"]
assert 0 < pointer["min_us"] <= pointer["median_us"] <= pointer["worst_us"] and pointer["reps"] == 2
assert viewers["rate_1_hz"] > 0 and viewers["rate_4_hz"] > 0
assert "trouble" in page or 1e4 < page["page_bytes"] < 1.5e6
assert x["ratios"]["first_picture_s"] is None
html = open("viewer/report.html").read()
assert all(r["case"] in html for r in x["rows"]) and "How it was measured" in html
assert json.load(open("viewer/report.json")) == x
PY
