# SPDX-License-Identifier: Apache-2.0
"""Uses the Python module that was installed under the folder it is given, and nothing else of ours."""

import sys
from pathlib import Path

import sinew

root = Path(sys.argv[1]).resolve()
assert root in Path(sinew.__file__).resolve().parents, sinew.__file__
with open("/proc/self/maps") as maps:
    libraries = {line.split()[-1] for line in maps if "libsinew" in line}
assert len(libraries) == 1 and root in Path(libraries.pop()).resolve().parents
assert "hrp2" in sinew.shipped_models()
sim = sinew.load("hrp2")
sim.step(100)
assert sim.step_count == 100 and len(sim.contacts) > 0
for scene in sinew.shipped_scenes():
    sinew.load(scene, recording=False).step()
print("done")
