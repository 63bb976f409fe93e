#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C program in the README compiles and runs as it stands there.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$SINEW")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a plain compiler cannot link sanitized libraries
nm "$build/libsinew.a" > "$work/symbols" 2> /dev/null
if grep -qE '__(asan|tsan)_' "$work/symbols"; then exit 77; fi

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" > "$work/hand.c"
cc -std=c17 -Wall -Wextra -Werror -I"$root/include" "$work/hand.c" -o "$work/hand" \
    "$build/libsinew_load.a" "$build/libsinew.a" $(pkg-config --libs libxml-2.0 jansson qhull_r assimp) -lm
cd "$root"
"$work/hand" | grep -q '^after 1 s the hand is at '
