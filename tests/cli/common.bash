# SPDX-License-Identifier: Apache-2.0
# Shared by the command-line tests: SINEW is the program, MODELS the models it ships, SHARED the
# reference data or a folder that is not there. Each test works in a folder of its own.
set -u
: "${SINEW:?the program to test}" "${MODELS:?the folder of shipped models}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/../data
case $SINEW in /*) ;; *) SINEW=$PWD/$SINEW ;; esac
case $MODELS in /*) ;; *) MODELS=$PWD/$MODELS ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run STATUS ARGUMENTS...: runs sinew; its output is in ./out and ./err, its status is checked.
run() {
    local wanted=$1 got
    shift
    "$SINEW" "$@" > out 2> err
    got=$?
    if [ $got -ne "$wanted" ]; then
        fail "sinew $*: exit status $got, not $wanted"
        head -5 err
    fi
}

# says TEXT, prints TEXT: the last run said it on stderr, printed it on stdout.
says() { grep -qF -- "$1" err || { fail "stderr lacks: $1"; head -3 err; }; }
prints() { grep -qF -- "$1" out || { fail "stdout lacks: $1"; head -3 out; }; }
quiet() { [ ! -s err ] || { fail "stderr is not empty"; head -3 err; }; }

# holds EXPRESSION...: Python expressions on the JSON value x of ./out.
holds() {
    python3 - "$@" <<'PY' || fail "see above"
import json, math, sys
x = json.load(open("out"))
wrong = [e for e in sys.argv[1:] if not eval(e)]
for e in wrong:
    print("not true:", e)
sys.exit(len(wrong) > 0)
PY
}

finish() {
    [ $failures -eq 0 ] || exit 1
    exit 0
}
