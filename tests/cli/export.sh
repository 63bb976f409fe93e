#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sinew export: what is in the files, read by h5py and numpy, is what was in the run.
. "$(dirname "$0")/common.bash"
make=${PROGRAMS:?the folder of helper programs}/make_recording

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import numpy, h5py' 2> /dev/null && python=$candidate && break
done

mkdir truth
"$make" pile pile.sinew truth || fail "make_recording"
run 0 export pile.sinew -o all.csv --poses
prints "all.csv: 60 samples, 9 inputs"
quiet
"$SINEW" export pile.sinew -o all.h5 --poses > out 2> err
status=$?
hdf5=all.h5
if [ $status = 2 ] && grep -q "built without HDF5; install libhdf5-dev" err; then
    hdf5=-
elif [ $status != 0 ]; then
    fail "export to HDF5: exit status $status"
    cat err
fi
if [ -n "$python" ]; then
    "$python" "$here/../programs/check_export.py" truth $hdf5 all.csv || fail "the numbers differ"
else
    echo "no Python with numpy and h5py: files are not read back"
fi

# the file itself, and the example of its page
python3 "$here/../programs/check_format.py" pile.sinew 120 60 9 || fail "the format is not as documented"
if [ -n "$python" ] && [ $hdf5 != - ]; then
    sed -n '/^```python/,/^```/{/^```/d;p}' "$here/../../docs/recording.md" > example.py
    cp all.h5 run.h5
    "$python" example.py > out 2> err || fail "the example of docs/recording.md: $(tail -1 err)"
    prints "sinew 0"
    prints "29 samples to 0.058 s"
    prints "gravity -1 [ 0.1  0.  -9.7]"
fi

# part of it
run 0 export pile.sinew -o part.csv --from 0.0095 --to 0.0305 --every 2 --what q
prints "part.csv: 6 samples, 0 inputs"
[ "$(head -1 part.csv | cut -d, -f1-4)" = "time_s,step,q:elbow_rad,q:box0[x]_m" ] ||
    fail "titles: $(head -1 part.csv)"
[ "$(cut -d, -f2 part.csv | tr '\n' ' ')" = "step 10 14 18 22 26 30 " ] || fail "steps"
head -1 part.csv | grep -q 'v:' && fail "velocities were not asked for"
[ -e part.inputs.csv ] && fail "inputs were not asked for"
run 0 export pile.sinew -o inputs.csv --what inputs --to 0.006
prints "inputs.csv: 3 samples, 2 inputs"
[ "$(cut -d, -f3 inputs.inputs.csv | tr '\n' ' ')" = "kind wrench force " ] || fail "kinds"
run 0 export pile.sinew -o none.csv --from 5
says "there is no sample between 5 s and inf s"

if [ $hdf5 != - ]; then
    run 0 export pile.sinew -o part.hdf5 --what sensors,contact
    if [ -n "$python" ]; then
        "$python" -c '
import h5py
file = h5py.File("part.hdf5")
assert set(file["era_000"]) & {"q", "v", "poses", "sensors", "contacts"} == {"sensors", "contacts"}
assert "inputs" not in file' || fail "parts of an HDF5 file"
    fi
    # a full disk: said, and nothing half-written is left
    (ulimit -f 8; trap '' XFSZ; "$SINEW" export pile.sinew -o full.h5 --poses > out 2> err)
    [ $? = 1 ] || fail "a full disk is no success"
    says "full.h5: cannot be written"
    [ -e full.h5 ] && fail "full.h5 is there"
    [ -e full.h5.tmp ] && fail "full.h5.tmp is left"
    run 1 export pile.sinew -o none/all.h5
    says "none/all.h5: cannot be written"
fi
(ulimit -f 8; trap '' XFSZ; "$SINEW" export pile.sinew -o full.csv --poses > out 2> err)
[ $? = 1 ] || fail "a full disk is no success"
says "full.csv: not everything could be written"
[ -e full.csv ] && fail "full.csv is there"
run 1 export pile.sinew -o none/all.csv
says "create the directory first"

# usage
run 2 export pile.sinew
says "no file given to write"
run 2 export pile.sinew -o all.txt
says "must end in .h5, .hdf5, .h5md, .csv, .pdb or .dcd"
run 2 export none.sinew -o all.csv
says "none.sinew: cannot be read"
run 2 export pile.sinew -o all.csv --what q,posess
says "there is no 'posess'; did you mean 'poses'?"
run 2 export pile.sinew -o all.csv --every 0
run 2 export

finish
