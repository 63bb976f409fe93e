#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The C program in docs/contact_set.md compiles with the core library alone and runs as it stands there.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "$SINEW")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a plain compiler cannot link sanitized libraries
nm "$build/libsinew.a" > "$work/symbols" 2> /dev/null
if grep -qE '__(asan|tsan)_' "$work/symbols"; then exit 77; fi

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/contact_set.md" > "$work/box.c"
cc -std=c17 -Wall -Wextra -Werror -I"$root/include" "$work/box.c" -o "$work/box" \
    "$build/libsinew.a" -lm -lpthread
"$work/box" | grep -qE '^at rest at x = [0-9.]+ m, 0\.10 m high$'
