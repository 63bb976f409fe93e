# SPDX-License-Identifier: Apache-2.0
# sinew bench molecule: its rows, without other programs.
. "$(dirname "$0")/common.bash"

mkdir none
run 0 bench molecule --quick --reps 2 --peers none --json
holds '[r["case"] for r in x["rows"]] == ["forces-crambin", "forces-3500", "window48-3500", "multibody-768", "refresh-857", "step-ala20"]' \
    'all(r["min_us"] > 0 and r["median_us"] >= r["min_us"] for r in x["rows"])' \
    'x["bench"] == "molecule" and x["rows"][2]["listed_pairs"] < x["rows"][1]["listed_pairs"]'
says "make peers"

# a helper that ends at once, and one that fails
mkdir broken
printf '#!/bin/sh\nexit 3\n' > broken/sinew-forces-gromacs
printf '#!/bin/sh\nwhile read -r line; do echo error no such molecule; done\n' > broken/sinew-forces-openmm
chmod +x broken/*
run 0 bench molecule --quick --reps 2 --peers broken
prints "no such molecule"
finish
