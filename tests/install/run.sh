#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build under a temporary DESTDIR, then builds and runs two consumers against what was
# installed, once by pkg-config and once by CMake.
# usage: run.sh BUILD_DIR PREFIX VERSION
set -euo pipefail
build=$1 prefix=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage$prefix

fail() {
    echo "install: $1"
    exit 1
}
# quietly COMMAND...: shows the output only of a command that fails.
quietly() { "$@" > "$stage/log" 2>&1 || { cat "$stage/log"; fail "failed: $*"; }; }
# works DIRECTORY: the consumers built there run.
works() {
    "$1/core" | grep -qx 'done' || fail "core consumer in $1 is broken"
    "$1/load" "$root/share/sinew/models/hrp2.urdf" | grep -qx 'done' || fail "load consumer in $1 is broken"
}

DESTDIR=$stage quietly cmake --install "$build"
for file in include/sinew/sinew.h share/sinew/models share/sinew/scenes/table.yaml \
    share/sinew/scenes/scene.schema.json share/doc/sinew/LICENSE; do
    [ -e "$root/$file" ] || fail "$file is missing"
done
"$root/bin/sinew" --version | grep -qF "$version" || fail "sinew --version does not say $version"

PKG_CONFIG_PATH=$(dirname "$(find "$root" -name sinew.pc)")
export PKG_CONFIG_PATH
read -ra core_flags < <(pkg-config --cflags --libs sinew)
read -ra load_flags < <(pkg-config --cflags --libs sinew-load)
mkdir "$stage/pkgconfig"
quietly cc "$here/consumer_core.c" -o "$stage/pkgconfig/core" "${core_flags[@]}"
quietly cc "$here/consumer_load.c" -o "$stage/pkgconfig/load" "${load_flags[@]}"
works "$stage/pkgconfig"

quietly cmake -S "$here" -B "$stage/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$root"
quietly cmake --build "$stage/cmake"
works "$stage/cmake"

# The Python module, from where it was installed, by a Python that has numpy.
module=$(dirname "$(find "$root" -path '*/sinew/_location.py')")
[ -e "$module/py.typed" ] || fail "the Python module has no py.typed"
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2> /dev/null || continue
    cd "$stage"
    quietly env -u SINEW_LIBRARY PYTHONPATH="${module%/sinew}" PYTHONDONTWRITEBYTECODE=1 "$python" "$here/consumer.py" "$root"
    break
done
