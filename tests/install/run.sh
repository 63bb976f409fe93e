#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build under a temporary DESTDIR, then builds and runs consumers and a plugin against what was
# installed, once by pkg-config and once by CMake.
# usage: run.sh BUILD_DIR PREFIX VERSION
set -euo pipefail
build=$1 prefix=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage$prefix
scene=$stage/scene.yaml
printf 'version: 1\nfloor: true\nobjects: [{name: ball, sphere: 0.1, at: [0, 0, 1]}]\n' > "$scene"

fail() {
    echo "install: $1"
    exit 1
}
# quietly COMMAND...: shows the output only of a command that fails.
quietly() { "$@" > "$stage/log" 2>&1 || { cat "$stage/log"; fail "failed: $*"; }; }
# says WORDS COMMAND...: a whole line of its output is that.
says() { "${@:2}" > "$stage/log" 2>&1 && grep -qxF "$1" "$stage/log" || { cat "$stage/log"; fail "no '$1' from: ${*:2}"; }; }
# works DIRECTORY: the consumers built there run.
works() {
    says 'done' "$1/core"
    says 'done' "$1/load" "$root/share/sinew/models/hrp2.urdf"
    says 'done' "$1/run" "$scene"
    says 'done' "$1/session" "$scene"
    says 'by_hand: runs' "$1/shared" "$scene" "$stage/by_hand.so"
    says 'posture: runs' "$1/shared" "$scene" "$stage/posture.so"
}

DESTDIR=$stage quietly cmake --install "$build"
for file in include/sinew/sinew.h share/sinew/models share/sinew/scenes/table.yaml \
    share/sinew/scenes/scene.schema.json share/doc/sinew/LICENSE; do
    [ -e "$root/$file" ] || fail "$file is missing"
done
"$root/bin/sinew" --version | grep -qF "$version" || fail "sinew --version does not say $version"

PKG_CONFIG_PATH=$(dirname "$(find "$root" -name sinew.pc)")
export PKG_CONFIG_PATH
# flags PACKAGE: of the compiler, into the array `flags`.
flags() { read -ra flags < <(pkg-config --cflags --libs "$1"); }

# Plugins, by one line each.
read -ra headers < <(pkg-config --cflags sinew)
quietly cc -shared -fPIC "$here/plugin.c" -o "$stage/by_hand.so" "${headers[@]}"
quietly cc -shared -fPIC "$root/share/doc/sinew/examples/plugins/posture.c" -o "$stage/posture.so" "${headers[@]}"

mkdir "$stage/pkgconfig"
for name in core:sinew load:sinew-load run:sinew-run session:sinew-session; do
    flags "${name#*:}"
    quietly cc "$here/consumer_${name%:*}.c" -o "$stage/pkgconfig/${name%:*}" "${flags[@]}"
done
for name in record device molecule; do
    flags "sinew-$name"
    quietly cc "$here/consumer_core.c" -o "$stage/pkgconfig/$name" "${flags[@]}"
done
flags sinew-shared
libdir=$(pkg-config --variable=libdir sinew-shared)
quietly cc "$here/consumer_run.c" -o "$stage/pkgconfig/shared" "${flags[@]}" -Wl,-rpath,"$libdir"
works "$stage/pkgconfig"

quietly cmake -S "$here" -B "$stage/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$root"
quietly cmake --build "$stage/cmake"
works "$stage/cmake"

# The program itself loads the same plugin.
quietly "$root/bin/sinew" sim "$scene" --duration 0.1 --plugin "$stage/by_hand.so"

# The Python module, from where it was installed, by a Python that has numpy.
module=$(dirname "$(find "$root" -path '*/sinew/_location.py')")
[ -e "$module/py.typed" ] || fail "the Python module has no py.typed"
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2> /dev/null || continue
    cd "$stage"
    quietly env -u SINEW_LIBRARY PYTHONPATH="${module%/sinew}" PYTHONDONTWRITEBYTECODE=1 "$python" "$here/consumer.py" "$root"
    break
done
