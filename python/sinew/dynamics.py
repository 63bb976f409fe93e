# SPDX-License-Identifier: Apache-2.0
"""Dynamics of a model at given states, one at a time or many at once."""

from __future__ import annotations

import ctypes
from typing import Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _abi as abi
from ._error import Error, check
from ._library import library
from ._values import (
    Array,
    Numbers,
    Pose,
    address,
    choose,
    from_pose,
    from_twist,
    from_vec3,
    optional,
    result,
    text_of,
    to_wrench,
    vec3,
    vector,
    wrench6,
)
from .model import BodyLike, Model


class Energy(NamedTuple):
    """Energy of a system, J."""

    kinetic: float
    potential: float  #: of gravity, zero at the world's origin; of a simulation also of molecules
    spring: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.potential + self.spring


class Momentum(NamedTuple):
    """Mass, centre of mass and momentum of all moving bodies."""

    mass: float  #: kg
    com: Array  #: centre of mass, world, m
    linear: Array  #: kg m/s, world axes
    angular: Array  #: about the centre of mass, kg m^2/s, world axes


class Region(NamedTuple):
    """Which joints adaptive dynamics has chosen."""

    active: int  #: joints that are active
    rigid: int  #: parts that move as one body
    error: float  #: metric of the accelerations left out
    total: float  #: metric of all accelerations
    updates: int  #: choices so far


def _energy(e: abi.sn_energy) -> Energy:
    return Energy(e.kinetic, e.potential, e.spring)


def _momentum(m: abi.sn_momentum) -> Momentum:
    return Momentum(m.mass, from_vec3(m.com), from_vec3(m.linear), from_vec3(m.angular))


def _region(r: abi.sn_region_report) -> Region:
    return Region(r.active, r.rigid, r.error, r.total, r.updates)


def _adaptivity(
    before: abi.sn_adaptivity,
    max_active: Optional[int],
    threshold: Optional[float],
    settling_time: Optional[float],
    period: Optional[int],
    metric: Optional[str],
) -> abi.sn_adaptivity:
    if max_active is not None:
        before.max_active = max_active
    if threshold is not None:
        before.threshold = threshold
    if settling_time is not None:
        before.settling_time = settling_time
    if period is not None:
        before.period = period
    if metric is not None:
        before.metric = choose(abi.METRICS, metric, "metric")
    return before


def algorithms() -> list[str]:
    """Names of the algorithms of forward dynamics."""
    names: list[str] = []
    while (name := library.sn_dynamics_algorithm(len(names))) is not None:
        names.append(text_of(name))
    return names


class Dynamics:
    """Forward and inverse dynamics of a model. Use one per thread.

    Remembers gravity, wrenches and locked joints. `forward` and `kinematics` set the state that the questions below
    them are about. Joint springs, dampers, dry friction and limits are not part of forward dynamics: see passive_force.
    """

    def __init__(self, model: Model, algorithm: str = "aba"):
        """algorithm: "aba", "crba", "dca" or "adaptive"."""
        pointer, error = ctypes.c_void_p(), abi.sn_error()
        check(library.sn_dynamics_create(model._pointer, algorithm.encode(), pointer, error), error)
        self.model = model
        self._pointer = pointer.value

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            library.sn_dynamics_free(self._pointer)

    @property
    def algorithm(self) -> str:
        """The one in use."""
        return text_of(library.sn_dynamics_name(self._pointer))

    @property
    def advice(self) -> str:
        """What one should know about this algorithm and this model; "" when nothing."""
        return text_of(library.sn_dynamics_advice(self._pointer))

    @property
    def gravity(self) -> Array:
        """m/s^2, world axes."""
        return from_vec3(library.sn_dynamics_gravity(self._pointer))

    @gravity.setter
    def gravity(self, g: Numbers) -> None:
        library.sn_dynamics_set_gravity(self._pointer, vec3(g, "gravity"))

    # ---- what acts ----------------------------------------------------------------------------------------------

    def set_wrench(
        self, body: BodyLike, force: Numbers = (0, 0, 0), moment: Numbers = (0, 0, 0), axes: str = "world"
    ) -> None:
        """A force (N) at the body's origin and a moment (N m) about it, until changed. axes: "world" or "body"."""
        check(
            library.sn_dynamics_set_wrench(
                self._pointer, self._id(body), choose(abi.AXES, axes, "axes"), to_wrench(force, moment)
            ),
            what="wrench",
        )

    def clear_wrenches(self) -> None:
        """Removes all wrenches."""
        library.sn_dynamics_clear_wrenches(self._pointer)

    def lock(self, joint: BodyLike, locked: bool = True) -> None:
        """A locked joint does not accelerate."""
        check(library.sn_dynamics_lock(self._pointer, self._id(joint), locked), what="lock")

    def is_locked(self, joint: BodyLike) -> bool:
        """Whether a joint is locked."""
        return bool(library.sn_dynamics_is_locked(self._pointer, self._id(joint)))

    # ---- dynamics -----------------------------------------------------------------------------------------------

    def kinematics(self, q: Numbers, v: Optional[Numbers] = None) -> None:
        """Poses and velocities of all bodies at (q, v); v None: at rest."""
        q, v = vector(q, self.model.nq, "q"), optional(v, self.model.nv, "v")
        check(library.sn_dynamics_kinematics(self._pointer, address(q), address(v)), what="kinematics")

    def forward(
        self, q: Numbers, v: Optional[Numbers] = None, tau: Optional[Numbers] = None, out: Optional[Array] = None
    ) -> Array:
        """qdd = M^-1 (tau - bias + J^T wrenches): nv accelerations. v None: at rest; tau None: zero."""
        nv = self.model.nv
        q, v, tau = vector(q, self.model.nq, "q"), optional(v, nv, "v"), optional(tau, nv, "tau")
        out = result(out, (nv,))
        check(
            library.sn_dynamics_forward(self._pointer, address(q), address(v), address(tau), address(out)),
            what="forward dynamics",
        )
        return out

    def inverse(
        self, q: Numbers, v: Optional[Numbers] = None, qdd: Optional[Numbers] = None, out: Optional[Array] = None
    ) -> Array:
        """tau that gives qdd at (q, v) under gravity and the wrenches; qdd None: zero, so tau is the bias."""
        nv = self.model.nv
        q, v, qdd = vector(q, self.model.nq, "q"), optional(v, nv, "v"), optional(qdd, nv, "qdd")
        out = result(out, (nv,))
        check(
            library.sn_dynamics_inverse(self._pointer, address(q), address(v), address(qdd), address(out)),
            what="inverse dynamics",
        )
        return out

    def mass_matrix(self, q: Numbers, out: Optional[Array] = None) -> Array:
        """Joint-space inertia with armature, nv x nv."""
        q, out = vector(q, self.model.nq, "q"), result(out, (self.model.nv, self.model.nv))
        check(library.sn_dynamics_mass_matrix(self._pointer, address(q), address(out)), what="mass matrix")
        return out

    def impulse(
        self, tau: Optional[Numbers] = None, wrenches: Optional[Mapping[BodyLike, Numbers]] = None
    ) -> Array:
        """After forward: change of v by joint impulses and impulses on bodies {body: (moment, force), 6 numbers in
        body axes about its origin}."""
        given = wrenches or {}
        list_ = (abi.sn_body_wrench * len(given))()
        for k, (body, w) in enumerate(given.items()):
            list_[k] = abi.sn_body_wrench(self._id(body), wrench6(w, "an impulse"))
        tau, dv = optional(tau, self.model.nv, "tau"), np.empty(self.model.nv)
        check(
            library.sn_dynamics_impulse(self._pointer, address(tau), ctypes.addressof(list_), len(given), address(dv)),
            what="impulse (needs a forward before)",
        )
        return dv

    def response(self, bodies: Sequence[BodyLike]) -> Array:
        """After forward: J M^-1 J^T of bodies, 6n x 6n, angular before linear, body axes and origins."""
        ids = (abi.sn_body_id * len(bodies))(*[self._id(b) for b in bodies])
        Lambda = np.empty((6 * len(bodies), 6 * len(bodies)))
        check(
            library.sn_dynamics_response(self._pointer, ctypes.addressof(ids), len(bodies), address(Lambda)),
            what="response (needs a forward before)",
        )
        return Lambda

    def passive_force(self, q: Numbers, v: Numbers) -> Array:
        """Springs and dampers of the joints: -stiffness (q - rest) - damping v."""
        q, v, tau = vector(q, self.model.nq, "q"), vector(v, self.model.nv, "v"), np.empty(self.model.nv)
        library.sn_dynamics_passive_force(self._pointer, address(q), address(v), address(tau))
        return tau

    # ---- motion at the state of the last kinematics or forward ------------------------------------------------------

    def pose(self, body: BodyLike) -> Pose:
        """Of a body in the world."""
        return from_pose(library.sn_dynamics_pose(self._pointer, self._id(body)))

    def poses(self) -> Array:
        """Of all bodies in the world: n x 4 x 4."""
        return np.array([self.pose(i).matrix for i in range(len(self.model.bodies))]).reshape(-1, 4, 4)

    def frame_pose(self, frame: str) -> Pose:
        """Of a named frame in the world."""
        i = abi.sn_frame_id(self.model.find_frame(frame))
        return from_pose(library.sn_dynamics_frame_pose(self._pointer, i))

    def velocity(self, body: BodyLike) -> Array:
        """Angular (rad/s), then linear velocity of the origin (m/s), body axes."""
        return from_twist(library.sn_dynamics_velocity(self._pointer, self._id(body)))

    def acceleration(self, body: BodyLike) -> Array:
        """Spatial acceleration of the last forward or inverse: angular, linear; body axes."""
        return from_twist(library.sn_dynamics_acceleration(self._pointer, self._id(body)))

    def energy(self) -> Energy:
        """At the state of the last kinematics or forward."""
        return _energy(library.sn_dynamics_energy(self._pointer))

    def momentum(self) -> Momentum:
        """Of all moving bodies, at the state of the last kinematics or forward."""
        return _momentum(library.sn_dynamics_momentum(self._pointer))

    # ---- adaptive dynamics ------------------------------------------------------------------------------------------

    def set_adaptivity(
        self,
        max_active: Optional[int] = None,
        threshold: Optional[float] = None,
        settling_time: Optional[float] = None,
        period: Optional[int] = None,
        metric: Optional[str] = None,
    ) -> None:
        """How many joints are active (docs/adaptive.md); None leaves a number as it is. Algorithm "adaptive" only."""
        options = abi.sn_adaptivity()
        check(library.sn_dynamics_adaptivity(self._pointer, options), what="adaptivity (of the algorithm 'adaptive')")
        options = _adaptivity(options, max_active, threshold, settling_time, period, metric)
        check(library.sn_dynamics_set_adaptivity(self._pointer, options), what="adaptivity")

    def keep_active(self, body: BodyLike, active: bool = True) -> None:
        """Keeps the joint of a body, and all between it and the rest, active, as far as max_active allows."""
        check(library.sn_dynamics_keep_active(self._pointer, self._id(body), active), what="keep_active")

    @property
    def region(self) -> Region:
        """What the last forward chose."""
        return _region(library.sn_dynamics_region(self._pointer))

    def is_active(self, joint: BodyLike) -> bool:
        """Whether a joint was chosen."""
        return bool(library.sn_dynamics_is_active(self._pointer, self._id(joint)))

    def _id(self, body: BodyLike) -> abi.sn_body_id:
        return abi.sn_body_id(self.model.find(body))


class Batch:
    """Forward dynamics of many states at once, several times faster than one by one. Use one per thread: `forward`
    lets other threads run."""

    def __init__(self, model: Model, gravity: Numbers = (0, 0, -9.81)):
        pointer, error = ctypes.c_void_p(), abi.sn_error()
        check(library.sn_batch_create(model._pointer, pointer, error), error)
        self.model = model
        self._pointer = pointer.value
        self.set_gravity(gravity)

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            library.sn_batch_free(self._pointer)

    def set_gravity(self, g: Numbers) -> None:
        """m/s^2, world axes."""
        library.sn_batch_set_gravity(self._pointer, vec3(g, "gravity"))

    def forward(
        self, q: Numbers, v: Optional[Numbers] = None, tau: Optional[Numbers] = None, out: Optional[Array] = None
    ) -> Array:
        """qdd of n states: q is n x nq, v, tau and the result are n x nv. Contiguous arrays of doubles are not copied."""
        nv = self.model.nv
        q = np.ascontiguousarray(q, dtype=np.float64)
        if q.ndim != 2 or q.shape[1] != self.model.nq:
            raise Error(f"q has the shape {q.shape}; it must be (n, {self.model.nq})")
        rows = q.shape[0]
        v, tau = _rows(v, rows, nv, "v"), _rows(tau, rows, nv, "tau")
        out = result(out, (rows, nv))
        if rows == 0:
            return out
        bad = ctypes.c_int(-1)
        status = library.sn_dynamics_batch(self._pointer, rows, address(q), address(v), address(tau), address(out), bad)
        check(status, what=f"state {bad.value}" if bad.value >= 0 else "batch")
        return out


def _rows(values: Optional[Numbers], rows: int, columns: int, what: str) -> Optional[Array]:
    if values is None:
        return None
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (rows, columns):
        raise Error(f"{what} has the shape {array.shape}; it must be ({rows}, {columns})")
    return array
