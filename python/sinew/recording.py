# SPDX-License-Identifier: Apache-2.0
"""Recordings: what happened, and whether it happens again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from ctypes import c_bool, c_uint64, c_void_p
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np

from . import _abi as abi
from ._error import Error, check, log
from ._library import library
from ._values import Array, copied, text_of
from .model import Model


class Sample(NamedTuple):
    """The state after a step."""

    step: int
    time: float  #: s
    q: Array
    v: Array
    contacts: int
    deepest: float  #: largest overlap, m
    residual: float  #: of the contact solve
    events: int  #: bits, see sn_event in sinew/world.h
    hash: int  #: of the state
    sensors: dict[str, Array]


class Safety(NamedTuple):
    """What the safety chain of a hand had done so far."""

    max_force: float  #: N
    max_torque: float  #: Nm
    max_force_step: float  #: N, largest change from tick to tick
    energy: float  #: J, of the passivity observer
    energy_least: float  #: J
    heat: float  #: of the motors; 1: as warm as continuous force makes them
    trips: int  #: times that trouble stopped the force
    last_trip: str  #: why the last time; "": never
    acted: dict[str, int]  #: ticks in which each element changed something


class Meters(NamedTuple):
    """What a loop of a session had counted when the world had done so many steps."""

    step: int
    time: float  #: s
    loop: str  #: simulation, coupling, haptics
    hand: str  #: its name; "": the loop is not of a hand
    ticks: int
    rate: float  #: Hz
    late: int  #: ticks that began more than half a period after they were due
    worst: float  #: s, latest beginning after it was due
    jitter: Array  #: ticks by lateness: below 100 ns, 200 ns, 400 ns, ...
    latency_mean: float  #: s, from a sample to the write of the force that answers it; nan: no hand
    latency_worst: float  #: s
    safety: Optional[Safety]  #: of a hand


class Verdict(NamedTuple):
    """Whether a replay gave the recorded bits."""

    same: bool
    steps: int  #: replayed; the last one is the first that differs
    block: Optional[int]  #: of the file that holds the step that differs
    offset: Optional[int]  #: of that block in the file, bytes


class Recording:
    """A recording file. Iterating gives its samples."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]):
        pointer, error = c_void_p(), abi.sn_error()
        check(library.sn_recording_open(os.fsencode(path), log, pointer, error), error)
        self._pointer = pointer.value
        info = library.sn_recording_ask(self._pointer)
        self.scene: str = text_of(info.scene)
        self.build: str = text_of(info.build)  #: version that wrote it
        self.step_size: float = info.step  #: s
        self.first_step: int = info.first_step
        self.steps: int = info.steps
        self.samples: int = info.samples
        self.inputs: int = info.inputs
        self.blocks: int = info.blocks
        self.lost: int = info.lost  #: steps that are missing
        self.closed: bool = info.closed  #: its writer came to the end
        self.damaged: bool = info.damaged  #: there was more, which does not fit its checksums
        self.exact: bool = info.exact  #: a replay can begin where it begins, so that verify can be asked
        self.sensors: dict[str, int] = {  #: how many numbers each gives
            text_of(library.sn_recording_sensor_name(self._pointer, i)): library.sn_recording_sensor_numbers(
                self._pointer, i
            )
            for i in range(info.sensors)
        }

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            self.close()

    def close(self) -> None:
        """Frees it at once; nothing can be asked of it any more."""
        pointer, self._pointer = self._pointer, None
        if pointer:
            library.sn_recording_free(pointer)

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _open(self) -> int:
        if not self._pointer:
            raise Error("this recording is closed")
        return self._pointer

    def __repr__(self) -> str:
        return f"<sinew.Recording: {self.steps} steps, {self.samples} samples>"

    def _raw(self) -> Iterator[abi.sn_sample]:
        library.sn_recording_rewind(self._open())
        sample = abi.sn_sample()
        while library.sn_recording_next(self._open(), sample):
            yield sample

    def _sensors(self, place: Optional[int]) -> dict[str, Array]:
        numbers, first, found = copied(place, sum(self.sensors.values())), 0, {}
        for name, count in self.sensors.items():
            found[name] = numbers[first : first + count]
            first += count
        return found

    def _samples(self) -> Iterator[tuple[int, Sample]]:
        """With the model that each is of."""
        model, nq, nv = 0, 0, 0
        for s in self._raw():
            if s.model != model:
                model, nq, nv = s.model, library.sn_model_nq(s.model), library.sn_model_nv(s.model)
            yield model, Sample(
                s.step,
                s.time,
                copied(s.q, nq),
                copied(s.v, nv),
                s.contacts,
                s.deepest,
                s.residual,
                s.events,
                s.hash,
                self._sensors(s.sensors),
            )

    def meters(self) -> Iterator[Meters]:
        """How the loops of a session did, some times a second: of recordings that `sinew run --record` made."""
        library.sn_recording_rewind_meters(self._open())
        found = abi.sn_meters()
        while library.sn_recording_next_meters(self._open(), found):
            yield _meters_of(found)

    def __iter__(self) -> Iterator[Sample]:
        """One loop at a time; a sample is a copy, and stays."""
        return (sample for _, sample in self._samples())

    def __len__(self) -> int:
        return self.samples

    @property
    def model(self) -> Model:
        """Of the first sample."""
        for s in self._raw():
            return Model._wrap(Model._wrap(s.model, self)._copy())
        raise Error("there is no sample in this recording")

    def parts(self) -> list[dict[str, Any]]:
        """Arrays of all samples, one dict for each time that bodies came or went: time (n), step, q (n x nq), v (n x nv),
        contacts, deepest, residual, events, hash, sensors {name: n x numbers}, bodies: their names."""
        parts: list[tuple[list[str], list[Sample]]] = []
        last = 0
        for model, sample in self._samples():
            if model != last:
                parts.append((Model._wrap(model, self).body_names, []))
                last = model
            parts[-1][1].append(sample)
        return [_stack(names, samples) for names, samples in parts]

    def arrays(self) -> dict[str, Any]:
        """As parts, of a recording in which no bodies came or went."""
        parts = self.parts()
        if len(parts) != 1:
            raise Error(f"bodies came or went: this recording has {len(parts)} parts; ask for parts()")
        return parts[0]

    def verify(self, progress: Optional[Callable[[int, int], None]] = None) -> Verdict:
        """Replays every step and compares the state, bit for bit. progress(done, all) is called now and then. An Error
        where steps are missing."""
        replay, error = c_void_p(), abi.sn_error()
        check(library.sn_replay_create(self._open(), None, replay, error), error)
        try:
            same = c_bool(True)
            for done in range(1, self.steps + 1):
                check(library.sn_replay_step(replay, None, same), what=f"replaying step {done}")
                if not same.value:
                    offset = c_uint64()
                    block = library.sn_replay_block(replay, offset)
                    return Verdict(False, done, block, offset.value)
                if progress and (done % 1000 == 0 or done == self.steps):
                    progress(done, self.steps)
            return Verdict(True, self.steps, None, None)
        finally:
            library.sn_replay_free(replay)


_LOOPS = ("simulation", "coupling", "haptics")


def _meters_of(m: abi.sn_meters) -> Meters:
    count = m.latency.count
    return Meters(
        m.step,
        m.time,
        _LOOPS[m.loop],
        text_of(m.hand),
        m.meter.ticks,
        library.sn_loop_rate(m.meter),
        m.meter.late,
        1e-9 * m.meter.worst_ns,
        np.array(m.meter.jitter),
        1e-9 * m.latency.sum_ns / count if count else float("nan"),
        1e-9 * m.latency.worst_ns if count else float("nan"),
        _safety_of(m.safety) if m.hand else None,
    )


def _safety_of(s: abi.sn_safety_report) -> Safety:
    return Safety(
        s.max_force,
        s.max_torque,
        s.max_force_step,
        s.energy,
        s.energy_least,
        s.heat,
        s.trips,
        text_of(library.sn_safety_cause_text(s.last_trip)),
        {text_of(library.sn_safety_element_text(i)): n for i, n in enumerate(s.count)},
    )


def _stack(bodies: list[str], samples: list[Sample]) -> dict[str, Any]:
    columns: dict[str, Any] = {
        name: np.array([getattr(sample, name) for sample in samples])
        for name in ("step", "time", "q", "v", "contacts", "deepest", "residual", "events")
    }
    columns["hash"] = np.array([sample.hash for sample in samples], dtype=np.uint64)
    columns["sensors"] = {name: np.array([s.sensors[name] for s in samples]) for name in samples[0].sensors}
    columns["bodies"] = bodies
    return columns
