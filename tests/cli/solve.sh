# SPDX-License-Identifier: Apache-2.0
# sinew solve: contact problems from files; what is printed, what is refused, what the exit status says.
. "$(dirname "$0")/common.bash"
contact=$data/contact

run 0 solve --help
prints "Which error is meant"
prints "--siconos-error"
run 0 --help
prints "solve"

# Every way in which a problem is written gives the same answer.
run 0 solve "$contact"/*.fc3d "$contact"/*.dat --json
quiet
holds 'len(x) == 36 and all(c["ok"] and c["residual"] <= 1e-8 and c["judged_by"] == "residual" for c in x)'
holds 'all({"file", "contacts", "solver", "residual", "error", "iterations", "seconds", "ok"} <= set(c) for c in x)'
holds 'all(c["seconds"] > 0 and c["iterations"] >= 1 for c in x)'
holds 'sorted({c["groups"] for c in x if "apart" in c["file"]}) == [3]'
holds 'sorted({c["contacts"] for c in x}) == [1, 3, 4]'

# For people: a line a file, and how many were solved.
cp "$contact/pair.fc3d" "$contact/skew_blocks.dat" .
run 0 solve pair.fc3d skew_blocks.dat --repeat 3
quiet
prints "solver nsgs, until the residual is at most 1e-08"
prints "pair.fc3d"
prints "median time"
grep -qE '^files +2$' out || fail "no count of files"
grep -qE '^solved +2$' out || fail "no count of solved files"
run 0 solve pair.fc3d --siconos-error --tol 1e-6
prints "until the error is at most 1e-06"
prints "/ |q|"

# Every solver and every option.
for solver in nsgs projection admm; do
    run 0 solve pair.fc3d "$contact/apart.fc3d" --solver $solver --tol 1e-6 --json
    holds "all(c['solver'] == '$solver' and c['residual'] <= 1e-6 for c in x)"
done
for option in "--local newton" "--local projection" "--relaxation 1.3" --no-accelerate \
    --no-newton --forward "--iterations 100000" "--workers 2" "--deadline-us 1000000"; do
    # shellcheck disable=SC2086
    run 0 solve skew_blocks.dat --siconos-error $option --json
    holds 'x[0]["ok"] and x[0]["error"] <= 1e-8 and x[0]["judged_by"] == "error"'
done
run 1 solve skew_blocks.dat --iterations 1 --no-newton --tol 1e-12 --json
holds 'not x[0]["ok"] and x[0]["iterations"] == 1 and x[0]["residual"] > 1e-12'
run 1 solve skew_blocks.dat --iterations 1 --no-newton --tol 1e-12
prints "NO"
# Pyramids and springs are not cones and rigid bodies: no more is asked of them than an answer.
for solver in lcp penalty; do
    "$SINEW" solve pair.fc3d --solver $solver --facets 16 --json > out 2> err
    holds 'len(x) == 1 and math.isfinite(x[0]["residual"])'
done

# A matrix that is not symmetric: said by the solver that makes it so, and only by that one.
run 0 solve skew_blocks.dat
quiet
"$SINEW" solve skew_blocks.dat --solver admm > out 2> err
says "warning: skew_blocks.dat: W is not symmetric"
run 0 solve pair.fc3d --solver admm --tol 1e-6
quiet

# Impulses, and the problem in another format.
run 0 solve skew_blocks.dat --impulses r.txt --write again.fc3d
[ "$(grep -vc '#' r.txt)" = 12 ] || fail "not 12 impulses"
run 0 solve again.fc3d --write back.dat --json
holds 'x[0]["contacts"] == 4'
run 0 solve back.dat --write again2.fc3d
cmp -s again.fc3d again2.fc3d || fail "a problem changes on its way through .dat"
run 2 solve skew_blocks.dat --write again.txt
says "end it with .fc3d or .dat"
run 2 solve skew_blocks.dat pair.fc3d --impulses r.txt
says "give one problem"
run 1 solve pair.fc3d --impulses nowhere/r.txt
says "nowhere/r.txt: cannot be written"

# What cannot be read is said with line and reason; the others are solved.
sed '4s/ [^ ]*/ nan/' pair.fc3d > nan.fc3d
head -c 400 "$contact/pair_blocks.dat" > cut.dat
run 2 solve nan.fc3d pair.fc3d cut.dat nowhere.dat --json
says "sinew: nan.fc3d:4: q[1]: expected a finite number, found 'nan'"
grep -qE '^sinew: cut.dat:[0-9]+: .*expected .*found ' err || fail "no reason for the cut file"
says "sinew: nowhere.dat: no such file"
holds '[c["ok"] for c in x] == [False, True, False, False]'
holds '[c["file"] for c in x] == ["nan.fc3d", "pair.fc3d", "cut.dat", "nowhere.dat"]'
holds 'x[0]["residual"] is None and "nan" in x[0]["trouble"]'
run 2 solve nan.fc3d pair.fc3d
prints "could not be read"
grep -qE '^solved +1$' out || fail "the readable file was not solved"
printf '# huge\n80000000 240000000 1\n0.5\n' > huge.fc3d
run 2 solve huge.fc3d
says "huge.fc3d:2: mu, q and W: expected 320000003 numbers"
run 2 solve
says "something is missing"
run 2 solve pair.fc3d --solver ngsg
says "did you mean 'nsgs'"
run 2 solve pair.fc3d --tol 0
says "is not a number above zero"
run 2 solve pair.fc3d --relaxation 2
says "between 0 and 2"

# The problems beside the clone, as Siconos judges.
if [ -d "${SHARED:-}/data/contact/fc3d" ]; then
    run 0 solve "$SHARED"/data/contact/fc3d/*.fc3d --siconos-error --json
    holds 'len(x) == 26 and all(c["ok"] and c["error"] <= 1e-8 for c in x)'
fi
finish
