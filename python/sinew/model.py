# SPDX-License-Identifier: Apache-2.0
"""Models: what a system is."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._error import Error, check, log
from ._library import data_folder, library
from ._values import (
    Array,
    Numbers,
    Pose,
    address,
    choose,
    copied,
    from_pose,
    from_vec3,
    paths,
    result,
    text_of,
    to_pose,
    vector,
)


@dataclass(frozen=True)
class Body:
    """A moving body and the joint that carries it. SI units, radians; per-joint arrays have nv numbers, `rest` nq."""

    index: int
    name: str
    joint: str  #: name of the joint
    type: str  #: of the joint: "revolute", "free", ...
    parent: int  #: index of the parent, -1: the world
    iq: int  #: first number in q
    nq: int
    iv: int  #: first number in v
    nv: int
    placement: Pose  #: of the joint's frame in the parent
    axis: Array  #: unit, body frame
    mass: float  #: kg, with all that is fixed to it
    com: Array  #: centre of mass, body frame, m
    inertia: Array  #: 3 x 3 about the centre of mass, kg m^2
    armature: Array  #: reflected inertia of rotors
    damping: Array
    stiffness: Array
    rest: Array  #: where the spring is slack
    friction: Array  #: dry friction, largest force
    lower: Array  #: position limits
    upper: Array
    velocity: Array  #: velocity limits
    effort: Array  #: force limits of the actuator


@dataclass(frozen=True)
class Frame:
    """A named frame fixed to a body or to the world."""

    index: int
    name: str
    body: int  #: index, -1: the world
    pose: Pose  #: in that body
    joint: str
    folded: bool  #: its body was attached by a fixed joint


@dataclass(frozen=True)
class Shape:
    """A shape for collision or drawing."""

    index: int
    name: str
    body: int  #: index, -1: the world
    type: str
    visual: bool
    collision: bool
    pose: Pose  #: in the body
    size: Array  #: m, see sinew/model.h
    mesh: str  #: file, or ""
    friction: float
    color: tuple[float, float, float, float]


@dataclass(frozen=True)
class Loop:
    """A joint that closes a loop between two bodies."""

    index: int
    name: str
    type: str
    body_a: int
    body_b: int


_T = TypeVar("_T")


class _List(Sequence[_T]):  # made when asked for: models may have a hundred thousand bodies
    def __init__(self, count: int, make: Callable[[int], _T]):
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> list[_T]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[_T, list[_T]]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return self._make(index % self._count)


#: A body or joint: by its name, index, or what `Model.bodies` has.
BodyLike = Union[str, int, Body]


class Model:
    """Bodies, joints and shapes. A model never changes and may be used by several threads at once.

    Quaternions are w, x, y, z; of spatial vectors the angular part comes first. See docs/notation.md.
    """

    def __init__(self, source: Union[str, os.PathLike[str]], **options: Any):
        """As Model.load."""
        self._set(_load(source, **options), None)

    def _set(self, pointer: int, owner: Any) -> None:
        self._pointer = pointer
        self._owner = owner  # keeps the model alive where it is not our own
        self.name: str = text_of(library.sn_model_name(pointer))
        self.nq: int = library.sn_model_nq(pointer)
        self.nv: int = library.sn_model_nv(pointer)
        self.mass: float = library.sn_model_mass(pointer)

    @classmethod
    def _wrap(cls, pointer: int, owner: Any = None) -> "Model":
        model = cls.__new__(cls)
        model._set(pointer, owner)
        return model

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer and self._owner is None:
            library.sn_model_free(pointer)

    def __repr__(self) -> str:
        return f"<sinew.Model '{self.name}': {len(self.bodies)} bodies, nq {self.nq}, nv {self.nv}>"

    # ---- where they come from -----------------------------------------------------------------------------------

    @classmethod
    def load(cls, source: Union[str, os.PathLike[str]], **options: Any) -> "Model":
        """From a file (URDF, JSON), the name of a model that comes with Sinew ("hrp2"), or generated ("chain:10").

        Args:
            source: path, name, or shape:count[:seed].
            base: of a URDF: "file", the root is the world unless the file says otherwise, or "free", it floats.
            meshes: collision meshes: "skip", "hull" or "triangles".
            srdf: file with pairs that do not collide.
            package_paths: folders searched for package://NAME/...
        """
        return cls._wrap(_load(source, **options))

    @classmethod
    def from_text(cls, text: str, name: str = "text", **options: Any) -> "Model":
        """From the text of a URDF or JSON file; `name` stands for it in messages. Options as of load."""
        definition, _keep = _load_options(**options)
        pointer, error = ctypes.c_void_p(), abi.sn_error()
        data = text.encode()
        check(library.sn_model_load_memory(data, len(data), name.encode(), definition, pointer, error), error)
        assert pointer.value
        return cls._wrap(pointer.value)

    @classmethod
    def from_json(cls, model: Union[str, dict[str, Any]]) -> "Model":
        """From a model in Sinew's own JSON, as text or as a dict (docs/eval.md)."""
        return cls.from_text(model if isinstance(model, str) else json.dumps(model), "json")

    def to_json(self) -> str:
        """Text that from_json reads back to the same model, to the last bit."""
        text, error = ctypes.c_void_p(), abi.sn_error()
        check(library.sn_model_to_json(self._pointer, text, error), error)
        assert text.value
        try:
            return ctypes.string_at(text.value).decode()
        finally:
            library.sn_text_free(text)

    def _copy(self) -> int:  # a pointer that somebody else will own
        builder = library.sn_model_builder_create(self.name.encode())
        try:
            check(library.sn_model_builder_add_model(builder, self._pointer, None, to_pose(None)), what="copying a model")
            return _compile(builder)
        finally:
            library.sn_model_builder_free(builder)

    # ---- what is in it ------------------------------------------------------------------------------------------

    # Made anew when asked for: a list that the model kept would keep the model, too, until the next garbage collection.

    @property
    def bodies(self) -> Sequence[Body]:
        """Bodies with their joints, parents first."""
        return _List(library.sn_model_body_count(self._pointer), self._body)

    @property
    def frames(self) -> Sequence[Frame]:
        """Named frames."""
        return _List(library.sn_model_frame_count(self._pointer), self._frame)

    @property
    def shapes(self) -> Sequence[Shape]:
        """Shapes of all bodies and of the world."""
        return _List(library.sn_model_shape_count(self._pointer), self._shape)

    @property
    def loops(self) -> Sequence[Loop]:
        """Joints that close loops."""
        return _List(library.sn_model_loop_count(self._pointer), self._loop)

    @property
    def body_names(self) -> list[str]:
        """Of all bodies, in order."""
        return [body.name for body in self.bodies]

    @property
    def joint_names(self) -> list[str]:
        """Of the joints that carry them, in the same order."""
        return [body.joint for body in self.bodies]

    def find(self, body: BodyLike) -> int:
        """Index of a body, by the name of the body or of its joint."""
        if isinstance(body, Body):
            body = body.index
        if isinstance(body, str):
            name = body.encode()
            i: int = library.sn_model_find_body(self._pointer, name).i
            if i < 0:
                i = library.sn_model_find_joint(self._pointer, name).i
            if i < 0:
                raise Error(f"there is no body or joint '{body}' in '{self.name}'{self._nearest(body)}")
            return i
        if not 0 <= body < len(self.bodies):
            raise Error(f"there is no body {body}; '{self.name}' has {len(self.bodies)}")
        return int(body)

    def _nearest(self, name: str) -> str:
        import difflib

        if len(self.bodies) > 10000:
            return ""
        near = difflib.get_close_matches(name, self.body_names + self.joint_names, 1)
        return f"; did you mean '{near[0]}'?" if near else ""

    def find_frame(self, name: str) -> int:
        """Index of a frame by its name."""
        i: int = library.sn_model_find_frame(self._pointer, name.encode()).i
        if i < 0:
            raise Error(f"there is no frame '{name}' in '{self.name}'")
        return i

    def body(self, body: BodyLike) -> Body:
        """By its name, that of its joint, or its index."""
        return self.bodies[self.find(body)]

    def q_indices(self, *joints: BodyLike) -> npt.NDArray[np.intp]:
        """Where the coordinates of joints are in q, one joint after the other: sim.q[model.q_indices("hip", "knee")]."""
        return _ranges((b.iq, b.nq) for b in map(self.body, joints))

    def v_indices(self, *joints: BodyLike) -> npt.NDArray[np.intp]:
        """The same in v, and in joint forces."""
        return _ranges((b.iv, b.nv) for b in map(self.body, joints))

    def _body(self, i: int) -> Body:
        b = library.sn_model_body(self._pointer, abi.sn_body_id(i))
        numbers = {
            name: copied(getattr(b, name), b.nv)
            for name in ("armature", "damping", "stiffness", "friction", "lower", "upper", "velocity", "effort")
        }
        return Body(
            index=i,
            name=text_of(b.name),
            joint=text_of(b.joint_name),
            type=abi.JOINTS[b.type],
            parent=b.parent.i,
            iq=b.iq,
            nq=b.nq,
            iv=b.iv,
            nv=b.nv,
            placement=from_pose(b.placement),
            axis=from_vec3(b.axis),
            mass=b.inertia.mass,
            com=from_vec3(b.inertia.com),
            inertia=np.array(b.inertia.I.m),
            rest=copied(b.rest, b.nq),
            **numbers,
        )

    def _frame(self, i: int) -> Frame:
        f = library.sn_model_frame(self._pointer, abi.sn_frame_id(i))
        return Frame(i, text_of(f.name), f.body.i, from_pose(f.X_bf), text_of(f.joint_name), f.folded)

    def _shape(self, i: int) -> Shape:
        s = library.sn_model_shape(self._pointer, i)
        return Shape(
            i,
            text_of(s.name),
            s.body.i,
            abi.SHAPES[s.type],
            bool(s.use & 1),
            bool(s.use & 2),
            from_pose(s.X_bs),
            from_vec3(s.size),
            text_of(s.mesh),
            s.material.mu,
            (s.color[0], s.color[1], s.color[2], s.color[3]),
        )

    def _loop(self, i: int) -> Loop:
        loop = library.sn_model_loop(self._pointer, i)
        return Loop(i, text_of(loop.name), abi.JOINTS[loop.type], loop.a.body.i, loop.b.body.i)

    # ---- configurations -----------------------------------------------------------------------------------------

    def neutral(self) -> Array:
        """Zero angles and distances, unit quaternions: nq numbers."""
        q = np.empty(self.nq)
        library.sn_model_neutral(self._pointer, address(q))
        return q

    def integrate(self, q: Numbers, dv: Numbers, out: Optional[Array] = None) -> Array:
        """q moved along the tangent vector dv (nv numbers); quaternions stay unit."""
        q, dv, out = vector(q, self.nq, "q"), vector(dv, self.nv, "dv"), result(out, (self.nq,))
        library.sn_model_integrate(self._pointer, address(q), address(dv), address(out))
        return out

    def difference(self, q0: Numbers, q1: Numbers, out: Optional[Array] = None) -> Array:
        """The shortest dv (nv numbers) with q1 = integrate(q0, dv)."""
        q0, q1, out = vector(q0, self.nq, "q0"), vector(q1, self.nq, "q1"), result(out, (self.nv,))
        library.sn_model_difference(self._pointer, address(q0), address(q1), address(out))
        return out

    def is_configuration(self, q: Numbers) -> bool:
        """Whether every number of q is finite and every quaternion unit to 1e-6."""
        return bool(library.sn_model_check_q(self._pointer, address(vector(q, self.nq, "q")), None))


def _ranges(parts: Iterable[tuple[int, int]]) -> npt.NDArray[np.intp]:
    """Numbers first, first + 1, ... of each (first, count)."""
    return np.array([first + k for first, count in parts for k in range(count)], np.intp)


# ---- loading ------------------------------------------------------------------------------------------------------------


def _load_options(
    base: str = "file",
    meshes: str = "skip",
    srdf: Union[str, os.PathLike[str], None] = None,
    package_paths: Iterable[Union[str, os.PathLike[str]]] = (),
) -> tuple[abi.sn_load_def, Any]:
    definition = library.sn_load_def_default()
    definition.base = choose(abi.BASES, base, "base")
    definition.meshes = choose(abi.MESHES, meshes, "use of meshes")
    if srdf is not None:
        definition.srdf = os.fsencode(srdf)
    folders = paths(package_paths)
    definition.package_paths = ctypes.cast(folders, ctypes.c_void_p) if folders else None
    definition.log = log
    return definition, folders


def _compile(builder: int) -> int:
    pointer, error = ctypes.c_void_p(), abi.sn_error()
    check(library.sn_model_builder_compile(builder, ctypes.addressof(log), pointer, error), error)
    assert pointer.value
    return pointer.value


def _generate(text: bytes) -> Optional[int]:
    """A generated model; None: the text names none."""
    shape, pile = library.sn_generate_def_default(), library.sn_pile_def_default()
    is_shape = library.sn_generate_parse(text, shape)
    if not is_shape and not library.sn_pile_parse(text, pile):
        return None
    builder = library.sn_model_builder_create(text)
    try:
        if is_shape:
            check(library.sn_generate(shape, builder), what=text.decode())
        else:
            check(library.sn_generate_pile(pile, builder), what=text.decode())
        return _compile(builder)
    finally:
        library.sn_model_builder_free(builder)


def _load(source: Union[str, os.PathLike[str]], **options: Any) -> int:
    definition, _keep = _load_options(**options)
    path = Path(source)
    if not path.exists():
        made = _generate(os.fsencode(source))
        if made:
            return made
        for ending in (".urdf", ".json"):
            shipped = data_folder("models") / (str(source) + ending)
            if "/" not in str(source) and shipped.exists():
                path = shipped
                break
        else:
            raise Error(
                f"{source}: there is no such file, model of Sinew ({', '.join(shipped_models())}) or generated model "
                "(such as chain:10)",
                "SN_ERR_FILE",
            )
    pointer, error = ctypes.c_void_p(), abi.sn_error()
    check(library.sn_model_load(os.fsencode(path), definition, pointer, error), error)
    assert pointer.value
    return pointer.value


def shipped(kind: str, *endings: str) -> list[str]:
    """Names of files that come with Sinew: kind "models" or "scenes"."""
    folder = data_folder(kind)
    return sorted(path.stem for path in folder.glob("*") if path.suffix in endings) if folder.is_dir() else []


def shipped_models() -> list[str]:
    """Names of the models that come with Sinew."""
    return shipped("models", ".urdf", ".json")
