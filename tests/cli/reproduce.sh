# SPDX-License-Identifier: Apache-2.0
# sinew reproduce: the claims show, the reports have the agreed shape.
. "$(dirname "$0")/common.bash"

run 0 reproduce
prints keith-joints
prints chardonnet-fig3 # its own tests are in delassus.sh
run 0 reproduce --json
holds 'any(e["name"] == "keith-joints" for e in x)'
run 0 reproduce keith-joints --plot keith.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("keith.svg")' || fail "not XML"
run 0 reproduce keith-joints --json
holds 'x["holds"] and x["massless_refused"]'
# hinges: unstable from wider angles the longer the step; ball: small, the same from all sides
holds 'sorted(x["hinges_unstable_within_deg"], reverse=True) == x["hinges_unstable_within_deg"]'
holds 'min(x["hinges_unstable_within_deg"]) > 0.1'
holds 'max(x["ball_largest_error"]) < 0.01 and abs(x["ball_order"] - 1) < 0.1'
holds 'all(r["unstable_at"] is None for r in x["rows"] if r["joint"] == "ball")'
holds 'any(r["stopped_at"] is not None for r in x["rows"] if r["joint"] == "three hinges")'
run 2 reproduce keith-joints --plot nowhere/keith.svg
says "cannot be written"

# Pendulum: accelerations are the more exact the more joints are active, at every state.
run 0 reproduce redon-pendulum --quick --plot pendulum.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("pendulum.svg")' || fail "not XML"
grep -qiE 'nan|inf' pendulum.svg && fail "pendulum.svg has numbers that are not finite"
run 0 reproduce redon-pendulum --quick --json
holds 'x["holds"] and x["remaining_monotone"] and x["m_norm_monotone"] and x["m_norm_bounded"]'
cat > monotone.py <<'PY'
import json, math, sys
x = json.load(open("out"))
groups = {}
for e in x["errors"]:
    groups.setdefault((e["motion"], e["state"]), []).append(e)
assert {m for m, _ in groups} == {"at rest", "moving"}
for rows in groups.values():
    rows.sort(key=lambda e: e["max_active"])
    for a, b in zip(rows, rows[1:]):
        assert b["remaining"] <= a["remaining"] + 1e-8, (a, b)
        assert b["m_norm"] <= a["m_norm"] + 1e-9, (a, b)
    assert all(e["active"] <= e["max_active"] for e in rows)
    assert all(e["m_norm"] <= e["bound"] + 1e-9 for e in rows)
    assert rows[0]["m_norm"] > 0.1 and rows[-1]["m_norm"] < 1e-9
for r in x["runs"]:
    assert math.isfinite(r["tip_off_most"]) and r["step_seconds"] > 0, r
off = [r["tip_off_end"] for r in x["runs"] if r["dynamics"] == "adaptive"]
assert off[0] == 0 and off[1] < off[-1], off
PY
python3 monotone.py || fail "redon-pendulum: not monotone"

# Crowd: within the budget, finite, near to where all joints lead.
run 0 reproduce redon-crowd --quick --plot crowd.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("crowd.svg")' || fail "not XML"
run 0 reproduce redon-crowd --quick --json
holds 'x["holds"] and x["bodies"] == 89 * x["humans"] and x["degrees_of_freedom"] == 95 * x["humans"]'
holds 'all(c["active_most"] <= c["max_active"] for c in x["choices"])'
holds 'all(c["off_end"] < 0.25 * x["moved_end"] for c in x["choices"])'
holds 'all(math.isfinite(a["remaining_error"]) for s in x["samples"] for a in s["adaptive"])'
holds 'all(a["remaining_error"] <= a["total_metric"] * (1 + 1e-8) for s in x["samples"] for a in s["adaptive"])'

# Pyramids: askew by less than half the angle between two edges; more facets are nearer and dearer.
run 0 reproduce lcp-vs-nsgs --quick --plot lcp.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("lcp.svg")' || fail "not XML"
run 0 reproduce lcp-vs-nsgs --quick --json
holds 'x["holds"] and [s["facets"] for s in x["summary"]] == [4, 8, 16, 0]'
holds 'all(r["direction_deg"] <= 180 / r["facets"] + 1e-6 for r in x["slides"] if r["facets"])'
holds 'all(r["residual"] <= 1e-8 and r["direction_deg"] < 0.1 for r in x["slides"] if not r["facets"])'

# Steps with contact: how fast they are decides about the claim, which is not for a test.
"$SINEW" reproduce keith-timing --quick --plot timing.svg --json > out 2> err
holds '[(r["model"], r["points"]) for r in x["rows"]][:2] == [("hrp2", 32), ("human", 112)]'
holds '[(r["case"], r["points"] >= p) for r, p in zip(x["rows"][2:], (32, 112))] == [("collaboration", True), ("collaboration_human", True)]'
holds 'all(r["seconds"] > 0 and r["residual"] <= 1.01e-4 and r["depth_mm"] < 1 for r in x["rows"])'
"$SINEW" reproduce chardonnet-contacts --quick --plot contacts.svg --json > out 2> err
holds '[r["points"] for r in x["rows"]] == [8, 16, 32, 64, 16, 36, 64, 100]'
holds 'all(r["step_us"] > 0 and r["residual"] <= 1.01e-4 for r in x["rows"])'
for picture in timing.svg contacts.svg; do
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' $picture || fail "$picture: not XML"
done
run 0 reproduce penalty-divergence --quick --plot penalty.svg
prints "The claim holds."
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("penalty.svg")' || fail "not XML"
run 0 reproduce penalty-divergence --quick --json
holds 'all(r["stands"] == (r["solver"] == "nsgs") for r in x["rows"])'
# A hand in two proteins; whether steps are shorter with fewer torsions is a matter of time, not judged here.
"$SINEW" reproduce morin-fig5 --quick --json --plot morin.svg > out 2> err
holds 'x["reproduce"] == "morin-fig5" and [r["torsions"] for r in x["runs"]] == [40, 857]' \
    '"".join(p["phase"] for p in x["runs"][1]["phases"] if p["phase"] != "rest") == "abcdef"' \
    '[p["active"] for p in x["runs"][1]["phases"]] == [857] * 8 + [48] * 5' \
    'all(p["coupling_us"] > 0 and p["felt_pN"] > 0 for r in x["runs"] for p in r["phases"] if p["phase"] != "rest")' \
    'x["paper"]["coupling_us_40"] == 50'
# Work of a hand on a helix, and a side chain over its barriers: physics, so they must hold.
run 0 reproduce unfold --quick --json --plot unfold.svg
holds 'x["holds"] and {f["key"]: f["value"] for f in x["facts"]}["missing_1fs"] < 1'
run 0 reproduce rotamer --json --plot rotamer.svg
holds 'x["holds"] and {f["key"]: f["value"] for f in x["facts"]}["fall_pN"] > 100'
for picture in morin unfold rotamer; do
    python3 -c "import xml.dom.minidom; xml.dom.minidom.parse('$picture.svg')" || fail "$picture: not XML"
done
finish
