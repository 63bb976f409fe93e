# SPDX-License-Identifier: Apache-2.0
"""What `sinew export` wrote, read by others' code, against what make_recording put in.

usage: check_export.py FOLDER FILE.h5 FILE.csv     HDF5 is left out when FILE.h5 is -
"""
import csv
import os
import sys

import numpy as np

SENSORS = 4
TAIL = 5


def read_truth(folder, era):
    with open(f"{folder}/names{era}") as file:
        nq, nv, bodies = map(int, file.readline().split())
        names = [line.split() for line in file]
    width = 2 + nq + nv + 12 * bodies + SENSORS + TAIL
    rows = np.fromfile(f"{folder}/samples{era}").reshape(-1, width)
    parts, at = {}, 0
    for name, count in [("time", 1), ("step", 1), ("q", nq), ("v", nv), ("poses", 12 * bodies),
                        ("sensors", SENSORS), ("contacts", 1), ("deepest", 1), ("residual", 1),
                        ("events", 1), ("hash", 1)]:
        parts[name] = np.ascontiguousarray(rows[:, at:at + count])
        at += count
    parts["hash"] = parts["hash"].view(np.uint64)
    parts["names"] = names
    return parts


def read_inputs(folder):
    with open(f"{folder}/inputs0") as file:
        for line in file:
            step, kind, body, *numbers = line.split()
            yield int(step), kind, int(body), np.array([float(x) for x in numbers])


def same_bits(a, b, what):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    assert a.size == b.size and a.dtype == b.dtype, (what, a.shape, b.shape, a.dtype, b.dtype)
    assert a.tobytes() == b.tobytes(), what


def matrices(quaternions):
    """Rotations of unit quaternions w, x, y, z, by the formula of any book."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)


def check_poses(poses, truth):
    truth = truth.reshape(poses.shape[0], -1, 12)
    assert poses.shape[1:] == (truth.shape[1], 7)
    assert np.abs(poses[..., :3] - truth[..., :3]).max() < 1e-14  # metres; a few roundings
    assert np.abs(matrices(poses[..., 3:]) - truth[..., 3:]).max() < 1e-14


def check_hdf5(folder, path):
    import h5py

    with h5py.File(path) as file:
        assert file.attrs["format"] == "sinew export" and file.attrs["format_version"] == 1
        assert file.attrs["step_s"] == 0.001 and file.attrs["steps"] == 120
        assert file.attrs["closed"] == 1 and file.attrs["damaged"] == 0
        assert "quotes" in file["scene"][()].decode()
        eras = sorted(name for name in file if name.startswith("era_"))
        assert eras == ["era_000", "era_001"], eras
        for number, era in enumerate(eras):
            group, truth = file[era], read_truth(folder, number)
            for name in ["time", "q", "v", "deepest", "residual"]:
                same_bits(group[name][()], truth[name], name)
            for name in ["step", "events", "contacts"]:
                assert (group[name][()] == truth[name].ravel()).all(), name
            same_bits(group["hash"][()], truth["hash"], "hash")
            same_bits(group["sensors/hand.force"][()], truth["sensors"][:, :3], "force")
            same_bits(group["sensors/angle"][()], truth["sensors"][:, 3:], "angle")
            assert group["sensors/hand.force"].attrs["name"] == "hand/force"
            check_poses(group["poses"][()], truth["poses"])
            names = [[a.decode(), b.decode()]
                     for a, b in zip(group["body_names"], group["joint_names"])]
            assert names == truth["names"], names
            assert group["q_names"].shape == (group["q"].shape[1],)
            assert group["q_names"][0] == b"q:elbow_rad"
            assert group["v_names"].shape == (group["v"].shape[1],)
            assert (group["parents"][()] == -1).all()
            assert group["q"].chunks and group["q"].maxshape[0] is None
            assert group["q"].compression == "gzip"
            assert group["time"].attrs["unit"] == "s"
        table, numbers = file["inputs/table"][()], file["inputs/numbers"][()]
        expected = list(read_inputs(folder))
        assert len(table) == len(expected)
        for row, (step, kind, body, values) in zip(table, expected):
            assert (row["step"], row["kind"].decode(), row["body"]) == (step, kind, body), row
            assert abs(row["time"] - step * 0.001) < 1e-15
            first = int(row["first"])
            same_bits(numbers[first:first + int(row["count"])], values, kind)


def check_csv(folder, path):
    stem = os.path.splitext(path)[0]
    for era, name in enumerate([path, f"{stem}.2.csv"]):
        truth = read_truth(folder, era)
        with open(name, newline="") as file:
            head, *rows = csv.reader(file)
        columns = {title: k for k, title in enumerate(head)}

        def numbers(chosen):
            return np.array([[float(row[k]) for k in chosen] for row in rows])

        for key, prefix in [("q", "q:"), ("v", "v:"), ("sensors", "sensor:")]:
            chosen = [k for k, title in enumerate(head) if title.startswith(prefix)]
            same_bits(numbers(chosen), truth[key], key)
        for key, title in [("time", "time_s"), ("step", "step"), ("contacts", "contacts"),
                           ("deepest", "deepest_m"), ("residual", "residual"),
                           ("events", "events")]:
            same_bits(numbers([columns[title]]), truth[key], key)
        hashes = [int(row[columns["hash"]], 16) for row in rows]
        assert hashes == list(map(int, truth["hash"].ravel()))
        poses = [k for k, title in enumerate(head) if title.startswith("pose:")]
        assert head[poses[0]] == "pose:arm/upper[x]_m" and head[poses[3]] == "pose:arm/upper[qw]"
        check_poses(numbers(poses).reshape(len(rows), -1, 7), truth["poses"])
    with open(f"{stem}.inputs.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["time_s", "step", "kind", "body", "numbers"]
    expected = list(read_inputs(folder))
    assert len(rows) == len(expected)
    for row, (step, kind, body, values) in zip(rows, expected):
        assert (int(row[1]), row[2], int(row[3])) == (step, kind, body), row
        same_bits(np.array([float(x) for x in row[4].split()]), values, kind)


if __name__ == "__main__":
    folder, hdf5, table = sys.argv[1:]
    check_csv(folder, table)
    if hdf5 != "-":
        check_hdf5(folder, hdf5)
    print("all numbers agree")
