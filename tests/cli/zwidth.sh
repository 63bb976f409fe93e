# SPDX-License-Identifier: Apache-2.0
# sinew zwidth: the map, its bounds, its picture; what it refuses.
. "$(dirname "$0")/common.bash"

# With nobody holding it and little damping the region ends at the passive bound, K (T/2 + t) + B = b.
run 0 zwidth --device touch_x --hand none --task grip --json --output map.svg
quiet
python3 - <<'PY' || fail "the map of touch_x"
import json
x = json.load(open("out"))
assert (x["device"], x["hand"], x["task"], x["rate_hz"], x["delay"]) == ("touch_x", "none", "grip", 1000, 0)
c, cells, b, t = x["certified"], x["cells"], x["friction"], x["slowness"]
assert len(cells) == 24 * 16 and abs(b - 1) < 1e-12 and abs(t - 1e-3) < 1e-12
assert c["stable"] and abs(c["stiffness"] * t + c["damping"] - 0.8 * b) < 1e-9
inside = [q for q in cells if q["stiffness"] * t + q["damping"] <= b]
assert len(inside) > 20 and all(q["stable"] for q in inside)
least = min(q["damping"] for q in cells)
first = min(q["stiffness"] for q in cells if not q["stable"] and q["damping"] == least)
assert b / t <= first <= 1.4 * b / t, first
assert all(q["stable"] == (q["cycle"] <= 0.05 and q["produced"] <= 1e-6 + q["stiffness"] * 23e-6 ** 2 / 2) for q in cells)
PY
python3 - <<'PY' || fail "the picture"
import xml.etree.ElementTree as E
words = " ".join(E.parse("map.svg").getroot().itertext())
for part in ("stiffness [N/m]", "damping [N s/m]", "passive below", "certified: 600 N/m", "hand none"):
    assert part in words, part
PY

# Delay and a slower loop cost stiffness; a device is named with sim: or without; the encoder's bound is drawn where it is.
run 0 zwidth --device sim:touch_x --hand firm --rate 500 --delay 0.001 --output slow.svg
prints "touch_x, hand firm, wall, 500 Hz, 1 ms"
prints "K * 2.5 ms + B <= 1 N s/m"
prints "certified: 240 N/m and 0.2 N s/m, stable"
quiet
run 0 zwidth --device premium15_6dof --hand light --output encoder.svg
grep -q "2 f / step" encoder.svg || fail "the encoder's bound is not drawn"

run 2 zwidth
says "--device is missing"
run 2 zwidth --device nothing
says "there is no profile 'nothing'"
run 2 zwidth --device touch --hand strong
says "there is no hand 'strong'"
run 2 zwidth --device touch --rate 10
says "--rate is between"
run 2 zwidth --device touch --delay 1
says "--delay is at most"
run 2 zwidth --device touch --delay -1
run 2 zwidth --device touch --task floor
run 1 zwidth --device touch --output /nowhere/map.svg
says "/nowhere/map.svg"
finish
