#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target of tests/fuzz, sharing SECONDS between them, two at a time. Each starts from its seeds in
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

# fuzz_one TARGET: says how it went in one line; fails when an input broke it.
fuzz_one() {
    local name=${1#fuzz_} log options seeds=()
    log=$out/$name.log
    mkdir -p "$out/corpus/$name"
    options=("-max_total_time=$each" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
    options+=("-artifact_prefix=$out/found/$name-")
    [ -f "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
    [ -d "tests/fuzz/corpus/$name" ] && seeds=("tests/fuzz/corpus/$name")
    if "$out/tests/fuzz/$1" "${options[@]}" "$out/corpus/$name" "${seeds[@]}" > "$log" 2>&1; then
        echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $each s, nothing found"
    else
        tail -n 40 "$log" >&2
        echo "fuzz: $name: FAILED, the input is in $out/found, the log in $log" >&2
        return 1
    fi
}
export -f fuzz_one
export out each
printf '%s\n' "${names[@]}" | xargs -P "${CMAKE_BUILD_PARALLEL_LEVEL:-2}" -I {} bash -c 'fuzz_one {}'
