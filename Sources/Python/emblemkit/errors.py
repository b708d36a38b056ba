# SPDX-License-Identifier: Apache-2.0
"""Errors that no single row causes, and that of a single image."""


class EmblemError(Exception):
    """The base of all errors of this package."""


class ProgramNotFoundError(EmblemError):
    """The tool is not on this machine."""


class StreamFailedError(EmblemError):
    """The tool refuses its options or this machine, or fails for every row."""


class CanceledError(EmblemError):
    """Another thread cancelled the stream."""


class ToolError(EmblemError):
    """The tool ended with an error."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class RenderError(ToolError):
    """The source cannot be shown."""

    def __init__(self, message: str, exit_code: int, placeholder: bytes) -> None:
        super().__init__(message, exit_code)
        self.placeholder = placeholder
        """The image of the placeholder; empty with `placeholder="none"`."""
