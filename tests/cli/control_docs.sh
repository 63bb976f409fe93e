#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every scene of docs/control.md can be checked and run.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk -v folder="$folder" '
    /^```yaml$/ { inside = 1; count++; next }
    /^```$/ { inside = 0 }
    inside { print > (folder "/" count ".yaml") }' "$(dirname "$0")/../../docs/control.md"
count=0
for scene in "$folder"/*.yaml; do
    "$SINEW" check "$scene" > "$folder/out" || { cat "$folder/out"; exit 1; }
    "$SINEW" sim "$scene" --duration 0.3 > "$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
    count=$((count + 1))
done
[ "$count" -ge 4 ] || { echo "only $count scenes in docs/control.md"; exit 1; }
