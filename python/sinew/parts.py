# SPDX-License-Identifier: Apache-2.0
"""Parts of a simulation: its bodies, items, holds, sensors, and what it reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ctypes import c_int
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._error import Error, check
from ._library import library
from ._memory import view
from ._values import Array, Numbers, Pose, from_pose, from_twist, text_of

if TYPE_CHECKING:
    from .simulation import Simulation

#: One contact of the last step: bodies a and b (-1: the world), point x and normal n from b to a (world, m), gap (m,
#: negative: overlap), friction mu, force on body a (N, world).
CONTACT: npt.DTypeLike = np.dtype(
    [
        ("a", "i4"),
        ("b", "i4"),
        ("x", "f8", 3),
        ("n", "f8", 3),
        ("gap", "f8"),
        ("mu", "f8"),
        ("force", "f8", 3),
    ]
)


class RunReport(NamedTuple):
    """How a run went."""

    steps: int
    seconds: float  #: that it took, by the wall
    late: int  #: steps that began late by more than a step
    worst: float  #: latest beginning, s
    caught_up: int  #: times when lateness was let go


class State(NamedTuple):
    """What Simulation.save keeps."""

    q: Array
    v: Array
    force: Array  #: joint forces of the user


class Stroke(NamedTuple):
    """What a plugin drew: a line, or words at one place."""

    start: Array
    end: Array
    text: str
    color: tuple[float, ...]  #: red, green, blue, opacity


class SimBody:
    """A body of a running simulation and its joint, by name."""

    def __init__(self, sim: "Simulation", name: str):
        self._sim, self.name = sim, name
        self._seen = -1  # number of the model in which it was found
        self._index = -1

    def __repr__(self) -> str:
        return f"<body '{self.name}'>"

    @property
    def index(self) -> int:
        """In the present model; an Error when the body is gone."""
        model = self._sim.model
        if self._sim._model_number != self._seen:
            self._index = model.find(self.name)
            self._seen = self._sim._model_number
        return self._index

    def _id(self) -> abi.sn_body_id:
        return abi.sn_body_id(self.index)

    @property
    def pose(self) -> Pose:
        """In the world."""
        return from_pose(library.sn_dynamics_pose(library.sn_world_dynamics(self._sim._looked()), self._id()))

    @property
    def position(self) -> Array:
        """Of its origin, world, m."""
        return self.pose.p

    @property
    def velocity(self) -> Array:
        """Angular (rad/s), then linear velocity of the origin (m/s), world axes."""
        dynamics = library.sn_world_dynamics(self._sim._looked())
        R = np.array(library.sn_dynamics_pose(dynamics, self._id()).R.m)
        twist = from_twist(library.sn_dynamics_velocity(dynamics, self._id()))
        return np.concatenate((R @ twist[:3], R @ twist[3:]))

    @property
    def q(self) -> Array:
        """View of the joint's coordinates."""
        body = self._sim.model.bodies[self.index]
        return self._sim.q[body.iq : body.iq + body.nq]

    @property
    def v(self) -> Array:
        """View of the joint's velocities."""
        body = self._sim.model.bodies[self.index]
        return self._sim.v[body.iv : body.iv + body.nv]

    @property
    def is_resting(self) -> bool:
        """Whether it sleeps with what it touches."""
        return bool(library.sn_world_is_resting(self._sim._looked(), self._id()))

    @property
    def is_active(self) -> bool:
        """Of adaptive dynamics: whether its joint is active."""
        return bool(library.sn_world_is_active(self._sim._looked(), self._id()))

    def keep_active(self, active: bool = True) -> None:
        """Adaptive dynamics keeps its joint active, as far as max_active allows."""
        check(library.sn_world_keep_active(self._sim._edited(), self._id(), active), what="keep_active")

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """Contacts of the last step that this body has, turned so that it is `a`: normals point to it, forces act on it."""
        every, i = self._sim.contacts, self.index
        found: npt.NDArray[Any] = every[(every["a"] == i) | (every["b"] == i)]
        turned = found["b"] == i
        found["a"][turned], found["b"][turned] = i, found["a"][turned]
        for field in ("n", "force"):
            found[field][turned] *= -1
        return found

    @property
    def contact_force(self) -> Array:
        """Sum of the contact forces on it in the last step, N, world axes."""
        every, i = self._sim.contacts, self.index
        force = every["force"]
        total: Array = force[every["a"] == i].sum(axis=0) - force[every["b"] == i].sum(axis=0)
        return total

    def push(
        self, force: Numbers = (0, 0, 0), moment: Numbers = (0, 0, 0), at: Optional[Numbers] = None
    ) -> None:
        """As Simulation.push."""
        self._sim.push(self.name, force, moment, at)

    def lock(self) -> None:
        """As Simulation.lock."""
        self._sim.lock(self.name)

    def unlock(self) -> None:
        """As Simulation.unlock."""
        self._sim.unlock(self.name)


class Bodies(Mapping[str, SimBody]):
    def __init__(self, sim: "Simulation"):
        self._sim = sim

    def __getitem__(self, name: str) -> SimBody:
        body = SimBody(self._sim, name)
        try:
            body.index  # noqa: B018: an Error when there is none
        except Error as error:
            raise KeyError(str(error)) from None
        return body

    def __iter__(self) -> Iterator[str]:
        return iter(self._sim.model.body_names)

    def __len__(self) -> int:
        return len(self._sim.model.bodies)


class Item:
    """A model or object of the scene. One that is gone is never taken for another, even of the same name."""

    def __init__(self, sim: "Simulation", identity: abi.sn_item_id):
        self._sim, self._identity = sim, identity
        self.name: str = text_of(self._item().name)

    def __repr__(self) -> str:
        return f"<item '{self.name}'>"

    def _item(self) -> abi.sn_item:
        pointer = library.sn_simulation_item(self._sim._open(), self._identity)
        if not pointer:
            raise Error("this item is gone")
        item: abi.sn_item = pointer.contents
        return item

    @property
    def exists(self) -> bool:
        """False once it was removed."""
        return bool(library.sn_simulation_item(self._sim._open(), self._identity))

    @property
    def bodies(self) -> list[str]:
        """Names of its bodies in the whole."""
        count = library.sn_model_body_count(self._item().model)
        first: int = library.sn_simulation_first_body(self._sim._open(), self._identity)
        return [body.name for body in self._sim.model.bodies[first : first + count]]

    def remove(self) -> None:
        """As Simulation.remove."""
        self._sim.remove(self)


class Hold:
    """Two bodies held together."""

    def __init__(self, sim: "Simulation", name: str, identity: abi.sn_hold_id):
        self._sim, self.name, self._identity = sim, name, identity

    def release(self) -> None:
        """As Simulation.release."""
        self._sim.release(self)


class Sensors(Mapping[str, Array]):
    """Sensors by name: views of their numbers, as of the last step; NaN when what they look at is gone."""

    def __init__(self, sim: "Simulation"):
        handle = sim._handle
        count = c_int()
        place = library.sn_simulation_sensors(handle.pointer, count)
        numbers = view(handle, place, count.value)  # the same place as long as the simulation lives
        self._views: dict[str, Array] = {}
        for i in range(library.sn_simulation_sensor_count(handle.pointer)):
            sensor = library.sn_simulation_sensor_def(handle.pointer, i).contents
            first = library.sn_simulation_sensor_first(handle.pointer, i)
            self._views[text_of(sensor.name)] = numbers[first : first + sensor.numbers]

    def __getitem__(self, name: str) -> Array:
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)


class RecordingRun:
    """What record() gives: ends the recording when used in a `with` statement."""

    def __init__(self, sim: "Simulation"):
        self._sim = sim

    def __enter__(self) -> "RecordingRun":
        return self

    def __exit__(self, *_: Any) -> None:
        self._sim.end_recording()
