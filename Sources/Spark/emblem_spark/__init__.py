# SPDX-License-Identifier: Apache-2.0
"""Emblems of lists that outgrow one machine: `emblem stream` on every Spark executor."""

from .counters import Counters
from .errors import (
    EmblemError,
    OptionsChangedError,
    ProgramNotFoundError,
    ResultExistsError,
    StreamFailedError,
)
from .hosts import spread_by_host
from .process import process
from .program import find_program
from .ship import ship
from .sources import read_list, read_pictures
from .supervisor import Limits
from .write import read_result, write

__version__ = "0.1.0"

__all__ = [
    "Counters",
    "EmblemError",
    "Limits",
    "OptionsChangedError",
    "ProgramNotFoundError",
    "ResultExistsError",
    "StreamFailedError",
    "find_program",
    "process",
    "read_list",
    "read_pictures",
    "read_result",
    "ship",
    "spread_by_host",
    "write",
]
