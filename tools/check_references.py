#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every citation in a comment has an entry in docs/references.md.

A citation is a key of letters (one of them a capital) and a two-digit year in brackets, with or
without the place: [F08], [F08 ch 7], [K08 eq 5; F08 (7.43)]. An entry is a table row whose first
cell is the key, or a heading that is the key.

usage: check_references.py [ROOT]
"""
import re
import sys
from pathlib import Path

DIRECTORIES = ("src", "include", "app", "tests", "models", "examples", "bench", "tools")
KEY = r"(?=[a-z]*[A-Z])[A-Za-z]+[0-9]{2}"
CITATION = re.compile(rf"(?<![\w\])])\[({KEY}(?:[ ,;(][^\]]*)?)\]")
FIRST_WORD = re.compile(rf"\s*({KEY})(?![\w])")
ENTRY = re.compile(rf"(?:\|\s*|#+\s+)[`*]*\[?({KEY})\]?[`*]*\s*(?:\||$)")

C_COMMENT = re.compile(r"""(//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
XML_COMMENT = re.compile(r"(<!--.*?-->)", re.S)
HASH_COMMENT = re.compile(r"(#[^\n]*)")
COMMENTS = {
    **dict.fromkeys((".c", ".h", ".inc", ".inl", ".cpp", ".hpp"), C_COMMENT),
    **dict.fromkeys((".urdf", ".xml"), XML_COMMENT),
    **dict.fromkeys((".py", ".sh", ".yaml", ".cmake"), HASH_COMMENT),
}


def citations(text, comment):
    """Every key cited in the comments of a text: (line number, key)."""
    for match in comment.finditer(text):
        if not match[1]:
            continue
        for cited in CITATION.finditer(match[1]):
            line = text.count("\n", 0, match.start(1) + cited.start()) + 1
            for part in re.split("[;,]", cited[1]):
                key = FIRST_WORD.match(part)
                if key:
                    yield line, key[1]


def entries(path, errors):
    """The keys that docs/references.md explains; reports those explained twice."""
    keys = set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = ENTRY.match(line)
        if match and match[1] in keys:
            errors.append(f"{path}:{number}: [{match[1]}] has two entries")
        elif match:
            keys.add(match[1])
    return keys


def check(root):
    """All violations below root, as `file:line: what is wrong`, and the number of citations."""
    errors, count = [], 0
    known = entries(root / "docs" / "references.md", errors)
    for directory in DIRECTORIES:
        for file in sorted((root / directory).rglob("*")):
            if file.suffix not in COMMENTS or not file.is_file():
                continue
            for line, key in citations(file.read_text(errors="replace"), COMMENTS[file.suffix]):
                count += 1
                if key not in known:
                    errors.append(f"{file}:{line}: [{key}] has no entry in docs/references.md")
    return [error.removeprefix(f"{root}/") for error in errors], count


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    errors, count = check(root)
    for error in errors:
        print(error)
    if not errors:
        print(f"references: {count} citations, all in docs/references.md")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
