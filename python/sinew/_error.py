# SPDX-License-Identifier: Apache-2.0
"""Statuses of the library become exceptions, its log becomes logging."""

from __future__ import annotations

import ctypes
import logging
from typing import Any

from . import _abi as abi
from ._library import library

logger = logging.getLogger("sinew")


class Error(Exception):
    """What went wrong, as the library says it.

    Attributes:
        status: name of the status, such as "SN_ERR_FORMAT".
        text: what is wrong, and what to do.
        file: file that the reason lies in, or "".
        line: its line, counted from 1; 0 when not known.
        column: its column, counted from 1; 0 when not known.
    """

    def __init__(self, text: str, status: str = "SN_ERR_ARGUMENT", file: str = "", line: int = 0, column: int = 0):
        self.text, self.status, self.file, self.line, self.column = text, status, file, line, column
        place = [file] if file else []
        if line:
            place.append(str(line))
            if column:
                place.append(str(column))
        super().__init__(":".join([*place, " " + text]) if place else text)


def check(status: int, error: abi.sn_error | None = None, what: str = "") -> None:
    """Raises an Error unless the status is SN_OK. what: said where the library has no words of its own."""
    if status == abi.SN_OK:
        return
    text = error.text.decode(errors="replace") if error is not None else ""
    if not text:
        text = library.sn_status_text(status).decode()
        if what:
            text = f"{what}: {text}"
    place: tuple[Any, ...] = ("", 0, 0)
    if error is not None:
        place = (error.file.decode(errors="replace"), error.line, error.column)
    raise Error(text, abi.STATUS_NAMES.get(status, str(status)), *place)


def _write(_context: int, level: int, place: abi.sn_place, text: bytes) -> None:
    where = place.file.decode(errors="replace") if place.file else ""
    if where and place.line:
        where += f":{place.line}"
    said = text.decode(errors="replace")
    logger.log(
        logging.WARNING if level == abi.SN_LOG_WARNING else logging.INFO, "%s", f"{where}: {said}" if where else said
    )


_WRITE: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, abi.sn_place, ctypes.c_char_p)
_bound = _WRITE(_write)
#: Hands notes and warnings of the library to logging.getLogger("sinew").
log = abi.sn_log(ctypes.cast(_bound, ctypes.c_void_p), None)
