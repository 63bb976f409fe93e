# SPDX-License-Identifier: Apache-2.0
# Scenarios with avatars that take longer, and the report of a paper.
. "$(dirname "$0")/common.bash"

run 0 reproduce chardonnet-lift --json
holds 'x["holds"]'
holds 'all(0.01 < f["value"] < 1 for f in x["facts"] if f["key"].endswith(("hip_pitch", "waist_pitch", "shoulder_pitch")))'
holds 'sum(f["key"].endswith("_file") for f in x["facts"]) == 3'
run 0 reproduce pushes --quick --json --plot pushes.svg
holds '{f["key"]: f["value"] for f in x["facts"]}["least_balance"] >= 50'
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("pushes.svg")' || fail "not XML"
run 0 reproduce keith-avatars --json
holds 'x["holds"] and {f["key"] for f in x["facts"]} >= {"basket", "arm_stays", "man_basket", "gaze", "no_gaze", "manners", "can", "bar"}'
finish
