# SPDX-License-Identifier: Apache-2.0
"""The errors of this package. A failed row is a result and raises no error."""


class EmblemError(Exception):
    """The base of all errors of this package."""


class ProgramNotFoundError(EmblemError):
    """The tool was not found on this machine."""


class StreamFailedError(EmblemError):
    """A stream failed as a whole.

    The tool rejected its options, cannot run on this machine, or failed for every row.
    """


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
        """The bytes of the placeholder image; empty with `placeholder="none"`."""
