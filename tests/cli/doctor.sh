# SPDX-License-Identifier: Apache-2.0
# sinew doctor: on this machine, whatever it is like, and on machines made of files.
. "$(dirname "$0")/common.bash"
unset SINEW_OPENHAPTICS SINEW_FORCEDIMENSION FDSDK
export HOME=$work

# this machine: every topic is there, and what is not fine says what to do. The measured jitter may be anything.
"$SINEW" doctor --seconds 0.2 --json > out 2> err
status=$?
[ $status -le 1 ] || fail "exit status $status"
quiet
python3 - $status <<'PY' || fail "the JSON is not as it should be"
import json, sys
x = json.load(open("out"))
clock, findings = x["clock"], x["findings"]
counts = [b["count"] for b in clock["histogram"]]
assert x["ok"] == (sys.argv[1] == "0") == all(f["verdict"] != "does not work" for f in findings)
assert {"real-time priority", "locked memory", "processors", "processor speed", "kernel", "clock source",
        "container", "clock jitter", "udev rules", "groups", "openhaptics",
        "forcedimension"} <= {f["topic"] for f in findings}
for f in findings:
    assert f["verdict"] in ("fine", "could be better", "does not work") and f["text"]
assert clock["ticks"] == 200 == sum(counts)
assert 0 <= clock["median_us"] <= clock["p99_us"] <= clock["p999_us"] <= clock["worst_us"]
bounds = [b["below_us"] or float("inf") for b in clock["histogram"]]
assert bounds == sorted(bounds) and bounds[-1] == float("inf")
last = max(i for i, n in enumerate(counts) if n)
assert clock["worst_us"] < bounds[last] and (last == 0 or clock["worst_us"] >= bounds[last - 1])
PY

"$SINEW" doctor --seconds 0.1 --plot late.svg > out 2> err
prints "how late a loop of 1 kHz woke up, 100 times"
quiet
python3 -c 'import xml.dom.minidom as m; m.parse("late.svg")' || fail "the picture is not XML"
awk 'length($0) > 100 { exit 1 }' out || fail "wider than 100 columns"

# finding TOPIC VERDICT TEXT: what the machine of files got; a finding is one line
finding() {
    grep -F "\"topic\": \"$1\", \"verdict\": \"$2\"," out | grep -qF -- "$3" || fail "no finding: $1 $2 $3"
}
machine=$work/machine
cpu=$machine/sys/devices/system/cpu
mkdir -p "$cpu/cpu0/cpufreq" "$cpu/cpu1/cpufreq" "$machine/sys/kernel" "$machine/proc/sys/kernel" \
    "$machine/sys/devices/system/clocksource/clocksource0" "$machine/etc/udev/rules.d"
look() { SINEW_DOCTOR_ROOT=$machine "$SINEW" doctor --seconds 0.01 --json > out; }

echo performance | tee "$cpu/cpu0/cpufreq/scaling_governor" > "$cpu/cpu1/cpufreq/scaling_governor"
echo 1 > "$machine/sys/kernel/realtime"
echo tsc > "$machine/sys/devices/system/clocksource/clocksource0/current_clocksource"
echo 950000 > "$machine/proc/sys/kernel/sched_rt_runtime_us"
echo 'SUBSYSTEM=="usb", ATTR{idVendor}=="1451", MODE="0666"' > "$machine/etc/udev/rules.d/51-fd.rules"
look
finding "processor speed" fine performance
finding kernel fine PREEMPT_RT
finding "clock source" fine tsc
finding "real-time budget" fine "most of each second"
finding container fine none
finding "udev rules" fine "Force Dimension devices (USB 1451)"

echo powersave > "$cpu/cpu1/cpufreq/scaling_governor"
echo 0 > "$machine/sys/kernel/realtime"
echo "#1 SMP PREEMPT_DYNAMIC" > "$machine/proc/sys/kernel/version"
echo hpet > "$machine/sys/devices/system/clocksource/clocksource0/current_clocksource"
echo 100000 > "$machine/proc/sys/kernel/sched_rt_runtime_us"
touch "$machine/.dockerenv"
look
finding "processor speed" "could be better" "powersave on 1 of 2"
finding "processor speed" "could be better" cpupower
finding kernel "could be better" preempt=full
finding "clock source" "could be better" hpet
finding "real-time budget" "could be better" sched_rt_runtime_us
finding container "could be better" cap-add

echo "quiet preempt=full" > "$machine/proc/cmdline"
echo 0 > "$machine/proc/sys/kernel/sched_rt_runtime_us"
look && fail "what does not work has exit status 0"
finding kernel fine preemptible
finding "real-time budget" "does not work" "0 us"
prints '"ok": false'
rm "$machine/proc/cmdline"
echo "#1 SMP" > "$machine/proc/sys/kernel/version"
look
finding kernel "could be better" "not preemptible"

# a library that is there but does not work
echo garbage > garbage.so
SINEW_OPENHAPTICS=$work/garbage.so "$SINEW" doctor --seconds 0.01 --json > out
[ $? -eq 1 ] || fail "a broken library has exit status 0"
finding openhaptics "does not work" "cannot be loaded"

run 2 doctor --seconds 0
says "above zero"
run 2 doctor --plot /nowhere/late.svg
says "/nowhere/late.svg"
finish
