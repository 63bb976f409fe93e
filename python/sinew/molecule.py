# SPDX-License-Identifier: Apache-2.0
"""Molecules: structures, the forces between their atoms, and atoms of what runs or was recorded."""

from __future__ import annotations

import ctypes
import math
import os
from ctypes import c_void_p
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._error import Error, check, log
from ._library import library
from ._values import Array, Numbers, choose, text_of

if TYPE_CHECKING:
    from .simulation import Simulation


class MolecularEnergy(NamedTuple):
    """Energy of a molecule by the terms of its force field, kJ/mol."""

    bond: float
    angle: float
    torsion: float  #: and impropers
    lj_nonbonded: float
    lj_14: float  #: of atoms three bonds apart
    coulomb_nonbonded: float
    coulomb_14: float
    total: float


def _energy_of(e: abi.sn_forcefield_energy) -> MolecularEnergy:
    return MolecularEnergy(*(getattr(e, name) for name in MolecularEnergy._fields))


class Atom(NamedTuple):
    """One atom of a molecule."""

    name: str  #: "CA"
    element: str  #: "C"
    residue: str  #: "ALA"
    number: int  #: of the residue
    chain: str  #: "A"
    mass: float  #: u
    charge: float  #: e
    known: bool  #: by the force field; hetero groups are not


def _places(values: Optional[Numbers], count: int) -> Optional[Array]:
    if values is None:
        return None
    places = np.ascontiguousarray(values, dtype=np.float64)
    if places.shape != (count, 3):
        raise Error(f"positions have the shape {places.shape}; it must be ({count}, 3)")
    return places


class Molecule:
    """The atoms of a protein, complete with hydrogens. Never changes. Lengths are nm.

    `source`: a PDB or mmCIF file, or what can be built: "ala:20", "ala:20:strand", "bacteriorhodopsin".
    """

    def __init__(self, source: Union[str, "os.PathLike[str]"], hetero: bool = True):
        """hetero: keep groups that the force field does not know; nothing acts on them."""
        pointer, error = c_void_p(), abi.sn_error()
        text = os.fspath(source)
        if text.startswith("ala:") or text == "bacteriorhodopsin":
            check(library.sn_molecule_build_named(text.encode(), pointer, error), error)
        else:
            definition = library.sn_molecule_read_def_default()
            definition.hetero, definition.log = hetero, log
            check(library.sn_molecule_read(os.fsencode(source), definition, pointer, error), error)
        self._own(pointer.value)

    def _own(self, pointer: Optional[int], owner: Any = None) -> None:
        assert pointer
        self._pointer: int = pointer
        self._owner = owner  # who frees it; None: this object

    @classmethod
    def _wrap(cls, pointer: int, owner: Any) -> "Molecule":
        molecule = cls.__new__(cls)
        molecule._own(pointer, owner)
        return molecule

    @classmethod
    def from_sequence(
        cls, sequence: str, structure: str = "helix", capped: bool = True, name: str = "chain"
    ) -> "Molecule":
        """A chain of one letter a residue. structure: a letter for each, or "helix", "strand", "extended", ... for all.
        capped: ACE before and NME behind; else charged ends."""
        pointer, error = c_void_p(), abi.sn_error()
        definition = abi.sn_molecule_build_def(name.encode(), sequence.encode(), structure.encode(), capped)
        check(library.sn_molecule_build(definition, pointer, error), error)
        molecule = cls.__new__(cls)
        molecule._own(pointer.value)
        return molecule

    @classmethod
    def from_text(cls, text: str, name: str = "text.pdb", hetero: bool = True) -> "Molecule":
        """From the text of a PDB or mmCIF file."""
        pointer, error = c_void_p(), abi.sn_error()
        definition = library.sn_molecule_read_def_default()
        definition.hetero, definition.log = hetero, log
        data = text.encode()
        check(library.sn_molecule_read_memory(data, len(data), name.encode(), definition, pointer, error), error)
        molecule = cls.__new__(cls)
        molecule._own(pointer.value)
        return molecule

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) and self._owner is None:
            library.sn_molecule_free(self._pointer)

    def __len__(self) -> int:
        return int(library.sn_molecule_atom_count(self._pointer))

    def __repr__(self) -> str:
        return f"<sinew.Molecule '{self.name}': {len(self)} atoms>"

    @property
    def name(self) -> str:
        """As its file, or what it was built from."""
        return text_of(library.sn_molecule_name(self._pointer))

    @cached_property
    def atoms(self) -> list[Atom]:
        """In the order of all arrays here."""
        found = []
        for i in range(len(self)):
            a = library.sn_molecule_atom(self._pointer, i)
            r = library.sn_molecule_residue(self._pointer, a.residue)
            chain = text_of(library.sn_molecule_chain(self._pointer, r.chain).label)
            found.append(
                Atom(text_of(a.name), text_of(a.element), text_of(r.name), r.number, chain, a.mass, a.charge, a.known)
            )
        return found

    @cached_property
    def positions(self) -> Array:
        """Where the atoms were when it was made, n x 3, nm; not to be written into."""
        places = np.empty((len(self), 3))
        for i in range(len(self)):
            p = library.sn_molecule_atom(self._pointer, i).p
            places[i] = p.x, p.y, p.z
        places.setflags(write=False)
        return places

    @cached_property
    def masses(self) -> Array:
        """n, u."""
        return np.array([atom.mass for atom in self.atoms])

    @cached_property
    def charges(self) -> Array:
        """n, e."""
        return np.array([atom.charge for atom in self.atoms])

    @cached_property
    def bonds(self) -> npt.NDArray[np.int64]:
        """Pairs of atoms, m x 2."""
        count = library.sn_molecule_bond_count(self._pointer)
        pairs = (library.sn_molecule_bond(self._pointer, i) for i in range(count))
        return np.array([(bond.a, bond.b) for bond in pairs], dtype=np.int64).reshape(count, 2)

    def to_pdb(self, positions: Optional[Numbers] = None) -> str:
        """Text of a PDB file, with atoms at `positions` (nm)."""
        text, error = c_void_p(), abi.sn_error()
        places = _places(positions, len(self))
        check(library.sn_molecule_to_pdb(self._pointer, None if places is None else places.ctypes.data, text, error), error)
        assert text.value
        words = ctypes.string_at(text.value).decode(errors="replace")
        library.sn_text_free(text)
        return words

    def energy(self, positions: Optional[Numbers] = None) -> MolecularEnergy:
        """By AMBER99SB: exact, all pairs, in vacuum. For many, or other options, make a ForceField."""
        return ForceField(self).energy(self.positions if positions is None else positions)


class ForceField:
    """AMBER99SB between the atoms of a molecule.   docs/forcefield.md

    As it is made it is exact: all pairs, vacuum, double precision. Use one per thread.
    """

    def __init__(
        self,
        molecule: Molecule,
        cutoff: float = math.inf,
        soften: float = 0,
        dielectric: str = "vacuum",
        permittivity: Optional[float] = None,
        precision: str = "double",
    ):
        """cutoff: nm. soften: fraction of sigma below which forces stop growing. dielectric: "vacuum", or "distance" (4 r/A)."""
        definition = library.sn_forcefield_def_exact()
        definition.cutoff, definition.soften = cutoff, soften
        definition.dielectric = choose(abi.DIELECTRICS, dielectric, "dielectric")
        definition.permittivity = permittivity if permittivity is not None else 4 if dielectric == "distance" else 1
        definition.precision = choose(abi.PRECISIONS, precision, "precision")
        pointer, error = c_void_p(), abi.sn_error()
        check(library.sn_forcefield_create(molecule._pointer, None, definition, pointer, error), error)
        self.molecule = molecule
        self._pointer = pointer.value

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            library.sn_forcefield_free(self._pointer)

    def evaluate(self, positions: Numbers) -> tuple[MolecularEnergy, Array]:
        """Energy, and the force on each atom, n x 3, kJ/(mol nm), for atoms at these places (nm)."""
        places = _places(positions, len(self.molecule))
        assert places is not None
        forces, report = np.empty_like(places), abi.sn_forcefield_report()
        status = library.sn_forcefield_evaluate_atoms(self._pointer, places.ctypes.data, forces.ctypes.data, report)
        check(status, what="forces are not finite, or atoms are packed too densely")
        return _energy_of(report.energy), forces

    def energy(self, positions: Numbers) -> MolecularEnergy:
        """At these places (nm)."""
        return self.evaluate(positions)[0]

    def forces(self, positions: Numbers) -> Array:
        """On each atom, n x 3, kJ/(mol nm)."""
        return self.evaluate(positions)[1]


class SimMolecule:
    """A molecule of a simulation, as it is now."""

    def __init__(self, sim: "Simulation", index: int):
        self._sim, self._index = sim, index
        scene = library.sn_simulation_scene(sim._open())
        held = library.sn_scene_molecule_at(scene, index).contents
        self.name: str = text_of(library.sn_scene_item(scene, held.item).contents.name)
        #: Its structure: names, masses, charges, bonds.
        self.structure: Molecule = Molecule._wrap(held.molecule, sim._handle)

    def __len__(self) -> int:
        return len(self.structure)

    def __repr__(self) -> str:
        return f"<molecule '{self.name}': {len(self)} atoms>"

    def _atoms(self, positions: Optional[Array], velocities: Optional[Array]) -> None:
        self._sim._looked()
        places = np.empty((len(self), 3)) if positions is None else positions
        status = library.sn_simulation_atoms(
            self._sim._open(), self._index, places.ctypes.data, None if velocities is None else velocities.ctypes.data
        )
        check(status, what=f"molecule '{self.name}' is gone")

    @property
    def positions(self) -> Array:
        """Where its atoms are, n x 3, nm, world axes; an array of its own."""
        found = np.empty((len(self), 3))
        self._atoms(found, None)
        return found

    @property
    def velocities(self) -> Array:
        """How fast they are, n x 3, nm/ps, world axes."""
        found = np.empty((len(self), 3))
        self._atoms(None, found)
        return found

    @property
    def energy(self) -> MolecularEnergy:
        """Of its force field, as the simulation has it: cut-off, softening and all."""
        report = abi.sn_forcefield_report()
        self._sim._looked()
        status = library.sn_simulation_molecule_energy(self._sim._open(), self._index, report)
        check(status, what=f"molecule '{self.name}'")
        return _energy_of(report.energy)

    def to_pdb(self) -> str:
        """Text of a PDB file with the atoms where they are."""
        return self.structure.to_pdb(self.positions)
