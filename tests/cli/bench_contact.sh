# SPDX-License-Identifier: Apache-2.0
# sinew bench contact: what must happen in its scenes happens, its JSON and its report have the agreed shape; not how
# long anything takes.
. "$(dirname "$0")/common.bash"

run 0 bench
prints "contact"
mkdir none

run 0 bench contact --quick --peers none --json --report report \
    --lines incline-holds,incline-slides,box-stops,sphere-rolls,ball-bounces,boxes-collide,pile-64,hrp2-32
says "no other engines"
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "contact"'
holds '[r["engine"] for r in x["rows"]] == ["sinew:nsgs"] * 8'
holds 'all("trouble" in r or r["median_us"] >= r["min_us"] > 0 and r["realtime"] > 0 for r in x["rows"])'
holds 'x["ratios"]["realtime_human_100"] is None'
cat > facts.py <<'PY'
import json
rows = {r["case"]: r for r in json.load(open("out"))["rows"]}
def near(case, fact, most):
    if "trouble" in rows[case]:  # so slow here that it was stopped
        assert rows[case]["trouble"].startswith("stopped after"), rows[case]
        return
    assert abs(rows[case][fact]) <= most, (case, fact, rows[case][fact])
near("incline-holds", "creep_mm", 1e-3)
near("incline-slides", "acceleration_pct", 0.1)
near("sphere-rolls", "acceleration_pct", 0.1)
near("box-stops", "distance_pct", 0.25)   # half a step of 2 m/s on 0.51 m is 0.2 %
# Where in its step the ball lands: one g h of 4.4, 3.5, 2.8 m/s, so 0.44, 0.55, 0.69 % of the height; they add up.
near("ball-bounces", "bounce1_pct", 0.6)
near("ball-bounces", "bounce3_pct", 1.8)
near("boxes-collide", "momentum_pct", 1e-6)
near("boxes-collide", "angular_pct", 1e-6)
near("boxes-collide", "energy_gain_pct", 0)
near("pile-64", "moved_mm", 0.01)
near("pile-64", "energy_rise_mJ", 0.1)    # of 20 J
near("hrp2-32", "drift_mm", 0.2)
assert rows["pile-64"].get("contacts") in (64, None) and rows["hrp2-32"].get("contacts") in (32, None), rows
for r in rows.values():
    assert "trouble" in r or r["depth_mm"] < 1 and r["residual"] <= 1.01e-4, r
PY
python3 facts.py || fail "not what must happen"
python3 - <<'PY' || fail "the report is not what it should be"
import json, re
import xml.etree.ElementTree as xml
page = open("report/report.html").read()
assert not re.search(r"<(script|link|img|iframe)|@import|src=", page)
assert "How it was measured" in page and "<th>creep_mm</th>" in page
xml.fromstring(page.partition("<body>")[2].join(("<body>", "")).replace("</html>", ""))
assert json.load(open("report/report.json")) == json.load(open("out"))
PY

run 0 bench contact --quick --peers none --lines box-stops,broad-10000
prints "off by"
prints "distance"
prints "10000 of them"

run 2 bench contact --quick --lines box-stop
says "did you mean 'box-stops'"
run 2 bench contact --quick --peers nowhere
says "--peers nowhere: cannot be read"
run 2 bench contact --files none
says "--files belongs to"

# Other engines: one that dies, one that talks nonsense, one that cannot say what it is.
mkdir peers
for way in 'dies exit 3' 'nonsense echo yes'; do
    printf '#!/bin/sh\nwhile read -r a; do case $a in variants) echo variants x ;; *) %s ;; esac; done\n' \
        "${way#* }" > "peers/sinew-step-${way%% *}"
done
printf '#!/bin/sh\nread -r a; echo error no\n' > peers/sinew-step-none
chmod +x peers/*
run 0 bench contact --quick --peers peers --lines box-stops --json
holds 'len(x["rows"]) == 3 and "ended: exit status 3" in x["rows"][1]["trouble"]'
holds '"its answer is none" in x["rows"][2]["trouble"] and x["rows"][2]["median_us"] is None'
finish
