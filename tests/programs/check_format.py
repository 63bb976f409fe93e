# SPDX-License-Identifier: Apache-2.0
"""Reads a recording by docs/recording.md alone: every byte of it must be what the document says.

usage: check_format.py FILE.sinew STEPS SAMPLES INPUTS     of make_recording pile
       check_format.py FILE.sinew --molecule FILE.pdb       of one molecule, as the file has it
"""
import struct
import sys

MASK = 2**64 - 1
SEED = 0x7265636F72646564
# nq, nv by the type of a joint: fixed, revolute, prismatic, helical, cylindrical, planar, ...
JOINTS = [(0, 0), (1, 1), (1, 1), (1, 1), (2, 2), (3, 3), (2, 2), (4, 3), (7, 6)]


def checksum(data, seed=SEED):
    h = ((seed ^ 0x9E3779B97F4A7C15) + len(data)) * 0xC4CEB9FE1A85EC53 & MASK
    h ^= h >> 33
    for at in range(0, len(data), 8):
        w = int.from_bytes(data[at:at + 8], "little")
        h = (h ^ w) * 0xFF51AFD7ED558CCD & MASK
        h ^= h >> 32
    return h


def mix(number, place):
    b = struct.unpack("<Q", struct.pack("<d", number))[0]
    b ^= (place + 1) * 0x9E3779B97F4A7C15 & MASK
    b = (b ^ b >> 32) * 0xFF51AFD7ED558CCD & MASK
    b = (b ^ b >> 29) * 0xC4CEB9FE1A85EC53 & MASK
    return b ^ b >> 32


def state_hash(step, q, v):
    total = sum(mix(x, place) for place, x in enumerate(list(q) + list(v))) & MASK
    return checksum(struct.pack("<Q", total), checksum(struct.pack("<Q", step), 0))


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values if len(values) > 1 else values[0]

    def numbers(self, count):
        return list(struct.unpack_from(f"<{count}d", self.data, self.skip(8 * count)))

    def skip(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.at - count

    def text(self):
        length = self.take("I")
        text = self.data[self.skip(length + 1):self.at]
        assert text[-1] == 0 and 0 not in text[:-1]
        return text[:-1].decode()

    def maybe_text(self):
        return self.text() if self.take("B") else None

    def array(self, count, layout):
        skipped = -self.at % 8
        assert self.data[self.skip(skipped):self.at] == bytes(skipped)
        return [self.take(layout) for _ in range(count)]

    def done(self):
        return self.at == len(self.data)


def read_adaptivity(r):
    return r.take("i2diB")


def read_options(r):
    step = r.take("d")
    gravity = r.numbers(3)
    dynamics = r.maybe_text()
    read_adaptivity(r)
    r.take("B")  # integrator
    contact = r.take("B")
    r.take("iidiBB")
    detector = r.maybe_text()
    r.take("7dBB")
    solver = r.maybe_text()
    r.take("dBqiBBdBBBi")
    r.take("d")
    workers, constraints, _servos = r.take("iii")
    r.take("2d")
    simulator = r.maybe_text()
    room = r.take("i")
    assert r.take("B") == 0  # SI
    assert (step, gravity, dynamics, contact) == (0.001, [0, 0, -9.81], "aba", 1)
    assert (detector, solver, simulator, workers, constraints, room) == (None, None, None, 0, 4, 8)


def read_model(r):
    name, frames, bodies = r.text(), [], 0
    for _ in range(r.take("I")):
        frames.append((r.text(), r.text()))
        parent, joint = r.take("iB")
        assert -1 <= parent < bodies
        r.numbers(12)
        nq, nv = JOINTS[joint]
        if nq == 0:
            continue
        r.numbers(1 + 3 + 9 + 3 + 3 + 1 + 8 * nv + nq)
        bodies += 1
        frames[-1] += (nq, nv)
    for _ in range(r.take("I")):
        frame, shape = r.take("i"), r.text()
        assert -1 <= frame < len(frames) and isinstance(shape, str)
        r.take("BB")
        r.numbers(12 + 3)
        r.text()
        r.numbers(9)
        r.take("II")
        r.numbers(4)
        corners, triangles = r.take("II")
        r.array(corners, "3d")
        r.array(triangles, "3i")
    assert r.take("I") == 0  # loops
    for _ in range(r.take("I")):
        r.take("ii")
    moving = [f for f in frames if len(f) == 4]
    return name, len(moving), sum(f[2] for f in moving), sum(f[3] for f in moving)


def read_input(r, size, models, last):
    """Returns the size of the world's model after it."""
    kind = r.take("B")
    _, nq, nv = size
    if kind == 0:
        r.take("iB6d")
    elif kind == 1:
        r.take("i6d")
    elif kind in (2, 3, 4, 5, 15):
        r.take("i")
    elif kind == 6:
        read_adaptivity(r)
    elif kind == 7:
        return models[r.take("Q")]
    elif kind == 8:
        parts = r.take("B")
        r.numbers((nq if parts & 1 else 0) + (nv if parts & 2 else 0))
    elif kind in (9, 10, 11):
        if r.take("B"):
            assert kind in last
        else:
            r.numbers(3 * nv if kind == 11 else nv)
            last.add(kind)
    elif kind == 12:
        r.numbers(3)
    elif kind == 13:
        r.take("QBii29d")
    elif kind == 14:
        r.take("Q")
    elif kind in (16, 17):
        r.take("dq" if kind == 16 else "qq")
    else:
        assert kind == 18
        r.take("i6d")
    return size


def read_counts(r):
    return [r.take("Q") for _ in range(r.take("I"))]


def read_meters(r):
    """As make_recording counts them."""
    step, loop = r.take("QB")
    hand = r.text()
    ticks, late, first, last, worst = r.take("QQqqq")
    jitter = read_counts(r)
    assert (ticks, late, first, last, worst) == (step, 3, 5, 1000 * step, 77)
    assert jitter == list(range(24))
    if loop != 2:
        assert hand == ""
        return
    assert hand == "left"
    assert r.take("Qqq") == (step, 9000, 11) and read_counts(r) == list(range(100, 124))
    assert read_counts(r) == list(range(200, 210))
    trips, last_trip, cause, latched = r.take("QBBB")
    assert (trips, last_trip, cause, latched) == (2, 3, 1, 1)
    assert r.numbers(8) == [0.5, 0.25, -0.125, 0.75, 1, 2, 3, 4]


def read_molecule(r):
    """Its atoms: name, element or "" where the template has it, template, number of the residue, place, line."""
    prefix = r.text()
    pose = r.numbers(12)
    policy, disulfides, free, rings, first = r.take("BBBBB")
    cutoff, skin, soften, dielectric, permittivity, precision, terms = r.take("dddBdBB")
    friction, temperature, step, seed = r.take("dddQ")
    assert pose == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] and prefix == ""
    assert (policy, disulfides, free, rings, first, dielectric, precision, terms) == (1, 0, 0, 0, 0, 0, 0, 31)
    assert (cutoff, skin, soften, permittivity) == (1, 0.12, 0.5, 1)
    assert (friction, temperature, step, seed) == (5, 0, 0.001, 0)
    r.text()
    assert r.take("B") == 0
    chains, residues = r.take("II")
    labels, kept = [r.text() for _ in range(chains)], []
    for _ in range(residues):
        name, form = r.text(), r.text()
        number, insertion, gap, chain, line, partner = r.take("iBBiii")
        assert gap in (0, 1) and 0 <= chain < chains and -1 <= partner < residues and line > 0
        kept.append((name, form, labels[chain], number, chr(insertion), 0 if form else r.take("i")))
    hetero = [(k, r.text(), r.text()) for k, x in enumerate(kept) for _ in range(x[5])]
    atoms = []
    while not r.done():
        atoms.append((r.numbers(3), r.take("i")))
    return kept, hetero, atoms


def blocks(data):
    """Number, type, steps before and payload of each."""
    assert data[:8] == b"SINEWREC" and struct.unpack_from("<II", data, 8) == (3, 0x01020304)
    assert data[16:56].rstrip(b"\0").startswith(b"sinew ")
    assert struct.unpack_from("<Q", data, 56)[0] == checksum(data[:56])
    at, number = 64, 0
    while at < len(data):
        marker, kind, length, n, before, total, head = struct.unpack_from("<4sIQQQQQ", data, at)
        payload = data[at + 48:at + 48 + length]
        assert marker == b"SBLK" and n == number
        assert total == checksum(payload) and head == checksum(data[at:at + 40])
        yield number, kind, before, payload
        at += 48 + length
        number += 1


def check_molecule(path, structure):
    found = [read_molecule(Reader(payload)) for _, kind, _, payload in blocks(open(path, "rb").read()) if kind == 11]
    assert len(found) == 1
    residues, hetero, atoms = found[0]
    lines = open(structure).read().splitlines()
    records = {
        k + 1: line
        for k, line in enumerate(lines)
        if line.startswith(("ATOM", "HETATM")) and line[17:20] != "HOH"
    }
    assert {line for _, line in atoms if line} == set(records)  # all of them, and added hydrogens
    for place, line in atoms:
        if line:
            wanted = [float(records[line][k:k + 8]) / 10 for k in (30, 38, 46)]
            assert max(abs(a - b) for a, b in zip(place, wanted)) < 1e-12, line
    named = [(line[17:20].strip(), line[21], int(line[22:26]), line[26]) for line in records.values()]
    assert [(name, label[0], number, code) for name, _, label, number, code, _ in residues] == list(dict.fromkeys(named))
    unknown = {(name, number) for name, form, _, number, _, _ in residues if not form}
    assert [(residues[k][0], name, element.upper()) for k, name, element in hetero] == [
        (line[17:20].strip(), line[12:16].strip(), line[76:78].strip().upper())
        for line in records.values()
        if (line[17:20].strip(), int(line[22:26])) in unknown
    ]


def check(path, wanted):
    types, models, hashes = [], {}, {}
    counts = {"steps": 0, "samples": 0, "inputs": 0}
    meters = 0
    size = sensors = None
    for number, kind, before, payload in blocks(open(path, "rb").read()):
        r = Reader(payload)
        types.append(kind)
        if kind == 1:
            assert "a pile" in r.text()
        elif kind == 2:
            assert r.take("I") == 2
            listed = [(r.text(), r.take("I")) for _ in range(r.take("I"))]
            assert listed == [("hand/force", 3), ("angle", 1)]
            sensors = 4
            read_options(r)
        elif kind == 3:
            _, *models[number] = read_model(r)
            size = models[number]
        elif kind == 4:
            assert r.take("Q") == 0 and r.take("B") == 1
            for _ in range(r.take("I")):
                size = read_input(r, size, models, set())
        elif kind == 5:
            steps, inputs = r.take("II")
            last = set()
            for k in range(steps):
                flags, hashes[before + k + 1] = r.take("BQ")
                assert flags & 2 == 0
                for _ in range(r.take("I") if flags & 1 else 0):
                    size = read_input(r, size, models, last)
                    counts["inputs"] += 1
            counts["steps"] += steps
        elif kind == 6:
            samples, nq, nv, numbers = r.take("IIII")
            assert numbers == sensors
            for _ in range(samples):
                step, state = r.take("QQ")
                r.take("Iidd")
                q, v = r.numbers(nq), r.numbers(nv)
                r.numbers(numbers)
                assert state == hashes[step] == state_hash(step, q, v)
            counts["samples"] += samples
        elif kind == 7:
            _, bodies, nq, nv = read_model(r)
            models[number] = [bodies, nq, nv]
            assert r.array(bodies, "i")[-1] == -1
            r.array(nq, "d")
            r.array(nv, "d")
            r.array(bodies, "B")
        elif kind == 9:
            assert r.take("QQQQ") == (counts["steps"], counts["inputs"], counts["samples"], 0)
        elif kind == 10:
            for _ in range(r.take("I")):
                read_meters(r)
                meters += 1
        assert r.done(), (kind, r.at, len(payload))
    assert types[:4] == [1, 2, 3, 4] and types[-1] == 9 and 7 in types
    assert [counts["steps"], counts["samples"], counts["inputs"]] == wanted, counts
    assert meters == 4, meters


if __name__ == "__main__":
    if sys.argv[2] == "--molecule":
        check_molecule(sys.argv[1], sys.argv[3])
    else:
        check(sys.argv[1], [int(x) for x in sys.argv[2:]])
    print("every byte is what the document says")
