# SPDX-License-Identifier: Apache-2.0
# sinew bench solve: what its JSON and its report hold; not how long anything takes.
. "$(dirname "$0")/common.bash"

run 0 bench
prints "solve"
mkdir none problems
cp "$data/contact/pair.fc3d" "$data/contact/skew_blocks.dat" problems
echo "not a problem" > problems/readme.txt

run 0 bench solve --quick --reps 1 --json --report report --files problems "$data/contact/apart.fc3d"
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "solve"'
holds '{"tower-10", "wall-6x6", "object-25", "humanoid-32", "capsules-100", "pair", "skew_blocks", "apart"} <= {
    r["case"] for r in x["rows"]}'
holds 'all({"sinew:nsgs", "sinew:nsgs-no-newton", "sinew:gauss-seidel", "sinew:projection", "sinew:admm"} <= {
    r["engine"] for r in x["rows"] if r["case"] == c} for c in ("tower-10", "pair", "skew_blocks"))'
holds 'all(r["error"] <= 1e-8 and r["median_us"] > 0 for r in x["rows"] if r.get("solved"))'
holds 'all(r["median_us"] is None and r["trouble"] for r in x["rows"] if r.get("solved") == 0)'
holds 'all(r["solved"] for r in x["rows"] if r["engine"] == "sinew:nsgs" and r["case"] in ("pair", "skew_blocks", "apart"))'
holds '[r["n"] for r in x["rows"] if r["engine"] == "body-space"] == [8, 16, 32, 64, 128]'
holds '{"contact_space_exponent", "body_space_exponent", "vs_plain_median"} <= set(x["ratios"])'
# Present only with the peer.
holds '("vs_siconos_median" in x["ratios"]) == any(r["engine"].startswith("siconos") for r in x["rows"])'
python3 - <<'PY' || fail "the report is not what it should be"
import json, re
import xml.etree.ElementTree as xml
page = open("report/report.html").read()
assert set(re.findall(r"https?://[^\"' )]*", page)) == {"http://www.w3.org/2000/svg"}
assert not re.search(r"<(script|link|img|iframe)|@import|src=", page)
assert "<svg" in page and "How it was measured" in page and "<th>contacts</th>" in page
xml.fromstring(page.partition("<body>")[2].join(("<body>", "")).replace("</html>", ""))
xml.parse("report/sweeps.svg")
assert json.load(open("report/report.json")) == json.load(open("out"))
PY

run 0 bench solve --quick --reps 1 --files problems/pair.fc3d
prints "problem"
prints "no newton"
prints "pair"
prints "body space [us]"

run 2 bench solve --quick --files nowhere.dat
says "nowhere.dat: no such file"
run 2 bench solve --quick --files none
says "--files none: holds no .fc3d and no .dat files"
run 2 bench solve --quick --peers none
says "--peers none: there is no sinew-peer-siconos"
run 2 bench solve --lines chain8
says "--lines belongs to"
run 2 bench coupling --files problems
says "--files belongs to"
finish
