#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target of tests/fuzz, sharing SECONDS between them. Each starts from its seeds in
# tests/fuzz/corpus/NAME (and tests/fuzz/NAME.dict if there is one) and from what earlier runs found
# in build/fuzz/corpus/NAME. An input that breaks a target is kept in build/fuzz/found: add it to the
# seeds with the fix.
# usage: tools/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
total=${1:?usage: tools/fuzz.sh SECONDS}

shopt -s nullglob
targets=(tests/fuzz/fuzz_*.c)
if [ ${#targets[@]} = 0 ]; then
    echo "fuzz: no targets"
    exit 0
fi
mapfile -t names < <(basename -s .c "${targets[@]}")
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz --target "${names[@]}"

out=build/fuzz
mkdir -p $out/found
each=$((total / ${#targets[@]}))
[ $each -gt 0 ] || each=1
failed=0
for source in "${targets[@]}"; do
    target=$(basename "$source" .c)
    name=${target#fuzz_}
    mkdir -p "$out/corpus/$name"
    options=("-max_total_time=$each" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
    options+=("-artifact_prefix=$out/found/$name-")
    [ -f "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
    seeds=()
    [ -d "tests/fuzz/corpus/$name" ] && seeds=("tests/fuzz/corpus/$name")
    log=$out/$name.log
    if "$out/tests/fuzz/$target" "${options[@]}" "$out/corpus/$name" "${seeds[@]}" > "$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "fuzz: $name: $runs inputs in $each s, nothing found"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $name: FAILED, the input is in $out/found, the log in $log" >&2
        failed=1
    fi
done
exit $failed
