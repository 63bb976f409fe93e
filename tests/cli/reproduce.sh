# SPDX-License-Identifier: Apache-2.0
# sinew reproduce: the claims show, the reports have the agreed shape.
. "$(dirname "$0")/common.bash"

run 0 reproduce
prints keith-joints
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
finish
