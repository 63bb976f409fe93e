# SPDX-License-Identifier: Apache-2.0
"""Memory of the library that Python looks at, and who keeps it alive."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._library import library
from ._values import Array


class Handle:
    """Owns the simulation of the library; the last who looks at its memory frees it."""

    def __init__(self, pointer: int, keep: list[Any]):
        self.pointer = pointer
        self.keep = keep  # what the library points to

    def __del__(self) -> None:
        if library is not None:
            library.sn_simulation_free(self.pointer)


class Seat:
    """Memory that belongs to one model of the world. Whoever looks at it holds this."""

    __slots__ = ("handle", "__weakref__")

    def __init__(self, handle: Handle):
        self.handle = handle


class Memory:
    """Numbers at an address, for numpy; an array made of it holds it, and so its seat."""

    __slots__ = ("__array_interface__", "seat")

    def __init__(self, seat: Any, place: int, count: int):
        self.seat = seat
        self.__array_interface__ = {"data": (place, True), "shape": (count,), "typestr": "<f8", "version": 3}


def view(seat: Any, place: Optional[int], count: int) -> Array:
    if not count or not place:
        return np.empty(0)
    return np.asarray(Memory(seat, place, count))
