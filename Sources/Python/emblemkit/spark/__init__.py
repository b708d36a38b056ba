# SPDX-License-Identifier: Apache-2.0
"""The Spark API, which runs `emblem stream` on every executor of a cluster."""

from ..errors import EmblemError, ProgramNotFoundError, StreamFailedError
from ..supervisor import Limits
from .counters import Counters
from .errors import OptionsChangedError, ResultExistsError
from .hosts import spread_by_host
from .process import process
from .program import find_program
from .ship import ship
from .sources import read_list, read_pictures
from .write import read_result, write

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
