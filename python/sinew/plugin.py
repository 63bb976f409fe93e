# SPDX-License-Identifier: Apache-2.0
"""Plugins written in Python."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Callable

from . import _abi as abi
from ._error import Error, logger
from ._library import library
from ._values import Array, Numbers, vec3, vector

if TYPE_CHECKING:
    from .simulation import Simulation


class Drawing:
    """Where plugins draw, in world coordinates."""

    def __init__(self, pointer: int):
        self._pointer = pointer

    def line(self, start: Numbers, end: Numbers, color: Numbers = (1, 0, 0, 1)) -> None:
        """color: red, green, blue, opacity, 0 to 1."""
        library.sn_drawing_line(self._pointer, vec3(start, "start"), vec3(end, "end"), _color(color))

    def text(self, at: Numbers, text: str, color: Numbers = (0, 0, 0, 1)) -> None:
        """Words at a place; of more than 47 bytes the first."""
        library.sn_drawing_text(self._pointer, vec3(at, "at"), text.encode(), _color(color))


def _color(color: Numbers) -> Any:
    return (c_double * 4)(*vector(color, 4, "a color"))


class Plugin:
    """What a plugin may do. Write those methods that are needed, in a class of this or of no base."""

    name = ""  #: of the plugin; "": that of its class
    about = ""  #: one line

    def init(self, sim: "Simulation", options: str) -> None:
        """When it is added."""

    def step(self, sim: "Simulation") -> None:
        """After each step. May edit the simulation."""

    def cleanup(self) -> None:
        """When the simulation ends."""

    # def control(self, sim, tau): adds joint forces to tau, nv numbers, in each step
    # def command(self, sim, words) -> str: answers words that somebody sent it
    # def draw(self, sim, drawing): draws, when a picture is made


_INIT = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_void_p), c_void_p)
_STEP = CFUNCTYPE(c_int, c_void_p, c_void_p)
_CLEANUP = CFUNCTYPE(None, c_void_p)
_CONTROL = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
_COMMAND = CFUNCTYPE(c_int, c_void_p, c_void_p, c_char_p, c_void_p, c_size_t)
_DRAW = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)


def bind(sim: "Simulation", plugin: Any) -> tuple[abi.sn_plugin, Callable[[], None], Any]:
    """The table of a plugin, what ends it, and what must live as long as the library's simulation."""
    name = getattr(plugin, "name", "") or type(plugin).__name__
    reference = weakref.ref(sim)

    def guarded(what: str, call: Callable[["Simulation"], Any]) -> int:
        """Runs a method; what it raises comes out of the call that led here, and the plugin is stopped."""
        simulation = reference()
        if simulation is None:
            return abi.SN_ERR_FAULT
        callbacks = simulation._callbacks
        before, callbacks.running = callbacks.running, what
        try:
            call(simulation)
            return abi.SN_OK
        except BaseException as error:
            callbacks.note(simulation, error, f"plugin '{name}'")
            return abi.SN_ERR_FAULT
        finally:
            callbacks.running = before

    def on_init(_sim: int, options: bytes, _memory: Any, _error: int) -> int:
        if not hasattr(plugin, "init"):
            return abi.SN_OK
        return guarded("init", lambda s: plugin.init(s, options.decode(errors="replace")))

    def on_step(_memory: int, _sim: int) -> int:
        return guarded("step", plugin.step) if hasattr(plugin, "step") else abi.SN_OK

    ended = False

    def end() -> None:
        """When the simulation is closed, or else when its memory is freed: views may keep that for long."""
        nonlocal ended
        if ended or not hasattr(plugin, "cleanup"):
            return
        ended = True
        try:
            plugin.cleanup()
        except Exception:
            logger.exception("cleanup of the plugin '%s'", name)

    def on_control(_memory: int, _sim: int, place: int) -> int:
        simulation = reference()
        if simulation is None or not simulation._callbacks.call_control(
            simulation, f"plugin '{name}'", plugin.control, place
        ):
            return abi.SN_ERR_FAULT
        return abi.SN_OK

    def on_command(_memory: int, _sim: int, words: bytes, answer: int, room: int) -> int:
        def call(simulation: "Simulation") -> None:
            said = str(plugin.command(simulation, words.decode(errors="replace")) or "").encode()
            if answer and room:
                ctypes.memmove(answer, said[: room - 1] + b"\0", min(len(said), room - 1) + 1)

        return guarded("command", call)

    def on_draw(_memory: int, _sim: int, drawing: int) -> None:
        guarded("draw", lambda s: plugin.draw(s, Drawing(drawing)))

    functions: dict[str, Any] = {"init": _INIT(on_init), "step": _STEP(on_step), "cleanup": _CLEANUP(lambda _memory: end())}
    optional: dict[str, Any] = {
        "control": (_CONTROL, on_control),
        "command": (_COMMAND, on_command),
        "draw": (_DRAW, on_draw),
    }
    for method, (kind, function) in optional.items():
        if hasattr(plugin, method):
            functions[method] = kind(function)
    if not any(hasattr(plugin, method) for method in ("init", "step", "control", "command", "draw")):
        raise Error(f"{plugin!r} is no plugin: it has none of init, step, control, command, draw")
    table = abi.sn_plugin(version=abi.SN_PLUGIN_VERSION, size=ctypes.sizeof(abi.sn_plugin), name=name.encode())
    table.about = str(getattr(plugin, "about", "")).encode()
    for field, bound in functions.items():
        setattr(table, field, ctypes.cast(bound, c_void_p))
    return table, end, (table, functions, plugin)
