# SPDX-License-Identifier: Apache-2.0
"""A typed API for the tool `emblem`: takes rows, and returns results with images."""

from .batch import Run, batch
from .errors import EmblemError, ProgramNotFoundError, ToolError
from .result import Failure, Image, Result
from .stream import Stream
from .tool import find_program

__version__ = "0.2.0"

__all__ = [
    "EmblemError",
    "Failure",
    "Image",
    "ProgramNotFoundError",
    "Result",
    "Run",
    "Stream",
    "ToolError",
    "batch",
    "find_program",
]
