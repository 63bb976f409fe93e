# SPDX-License-Identifier: Apache-2.0
"""A scene that runs.

State, sensors and control are read-only numpy views of the library's own memory: they change as the simulation steps. When
bodies come or go the state moves to new memory; a view from before keeps showing the last state of the old model, and
`sim.q` gives a view of the new one. Memory is freed when no view of it is left, never earlier.
"""

from __future__ import annotations

import ctypes
import math
import os
import time
import weakref
from collections.abc import Mapping
from ctypes import CFUNCTYPE, c_bool, c_int, c_void_p
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._callbacks import Callbacks, Controller
from ._error import Error, check, log
from ._library import library
from ._memory import Handle, Seat, view
from ._values import (
    Array,
    Numbers,
    Pose,
    address,
    choose,
    from_vec3,
    optional,
    text_of,
    to_pose,
    to_wrench,
    vec3,
    vector,
)
from .dynamics import Energy, Momentum, Region, _adaptivity, _energy, _momentum, _region
from .model import BodyLike, Model
from .molecule import SimMolecule
from .parts import CONTACT, Bodies, Hold, Item, RecordingRun, RunReport, Sensors, SimBody, State, Stroke
from .scene import Path, SceneText, Source, as_yaml, load_scene, set_options, set_paths

# The hot path: bound once.
_step = library.sn_simulation_step
_world_q = library.sn_world_q
_REPLACED = abi.EVENTS["replaced"]

# Why a step is more than one call.
_STEPPING, _FORCE, _CALLBACKS, _COLLECT, _CLOSED = 1, 2, 4, 8, 16
_COLLECT_STEPS = 4  # snapshots of the model before are written over within three steps

_CHUNK_SECONDS = 0.02  # about so long many steps run by one call, so that Ctrl-C is heard

_GO_ON = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p)


class Simulation:
    """A world with its items, controllers, sensors, plugins and recording. Made by sinew.load.

    One thread at a time may use it; several simulations run side by side in several threads, since stepping lets other
    threads of Python run.
    """

    def __init__(self, source: Source, **options: Any):
        """As sinew.load."""
        self._attention = _CLOSED
        keep: list[Any] = []
        definition = library.sn_simulation_def_default()
        definition.log = log
        definition.load.log = log
        definition.keep_replaced = True
        set_paths(definition, options, keep)
        scene = load_scene(source, definition)
        try:
            world = abi.sn_world_def()
            ctypes.memmove(ctypes.addressof(world), library.sn_scene_world(scene), ctypes.sizeof(world))
            if set_options(world, options, keep):
                definition.world = ctypes.addressof(world)
        except BaseException:
            library.sn_scene_free(scene)
            raise
        pointer, error = c_void_p(), abi.sn_error()
        keep += [definition, world]
        check(library.sn_simulation_create(scene, definition, pointer, error), error)
        assert pointer.value
        self._handle = Handle(pointer.value, keep)
        self._pointer: int = pointer.value
        self._world: int = library.sn_simulation_world(pointer)
        self._report = abi.sn_step_report()
        # made once: converting them would cost more than calling
        self._step_arguments = c_void_p(pointer.value), c_void_p(ctypes.addressof(self._report))
        self._seat = Seat(self._handle)
        self._old_seats: list[weakref.ref[Seat]] = []
        self._collect_steps = 0
        self._model_number = 0
        self._callbacks = Callbacks()
        self._moved = False  # bodies came or went since the last step
        self._hold_count = 0
        self._force: Optional[Array] = None
        self._force_place = 0
        self._sent = b""
        self._take_seat()
        self._sensors: Optional[Sensors] = None
        self._attention = 0

    def __repr__(self) -> str:
        if self._attention & _CLOSED:
            return "<sinew.Simulation, closed>"
        return f"<sinew.Simulation '{self.name}': {len(self.model.bodies)} bodies, {self.time:g} s>"

    def close(self) -> None:
        """Ends recording and plugins and frees everything; what views still show is freed with the last of them."""
        if self._attention & _CLOSED:
            return
        self._can_step()
        library.sn_simulation_end_recording(self._pointer, None)
        for end in self._callbacks.plugin_ends:
            end()
        self._attention = _CLOSED
        self._callbacks.controllers.clear()
        del self._handle, self._seat, self._model, self._q, self._v, self._control, self._sensors
        self._force = None
        self._pointer = self._world = 0

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- running --------------------------------------------------------------------------------------------------

    def step(self, n: int = 1) -> None:
        """n steps. Other threads of Python run meanwhile. An exception in a controller or plugin is raised here, after
        the step it happened in, which is done without its force."""
        if n != 1 or self._attention & ~_FORCE:
            self._step_with_care(n)
            return
        if self._attention:
            self._send_force()
        try:
            self._attention |= _STEPPING
            status = _step(*self._step_arguments)
        finally:
            self._attention &= ~_STEPPING
        self._moved = False
        events = self._report.events
        if status or events & _REPLACED:
            self._after(status, events)

    def _step_with_care(self, n: int) -> None:
        self._can_step()
        if n < 0:
            raise Error("a number of steps is not negative")
        done = 0
        chunk = 1
        while done < n:
            if self._attention & _FORCE:
                self._send_force()
            # with callbacks one by one, so that their exceptions come at once; else so many as take a moment, so that
            # Ctrl-C is heard
            count = 1 if self._attention & _CALLBACKS else min(chunk, n - done)
            begin = time.perf_counter()
            self._advance(count)
            done += count
            seconds = time.perf_counter() - begin
            if seconds < _CHUNK_SECONDS:
                chunk *= 2
            elif seconds > 4 * _CHUNK_SECONDS:
                chunk = (chunk + 1) // 2

    def _advance(self, count: int) -> None:
        """All but the last by one call, the last with a report."""
        status, events = abi.SN_OK, 0
        try:
            self._attention |= _STEPPING
            if count > 1:
                run, total = abi.sn_run_def(count - 1, 0.0, None, None), abi.sn_run_report()
                status = library.sn_simulation_run(self._pointer, run, total)
                events = total.events
            if not status:
                status = _step(*self._step_arguments)
        finally:
            self._attention &= ~_STEPPING
        self._moved = False
        self._after(status, events | self._report.events)

    def _after(self, status: int, events: int) -> None:
        if events & _REPLACED:
            self._take_seat()
        if self._attention & _COLLECT:
            self._collect()
        self._callbacks.surface(self)
        if status:
            error = abi.sn_error(text=library.sn_world_fault(self._world))
            check(status, error, "step")

    def run(
        self,
        seconds: Optional[float] = None,
        pace: float = 0.0,
        until: Optional[Callable[["Simulation"], bool]] = None,
    ) -> RunReport:
        """Steps for so many simulated seconds.

        Args:
            seconds: None: the duration that the scene says.
            pace: simulated seconds a second; 0: as fast as possible.
            until: asked after each step; True ends the run.
        """
        self._can_step()
        if seconds is None:
            seconds = library.sn_scene_duration(library.sn_simulation_scene(self._pointer))
            if not seconds > 0:
                raise Error("how long? The scene says no duration: give seconds")
        steps = round(seconds / self.step_size)
        begin, first = time.perf_counter(), self.step_count
        if steps == 0:
            return RunReport(0, 0.0, 0, 0.0, 0)
        if pace == 0 and until is None:
            self.step(steps)
            return RunReport(self.step_count - first, time.perf_counter() - begin, 0, 0.0, 0)
        return self._run_paced(steps, pace, until)

    def _run_paced(self, steps: int, pace: float, until: Optional[Callable[["Simulation"], bool]]) -> RunReport:
        def go_on(_context: int, _sim: int, report: int) -> bool:
            try:
                self._callbacks.running = "until"
                ctypes.memmove(ctypes.addressof(self._report), report, ctypes.sizeof(self._report))
                if self._attention & _FORCE:
                    self._send_force()
                return self._callbacks.raised is None and not (until is not None and until(self))
            except BaseException as error:  # Ctrl-C, too
                self._callbacks.raised = error
                return False
            finally:
                self._callbacks.running = ""

        if self._attention & _FORCE:
            self._send_force()
        bound = _GO_ON(go_on)
        run, total = abi.sn_run_def(steps, pace, ctypes.cast(bound, c_void_p), None), abi.sn_run_report()
        try:
            self._attention |= _STEPPING
            status = library.sn_simulation_run(self._pointer, run, total)
        finally:
            self._attention &= ~_STEPPING
        self._moved = False
        self._after(status, total.events)
        return RunReport(total.steps, total.seconds, total.late, total.worst, total.caught_up)

    # ---- questions ------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Of the scene."""
        return text_of(library.sn_scene_name(library.sn_simulation_scene(self._open())))

    @property
    def time(self) -> float:
        """s"""
        self._open()
        return float(library.sn_world_time(self._world))

    @property
    def step_count(self) -> int:
        """Steps done."""
        self._open()
        return int(library.sn_world_step_count(self._world))

    @property
    def step_size(self) -> float:
        """s"""
        self._open()
        return float(library.sn_world_step_size(self._world))

    @property
    def model(self) -> Model:
        """The whole: all items as one model. Another one when bodies came or went."""
        if _world_q(self._looked()) != self._place:
            self._take_seat()
        return self._model

    @property
    def q(self) -> Array:
        """Configuration: a read-only view of nq numbers."""
        if _world_q(self._looked()) != self._place:
            self._take_seat()
        return self._q

    @property
    def v(self) -> Array:
        """Velocity: a read-only view of nv numbers."""
        if _world_q(self._looked()) != self._place:
            self._take_seat()
        return self._v

    @property
    def control(self) -> Array:
        """Joint forces of controllers and plugins in the last step: a read-only view of nv numbers."""
        if _world_q(self._looked()) != self._place:
            self._take_seat()
        return self._control

    @property
    def force(self) -> Array:
        """Joint forces of the user (N or N m, nv numbers), besides those of controllers. Write into it: the next step
        takes it, and all that follow until it is changed."""
        model = self.model
        now = view(self._seat, library.sn_world_force(self._world), model.nv)
        if self._force is None or now.tobytes() != self._sent:
            self._force, self._sent = now.copy(), now.tobytes()
            self._force_place = self._force.ctypes.data
            self._attention |= _FORCE
        return self._force

    @force.setter
    def force(self, tau: Numbers) -> None:
        self.force[:] = tau

    def _send_force(self) -> None:
        force = self._force
        if force is None or len(force) != self._model.nv:
            force = self.force
        now = force.tobytes()
        if now != self._sent:
            check(library.sn_world_set_force(self._world, self._force_place), what="force")
            self._sent = now

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """Contacts of the last step, an array of sinew.CONTACT; none right after bodies came or went."""
        world = self._looked()
        snapshot = library.sn_world_snapshot(world)
        count = 0 if self._moved else library.sn_snapshot_contact_count(snapshot)
        contacts = np.empty(count, CONTACT)
        if count:
            ctypes.memmove(contacts.ctypes.data, library.sn_snapshot_contacts(snapshot), contacts.nbytes)
        return contacts

    @property
    def sensors(self) -> Mapping[str, Array]:
        """Sensors of the scene by name: read-only views of their numbers."""
        self._open()
        if self._sensors is None:
            self._sensors = Sensors(self)
        return self._sensors

    @property
    def behaviours(self) -> dict[str, str]:
        """The state that each behaviour of the scene is in, by name."""
        handle = self._open()
        return {
            text_of(library.sn_simulation_behaviour_name(handle, i)): text_of(
                library.sn_simulation_behaviour_state(handle, i)
            )
            for i in range(library.sn_simulation_behaviour_count(handle))
        }

    @property
    def bodies(self) -> Mapping[str, SimBody]:
        """Bodies by name, or by the name of their joint."""
        self._open()
        return Bodies(self)

    def body(self, name: str) -> SimBody:
        """By its name in the whole, such as "robot/hand", or that of its joint."""
        body = SimBody(self, name)
        body.index  # noqa: B018: an Error when there is none
        return body

    @property
    def items(self) -> dict[str, Item]:
        """Models and objects by name."""
        count = library.sn_simulation_item_count(self._open())
        found = [Item(self, library.sn_simulation_item_at(self._pointer, i)) for i in range(count)]
        return {item.name: item for item in found}

    def item(self, name: str) -> Item:
        """By its name; an Error when there is none."""
        identity = library.sn_simulation_find_item(self._open(), name.encode())
        if not identity.generation:
            raise Error(f"there is no item '{name}'; there are {', '.join(self.items)}")
        return Item(self, identity)

    @property
    def molecules(self) -> dict[str, SimMolecule]:
        """Molecules of the scene by name: atoms and energies as they are now."""
        count = library.sn_scene_molecule_count(library.sn_simulation_scene(self._open()))
        found = [SimMolecule(self, i) for i in range(count)]
        return {molecule.name: molecule for molecule in found}

    @property
    def units(self) -> str:
        """What numbers are in: "SI", or "molecular": nm, ps, u, kJ/mol where others have m, s, kg, J."""
        return list(abi.UNITS)[int(library.sn_world_units(self._looked()))]

    @property
    def energy(self) -> Energy:
        """Kinetic, of gravity and force fields, of joint springs."""
        return _energy(library.sn_world_energy(self._looked()))

    @property
    def momentum(self) -> Momentum:
        """Of all moving bodies."""
        return _momentum(library.sn_world_momentum(self._looked()))

    @property
    def region(self) -> Region:
        """Of adaptive dynamics."""
        return _region(library.sn_world_region(self._looked()))

    @property
    def hash(self) -> int:
        """Of time, q and v: equal bits, equal hash."""
        return int(library.sn_world_hash(self._looked()))

    @property
    def events(self) -> set[str]:
        """What happened in the last step, such as "unsolved"; see sn_event in sinew/world.h."""
        return {name for name, bit in abi.EVENTS.items() if self._report.events & bit}

    @property
    def residual(self) -> float:
        """Of the contact solve of the last step."""
        return float(self._report.contact.residual)

    @property
    def stage_times(self) -> dict[str, float]:
        """Seconds that each stage of the last step took."""
        report = self._report
        return {
            text_of(library.sn_world_stage_name(i)): report.stage_ns[i] * 1e-9 for i in range(report.stage_count)
        }

    # ---- state and forces -------------------------------------------------------------------------------------------

    def set_state(self, q: Optional[Numbers] = None, v: Optional[Numbers] = None) -> None:
        """None leaves a part as it is. Refused, nothing changed, when a number is not finite or a quaternion not unit."""
        world, model = self._edited(), self.model
        q, v = optional(q, model.nq, "q"), optional(v, model.nv, "v")
        check(library.sn_world_set_state(world, address(q), address(v)), what="set_state")

    def save(self) -> State:
        """The state as it is: copies of q, v and the user's joint forces."""
        force, nv = self._force, self.model.nv
        if force is None or len(force) != nv:
            force = view(self._seat, library.sn_world_force(self._world), nv)
        return State(self.q.copy(), self.v.copy(), force.copy())

    def restore(self, state: State) -> None:
        """Back to a state that save gave, of the same bodies. Time goes on; pushes, locks, holds and gravity stay.

        The steps from there are the same as before: to the last bit, and with contact, whose solver remembers more than
        the state, within its tolerance. After reset() and then restore(state) they are the same bits with contact, too.
        """
        self.set_state(state.q, state.v)
        if self._force is not None or state.force.any():
            self.force = state.force

    def push(
        self, body: BodyLike, force: Numbers = (0, 0, 0), moment: Numbers = (0, 0, 0), at: Optional[Numbers] = None
    ) -> None:
        """Force (N) and moment (N m) on a body, world axes, until changed; zero ends it.

        Args:
            at: point of the world (m) at which the force acts now; None: the body's origin. The moment that it has there
                stays, while the body moves.
        """
        world = self._edited()
        identity = abi.sn_body_id(self.model.find(body))
        if at is not None:
            origin = from_vec3(library.sn_dynamics_pose(library.sn_world_dynamics(world), identity).p)
            arm = vector(at, 3, "at") - origin
            moment = vector(moment, 3, "the moment") + np.cross(arm, vector(force, 3, "the force"))
        check(library.sn_world_set_wrench(world, identity, abi.AXES["world"], to_wrench(force, moment)), what="push")

    def lock(self, joint: BodyLike) -> None:
        """Locks a joint where it is, at once."""
        check(library.sn_world_lock(self._edited(), abi.sn_body_id(self.model.find(joint)), True), what="lock")

    def unlock(self, joint: BodyLike) -> None:
        """Frees a joint that was locked."""
        check(library.sn_world_lock(self._edited(), abi.sn_body_id(self.model.find(joint)), False), what="unlock")

    @property
    def gravity(self) -> Array:
        """m/s^2, world axes."""
        return from_vec3(library.sn_world_gravity(self._looked()))

    @gravity.setter
    def gravity(self, g: Numbers) -> None:
        check(library.sn_world_set_gravity(self._edited(), vec3(g, "gravity")), what="gravity")

    def set_adaptivity(
        self,
        max_active: int = -1,
        threshold: float = 0.0,
        settling_time: float = 0.1,
        period: int = 1,
        metric: str = "inertia",
    ) -> None:
        """How many joints are active, of dynamics "adaptive" (docs/adaptive.md)."""
        options = _adaptivity(abi.sn_adaptivity(), max_active, threshold, settling_time, period, metric)
        check(library.sn_world_set_adaptivity(self._edited(), options), what="adaptivity (of dynamics 'adaptive')")

    # ---- edits ----------------------------------------------------------------------------------------------------

    def add(
        self,
        name: str,
        model: Union[Model, str, None] = None,
        at: Numbers = (0, 0, 0),
        pose: Optional[Pose] = None,
        **keys: Any,
    ) -> Item:
        """Adds an item while the simulation runs.

        Args:
            name: new in the scene.
            model: a Model, or the name of one that comes with Sinew.
            at: where its origin is, m.
            pose: instead of `at`, of a Model.
            keys: as a scene file has them (docs/scenes.md): file="robot.urdf", generate="chain:5", sphere=0.1,
                box=[0.1, 0.2, 0.3], mass=2, rpy=[0, 0, 1.57], material={"mu": 0.8}, ...
        """
        self._edited()
        if isinstance(model, Model):
            if keys:
                raise Error(f"with a Model there is only name, at and pose, not {', '.join(keys)}")
            return self._add_model(name, model, pose or Pose(np.eye(3), vector(at, 3, "at")))
        if pose is not None:
            raise Error("pose is for a Model; with others say at and rpy")
        if model is not None:
            keys["model"] = model
        self.command({"add": {"name": name, "at": at, **keys}})
        return self.item(name)

    def _add_model(self, name: str, model: Model, pose: Pose) -> Item:
        item, identity, error = abi.sn_item(), abi.sn_item_id(), abi.sn_error()
        item.name, item.prefix = name.encode(), (name + "/").encode()
        item.pose = to_pose(pose)
        item.model = model._pointer  # the library copies it
        check(library.sn_simulation_add(self._pointer, item, identity, error), error)
        self._changed()
        return Item(self, identity)

    def remove(self, item: Union[Item, str]) -> None:
        """Removes an item; everything else goes on."""
        self._edited()
        found = self.item(item) if isinstance(item, str) else item
        error = abi.sn_error()
        check(library.sn_simulation_remove(self._pointer, found._identity, error), error)
        self._changed()

    def hold(
        self,
        a: BodyLike,
        b: Optional[BodyLike] = None,
        type: str = "weld",
        name: Optional[str] = None,
        frames: Optional[tuple[Pose, Pose]] = None,
        length: float = 1.0,
        stiffness: float = math.inf,
        damping: float = 0.0,
        turn_stiffness: float = math.inf,
        turn_damping: float = 0.0,
    ) -> Hold:
        """Holds two bodies together, as they are now, until released.

        Args:
            b: None: the world.
            type: "weld", "ball", "hinge" or "distance".
            frames: of the constraint in a and in b; None: where they are now, at b's origin.
            length: of "distance", m.
            stiffness, damping: N/m, N s/m against displacement.
            turn_stiffness, turn_damping: N m/rad, N m s/rad against turning.
        """
        self._edited()
        c = library.sn_constraint_default()
        c.type = choose(abi.CONSTRAINTS, type, "constraint")
        c.a = abi.sn_body_id(self.model.find(a))
        c.b = abi.sn_body_id(-1 if b is None else self.model.find(b))
        if frames:
            c.X_ac, c.X_bc = to_pose(frames[0]), to_pose(frames[1])
        c.length, c.stiffness, c.damping = length, stiffness, damping
        c.turn_stiffness, c.turn_damping = turn_stiffness, turn_damping
        if name is None:
            self._hold_count += 1
            name = f"hold_{self._hold_count}"
        identity, error = abi.sn_hold_id(), abi.sn_error()
        check(
            library.sn_simulation_hold(self._pointer, name.encode(), c, frames is not None, identity, error), error
        )
        return Hold(self, name, identity)

    def release(self, hold: Union[Hold, str]) -> None:
        """Ends a hold."""
        self._edited()
        if isinstance(hold, str):
            identity = library.sn_simulation_find_hold(self._pointer, hold.encode())
        else:
            identity = hold._identity
        error = abi.sn_error()
        check(library.sn_simulation_release(self._pointer, identity, error), error, "release")

    def set_surface(self, item: Union[Item, str], **material: float) -> None:
        """Surface of all shapes of an item: mu, mu_kinetic, stribeck_speed, viscous, restitution, spin, roll,
        stiffness, damping; what is not given is the default, mu 0.5 and nothing else."""
        self._edited()
        surface = library.sn_material_default()
        names = [name for name, _ in abi.sn_material._fields_]
        for key, value in material.items():
            if key not in names:
                raise Error(f"a surface has no '{key}'; it has {', '.join(names)}")
            setattr(surface, key, value)
        if "mu" in material and "mu_kinetic" not in material:
            surface.mu_kinetic = surface.mu
        found = self.item(item) if isinstance(item, str) else item
        error = abi.sn_error()
        check(library.sn_simulation_set_surface(self._pointer, found._identity, surface, error), error)
        self._changed()

    def reset(self) -> None:
        """Back to the scene as it was loaded; time goes on."""
        self._edited()
        error = abi.sn_error()
        check(library.sn_simulation_reset(self._pointer, error), error)
        self._changed()

    def command(self, text: Union[str, Mapping[str, Any]]) -> str:
        """One edit as a scene's script has it, text or a dict: "gravity: [0, 0, -1.6]", {"remove": "ball"}. Returns the
        answer of a plugin, if it is one's."""
        self._edited()
        words = text if isinstance(text, str) else as_yaml(text)
        answer, error = ctypes.create_string_buffer(4096), abi.sn_error()
        status = library.sn_simulation_command(self._pointer, words.encode(), answer, len(answer), error)
        self._changed()
        self._callbacks.surface(self)
        check(status, error, "command")
        return text_of(answer.value)

    # ---- controllers and plugins ------------------------------------------------------------------------------------

    def controller(self, function: Controller) -> Controller:
        """Decorator: `function(sim, tau)` adds joint forces to tau (nv numbers, zero before) in each step.

        A second one of the same name takes the place of the first. One that raises is removed, and its exception
        comes out of step().
        """
        self._can_edit()
        self._callbacks.controllers[getattr(function, "__name__", repr(function))] = function
        self._bind_controllers()
        return function

    def remove_controller(self, function: Union[Controller, str]) -> None:
        """By its function or its name."""
        self._can_edit()
        name = function if isinstance(function, str) else getattr(function, "__name__", repr(function))
        if name not in self._callbacks.controllers:
            raise Error(f"there is no controller '{name}'")
        del self._callbacks.controllers[name]
        self._bind_controllers()

    def _bind_controllers(self) -> None:
        self._callbacks.bind_controllers(self)
        self._expect_callbacks()

    def _expect_callbacks(self) -> None:
        if self._callbacks:
            self._attention |= _CALLBACKS
        else:
            self._attention &= ~_CALLBACKS

    def add_plugin(self, plugin: Any, options: str = "") -> None:
        """Adds a plugin: an object with methods of sinew.Plugin, those that it needs. `options` is handed to its init."""
        from .plugin import bind

        self._can_step()
        table, end, keep = bind(self, plugin)
        self._handle.keep.append(keep)
        self._attention |= _CALLBACKS  # its init is one
        error = abi.sn_error()
        status = library.sn_simulation_add_plugin(self._pointer, table, options.encode(), error)
        if not status:
            self._callbacks.plugin_ends.append(end)
        self._expect_callbacks()
        self._changed()
        self._callbacks.surface(self)
        check(status, error)

    @property
    def plugins(self) -> dict[str, Optional[str]]:
        """Plugins by name: why each was stopped, None: it runs."""
        count = library.sn_simulation_plugin_count(self._open())
        found: dict[str, Optional[str]] = {}
        for i in range(count):
            trouble = library.sn_simulation_plugin_trouble(self._pointer, i)
            name = text_of(library.sn_simulation_plugin(self._pointer, i).contents.name)
            found[name] = None if trouble is None else text_of(trouble)
        return found

    def draw(self) -> list[Stroke]:
        """What plugins draw now."""
        self._can_step()
        count = c_int()
        strokes = library.sn_simulation_draw(self._pointer, count)
        self._callbacks.surface(self)
        return [
            Stroke(from_vec3(getattr(s, "from")), from_vec3(s.to), text_of(s.text), tuple(s.color))
            for s in (strokes[i] for i in range(count.value))
        ]

    # ---- recording --------------------------------------------------------------------------------------------------

    def record(self, path: Path, every: int = 1, wait: bool = True) -> RecordingRun:
        """Begins a recording; ends with end_recording, close, or the `with` statement.

        Args:
            every: steps between two samples of the state.
            wait: step no faster than the disk takes it; else the recording may have a gap.
        """
        self._can_edit()
        error = abi.sn_error()
        check(library.sn_simulation_record(self._pointer, os.fsencode(path), every, wait, error), error)
        return RecordingRun(self)

    def end_recording(self) -> None:
        """An Error when it could not be written to its end; what was written is readable."""
        self._can_edit()
        status = abi.sn_recorder_status()
        library.sn_simulation_end_recording(self._pointer, status)
        if abi.RECORDER_STATES[status.state] == "stopped":
            raise Error(text_of(status.text), "SN_ERR_FILE")

    @property
    def is_recording(self) -> bool:
        """Whether a recording runs."""
        return bool(library.sn_simulation_recording(self._open(), None))

    # ---- inside -------------------------------------------------------------------------------------------------------

    def _open(self) -> int:
        if self._attention & _CLOSED:
            raise Error("this simulation is closed")
        return self._pointer

    def _looked(self) -> int:
        """The world, for questions."""
        if self._attention & _CLOSED:
            raise Error("this simulation is closed")
        return self._world

    def _can_step(self) -> None:
        """No step and no callback runs."""
        self._open()
        if self._callbacks.running or self._attention & _STEPPING:
            raise Error(f"a simulation can be neither stepped nor closed {self._where()}", "SN_ERR_FAULT")

    def _can_edit(self) -> None:
        """Between steps, or from a plugin's step."""
        self._open()
        if self._attention & _STEPPING and self._callbacks.running != "step":
            raise Error(f"a simulation cannot be changed {self._where()}", "SN_ERR_FAULT")

    def _where(self) -> str:
        running = self._callbacks.running
        return f"inside {running}()" if running else "by another thread while one steps"

    def _edited(self) -> int:
        self._can_edit()
        return self._world

    def _changed(self) -> None:
        if _world_q(self._world) != self._place:
            self._moved = True
            self._take_seat()

    def _take_seat(self) -> None:
        """Follows the world to the memory of its present model."""
        place = _world_q(self._world)
        if getattr(self, "_place", None) == place:
            return
        if hasattr(self, "_model"):
            self._old_seats.append(weakref.ref(self._seat))
            self._seat = Seat(self._handle)
            self._collect_steps = _COLLECT_STEPS
            self._attention |= _COLLECT
        self._place = place
        self._model_number += 1
        self._model = Model._wrap(library.sn_world_model(self._world), self._seat)
        self._q = view(self._seat, place, self._model.nq)
        self._v = view(self._seat, library.sn_world_v(self._world), self._model.nv)
        self._control = view(self._seat, library.sn_world_control(self._world), self._model.nv)

    def _collect(self) -> None:
        """Frees memory of models before, once nobody looks at any."""
        if self._attention & _STEPPING:
            return
        self._old_seats = [seat for seat in self._old_seats if seat() is not None]
        if self._old_seats:
            return
        library.sn_world_snapshot(self._world)  # lets go of one that shows a model before
        library.sn_simulation_collect(self._pointer)
        self._collect_steps -= 1
        if self._collect_steps <= 0:
            self._attention &= ~_COLLECT


def load(source: Source, **options: Any) -> Simulation:
    """A simulation of a scene.

    Args:
        source: a scene file (YAML), a model file (URDF, JSON), the name of a scene or model that comes with Sinew, a
            generated model ("chain:10", "stack:5"), a scene as a dict with the keys of a scene file (docs/scenes.md), or
            a Model.
        options: instead of what the scene says: step (s), gravity (m/s^2), dynamics ("aba", "crba", "dca", "adaptive" or a
            plugin's), integrator ("euler", "rk4", "midpoint", "quasistatic"), max_active, threshold, settling_time, period, metric
            (of adaptive dynamics), contact (bool), solver, detector, simulator, tolerance, iterations, solve_time (s), workers, contacts
            (most at once), sleep (bool or s), plugins (paths), recording (False: not the scene's), model_paths,
            scene_paths, package_paths (folders).
    """
    return Simulation(source, **options)


def load_text(text: str, name: str = "scene", **options: Any) -> Simulation:
    """A simulation of the text of a scene file (YAML). `name` stands for the file in messages, and paths in the text are
    relative to its folder. Options as of load."""
    return Simulation(SceneText(text, name), **options)
