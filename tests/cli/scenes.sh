# SPDX-License-Identifier: Apache-2.0
# The scenes of models/README.md run with few joints active, and stay within the budget.
. "$(dirname "$0")/common.bash"

# scene BUDGET ARGUMENTS...: simulates, checks the report.
scene() {
    local budget=$1
    shift
    run 0 sim "$@" --dynamics adaptive --max-active "$budget" --json
    holds 'x["adaptive"]["active_most"] <= '"$budget"' and x["adaptive"]["active_most"] > 0'
    holds 'all(math.isfinite(e) for e in x["adaptive"]["remaining_error"])'
    holds 'any(t > 0 for t in x["adaptive"]["total_metric"])'
}

scene 100 cable:10000 --duration 0.1
holds 'x["adaptive"]["active_most"] == 100'
scene 20 pendulum:300 --duration 0.3
holds 'x["adaptive"]["active_most"] == 20'
scene 5 snake --gravity 0,0,0 --duration 0.3 --push link_10=0,2,0@0-0.1
finish
