# SPDX-License-Identifier: Apache-2.0
# sinew draw: the assembly tree with its regions, as SVG and as JSON.
. "$(dirname "$0")/common.bash"

run 0 draw
prints "tree"
run 0 draw --json
holds '"tree" in x'
holds '"groups" in x'
run 2 draw three
says "did you mean 'tree'?"
run 0 draw tree --help
prints "usage: sinew draw tree MODEL"
run 2 draw tree
says "something is missing; usage: sinew draw tree MODEL"

# The nodes: parts before what they make, every joint once, at most two bodies with joints that leave.
cat > check.py <<'PY'
import json
x = json.load(open("out"))
nodes = x["nodes"]
n = len(nodes)
level = [0] * n
for i in reversed(range(n)):
    node = nodes[i]
    assert (node["parent"] == -1) == (i == n - 1) and (i == n - 1 or node["parent"] > i)
    level[i] = level[node["parent"]] + 1 if node["parent"] >= 0 else 1
    parts = [p for p in (node["a"], node["b"]) if p >= 0]
    assert len(parts) == {"body": 0, "ground": 1}.get(node["kind"], 2)
    assert all(nodes[p]["parent"] == i for p in parts)
    has_joint = node["kind"] in ("joint", "ground")
    assert node["joints"] == sum(nodes[p]["joints"] for p in parts) + has_joint
assert max(level) == x["depth"]
joints = [node["body"] for node in nodes if node["kind"] in ("joint", "ground")]
assert sorted(joints) == list(range(x["bodies"]))
assert {node["body"] for node in nodes if node["kind"] == "body"} == set(range(x["bodies"]))
if "body" in x:
    up = {i for i, node in enumerate(nodes) if node["kind"] == "body" and node["body"] == x["body"]}
    todo = set(up)
    while todo:
        todo = {nodes[i]["parent"] for i in todo if nodes[i]["parent"] >= 0} - up
        up |= todo
    assert set(x["up_region"]) == up and len(x["up_region"]) == len(up)
    siblings = {p for i in up for p in (nodes[i]["a"], nodes[i]["b"]) if p >= 0}
    assert set(x["extended_region"]) == up | siblings
if "active_joints" in x:
    active = [node for node in nodes if node["active"] and node["kind"] in ("joint", "ground")]
    assert len(active) == x["active_joints"]
    for node in nodes:  # what is inside stays inside
        if node["parent"] >= 0 and nodes[node["parent"]]["inside"]:
            assert node["inside"] and not node["active"]
PY
check() {
    run 0 draw tree "$@" --json
    quiet
    python3 check.py || fail "draw tree $*: the tree is not one"
}
for model in double_pendulum hrp2 human snake four_bar chain:1 chain:64 star:50 tree:63 caterpillar:40 random:80:3; do
    check $model
    check $model --max-active 3
done
check hrp2 --body r_wrist
holds 'len(x["up_region"]) <= x["depth"]'
check star:50 --body b000000
check hrp2 --pin --max-active 6
holds 'x["active_joints"] == 6 and 0 < x["remaining_error"] < x["total_metric"]'
cp out unpushed.json
check hrp2 --pin --max-active 6 --push r_wrist=50,0,0
holds 'x["total_metric"] > 2 * json.load(open("unpushed.json"))["total_metric"]'
check hrp2 --threshold 1e6
holds 'x["active_joints"] == 0'

# The picture: well-formed, named, with a legend of what occurs; on standard output without -o.
run 0 draw tree hrp2 --body r_wrist -o tree.svg
for part in "up-region" "extended" "tree.svg" "33 bodies, 66 nodes"; do prints "$part"; done
[ ! -e tree.svg.tmp ] || fail "a temporary file is left"
run 0 draw tree hrp2 --body r_wrist
cmp -s out tree.svg || fail "standard output and -o differ"
run 0 draw tree hrp2 --pin --body r_wrist --push r_wrist=20,0,0 --max-active 9 --output region.svg
run 0 draw tree chain:700 --body b000333 --max-active 5 --output=large.svg
prints "nodes are left out"
run 0 draw tree chain:600 -o whole.svg
grep -q "left out" out && fail "a tree of 600 leaves is cut"
python3 - <<'PY' || fail "a picture is not as it should be"
import xml.etree.ElementTree as xml

def read(path):
    root = xml.parse(path).getroot()
    texts = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    classes = [c for e in root.iter() for c in (e.get("class") or "").split()]
    return texts, classes.count

texts, count = read("tree.svg")
for name in ("Assembly tree of hrp2", "r_wrist", "l_ankle", "pelvis", "waist_pitch"):
    assert name in texts, name
assert not any("active" in t for t in texts)  # nothing was asked of adaptive dynamics
assert count("body") == 33 + 1 and count("joint") == 32 + 3 and count("ground") == 2  # and the legend
assert count("up") == 8 + 1 and count("near") == 6 + 1 and count("up-link") == 7 + 1
assert count("part") == 0 and count("cut") == 0
texts, count = read("region.svg")
assert any("9 joints active" in t for t in texts) and count("part") > 1 and count("inside") > 1
texts, count = read("large.svg")
assert any("left out" in t for t in texts) and count("cut") > 1 and "b000333" in texts
assert read("whole.svg")[1]("body") == 601
PY

# What does not fit.
run 2 draw tree hrp2 --body r_wirst
says "--body: there is no body 'r_wirst'; did you mean 'r_wrist'?"
run 2 draw tree hrp2 --body l_sole
says "is fixed to"
run 2 draw tree hrp2 --metric unit
says "say how many with --max-active"
run 2 draw tree hrp2 --pin
says "--max-active"
run 2 draw tree hrp2 --max-active -3
says "whole number of at least 0"
run 2 draw tree hrp2 -o
says "--output needs a value"
run 2 draw tree hrp2 -o nowhere/tree.svg
says "nowhere/tree.svg: cannot be written"
run 2 draw tree hrp22
says "did you mean 'hrp2'?"
# Collision groups: three cubes on each other are one, three apart are three; forces carry the weight.
run 0 draw groups stack:3 --json
quiet
holds '[len(g["bodies"]) for g in x["groups"]] == [3] and len(x["contacts"]) == 12'
holds 'abs(sum(abs(c["force"][2]) for c in x["contacts"] if "world" in (c["a"], c["b"])) - 12 * 9.81) < 0.01 * 12 * 9.81'
run 0 draw groups apart:3 --json
holds '[g["contacts"] for g in x["groups"]] == [4, 4, 4] and not any(g["asleep"] for g in x["groups"])'
run 0 draw groups apart:3 --time 0.7 --json
holds 'all(g["asleep"] for g in x["groups"]) and len(x["groups"]) == 3'
run 0 draw groups floor --object box:1x1x1@0,0 box:1x1x1@3,0 box:1x1x1@0.5,0,1.5 --json
holds '[len(g["bodies"]) for g in x["groups"]] == [2, 1]'
run 0 draw groups hrp2 --floor --hold --json
holds 'len(x["groups"]) == 1 and len(x["groups"][0]["bodies"]) == 33 and len(x["contacts"]) == 32'
run 0 draw groups apart:3 -o three.svg
prints "3 groups; 12 contacts"
run 0 draw groups heap:12 --time 0.5
cp out heap.svg
run 0 draw groups floor --object sphere:0.1@0,0,5 -o high.svg
run 0 draw groups snake --contact on -o snake.svg
python3 - <<'PY' || fail "pictures of groups"
import xml.dom.minidom
def texts(name):
    return [t.firstChild.data for t in xml.dom.minidom.parse(name).getElementsByTagName("text")]
three = texts("three.svg")
assert "3 groups; 12 contacts" in three and {"1", "2", "3"} <= set(three)
assert any(t.startswith("force") for t in three) and any(t.startswith("from above") for t in three)
paths = xml.dom.minidom.parse("three.svg").getElementsByTagName("path")
assert sum(p.getAttribute("class") == "g1" for p in paths) == 2  # from the side, from above
for name in ("heap.svg", "high.svg", "snake.svg"):
    assert not any("nan" in p.getAttribute("d") for p in xml.dom.minidom.parse(name).getElementsByTagName("path"))
PY
run 2 draw groups stack:3 --contact off
says "without contact there are no groups"
run 2 draw groups floor
says "no moving bodies"
run 2 draw groups stack:3 --time 1e9 --step 1e-9
says "more than 1e+09 steps"
run 2 draw groups stack:3 --margin -1
says "at least 0"
finish
