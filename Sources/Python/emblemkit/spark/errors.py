# SPDX-License-Identifier: Apache-2.0
"""Errors of a job that writes into a folder."""

from ..errors import EmblemError


class ResultExistsError(EmblemError):
    """The folder holds a result, and `resume` was not given."""


class OptionsChangedError(EmblemError):
    """A result cannot be resumed with other options."""
