# SPDX-License-Identifier: Apache-2.0
# The JSON schema of scenes, judged by another program: it takes every shipped scene, and refuses broken ones.
. "$(dirname "$0")/common.bash"
: "${SCENES:?the folder of shipped scenes}"
case $SCENES in /*) ;; *) SCENES=$PWD/$SCENES ;; esac

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import jsonschema, yaml' 2> err && python=$candidate && break
done
[ -n "$python" ] || { echo "needs python3-jsonschema and python3-yaml"; exit 77; }

"$SINEW" check --schema > schema.json
"$python" -W ignore - "$SCENES" "$data/../fuzz/corpus/scene" <<'PY' || fail "the schema"
import json, pathlib, sys, yaml
from jsonschema import Draft202012Validator as Validator

schema = json.load(open("schema.json"))
Validator.check_schema(schema)
scenes, edits = Validator(schema), Validator({**schema, "$ref": "#/$defs/edit"})
wrong = 0

def expect(right, what):
    global wrong
    if not right:
        wrong += 1
        print("FAILED:", what)

def first_error(judge, value):
    return next((f"{list(e.path)}: {e.message[:200]}" for e in judge.iter_errors(value)), None)

files = sorted(pathlib.Path(sys.argv[1]).glob("*.yaml"))
expect(len(files) >= 10, "too few scenes")
corpus = pathlib.Path(sys.argv[2])
for file in files + [corpus / n for n in ("everything.yaml", "pile.yaml")]:
    expect(first_error(scenes, yaml.safe_load(file.read_text())) is None,
           f"{file.name}: {first_error(scenes, yaml.safe_load(file.read_text()))}")
for file in corpus.glob("edit_*.yaml"):
    expect(first_error(edits, yaml.safe_load(file.read_text())) is None, file.name)

broken = """
{}
{version: one}
{version: 1, gravty: [0, 0, 0]}
{version: 1, gravity: [0, 0]}
{version: 1, gravity: [0, 0, down]}
{version: 1, step: 0}
{version: 1, integrator: eulre}
{version: 1, objects: {sphere: 1}}
{version: 1, objects: [{name: a}]}
{version: 1, objects: [{sphere: 1, box: [1, 1, 1]}]}
{version: 1, objects: [{sphere: 1, mass: 1, density: 1}]}
{version: 1, objects: [{sphere: 1, axis: [0, 0, 1]}]}
{version: 1, objects: [{sphere: 1, rpy: [0, 0, 90grad]}]}
{version: 1, objects: [{model: hrp2}]}
{version: 1, environment: [{sphere: 1, mass: 1}]}
{version: 1, contact: {sweeps: 0}}
{version: 1, contact: {sweeps: 1.5}}
{version: 1, materials: {ice: slippery}}
{version: 1, controllers: [{item: a}]}
{version: 1, sensors: [{name: a}]}
{version: 1, camera: {target: [0, 0, 0]}}
{version: 1, script: [{remove: a}]}
{version: 1, script: [{at: 1}]}
{version: 1, script: [{at: 1, remove: a, reset: true}]}
"""
for line in broken.strip().splitlines():
    expect(first_error(scenes, yaml.safe_load(line)) is not None, "is taken: " + line)
for number, line in enumerate(broken.strip().splitlines()):
    pathlib.Path(f"broken_{number}.yaml").write_text(line)
sys.exit(wrong > 0)
PY
# what the schema refuses, the program refuses
for file in broken_*.yaml; do run 2 check "$file"; done
finish
