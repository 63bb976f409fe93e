# SPDX-License-Identifier: Apache-2.0
# sinew bench dynamics: its JSON, its report, and helper programs that are right, wrong, dead, silent or
# talking nonsense.
. "$(dirname "$0")/common.bash"
export SINEW
mkdir none

run 0 bench
prints "dynamics"

# Without other engines.
run 0 bench dynamics --quick --json --peers none
says "run \`make peers\`"
holds 'list(x) == ["bench", "machine", "rows", "ratios"] and x["bench"] == "dynamics"'
holds 'set(x["machine"]) == {"cpu", "cores", "system", "compiler"}'
holds '{"case", "n", "engine", "median_us", "min_us", "reps", "ns_per_joint", "agree"} <= set(x["rows"][0])'
holds '[r["case"] for r in x["rows"] if r["engine"] == "sinew:aba"] == [
    s + str(n) for s, ns in (("chain", (8, 32, 128, 512, 2048)), ("tree", (7, 31, 127, 511, 2047)))
    for n in ns] + ["arm", "hrp2", "human", "chain1e3", "chain1e4", "chain1e5"]'
holds '[r["engine"] for r in x["rows"] if r["case"] == "chain128"] == [
    "sinew:aba", "sinew:crba", "sinew:aba-scalar", "sinew:reference", "sinew:aba-batch"]'
holds '[r["n"] for r in x["rows"] if r["engine"] == "sinew:aba-batch"] == [128, 33]'
holds 'all(r["agree"] <= (1e-6 if r["engine"] == "sinew:crba" else 1e-9) for r in x["rows"])'
holds 'all(0 < r["min_us"] <= r["median_us"] for r in x["rows"] if "trouble" not in r)'
holds 'all(abs(r["ns_per_joint"] * r["n"] - 1e3 * r["median_us"]) <= 1e-9 * 1e3 * r["median_us"]
           for r in x["rows"] if r["median_us"])'
holds 'set(x["ratios"]) >= {"vs_fastest_peer_min", "vs_fastest_peer", "per_joint_1e6_over_1e3", "batch64"}'
holds 'x["ratios"]["vs_fastest_peer_min"] is None and x["ratios"]["vs_fastest_peer"] == {}'
holds 'x["ratios"]["per_joint_1e6_over_1e3"] is None and x["ratios"]["batch64"] > 0'
holds '"not in this run" in x["ratios"]["vs_rbdl_noted"]["note"]'

# A helper program that speaks the protocol of bench/peers; what it does is in its name.
cat > fake.py <<'PY'
#!/usr/bin/env python3
import json, os, subprocess, sys, time
mode = os.path.basename(sys.argv[0]).removeprefix("sinew-peer-")
with open(f"{mode}.pids", "a") as pids:
    print(os.getpid(), file=pids)
model = state = None
for line in sys.stdin:
    command, _, argument = line.strip().partition(" ")
    if command == "model":
        model = argument
        nv = json.load(open(model))["nv"]
        if mode == "refuses" and nv > 8:
            answer = "error unsupported joint <type>"
        else:
            answer = f"ok {mode} 1.0 {nv + (mode == 'miscounts')}"
    elif command == "state":
        state, answer = argument, "ok"
    elif command == "qdd":
        if mode == "dies":
            os._exit(3)
        if mode == "crashes":
            os.kill(os.getpid(), 11)
        while mode == "hangs":
            time.sleep(1)
        found = subprocess.run([os.environ["SINEW"], "eval", model, "--cases", state, "--only", "qdd",
                                "--json"], check=True, capture_output=True, text=True).stdout
        qdd = json.loads(found)[0]["qdd"]
        if mode == "wrong":
            qdd[-1] += 1e-6 * max(map(abs, qdd))
        if mode == "short":
            qdd.pop()
        answer = "qdd " + " ".join(map(repr, qdd))
    elif command == "time":
        answer = f"time {1e-5 * int(argument)}"
    else:
        break
    print("what?" if mode == "babbles" else answer, flush=True)
PY
chmod +x fake.py

# with NAMES...: a folder of helper programs of these names.
with() {
    rm -rf peers && mkdir peers
    for name in "$@"; do cp fake.py "peers/sinew-peer-$name"; done
}

with right refuses
run 0 bench dynamics --quick --lines chain8,human --peers peers --json
quiet
holds '[(r["case"], r["engine"]) for r in x["rows"] if not r["engine"].startswith("sinew:")] == [
    ("chain8", "refuses-1.0"), ("chain8", "right-1.0"), ("human", "refuses-1.0"), ("human", "right-1.0")]'
holds 'all(r["agree"] <= 1e-9 and abs(r["median_us"] - 10) < 1e-6 and r["reps"] == 5
           for r in x["rows"] if r["engine"] == "right-1.0")'
holds '[r["trouble"] for r in x["rows"] if "trouble" in r] == ["unsupported joint <type>"]'
holds 'set(x["ratios"]["vs_fastest_peer"]) == {"chain8", "human"}'
holds 'x["ratios"]["vs_fastest_peer_min"] == min(x["ratios"]["vs_fastest_peer"].values())'
holds 'all(abs(x["ratios"]["vs_fastest_peer"][r["case"]] - 10 / r["median_us"]) < 1e-6
           for r in x["rows"] if r["engine"] == "sinew:aba")'

# One that disagrees makes the run fail, is named, and does not count.
with right wrong
run 1 bench dynamics --quick --lines chain8 --peers peers --json
says "chain8: wrong-1.0 disagrees on qdd"
holds '[r["engine"] for r in x["rows"] if r["agree"] > 1e-9] == ["wrong-1.0"]'
with wrong
run 1 bench dynamics --quick --lines chain8 --peers peers --json
holds 'x["ratios"]["vs_fastest_peer_min"] is None'

# Those that break their word are reported in their row, tried once more, and then left out.
with babbles crashes dies miscounts right short
run 0 bench dynamics --quick --lines chain8,tree7,arm --peers peers --json
says "chain8: dies-1.0: its program ended: exit status 3; it is started again"
says "tree7: dies-1.0: its program ended: exit status 3; left out from here on"
says "chain8: crashes-1.0: its program ended: signal 11"
python3 - <<'PY' || fail "wrong rows for programs that fail"
import json
troubles = {}
for row in json.load(open("out"))["rows"]:
    if "trouble" in row:
        assert row["median_us"] is None and row["min_us"] is None and row["reps"] == 0
        troubles.setdefault(row["engine"].partition("-")[0], []).append(row["trouble"])
assert sorted(troubles) == ["babbles", "crashes", "dies", "miscounts", "short"], troubles
assert troubles["babbles"] == ["its program gave an answer that is none"] * 2
assert troubles["dies"] == ["its program ended: exit status 3"] * 2
assert troubles["miscounts"] == ["its program read another model than it was given"] * 2
assert [t.partition(" does")[0] for t in troubles["short"]] == ["its qdd"] * 3
PY
holds 'sum(r["engine"] == "right-1.0" and r["median_us"] > 0 for r in x["rows"]) == 3'

with hangs
run 0 bench dynamics --quick --lines chain8 --peers peers --timeout 5 # python must start within it on a busy machine
says "chain8: hangs-1.0: its program gave no answer in time"
prints "hangs-1.0 on chain8: its program gave no answer in time"
cat ./*.pids | while read -r pid; do
    kill -0 "$pid" 2> /dev/null && echo "$pid"
done > alive
[ ! -s alive ] || fail "helper programs that still run: $(cat alive)"

with right
chmod -x peers/sinew-peer-right
run 0 bench dynamics --quick --lines chain8 --peers peers --json
says "cannot be started; left out"

# Tables, and the report: pages and pictures that need nothing else.
with right refuses
run 0 bench dynamics --quick --lines chain128,chain512,tree7,hrp2 --reps 3 --peers peers --report there
prints "Other engines"
prints "All engines agree on qdd."
prints "RBDL, not measured in this run"
python3 - <<'PY' || fail "the report is not what it should be"
import json, re
import xml.etree.ElementTree as xml
page = open("there/report.html").read()
addresses = set(re.findall(r"https?://[^\"' )]*", page))
assert addresses == {"http://www.w3.org/2000/svg"}, addresses
assert not re.search(r"<(script|link|img|iframe)|@import|src=", page)
assert "unsupported joint &lt;type&gt;" in page and "<type>" not in page
for part in ("right-1.0", "chain512", "<svg", "sinew:aba-batch", "How it was measured"):
    assert part in page, part
xml.fromstring(page.partition("<body>")[2].join(("<body>", "")).replace("&rarr;", "")
               .replace("</html>", ""))
for name in ("joints.svg", "robots.svg"):
    xml.parse(f"there/{name}")
assert json.load(open("there/report.json"))["rows"][0]["reps"] == 3
PY

run 2 bench dynamics --lines chain9
says "did you mean"
run 2 bench dynamics --peers nowhere
says "make peers"
touch taken
run 2 bench dynamics --lines chain8 --peers none --report taken
says "--report taken: cannot be made"
run 2 bench dynamics --reps 20000
says "too many"
finish
