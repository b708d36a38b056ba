# SPDX-License-Identifier: Apache-2.0
"""Emblems from Python: rows in, records and images out, by the tool `emblem`."""

from .errors import EmblemError, ProgramNotFoundError, StreamFailedError
from .program import find_program

__version__ = "0.1.0"

__all__ = ["EmblemError", "ProgramNotFoundError", "StreamFailedError", "find_program"]
