# SPDX-License-Identifier: Apache-2.0
"""A typed API for the tool `emblem`: takes rows, and returns results with images."""

from .drawing import render
from .errors import (
    CanceledError,
    EmblemError,
    ProgramNotFoundError,
    RenderError,
    StreamFailedError,
    ToolError,
)
from .program import find_program
from .result import Failure, Image, Result
from .run import Run, batch
from .stream import Stream
from .supervisor import Limits

__version__ = "0.2.0"

__all__ = [
    "CanceledError",
    "EmblemError",
    "Failure",
    "Image",
    "Limits",
    "ProgramNotFoundError",
    "RenderError",
    "Result",
    "Run",
    "Stream",
    "StreamFailedError",
    "ToolError",
    "batch",
    "find_program",
    "render",
]
