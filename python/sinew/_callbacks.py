# SPDX-License-Identifier: Apache-2.0
"""Functions of Python that the library calls within a step: controllers, plugins, when a run ends. What they raise is kept until
the call that led to them ends."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import CFUNCTYPE, c_int, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from . import _abi as abi
from ._error import Error, check, logger
from ._library import library
from ._values import Array, doubles

if TYPE_CHECKING:
    from .simulation import Simulation

Controller = Callable[["Simulation", Array], None]

_CONTROL = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)


class Callbacks:
    """Those of one simulation."""

    def __init__(self) -> None:
        self.controllers: dict[str, Controller] = {}
        self.plugin_ends: list[Callable[[], None]] = []
        self.running = ""  # the one that runs now
        self.raised: Optional[BaseException] = None
        self._bound: Any = None  # what the library calls for controllers
        self._sum, self._sum_place = np.empty(0), 0  # where their forces go

    def __bool__(self) -> bool:
        return bool(self.controllers or self.plugin_ends)

    def bind_controllers(self, simulation: Simulation) -> None:
        """Has the library call us in each step while there is a controller."""
        bound = None
        if self.controllers:
            if self._bound is None:
                self._bound = _call_by_library(simulation)
                simulation._handle.keep.append(self._bound)
            bound = ctypes.cast(self._bound, c_void_p)
        check(library.sn_simulation_set_controller(simulation._pointer, b"python", bound, None))

    def call_controllers(self, simulation: Simulation, place: int) -> None:
        for name, function in list(self.controllers.items()):
            if not self.call_control(simulation, f"controller '{name}'", function, place):
                del self.controllers[name]

    def call_control(self, simulation: Simulation, what: str, function: Controller, place: int) -> bool:
        """Adds what a function makes of tau to the numbers at `place`. False: it raised, and nothing was added."""
        before, self.running = self.running, "control"
        try:
            nv = simulation.model.nv
            tau = np.zeros(nv)  # one's own, so that whoever keeps it keeps no memory of the library's
            function(simulation, tau)
            if not np.isfinite(tau).all():
                raise Error(f"{what} gave a force that is not finite", "SN_ERR_NUMERIC")
            if nv:
                if place != self._sum_place or nv != len(self._sum):
                    self._sum, self._sum_place = doubles(place, nv), place
                self._sum += tau
            return True
        except BaseException as error:
            self.note(simulation, error, what)
            return False
        finally:
            self.running = before

    def note(self, simulation: Simulation, error: BaseException, what: str) -> None:
        """Keeps what a callback raised until the call that led to it ends; what: who raised it."""
        if hasattr(error, "add_note"):  # since Python 3.11
            step = simulation.step_count + 1
            error.add_note(f"raised by {what}, which is stopped, in step {step} of {simulation.name!r}")
        if self.raised is None:
            self.raised = error
        else:
            logger.warning("%s raised one more exception in the same step: %r", what, error)

    def surface(self, simulation: Simulation) -> None:
        """Raises what a callback raised, once none runs."""
        if self.raised is None or self.running:
            return
        raised, self.raised = self.raised, None
        if self._bound is not None and not self.controllers:
            simulation._bind_controllers()
        raise raised


def _call_by_library(simulation: Simulation) -> Any:
    reference = weakref.ref(simulation)

    def compute(_context: int, _sim: int, place: int) -> int:
        sim = reference()
        if sim is not None:
            sim._callbacks.call_controllers(sim, place)
        return abi.SN_OK

    return _CONTROL(compute)
