# SPDX-License-Identifier: Apache-2.0
# sinew bench delassus and sinew reproduce chardonnet-fig3: what they print and write; not how long
# anything takes.
. "$(dirname "$0")/common.bash"

run 0 bench
prints "delassus"
run 0 bench delassus --quick --reps 2 --json --report report --lines snake
quiet
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "delassus"'
holds 'all(0 < r["min_us"] <= r["median_us"] and r["reps"] >= 1 for r in x["rows"])'
holds 'set((r["case"], r["engine"][6:]) for r in x["rows"]) >= set(("hrp2-%d" % n, m)
    for n in (8, 16, 32, 64, 128) for m in ("per-point", "per-body", "chang-khatib", "compressed", "tree"))'
holds 'all(r["rows"] == 3 * int(r["case"][5:]) and r["agree"] < 1e-11 for r in x["rows"] if "agree" in r)'
holds 'set(r["case"] for r in x["rows"]) >= {"hrp2-32-new", "hrp2-32-omega", "hrp2-32-projection",
    "hrp2-32-product", "hrp2-c2", "hrp2-c4-forward", "hrp2-c8", "snake-c4", "chain32", "chain8192"}'
holds 'set(x["ratios"]) >= {"per_point_over_per_body", "per_point_over_best"}'
# counted, so the same everywhere: 96 forces through 33 joints, up and down; six wrenches for each of four bodies
holds '[r["multiplications_omega"] for r in x["rows"] if (r["case"], r["engine"]) == ("hrp2-32", "sinew:per-point")] == [
    2 * 96 * (32 * 16 + 6 + 6 * 13)]'
holds 'x["ratios"]["work_per_point_over_per_body"] > 2'
python3 - <<'PY' || fail "ratios are not those of the rows"
import json
x = json.load(open("out"))
at = {r["engine"][6:]: r["min_us"] for r in x["rows"] if r["case"] == "hrp2-32" and r["engine"] != "sinew:dense"}
assert abs(at["per-point"] / at["per-body"] / x["ratios"]["per_point_over_per_body"] - 1) < 1e-9
assert abs(at["per-point"] / min(at.values()) / x["ratios"]["per_point_over_best"] - 1) < 1e-9
PY
python3 - <<'PY' || fail "the report is not what it should be"
import json, re
import xml.etree.ElementTree as xml
page = open("report/report.html").read()
assert set(re.findall(r"https?://[^\"' )]*", page)) == {"http://www.w3.org/2000/svg"}
xml.parse("report/delassus.svg")
assert json.load(open("report/report.json")) == json.load(open("out"))
PY
run 0 bench delassus --quick --reps 1
prints "the paper has about 6.5"
prints "Pinocchio 3.7"
run 1 bench delassus --quick --lines nosuchmodel
says "nosuchmodel"
run 2 bench delassus --quick --peers .
says "--peers belongs to"

run 0 reproduce chardonnet-fig3 --quick --plot fig3.svg --json
holds 'x["holds"] and x["chang_khatib_fewer_multiplications_on_one_branch"]'
holds 'x["paper_ratio"] == 6.5 and x["poses"] == 4 and x["agree"] < 1e-11'
holds '{(r["contacts"], r["method"]) for r in x["rows"]} == {(c, m) for c in ("feet and hands", "one branch")
    for m in ("per-point", "chang-khatib", "per-body", "compressed", "tree")}'
holds 'all(len(r["omega_us"]) == len(r["projection_us"]) == 4 for r in x["rows"])'
holds 'all(0 < t < 1e6 for r in x["rows"] for t in r["omega_us"] + r["projection_us"])'
holds 'x["ratio_least"] <= x["ratio_mean"] <= x["ratio_most"] and x["multiplications_ratio"] > 2'
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("fig3.svg")' || fail "not XML"
grep -qiE 'nan|inf' fig3.svg && fail "fig3.svg has numbers that are not finite"
finish
