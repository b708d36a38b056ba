# SPDX-License-Identifier: Apache-2.0
"""The errors of this package. A failed row is a result and raises no error."""


class EmblemError(Exception):
    """The base of all errors of this package."""


class ProgramNotFoundError(EmblemError):
    """The tool was not found on this machine."""


class ToolError(EmblemError):
    """The tool ended with an error: it rejected its options, or cannot work on this machine."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message, exit_code)
        self.exit_code = exit_code

    def __str__(self) -> str:
        """Returns the message of the tool."""
        return str(self.args[0])
