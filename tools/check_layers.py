#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the modules of src/ include each other only as src/LAYERS allows.

Rules (STYLE 1 and 7):
  - a module includes only the modules its line in src/LAYERS names, and of those only the front
    door <module>/sn_<module>.h, except base and math, which are open;
  - src/LAYERS has a line for every module and no cycle;
  - include/ includes nothing but itself and the C library;
  - app/, examples/ and bench/ see sinew/*.h, their own headers and those of other libraries;
  - threads and atomics appear only in base.

usage: check_layers.py [ROOT]
"""
import re
import sys
from pathlib import Path

OPEN_MODULES = {"base", "math"}
BASE_ONLY = {"pthread.h", "stdatomic.h", "threads.h", "sched.h"}
USERS = ("app", "examples", "bench")
SOURCES = {".c", ".h", ".inc", ".inl", ".cpp", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_layers(path, errors):
    """The allowed edges, {module: [modules]}; reports what is wrong with the file itself."""
    layers, lines = {}, {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        module, colon, allowed = text.partition(":")
        module = module.strip()
        if not colon or module in layers:
            errors.append(f"{path}:{number}: expected a new `module: allowed modules`, got `{text}`")
            continue
        layers[module], lines[module] = allowed.split(), number
    for module, allowed in layers.items():
        for other in allowed:
            if other not in layers:
                errors.append(f"{path}:{lines[module]}: `{other}` has no line of its own")
    cycle = find_cycle(layers)
    if cycle:
        errors.append(f"{path}:{lines[cycle[0]]}: cycle: {' -> '.join(cycle)}")
    return layers


def find_cycle(layers):
    """A list of modules that starts and ends with the same one, or None."""
    done = set()

    def visit(module, trail):
        if module in trail:
            return trail[trail.index(module):] + [module]
        if module in done:
            return None
        for other in layers.get(module, ()):
            cycle = visit(other, trail + [module])
            if cycle:
                return cycle
        done.add(module)
        return None

    return next((cycle for module in layers if (cycle := visit(module, []))), None)


def includes(directory):
    """Every include below a directory: (file, line number, '<' or '"', name)."""
    for file in sorted(directory.rglob("*")):
        if file.suffix in SOURCES and file.is_file():
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    yield file, number, match[1], match[2]


def module_fault(module, directory, layers, bracket, name):
    """What is wrong with an include inside a module, or None."""
    if name in BASE_ONLY and module != "base":
        return f"<{name}>: threads and atomics live in base only"
    if ".." in Path(name).parts:
        return f'"{name}": name the module, not the way to it'
    first = name.split("/")[0]
    if first == name:  # no directory: own header, or one of the C library
        if bracket == '"' and not (directory / name).is_file():
            return f'"{name}": not in {module}; write "<module>/{name}"'
        return None
    if first not in layers or first == module:
        return None
    if first not in layers[module]:
        return f"{module} may not include {first} ({name}); src/LAYERS has no such edge"
    if first not in OPEN_MODULES and name != f"{first}/sn_{first}.h":
        return f"{name}: enter {first} by its front door {first}/sn_{first}.h"
    return None


def user_fault(top, file, src, bracket, name):
    """What is wrong with an include of a program that must see include/ only, or None."""
    if name.startswith("sinew/"):
        return None
    if bracket == '"':
        places = [(file.parent / name).resolve(), (top / name).resolve()]
        if any(place.is_file() and place.is_relative_to(top.resolve()) for place in places):
            return None
        return f'"{name}": only sinew/*.h and own headers (other libraries go in <>)'
    if (src / name).exists():
        return f"<{name}>: a header inside the library; only sinew/*.h may be used here"
    return None


def public_fault(name):
    """What is wrong with an include of a public header, or None."""
    if name.startswith("sinew/") or "/" not in name:
        return None
    return f"{name}: public headers include sinew/*.h and the C library only"


def check(root):
    """All violations below root, as `file:line: what is wrong`."""
    errors = []
    src = root / "src"
    layers = read_layers(src / "LAYERS", errors)
    found = []
    for directory in sorted(path for path in src.iterdir() if path.is_dir()):
        module = directory.name
        if module not in layers:
            errors.append(f"{src / 'LAYERS'}:1: module {module} has no line")
            continue
        for file, number, bracket, name in includes(directory):
            found.append((file, number, module_fault(module, directory, layers, bracket, name)))
    for file, number, _, name in includes(root / "include"):
        found.append((file, number, public_fault(name)))
    for user in USERS:
        for file, number, bracket, name in includes(root / user):
            found.append((file, number, user_fault(root / user, file, src, bracket, name)))
    errors += [f"{file}:{number}: {fault}" for file, number, fault in found if fault]
    return [error.removeprefix(f"{root}/") for error in errors], len(layers), len(found)


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    errors, modules, edges = check(root)
    for error in errors:
        print(error)
    if not errors:
        print(f"layers: {edges} includes in {modules} modules and their users, all allowed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
