#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats all C and C++ files in place, or with --check fails on those that differ.
# Versions of clang-format disagree in places; the tree is kept in the form of the one named here.
set -euo pipefail
cd "$(dirname "$0")/.."
version=14

format=$(command -v clang-format-$version || command -v clang-format)
if ! "$format" --version | grep -q "version $version\."; then
    echo "format: needs clang-format $version, here is $("$format" --version); skipped"
    exit 0
fi

mode=(-i)
if [ "${1-}" = --check ]; then mode=(--dry-run --Werror); fi
dirs=()
for dir in include src app examples bench tests; do
    if [ -d "$dir" ]; then dirs+=("$dir"); fi
done
find "${dirs[@]}" -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.inc' \) | sort |
    xargs -r "$format" "${mode[@]}"
