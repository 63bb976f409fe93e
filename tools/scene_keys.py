#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of every key into docs/scenes.md, from scenes/scene.schema.json, which is what
`sinew check --schema` prints. usage: tools/scene_keys.py [--check]"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = ROOT / "docs" / "scenes.md"
SCHEMA = ROOT / "scenes" / "scene.schema.json"
BEGIN = "<!-- written by tools/scene_keys.py from here -->\n"
END = "<!-- to here -->\n"


def range_text(a):
    """What a number must be."""
    if "exclusiveMinimum" in a:
        return " above 0"
    if "maximum" in a:
        return " from 0 to 1"
    if "minimum" in a:
        return f" of at least {a['minimum']}"
    return ""


def array_text(a):
    """What a list holds."""
    items = a["items"]
    if "$ref" in items:
        return f"list of {map_link(items)}"
    if items.get("type") == "string":
        return "list of names"
    if items.get("type") == "array":
        return "list of points"
    angles = "anyOf" in items
    number = items["anyOf"][0] if angles else items
    least, most = a["minItems"], a["maxItems"]
    count = f"{least}" if least == most else f"{least} to {most}"
    return f"{count} {'angles' if angles else 'numbers'}{range_text(number)}"


def map_link(reference):
    name = reference["$ref"].rsplit("/", 1)[1]
    return f"[{name}](#{name})"


def object_text(a):
    more = a["additionalProperties"]
    return f"names with a {map_link(more)} each" if "$ref" in more else "joints with their numbers"


def way_text(a):
    """One way to give a value."""
    if "$ref" in a:
        return map_link(a)
    kind = a["type"]
    if kind == "array":
        return array_text(a)
    if kind == "object":
        return object_text(a)
    if kind == "boolean":
        return "true or false"
    if kind in ("number", "integer"):
        return ("whole number" if kind == "integer" else "number") + range_text(a)
    if "enum" in a:
        return ", ".join(f"`{w}`" for w in a["enum"])
    if "examples" in a:
        return ", ".join(f"`{w}`" for w in a["examples"]) + ", or a plugin's"
    return "angle such as `30deg`" if "pattern" in a else "text"


def value_text(key):
    """All ways, each once."""
    return " or ".join(dict.fromkeys(way_text(a) for a in key["anyOf"]))


def members(group):
    """Keys of a group, and whether one of them must be given."""
    ways = group["oneOf"]
    return [w["required"][0] for w in ways if "required" in w], not any("not" in w for w in ways)


def rules(mapping):
    """What keys have to do with each other."""
    for group in mapping.get("allOf", []):
        names, needed = members(group)
        text = ", ".join(f"`{n}`" for n in names)
        if len(names) > 1:
            yield f"{'Exactly' if needed else 'At most'} one of {text}."
    for key, (other,) in mapping.get("dependentRequired", {}).items():
        yield f"`{key}` needs `{other}`."


def section(name, mapping):
    lines = [f"### {name}", "", "| key | value | meaning |", "| --- | --- | --- |"]
    for key, value in mapping["properties"].items():
        must = " (required)" if key in mapping.get("required", []) else ""
        about = value["description"].replace("|", "\\|")
        lines.append(f"| `{key}`{must} | {value_text(value)} | {about} |")
    text = " ".join(rules(mapping))
    return "\n".join(lines + (["", text] if text else []) + [""])


def reference(schema):
    return "\n".join(section(name, m) for name, m in schema["$defs"].items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(" usage")[0])
    parser.add_argument("--check", action="store_true", help="fail when the document is out of date")
    check = parser.parse_args().check
    old = DOC.read_text(encoding="utf-8")
    head, rest = old.split(BEGIN)
    tail = rest.split(END)[1]
    new = head + BEGIN + "\n" + reference(json.loads(SCHEMA.read_text(encoding="utf-8"))) + "\n" + END + tail
    if new == old:
        return 0
    if check:
        print(f"{DOC.relative_to(ROOT)}: out of date; run tools/scene_keys.py", file=sys.stderr)
        return 1
    DOC.write_text(new, encoding="utf-8")
    print(f"{DOC.relative_to(ROOT)}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
