#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing on a Debian machine; says nothing and does nothing when all is there.
# usage: tools/setup.sh build|test|check|peers
#   build  compiler, CMake, libraries               test   build, and what the tests need
#   check  test, clang with its tools, valgrind     peers  build, and the engines we compare with
set -euo pipefail

missing=()
optional=()

# need PACKAGE PROBE...: the package is missing when the probe fails. want: the same, but it goes without.
need() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=("$package")
}
want() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || optional+=("$package")
}
program() { command -v "$1"; }
header() { echo "#include <$1>" | gcc -E -; }
# Of the system's Python, which is not always the one on the path.
debian_python() { /usr/bin/python3 -c "import $1"; }
library() { pkg-config --exists "$1"; }
fuzzer() { echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address -x c - -o /dev/null; }
package() { dpkg-query -W -f '${Status}' "$1" | grep -q 'ok installed'; }

need_build() {
    need gcc program gcc
    need libc6-dev header stdio.h
    need make program make
    need cmake program cmake
    need ninja-build program ninja
    need pkg-config program pkg-config
    need libxml2-dev library libxml-2.0
    need libjansson-dev library jansson
    need libqhull-dev library qhull_r
    need libassimp-dev library assimp
    need libyaml-dev library yaml-0.1
    need libhdf5-dev package libhdf5-dev
    want nodejs program node # for the page of the viewer
    want npm program npm
}

need_test() {
    need_build
    need libcmocka-dev library cmocka
    want mold program mold # links the tests
    need python3 program python3
    need python3-numpy debian_python numpy
    need python3-pytest debian_python pytest
    need python3-jsonschema debian_python jsonschema
    need python3-yaml debian_python yaml
    need python3-h5py debian_python h5py
    want chromium program chromium # for tests of the page
    want python3-mdanalysis debian_python MDAnalysis # reads exported trajectories back
}

need_check() {
    need_test
    need g++ program g++
    need clang program clang
    need clang-format program clang-format
    need libclang-rt-dev fuzzer
    need valgrind program valgrind
    need mypy program mypy
}

need_peers() {
    need_build
    need g++ program g++
    for name in libmujoco-dev libdart-dev libsimbody-dev libbullet-dev libode-dev \
        libsiconos-numerics-dev libfcl-dev gromacs python3-simtk libopenmm-plugins; do
        need $name package $name
    done
}

give_up() {
    echo "setup: $1" >&2
    echo "setup: please install these Debian packages, or what your system calls them:" >&2
    echo "    ${missing[*]}" >&2
    exit 1
}

case ${1-} in
    build | test | check | peers) "need_$1" ;;
    *)
        echo "usage: tools/setup.sh build|test|check|peers" >&2
        exit 2
        ;;
esac
# What is only wanted stops nobody, and once it could not be had it is not tried again (until `make clean`).
tried=build/.setup-tried
if [ "$(cat $tried 2> /dev/null)" = "${optional[*]}" ]; then optional=(); fi
go_without() {
    mkdir -p build
    echo "${optional[*]}" > $tried
    echo "setup: goes without ${optional[*]} ($1): some tests are skipped, or the viewer has no page"
}
[ ${#missing[@]} -gt 0 ] || [ ${#optional[@]} -gt 0 ] || exit 0

# Nothing can be installed: what is needed must be there.
give_up_or_go() {
    [ ${#missing[@]} = 0 ] || give_up "$1"
    go_without "$1"
    exit 0
}
command -v apt-get > /dev/null || give_up_or_go "this is not a Debian system"
as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || give_up_or_go "neither root nor sudo"
    as_root=(sudo)
fi

echo "setup: installing ${missing[*]} ${optional[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"; }
# Old package lists may still do, so a failed update alone is no reason to stop.
apt update > "$log" 2>&1 || true
if [ "$1" = peers ]; then # not every release has every engine
    for i in "${!missing[@]}"; do
        apt-cache show "${missing[i]}" > /dev/null 2>&1 && continue
        echo "setup: no package ${missing[i]} on this release; left out"
        unset "missing[i]"
    done
    [ ${#missing[@]} -gt 0 ] || exit 0
fi
if [ ${#optional[@]} -gt 0 ]; then
    apt install -y --no-install-recommends "${optional[@]}" >> "$log" 2>&1 || go_without "apt-get could not install them"
fi
[ ${#missing[@]} -gt 0 ] || exit 0
apt install -y --no-install-recommends "${missing[@]}" >> "$log" 2>&1 || {
    tail -n 15 "$log" >&2
    give_up "apt-get could not install them (offline?)"
}
