#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sinew replay: what a recording holds, and whether it happens again.
. "$(dirname "$0")/common.bash"
make=${PROGRAMS:?the folder of helper programs}/make_recording

"$make" pile pile.sinew || fail "make_recording pile"
run 0 replay pile.sinew --info
prints "a recording of 120 steps"
prints "pile: 3 bodies, 13 degrees of freedom"
prints "0 s to 0.12 s"
prints "its writer came to the end"
quiet
run 0 replay pile.sinew --verify
prints "verified: all 120 steps are the same, bit for bit"
quiet
run 0 replay pile.sinew --verify --json
holds 'x["steps"] == 120 and x["samples"] == 60 and x["sensors"] == 2 and x["inputs"] == 9'
holds 'x["closed"] and not x["damaged"] and x["exact"] and x["lost"] == 0'
holds 'x["begin"] == 0 and x["end"] == 0.12 and x["scene"].startswith("version: 1")'
holds 'x["verify"]["verdict"] == "same" and x["verify"]["same_steps"] == 120'
run 0 replay pile.sinew --scene
prints 'name: a pile, and "quotes"'

# from the middle of a run: exact without contact, and honest with it
"$make" chain chain.sinew
run 0 replay chain.sinew --verify
prints "all 200 steps"
"$make" middle middle.sinew
run 1 replay middle.sinew --verify
prints "in the middle of a run"
says "step 81 differs"
says "farthest off: "
says "it need not come out the same"
run 1 replay middle.sinew --verify --json
holds 'x["verify"]["verdict"] == "differs" and x["verify"]["step"] == 81 and not x["exact"]'
holds 'x["verify"]["block"] == 3 and x["verify"]["recorded"] != x["verify"]["again"]'

# cut short: good up to there
size=$(stat -c %s chain.sinew)
head -c $((size - 60)) chain.sinew > cut.sinew
run 0 replay cut.sinew --verify
says "it ends in the middle of block"
prints "its writer was stopped"

# damaged: good up to there, and said
cp pile.sinew damaged.sinew
printf 'X' | dd of=damaged.sinew bs=1 seek=20000 conv=notrunc status=none
run 1 replay damaged.sinew --verify
says "damaged at block"
prints "damaged; all before is good"
prints "are the same, bit for bit"

# modules of plugins, one of each kind
module() { # FILE KIND NAME
    local source=$here/../../examples/plugins/$1.c
    cc -shared -fPIC -I"$here/../../include" "$source" -o "$1.so" -lm || fail "$1 cannot be built"
    "$make" module "$1.sinew" "./$1.so" "$2" "$3" || fail "make_recording module $1"
    run 0 replay "$1.sinew" --info
    prints "$3"
    run 2 replay "$1.sinew" --verify
    says "$3"
    run 0 replay "$1.sinew" --verify --plugin "./$1.so"
    prints "verified: all 100 steps"
}
if command -v cc > /dev/null; then
    module dense_dynamics dynamics dense
    module sphere_detector detector spheres
    module pgs_solver solver pgs
    module penalty_simulator simulator penalty
    run 2 replay pgs_solver.sinew --verify --plugin ./none.so
    says "./none.so: it cannot be loaded"
fi

# usage
run 2 replay
run 2 replay none.sinew
says "none.sinew: cannot be read: No such file or directory"
run 2 replay "$MODELS"
says "cannot be read: Is a directory"
echo "hello" > hello.txt
run 2 replay hello.txt
says "shorter than a recording's header"
head -c 1000 /dev/zero > zeros
run 2 replay zeros
says "not a recording"
run 2 replay pile.sinew --verfy
says "--verify"
run 0 help replay
prints "--plugin FILE"

finish
