# SPDX-License-Identifier: Apache-2.0
# sinew info: shipped and generated models, JSON that loads again, models that are not there.
. "$(dirname "$0")/common.bash"

count=0
for file in "$MODELS"/*.urdf; do
    name=$(basename "$file" .urdf)
    count=$((count + 1))
    run 0 info "$name"
    prints "degrees of freedom"
    prints "Bodies, each with the joint that carries it"
    prints "Tree"
    run 0 info "$file" --json
    cp out first.json
    holds 'x["format"] == "sinew-model" and len(x["bodies"]) > 0'
    run 0 info first.json --json
    quiet
    cmp -s out first.json || fail "$name: JSON changes when it is loaded again"
    "$SINEW" info - --json < first.json | cmp -s - first.json || fail "$name: JSON through a pipe"
done
[ $count -gt 0 ] || fail "no models in $MODELS"

run 0 info hrp2
prints "58 kg"
prints "38 (q has 39 numbers)"
quiet
[ "$(grep -c 'l_knee' out)" -ge 1 ] || fail "l_knee is not in the table"
LC_ALL=C.UTF-8 "$SINEW" info hrp2 | grep -qF '├─ ' || fail "no box-drawing characters in UTF-8"
LC_ALL=C "$SINEW" info hrp2 > out
LC_ALL=C grep -q '[^ -~]' out && fail "not ASCII in the C locale"
prints '|- '

run 0 info four_bar
prints "loops"
prints "Loops, each with the joint that closes it"
prints "pin"
quiet
run 0 info four_bar --json
cp out first.json
holds 'x["loops"][0]["link_b"] == "rocker_end"'
run 0 info first.json --json
cmp -s out first.json || fail "four_bar: JSON changes when it is loaded again"

for spec in chain:9 tree:15 star:9 caterpillar:9 random:40:3 pendulum:30 cable:20; do
    run 0 info $spec --json
    cp out first.json
    run 0 info first.json --json
    cmp -s out first.json || fail "$spec: JSON changes when it is loaded again"
done

# A huge model is shortened, quickly; --all is not.
run 0 info chain:100000
[ "$(wc -l < out)" -lt 80 ] || fail "the table of a huge model is not shortened"
prints "--all shows them"
run 0 info chain:200 --all
[ "$(wc -l < out)" -gt 200 ] || fail "--all leaves something out"
run 0 info random:30:2
prints "Trees"

run 2 info hrp3
says "did you mean 'hrp2'?"
run 2 info chain:0
run 2 info chain
says "SHAPE:COUNT[:SEED]"
run 2 info nowhere/robot.urdf
says "nowhere/robot.urdf: there is no such file"
mkdir folder
run 2 info folder
printf 'no model' > text
run 2 info text
says "text:1: neither XML nor JSON"
printf '<robot name="r"><link name="a"></robot>' > broken.urdf
run 2 info broken.urdf
grep -qE '^sinew: broken.urdf:1:[0-9]+: ' err || fail "no place in: $(head -1 err)"
printf '{"bodies": [' > broken.json
run 2 info broken.json
grep -qE '^sinew: broken.json:1:[0-9]+: ' err || fail "no place in: $(head -1 err)"
: > empty
run 2 info empty
says "is empty"
head -c 2000 "$SINEW" > binary
run 2 info binary

# What a file says and we do not use is a warning with its line, on stderr also with --json.
cat > odd.urdf <<'X'
<robot name="odd">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>
  <frobnicate/>
</robot>
X
run 0 info odd.urdf
says "sinew: warning: odd.urdf:8"
prints "1 warning"
run 0 info odd.urdf --json
says "sinew: warning: odd.urdf:8"
holds 'x["name"] == "odd"'
run 0 info odd.urdf --json --base free
holds 'x["nv"] == 7'

# Meshes are read when asked for; what can be touched, surfaces and pairs that never touch are shown.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > part.obj
cat > touch.urdf <<'X'
<robot name="touch">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <contact><lateral_friction value="0.9"/></contact>
    <collision><geometry><mesh filename="part.obj"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint>
</robot>
X
echo '<robot name="touch"><disable_collisions link1="arm" link2="base"/></robot>' > touch.srdf
run 0 info touch.urdf --base free
prints "mesh, not read"
run 0 info touch.urdf --base free --meshes hull --srdf touch.srdf
quiet
grep -qE '^ *hull +1 +4 +4$' out || fail "no hull of four corners"
grep -qE '^ *1 +0.9 +0.9' out || fail "no surface with friction 0.9"
prints "Pairs of bodies that never touch: 1"
run 0 info touch.urdf --meshes triangles --srdf touch.srdf --json
cp out first.json
holds 'len(x["shapes"][0]["triangles"]) == 12 and x["exclusions"] == [{"body_a": -1, "body_b": 0}]'
run 0 info first.json --json
cmp -s out first.json || fail "touch: JSON changes when it is loaded again"
run 2 info touch.urdf --srdf missing.srdf
says "missing.srdf"
finish
