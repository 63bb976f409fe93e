# SPDX-License-Identifier: Apache-2.0
# Help, versions, options that do not exist, and the exit status of each.
. "$(dirname "$0")/common.bash"

for words in "" --help help -h; do
    # shellcheck disable=SC2086
    run 0 $words
    prints "usage: sinew COMMAND"
    quiet
done
run 0 --version
grep -qE '^sinew [0-9]+\.[0-9]+' out || fail "version is not a number"

run 2 infp
says "there is no command 'infp'; did you mean 'info'?"
run 2 help simm
says "did you mean 'sim'?"
run 2 zzzzzzzz
says "sinew --help"
run 2 --nonsense
says "no option --nonsense"

for command in info eval sim run energy solve draw reproduce bench devices doctor zwidth; do
    run 0 "$command" --help
    cp out asked
    for part in "usage: sinew $command" "examples:" "options:" "--json" "exit status:"; do
        prints "$part"
    done
    awk 'length($0) > 100 { exit 1 }' out || fail "$command --help is wider than 100 columns"
    run 0 help "$command"
    cmp -s out asked || fail "help $command differs from $command --help"
    run 2 "$command" --jsno
    says "did you mean --json?"
    run 2 "$command" --json=yes
    says "--json takes no value"
    run 2 "$command" -j
    says "two dashes"
done

# Examples work as they stand: what follows two spaces is an explanation.
export CHROMIUM=none # the page in a browser is for `make bench`
mkdir bin && ln -s "$SINEW" bin/sinew
for command in info eval sim run energy solve draw "draw tree" "draw groups" reproduce bench devices zwidth; do
    # shellcheck disable=SC2086
    "$SINEW" $command --help | sed -n '/^examples:/,/^$/p' | grep '^  ' > lines
    while read -r line; do
        line=$(sed 's/   *[a-z].*$//' <<< "$line")
        if [[ $line == "sinew run"* && $line != *--headless* ]]; then # goes on until Ctrl-C
            line+=" --duration 0.1 --no-open --port 0"
        elif [[ $line == "sinew bench "* && $line != *--quick* ]]; then # minutes
            line=${line/ bench / bench --quick }
        fi
        PATH=$PWD/bin:$PATH bash -c "$line" > out 2> err < /dev/null ||
            fail "example of $command: $line: $(head -1 err)"
    done < lines
done

run 2 sim
says "something is missing; usage: sinew sim SCENE --duration S"
run 2 sim chain:2
says "--duration"
run 2 sim chain:2 chain:3 --duration 1
says "'chain:3' is one word too many"
run 2 sim chain:2 --duration
says "--duration needs a value"
run 2 sim chain:2 --duration --json
says "--duration needs a value"
run 2 sim chain:2 --duration=-1
says "'-1' is not a number above zero"
run 2 sim chain:2 --duration nan
says "not a number above zero"
run 2 sim chain:2 --duration 1 --every 0
says "whole number of at least 1"
run 2 sim chain:2 --duration 1 --gravity 0,0
says "three numbers x,y,z"
run 2 sim chain:2 --duration 1 --integrator rk5
says "did you mean 'rk4'?"
run 2 sim chain:2 --duration 1 --dynamics magic
says "choose one of aba|crba"
run 2 sim chain:2 --duration 1e9 --step 1e-9
says "more than 1e+12 steps"
run 2 eval --cases case.json chain:2
says "put them last"
run 2 reproduce keith-joint
says "did you mean 'keith-joints'?"
run 2 bench dynamic
says "did you mean 'dynamics'?"

# No colours outside a terminal; a full disk is noticed.
run 2 infp
grep -q $'\033' err && fail "colours outside a terminal"
if [ -e /dev/full ]; then
    "$SINEW" info chain:2 > /dev/full 2> err
    [ $? -eq 1 ] || fail "a full disk is not noticed"
    says "cannot be written"
fi
finish
