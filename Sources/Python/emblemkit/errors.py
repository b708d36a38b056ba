# SPDX-License-Identifier: Apache-2.0
"""Errors that no single row causes."""


class EmblemError(Exception):
    """The base of all errors of this package; no other row would succeed."""


class ProgramNotFoundError(EmblemError):
    """The tool is not on this machine."""


class StreamFailedError(EmblemError):
    """The tool refuses its options or this machine, or fails for every row."""
