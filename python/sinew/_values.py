# SPDX-License-Identifier: Apache-2.0
"""Between numpy arrays and what the library takes and gives."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _abi as abi
from ._error import Error

Array = npt.NDArray[np.float64]
Numbers = Union[npt.ArrayLike, Array]


class Pose(NamedTuple):
    """Rotation and origin of one frame in another: p_to = R p_from + p."""

    R: Array  #: 3 x 3
    p: Array  #: 3 numbers, m

    @property
    def matrix(self) -> Array:
        """4 x 4, homogeneous."""
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = self.R, self.p
        return X

    @property
    def quaternion(self) -> Array:
        """Unit, w, x, y, z, w not negative."""
        R, t = self.R, np.trace(self.R)
        # the largest component by its own formula, so that nothing is divided by what is small
        size = np.array([t, R[0, 0], R[1, 1], R[2, 2]])
        k = int(np.argmax(size))
        if k == 0:
            q = np.array([1 + t, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        else:
            i, j, m = k - 1, k % 3, (k + 1) % 3
            q = np.empty(4)
            q[0] = R[m, j] - R[j, m]
            q[k] = 1 + R[i, i] - R[j, j] - R[m, m]
            q[1 + j], q[1 + m] = R[j, i] + R[i, j], R[m, i] + R[i, m]
        q /= np.linalg.norm(q)
        return -q if q[0] < 0 else q


def vector(values: Numbers, count: int, what: str) -> Array:
    """As `count` numbers in a row; the same array where it is one already."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (count,):
        raise Error(f"{what} has the shape {array.shape}; it must be ({count},)")
    return array


def optional(values: Optional[Numbers], count: int, what: str) -> Optional[Array]:
    return None if values is None else vector(values, count, what)


def result(out: Optional[Array], shape: tuple[int, ...], what: str = "out") -> Array:
    """Where a result is written: `out`, checked, or a new array."""
    if out is None:
        return np.empty(shape)
    if out.shape != shape or out.dtype != np.float64 or not out.flags.c_contiguous or not out.flags.writeable:
        raise Error(f"{what} must be a writable, contiguous array of doubles of the shape {shape}")
    return out


def address(array: Optional[Array]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def vec3(values: Numbers, what: str) -> abi.sn_vec3:
    return abi.sn_vec3(*vector(values, 3, what))


def from_vec3(v: abi.sn_vec3) -> Array:
    return np.array((v.x, v.y, v.z))


def from_pose(X: abi.sn_pose) -> Pose:
    return Pose(np.array(X.R.m), from_vec3(X.p))


def to_pose(X: Optional[Pose]) -> abi.sn_pose:
    pose = abi.sn_pose()
    R, p = (np.eye(3), np.zeros(3)) if X is None else (np.asarray(X[0], float), np.asarray(X[1], float))
    if R.shape != (3, 3) or p.shape != (3,):
        raise Error("a pose is a 3 x 3 rotation and 3 numbers")
    for i in range(3):
        for j in range(3):
            pose.R.m[i][j] = R[i, j]
    pose.p = abi.sn_vec3(*p)
    return pose


def from_twist(t: abi.sn_twist) -> Array:
    return np.array((t.w.x, t.w.y, t.w.z, t.v.x, t.v.y, t.v.z))


def to_wrench(force: Numbers, moment: Numbers) -> abi.sn_wrench:
    return abi.sn_wrench(vec3(moment, "the moment"), vec3(force, "the force"))


def wrench6(values: Numbers, what: str) -> abi.sn_wrench:
    w = vector(values, 6, what)
    return abi.sn_wrench(abi.sn_vec3(*w[:3]), abi.sn_vec3(*w[3:]))


def text_of(value: Optional[bytes]) -> str:
    return value.decode(errors="replace") if value else ""


def paths(folders: Iterable[Any]) -> Any:
    """NULL-terminated list of paths, or None."""
    names = [str(folder).encode() for folder in folders]
    if not names:
        return None
    return (ctypes.c_char_p * (len(names) + 1))(*names, None)


def choose(table: Union[dict[str, int], Sequence[str]], name: str, what: str) -> int:
    """Number of a name in a table; an Error that says what there is."""
    numbers = table if isinstance(table, dict) else {n: i for i, n in enumerate(table)}
    if name not in numbers:
        raise Error(f"there is no {what} '{name}'; there are {', '.join(numbers)}")
    return numbers[name]


def doubles(pointer: int, count: int) -> Array:
    """Numbers that the library owns, to be looked at or written into as long as it keeps them."""
    numbers: Array = np.frombuffer((ctypes.c_double * count).from_address(pointer))  # type: ignore[call-overload]
    return numbers


def copied(pointer: Optional[int], count: int) -> Array:
    """A copy of numbers that the library owns."""
    if not pointer or not count:
        return np.empty(0)
    return doubles(pointer, count).copy()
