# SPDX-License-Identifier: Apache-2.0
"""What `sinew export` writes of molecules is read back by programs for molecular dynamics, and is what the simulation was.

MDAnalysis is Debian's python3-mdanalysis; without it the layout is still checked with h5py."""

import os
import subprocess
import warnings

import numpy as np
import pytest
from conftest import ROOT

import sinew

SINEW = os.environ.get("SINEW", str(ROOT / "build" / "sinew"))
SCENE = {
    "version": 1,
    "molecules": [
        {"name": "helix", "build": "ala:8", "temperature": 300, "seed": 3},
        {"name": "strand", "build": "ala:3:strand", "at": [2, 0, 0], "base": "free"},
    ],
}
EVERY, FRAMES = 10, 12


def read_with_mdanalysis(*files, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mdanalysis = pytest.importorskip("MDAnalysis", reason="install python3-mdanalysis to read trajectories back")
        return mdanalysis.Universe(*map(str, files), **more)


def export(*words):
    done = subprocess.run([SINEW, "export", *map(str, words)], capture_output=True, text=True)
    if "built without HDF5" in done.stderr:
        pytest.skip("sinew was built without HDF5")
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recording, and what the simulation said while it was made."""
    folder = tmp_path_factory.mktemp("h5md")
    sim = sinew.load(SCENE)
    molecules = list(sim.molecules.values())
    truth = {"time": [], "positions": [], "velocities": [], "kinetic": [], "potential": [], "torsion": []}
    with sim.record(folder / "run.sinew", every=EVERY):
        for _ in range(FRAMES):
            sim.step(EVERY)
            truth["time"].append(sim.time)
            truth["positions"].append(np.vstack([m.positions for m in molecules]))
            truth["velocities"].append(np.vstack([m.velocities for m in molecules]))
            truth["kinetic"].append(sim.energy.kinetic)
            truth["potential"].append(sim.energy.potential)
            truth["torsion"].append(sum(m.energy.torsion for m in molecules))
    return folder, [m.structure for m in molecules], {name: np.array(values) for name, values in truth.items()}


@pytest.fixture(scope="module")
def h5(run):
    h5py = pytest.importorskip("h5py")
    export(run[0] / "run.sinew", "-o", run[0] / "run.h5")
    with h5py.File(run[0] / "run.h5") as file:
        yield file


def test_the_layout_is_that_of_h5md(run, h5):
    _, structures, truth = run
    count = sum(map(len, structures))
    assert list(h5["h5md"].attrs["version"]) == [1, 1]
    assert h5["h5md/creator"].attrs["name"] == "sinew" and "name" in h5["h5md/author"].attrs
    assert list(h5["h5md/modules/units"].attrs["version"]) == [1, 0]
    particles = h5["particles/trajectory"]
    assert particles["box"].attrs["dimension"] == 3 and list(particles["box"].attrs["boundary"]) == ["none"] * 3
    for name, unit in {"position": "nm", "velocity": "nm ps-1"}.items():
        assert particles[name]["value"].shape == (FRAMES, count, 3)
        assert particles[name]["value"].attrs["unit"] == unit
        assert list(particles[name]["step"]) == [EVERY * (k + 1) for k in range(FRAMES)]
        assert np.array_equal(particles[name]["time"], truth["time"])
        assert particles[name]["time"].attrs["unit"] == "ps"
    for name, series in h5["observables"].items():
        assert series["value"].shape == (FRAMES,) and len(series["step"]) == len(series["time"]) == FRAMES, name
        assert series["value"].attrs["unit"] == ("K" if name == "temperature" else "kJ mol-1")
    assert particles["mass"].attrs["unit"] == "u" and particles["charge"].attrs["unit"] == "e"
    bonds = h5["connectivity/bonds"]
    assert h5[bonds.attrs["particles_group"]] == particles and bonds.shape == (count - 2, 2)


def test_atoms_and_energies_are_those_of_the_simulation(run, h5):
    _, structures, truth = run
    particles, observables = h5["particles/trajectory"], h5["observables"]
    assert np.abs(particles["position/value"] - truth["positions"]).max() < 1e-6  # singles
    assert np.abs(particles["velocity/value"] - truth["velocities"]).max() < 1e-6 * np.abs(truth["velocities"]).max()
    assert np.allclose(observables["kinetic_energy/value"], truth["kinetic"], rtol=1e-12)
    assert np.allclose(observables["potential_energy/value"], truth["potential"], rtol=1e-9)
    assert np.allclose(observables["torsion_energy/value"], truth["torsion"], rtol=1e-9)
    terms = [name for name in observables if name not in ("kinetic_energy", "potential_energy", "total_energy", "temperature")]
    assert np.allclose(sum(observables[name]["value"][()] for name in terms), truth["potential"], rtol=1e-9)
    temperature = 2 * truth["kinetic"] / (8.314462618e-3 * len(h5["era_000/v_names"]))
    assert np.allclose(observables["temperature/value"], temperature, rtol=1e-9)
    atoms = [atom for structure in structures for atom in structure.atoms]
    assert np.array_equal(particles["mass"], [a.mass for a in atoms])
    assert np.array_equal(particles["charge"], [a.charge for a in atoms])
    for name, field in {"name": "name", "resname": "residue", "element": "element", "chain": "chain"}.items():
        assert [text.decode() for text in particles[name]] == [getattr(a, field) for a in atoms]
    assert list(particles["resid"]) == [a.number for a in atoms]
    assert list(particles["species"]) == [{"H": 1, "C": 6, "N": 7, "O": 8}[a.element] for a in atoms]
    assert list(particles["molecule"]) == [0] * len(structures[0]) + [1] * len(structures[1])
    shifted = np.vstack([structures[0].bonds, structures[1].bonds + len(structures[0])])
    assert np.array_equal(h5["connectivity/bonds"], shifted)


@pytest.mark.parametrize("ending", ["h5", "dcd", "pdb"])
def test_mdanalysis_reads_it_back(run, ending):
    folder, structures, truth = run
    export(folder / "run.sinew", "-o", folder / "run.pdb")
    export(folder / "run.sinew", "-o", folder / f"run.{ending}")
    more = {"format": "H5MD"} if ending == "h5" else {}
    files = [folder / "run.pdb"] + ([] if ending == "pdb" else [folder / f"run.{ending}"])
    universe = read_with_mdanalysis(*files, **more)
    assert universe.trajectory.n_frames == FRAMES and len(universe.atoms) == sum(map(len, structures))
    assert [a.name for a in universe.atoms] == [a.name for s in structures for a in s.atoms]
    for k, frame in enumerate(universe.trajectory):
        angstrom = 10 * truth["positions"][k]
        assert np.abs(frame.positions - angstrom).max() < (6e-4 if ending == "pdb" else 1e-5)
        if ending != "pdb":
            assert frame.time == pytest.approx(truth["time"][k], rel=1e-5)
        if ending == "h5":
            assert np.abs(frame.velocities - 10 * truth["velocities"][k]).max() < 1e-4
            assert frame.data["potential_energy"] == pytest.approx(truth["potential"][k], rel=1e-9)
            assert frame.dimensions is None


def test_parts_and_times_can_be_chosen(run, tmp_path):
    h5py = pytest.importorskip("h5py")
    folder, structures, truth = run
    export(folder / "run.sinew", "-o", tmp_path / "some.h5md", "--what", "atoms", "--from", "0.05", "--every", "2")
    with h5py.File(tmp_path / "some.h5md") as file:
        chosen = [k for k, t in enumerate(truth["time"]) if t >= 0.05][::2]
        assert np.abs(file["particles/trajectory/position/value"] - truth["positions"][chosen]).max() < 1e-6
        assert "velocity" not in file["particles/trajectory"] and "q" not in file["era_000"]
    export(folder / "run.sinew", "-o", tmp_path / "atoms.csv", "--what", "atoms")
    table = np.genfromtxt(tmp_path / "atoms.csv", delimiter=",", names=True, deletechars="", dtype=None, encoding=None)
    assert table.dtype.names[0] == "time_ps" and "atom:helix/A/2_ALA_CA[x]_nm" in table.dtype.names
    first = [a.name for a in structures[0].atoms].index("CA")
    assert np.allclose(table["atom:helix/A/2_ALA_CA[x]_nm"], truth["positions"][:, first, 0], rtol=0, atol=1e-12)
    assert np.allclose(table["potential_kJ/mol"], truth["potential"], rtol=1e-12)


def test_what_is_gone_is_nowhere(tmp_path):
    h5py = pytest.importorskip("h5py")
    sim = sinew.load(SCENE)
    with sim.record(tmp_path / "gone.sinew"):
        sim.step(3)
        sim.remove("strand")
        sim.step(2)
    export(tmp_path / "gone.sinew", "-o", tmp_path / "gone.h5")
    with h5py.File(tmp_path / "gone.h5") as file:
        there = np.isfinite(file["particles/trajectory/position/value"][()]).all(axis=2)
        strand = file["particles/trajectory/molecule"][()] == 1
        assert there[:, ~strand].all() and there[:3, strand].all() and not there[3:, strand].any()
    done = export(tmp_path / "gone.sinew", "-o", tmp_path / "gone.pdb")
    assert "not there all the time" in done.stderr
    assert (tmp_path / "gone.pdb").read_text().count("MODEL") == 5


def test_a_recording_without_molecules_has_no_atoms(tmp_path):
    sim = sinew.load("pendulum")
    with sim.record(tmp_path / "p.sinew"):
        sim.step(3)
    for ending in ("pdb", "dcd"):
        done = subprocess.run([SINEW, "export", tmp_path / "p.sinew", "-o", tmp_path / f"p.{ending}"],
                              capture_output=True, text=True)  # fmt: skip
        assert done.returncode == 2 and "there are no molecules" in done.stderr
