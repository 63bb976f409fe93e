# SPDX-License-Identifier: Apache-2.0
"""Molecules from Python: structures, forces, atoms of simulations and of recordings."""

import gc

import numpy as np
import pytest

import sinew

TWO = {
    "version": 1,
    "molecules": [
        {"name": "helix", "build": "ala:6", "temperature": 300, "seed": 3},
        {"name": "strand", "build": "ala:4:strand", "at": [2, 0, 0], "base": "free"},
    ],
}


def test_a_structure_tells_what_it_is():
    m = sinew.Molecule("ala:20")
    assert len(m) == 212 == len(m.atoms) == len(m.masses) == len(m.positions)
    assert m.bonds.shape == (211, 2) and m.bonds.min() == 0 and m.bonds.max() == 211
    assert abs(m.charges.sum()) < 1e-9
    assert {a.element for a in m.atoms} == {"H", "C", "N", "O"}
    assert [a.number for a in m.atoms if a.name == "CA"] == list(range(2, 22))
    lengths = np.linalg.norm(np.diff(m.positions[m.bonds], axis=1), axis=2)
    assert lengths.min() > 0.09 and lengths.max() < 0.16
    with pytest.raises(ValueError):
        m.positions[0] = 0


def test_a_file_comes_back_as_it_was(tmp_path):
    m = sinew.Molecule.from_sequence("GWTLN", structure="strand", capped=False, name="peptide")
    path = tmp_path / "peptide.pdb"
    path.write_text(m.to_pdb())
    back = sinew.Molecule(path)
    assert [a._replace(mass=0) for a in back.atoms] == [a._replace(mass=0) for a in m.atoms]
    assert np.abs(back.positions - m.positions).max() < 1e-4  # columns have three digits
    assert np.array_equal(back.bonds, m.bonds)
    assert np.array_equal(sinew.Molecule.from_text(path.read_text()).positions, back.positions)
    moved = m.positions + [1, 2, 3]
    path.write_text(m.to_pdb(moved))
    assert np.abs(sinew.Molecule(path).positions - moved).max() < 1e-4


def test_what_is_wrong_with_a_file_is_told(tmp_path):
    path = tmp_path / "bad.pdb"
    path.write_text(sinew.Molecule("ala:2").to_pdb().replace("ALA A   2       ", "ALA A   2     x ", 1))
    with pytest.raises(sinew.Error) as error:
        sinew.Molecule(path)
    assert error.value.file == str(path) and error.value.line > 1 and "x:" in error.value.text
    with pytest.raises(sinew.Error, match="ala:COUNT"):
        sinew.Molecule("ala:none")
    with pytest.raises(sinew.Error, match=r"\(5, 3\).*\(212, 3\)"):
        sinew.Molecule("ala:20").to_pdb(np.zeros((5, 3)))


def test_forces_are_the_gradient(rng):
    m = sinew.Molecule("ala:2")
    field = sinew.ForceField(m)
    places = m.positions + rng.normal(scale=0.003, size=(len(m), 3))
    energy, forces = field.evaluate(places)
    assert energy.total == pytest.approx(sum(energy[:-1]), rel=1e-12)
    assert np.abs(forces.sum(axis=0)).max() < 1e-8 * np.abs(forces).max()  # momentum is kept
    h = 1e-6
    for atom, axis in zip(rng.integers(len(m), size=12), rng.integers(3, size=12)):
        step = np.zeros_like(places)
        step[atom, axis] = h
        slope = (field.energy(places + step).total - field.energy(places - step).total) / (2 * h)
        assert forces[atom, axis] == pytest.approx(-slope, abs=1e-5 * np.abs(forces).max())
    assert m.energy(places) == energy
    assert m.energy().total != energy.total
    softer = sinew.ForceField(m, cutoff=1, soften=0.5, dielectric="distance", precision="mixed")
    assert abs(softer.energy(places).coulomb_nonbonded) < abs(energy.coulomb_nonbonded)
    with pytest.raises(sinew.Error, match="dielectric"):
        sinew.ForceField(m, dielectric="water")


def test_atoms_of_a_simulation_move_with_it():
    sim = sinew.load(TWO)
    assert sim.units == "molecular" and sinew.load("pendulum").units == "SI"
    helix, strand = sim.molecules["helix"], sim.molecules["strand"]
    assert list(sim.molecules) == ["helix", "strand"]
    start = strand.positions
    assert np.abs(start - strand.structure.positions - [2, 0, 0]).max() < 1e-9
    lengths = np.linalg.norm(np.diff(start[strand.structure.bonds], axis=1), axis=2)
    for _ in range(5):
        sim.step(20)
        before, speed = strand.positions, strand.velocities
        sim.step()
        assert np.abs((strand.positions - before) / sim.step_size - speed).max() < 0.1 * np.abs(speed).max() + 0.05
        now = np.linalg.norm(np.diff(strand.positions[strand.structure.bonds], axis=1), axis=2)
        assert np.abs(now - lengths).max() < 1e-9  # bonds are rigid
    assert np.abs(strand.positions - start).max() > 1e-3
    total = helix.energy.total + strand.energy.total
    assert sim.energy.potential == pytest.approx(total, rel=1e-12)
    sim.remove("strand")
    sim.step()
    with pytest.raises(sinew.Error, match="strand.*gone"):
        strand.positions  # noqa: B018
    assert sim.energy.potential == pytest.approx(helix.energy.total, rel=1e-12)


def test_friction_leads_downhill():
    sim = sinew.load("ala:6")
    molecule = sim.molecules["molecule"]
    before = molecule.energy.total
    sim.step(300)
    assert molecule.energy.total < before
    assert sinew.Molecule.from_text(molecule.to_pdb()).energy().total == pytest.approx(
        molecule.structure.energy(molecule.positions).total, rel=0.05, abs=5
    )


def test_a_push_on_an_atom_moves_it():
    sim = sinew.load("ala:10")
    molecule = sim.molecules["molecule"]
    last = max(i for i, a in enumerate(molecule.structure.atoms) if a.name == "CA")
    before = molecule.positions[last]
    sim.body("A/11 psi").push((500, 0, 0))  # kJ/(mol nm)
    sim.step(200)
    assert molecule.positions[last][0] > before[0] + 0.02


def test_recordings_have_the_atoms(tmp_path):
    sim = sinew.load(TWO)
    helix = sim.molecules["helix"]
    truth = []
    with sim.record(tmp_path / "run.rec", every=5):
        for k in range(10):
            if k == 6:
                sim.remove("strand")
            sim.step(5)
            truth.append((sim.time, helix.positions))
    recording = sinew.Recording(tmp_path / "run.rec")
    assert recording.units == "molecular"
    helix_of_it, strand_of_it = recording.molecules
    assert helix_of_it.atoms == helix.structure.atoms and len(strand_of_it) == 52
    found = list(recording.atoms())
    assert [t for t, _ in found] == [t for t, _ in truth]
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(found, truth))
    there = [bool(np.isfinite(p).all()) for _, p in recording.atoms(1)]
    assert there == [True] * 6 + [False] * 4
    assert recording.verify().same
    with pytest.raises(sinew.Error, match="no molecule 2"):
        next(recording.atoms(2))
    recording.close()
    del recording
    gc.collect()
    assert helix_of_it.masses.sum() > 0 and len(strand_of_it.bonds) == 51  # they keep what they need
    with pytest.raises(sinew.Error, match="closed"):
        sinew_closed = sinew.Recording(tmp_path / "run.rec")
        sinew_closed.close()
        sinew_closed.molecules  # noqa: B018


def test_a_structure_outlives_its_simulation():
    structure = sinew.load("ala:3").molecules["molecule"].structure
    gc.collect()
    assert structure.name == "ala:3" and structure.positions.shape == (len(structure), 3)
