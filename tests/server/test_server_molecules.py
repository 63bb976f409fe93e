# SPDX-License-Identifier: Apache-2.0
"""Molecules as the viewer gets them: atoms, bonds and backbones, and a hand that pulls one."""
import math
import subprocess

from conftest import SINEW
from viewer_client import WORLD, turn

RADIUS_NM = {"H": 0.12, "C": 0.17, "N": 0.155, "O": 0.152}


def pdb_atoms(path):
    """(label, element, position in nm) of each atom of a PDB file."""
    return [
        (
            f"{line[21]}/{int(line[22:26])} {line[17:20].strip()} {line[12:16].strip()}",
            line[76:78].strip(),
            [float(line[k : k + 8]) / 10 for k in (30, 38, 46)],
        )
        for line in path.read_text().splitlines()
        if line.startswith(("ATOM", "HETATM"))
    ]


def atoms_of(client):
    """Of the scene, from its blob, each where the newest frame has it."""
    atoms = client.scene["atoms"]
    columns = {name: client.array(atoms[name], *form) for name, form in
               {"body": "I", "offset": ("f", 3), "radius": "f", "colour": ("B", 4), "label": "I"}.items()}  # fmt: skip
    assert all(len(column) == atoms["count"] for column in columns.values())
    found = []
    for body, offset, radius, colour, label in zip(*columns.values()):
        at = offset
        if body != WORLD:
            assert body < len(client.scene["bodies"])
            pose = client.pose(body)
            at = [p + t for p, t in zip(pose[:3], turn(pose[3:], offset))]
        found.append({"body": body, "at": at, "radius": radius, "colour": colour, "label": atoms["labels"][label]})
    return found


def back_to_the_beginning(client):
    """Atoms have moved before anybody looks."""
    client.number("PAUSE", 1)
    client.ask("RESET")
    client.frames_more(2)


def check_against_pdb(client, path, place=(0, 0, 0), prefix=""):
    back_to_the_beginning(client)
    atoms, expected = atoms_of(client), pdb_atoms(path)
    assert len(atoms) == len(expected)
    for atom, (label, element, at) in zip(atoms, expected):
        assert atom["label"] == prefix + label
        assert math.dist(atom["at"], [p + q for p, q in zip(at, place)]) < 1e-3, label
        assert abs(atom["radius"] - RADIUS_NM[element]) < 1e-6 and atom["colour"][3] == 255
    assert len({atom["colour"] for atom in atoms}) == len({element for _, element, _ in expected})
    return atoms


def build(words, folder):
    subprocess.run([SINEW, "build", words, "-o", "built.pdb"], cwd=folder, check=True, capture_output=True)
    return folder / "built.pdb"


def test_atoms_are_where_the_built_file_has_them(start, tmp_path):
    program = start("run", "ala:5")
    client = program.connect()
    atoms = check_against_pdb(client, build("ala:5", tmp_path))
    scene = client.scene
    assert {atom["body"] for atom in atoms} == {WORLD, *range(len(scene["bodies"]))}  # none without an atom

    bonds = client.array(scene["bonds"], "I", 2)
    assert len(bonds) == len(atoms) - 1 == len({frozenset(bond) for bond in bonds})  # a chain without rings
    for a, b in bonds:
        assert 0.09 < math.dist(atoms[a]["at"], atoms[b]["at"]) < 0.22, (atoms[a], atoms[b])

    backbones = [client.array(place, "I") for place in scene["ribbon"]]
    assert [[atoms[a]["label"] for a in chain] for chain in backbones] == [[f"A/{k} ALA CA" for k in range(2, 7)]]

    unit = scene["unit"]
    assert unit["symbol"] == "nm" and unit["force_symbol"] == "pN"
    assert abs(unit["force"] - 1.66054) < 1e-5  # u nm/ps^2
    assert all(math.dist(atom["at"], scene["centre"]) <= scene["radius"] for atom in atoms)
    assert scene["radius"] < 2  # the camera is near


def test_a_molecule_of_a_scene_is_where_the_scene_puts_it(start, tmp_path):
    path = tmp_path / "beside.yaml"
    path.write_text(
        "version: 1\nmolecules:\n- {name: chain, build: 'ala:3', at: [1, 2, 3]}\nobjects:\n- {name: ball, sphere: 0.1}\n"
    )
    program = start("run", str(path))
    client = program.connect()
    check_against_pdb(client, build("ala:3", tmp_path), (1, 2, 3), "chain/")
    scenes = client.scenes
    client.text("EDIT", "remove: chain")
    client.until(lambda c: c.scenes > scenes)
    assert client.scene["atoms"] is client.scene["bonds"] is client.scene["ribbon"] is None


def test_a_pulled_atom_takes_its_group_along(start):
    program = start("run", "ala:5")
    client = program.connect()
    back_to_the_beginning(client)  # so that it is pulled out of the same shape every time
    atoms = atoms_of(client)
    last = next(k for k, atom in enumerate(atoms) if atom["label"] == "A/7 NME CH3")
    body, at = atoms[last]["body"], atoms[last]["at"]
    goal = [at[0] + 0.2, *at[1:]]
    hand = client.grab(body, point=client.array(client.scene["atoms"]["offset"], "f", 3)[last], target=at)
    client.number("PAUSE", 0)

    def is_near(_):
        client.move(hand, goal)
        client.frames_more(1)
        return math.dist(atoms_of(client)[last]["at"], goal) < 0.1  # the chain holds it back by some 0.05

    client.until(is_near)
    now = atoms_of(client)
    for a, b in client.array(client.scene["bonds"], "I", 2):  # bonds keep their lengths
        assert abs(math.dist(now[a]["at"], now[b]["at"]) - math.dist(atoms[a]["at"], atoms[b]["at"])) < 1e-4
    client.release(hand)


def test_a_replay_shows_the_atoms_that_were_recorded(start, tmp_path):
    pdb = build("ala:3", tmp_path)
    (tmp_path / "two.yaml").write_text(
        "version: 1\nmolecules:\n- {name: a, file: built.pdb, at: [1, 2, 3]}\n- {name: b, build: 'ala:2'}\n"
        "script:\n- {at: 0.04, remove: b}\n"
    )
    subprocess.run([SINEW, "sim", "two.yaml", "--duration", "0.08", "--record", "two.sinew"], cwd=tmp_path, check=True,
                   capture_output=True)  # fmt: skip
    expected = pdb_atoms(pdb)
    pdb.unlink()
    client = start("replay", str(tmp_path / "two.sinew")).connect()
    client.number("PAUSE", 1)
    client.real("SEEK", 0)
    client.until(lambda c: c.time < 0.002 and c.scene["atoms"]["count"] > len(expected))
    atoms = atoms_of(client)
    assert len(atoms) > len(expected)  # both are there
    for atom, (label, _, at) in zip(atoms, expected):
        assert atom["label"] == "a/" + label
        assert math.dist(atom["at"], [p + q for p, q in zip(at, (1, 2, 3))]) < 1e-2, label
    assert client.scene["unit"]["symbol"] == "nm" and client.scene["bonds"]["count"] > 0
    scenes = client.scenes
    client.real("SEEK", 0.08)
    client.until(lambda c: c.scenes > scenes and c.time > 0.07)
    assert len(atoms_of(client)) == len(expected)  # b is gone
