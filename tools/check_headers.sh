#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every header compiles alone, without warnings: those of include/ as C17 and C++17, those of src/
# as C17.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t c_warnings < cmake/warnings.txt
mapfile -t cxx_warnings < <(sed 's/-Wmissing-prototypes/-Wmissing-declarations/' cmake/warnings.txt)
read -ra libraries < <(pkg-config --cflags libxml-2.0 jansson)
failed=0 count=0

# alone HEADER COMPILER...: two at a time
alone() {
    local header=$1
    shift
    count=$((count + 1))
    [ $count -le 2 ] || wait -n || failed=1
    { "$@" -Werror -fsyntax-only - <<< "#include \"$header\"" || {
        echo "$header: does not compile alone with: $*" >&2
        false
    }; } &
}

for file in include/sinew/*.h; do
    alone "${file#include/}" "${CC:-cc}" -x c -std=c17 "${c_warnings[@]}" -Iinclude
    alone "${file#include/}" "${CXX:-c++}" -x c++ -std=c++17 "${cxx_warnings[@]}" -Iinclude
done
while read -r file; do
    alone "${file#src/}" "${CC:-cc}" -x c -std=gnu17 "${c_warnings[@]}" -Iinclude -Isrc "${libraries[@]}"
done < <(find src -name '*.h' | sort)
for _ in 1 2; do
    wait -n || failed=1
done

[ $failed = 0 ] && echo "headers: $count compile alone"
exit $failed
