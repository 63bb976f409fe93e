# SPDX-License-Identifier: Apache-2.0
# sinew check: scenes that are right, what is wrong with others, JSON, the schema and the document made of it.
. "$(dirname "$0")/common.bash"
: "${SCENES:?the folder of shipped scenes}"
case $SCENES in /*) ;; *) SCENES=$PWD/$SCENES ;; esac
root=$SCENES/..

# Every scene that is shipped, by file and by name.
count=0
for file in "$SCENES"/*.yaml; do
    name=$(basename "$file" .yaml)
    count=$((count + 1))
    run 0 check "$file"
    prints "a scene that can be simulated"
    quiet
    run 0 check "$name" --json
    quiet
    holds 'x[0]["ok"] and x[0]["name"] == "'"$name"'" and x[0]["about"] and x[0]["bodies"] > 0'
    holds 'x[0]["duration"] > 0 and sum(i["bodies"] for i in x[0]["items"]) == x[0]["bodies"]'
done
[ $count -ge 10 ] || fail "only $count scenes in $SCENES"

run 0 check humanoid
prints "controllers       4"
prints "sensors           4"
prints "holds and script  4 edits"
prints "duration          8 s"
prints "robot      33   38         58"
run 0 check table --json
holds 'x[0]["hands"] == 1 and x[0]["devices"] == 1 and x[0]["contact"] is True'
holds '[i["at"] for i in x[0]["items"] if i["name"] == "mug"] == [[0.2, -0.15, 0.8]]'

# Models alone are scenes, several at once.
run 0 check chain:10 stack:5 hrp2 "$MODELS/snake.urdf" --json
holds '[s["ok"] for s in x] == [True] * 4 and x[0]["bodies"] == 10 and "floor" in [i["name"] for i in x[2]["items"]]'
run 0 check stack:40
prints "item      bodies"

# What is wrong: file, line, column, the nearest word; exit status 2.
printf 'version: 1\nobjects:\n- {shpere: 1}\n' > bad.yaml
run 2 check bad.yaml
says "sinew: bad.yaml:3:4: there is no key 'shpere' in an object; did you mean 'sphere'?"
run 2 check bad.yaml table --json
holds 'x[0]["ok"] is False and x[0]["error"]["line"] == 3 and x[0]["error"]["column"] == 4'
holds 'x[0]["error"]["file"] == "bad.yaml" and "sphere" in x[0]["error"]["text"] and x[1]["ok"]'
run 2 check table bad.yaml
prints "table: a scene that can be simulated"
says "bad.yaml:3:4"
run 2 check tabel
says "did you mean 'table'?"
run 2 check nowhere/x.yaml
says "nowhere/x.yaml: no such file; check the path"
run 2 check
says "no scene given"
run 2 check --shcema
says "there is no option --shcema"
# Right as a text, but no world can be made of it.
printf 'version: 1\nmodels: [{model: four_bar}]\ndynamics: dca\ncontact: false\n' > world.yaml
run 0 check world.yaml
printf 'version: 1\nobjects: [{sphere: 1.0e-200}]\n' > tiny.yaml
run 2 check tiny.yaml
says "mass"
# A plugin may bring what is not there; it is not loaded.
printf 'version: 1\ndynamics: mine\nplugins: [{file: nowhere.so}]\n' > plugin.yaml
run 0 check plugin.yaml
prints "1, not loaded here"
run 0 check --help
prints "usage: sinew check SCENE... [--json] | --schema"
head -c 100000 /dev/urandom > noise.yaml
run 2 check noise.yaml

# The schema that is shipped is that of the program, and the document is made of it.
run 0 check --schema
quiet
cmp -s out "$SCENES/scene.schema.json" ||
    fail "scenes/scene.schema.json is out of date: sinew check --schema > scenes/scene.schema.json"
python3 -B "$root/tools/scene_keys.py" --check || fail "docs/scenes.md is out of date"

# The pieces of the document make a scene.
python3 - "$root/docs/scenes.md" <<'PY' > document.yaml
import re, sys
blocks = re.findall(r"```yaml\n(.*?)```", open(sys.argv[1], encoding="utf-8").read(), re.S)
print(blocks[0] if len(blocks) < 2 else "version: 1\nfloor: true\n" + "".join(blocks[1:]))
PY
run 0 check document.yaml
prints "controllers       2"
prints "brick_12"
finish
