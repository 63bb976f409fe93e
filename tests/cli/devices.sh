# SPDX-License-Identifier: Apache-2.0
# sinew devices: what is there, what can be simulated, drivers of one's own, trying one. Vendors' libraries are fakes.
. "$(dirname "$0")/common.bash"
build=$(dirname "$SINEW")
knob=$build/examples/driver/knob.so
unset SINEW_OPENHAPTICS SINEW_FORCEDIMENSION FDSDK
export HOME=$work GTDD_HOME=$work/gtdd

run 0 devices
prints "openhaptics:"
prints "forcedimension:"
prints "sim:touch"
quiet

run 0 devices --json
holds '{"openhaptics", "forcedimension"} <= {d["driver"] for d in x["drivers"]}'
holds 'all(d["devices"] or d["why_none"] for d in x["drivers"])'
holds '{"sim:touch", "sim:omega7"} <= {s["word"] for s in x["simulated"]}'
holds 'all(s["peak_force"] > 0 and s["inputs"] in (3, 6) for s in x["simulated"])'

# libraries that are not there, no libraries, or lack something
SINEW_OPENHAPTICS=/nowhere/libHD.so run 0 devices
prints "not at /nowhere/libHD.so"
echo garbage > garbage.so
SINEW_FORCEDIMENSION=$work/garbage.so run 0 devices
prints "cannot be loaded"
SINEW_OPENHAPTICS=$build/tests/fake/libHD_lacking.so run 0 devices
prints "has no function hdEndFrame"

# fakes that work
export SINEW_OPENHAPTICS=$build/tests/fake/libHD.so SINEW_FORCEDIMENSION=$build/tests/fake/libdrd.so
run 0 devices
prints "Touch_Setup"
prints "forcedimension:1"
mkdir -p gtdd/config
touch "gtdd/config/Left Device.config"
run 0 devices --json
holds '[d["devices"][0]["word"] for d in x["drivers"] if d["driver"] == "openhaptics"] == ["openhaptics:Left Device"]'
holds '[(len(d["devices"]), d["why_none"]) for d in x["drivers"] if d["driver"] == "forcedimension"] == [(2, "")]'
run 0 devices --try "openhaptics:Left Device" --seconds 0.2 --json
holds 'x["ok"] and x["profile"] == "omni" and x["good"] > 0 and x["rate_hz"] > 0'
run 0 devices --try forcedimension:1 --seconds 0.2
prints "forcedimension:1: it answers"
prints "sigma7"
prints "gripper"

# trying what is not there
run 1 devices --try "openhaptics:Third Device"
says "does not answer"
run 2 devices --try openhaptic
says "did you mean 'openhaptics'?"
run 2 devices --try forcedimension:x
says "neither a number"

# a driver of one's own
run 0 devices --driver "$knob"
prints "knob: example of a driver"
run 0 devices --driver "$knob" --try knob --seconds 0.1 --json
holds 'x["ok"] and x["buttons"] == 0 and x["position"] == [0, 0, 0] and x["trouble"] == ""'
run 1 devices --driver "$knob" --try knob:stuck --seconds 0.1
prints "put some oil on it"
prints "does not answer"
run 2 devices --driver /nowhere/driver.so
says "/nowhere/driver.so"
run 2 devices --driver "$build/tests/fake/libHD.so"
says "SN_DRIVER_EXPORT"
run 2 devices --driver "$knob" "$knob"
says "there is a driver 'knob' already"
run 2 devices something
says "one word too many"
finish
