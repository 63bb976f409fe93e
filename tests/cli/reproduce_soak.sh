# SPDX-License-Identifier: Apache-2.0
# What takes seconds and gigabytes: chains of up to 10^6 joints under a hand.
. "$(dirname "$0")/common.bash"

"$SINEW" reproduce morin-fig5 --json > out 2> err # times may not be those of a quiet machine
holds 'x["growth_joints"] == [1e3, 1e4, 1e5, 1e6] and all(us > 0 for us in x["growth_refresh_us"])'
finish
