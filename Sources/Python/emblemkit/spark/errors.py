# SPDX-License-Identifier: Apache-2.0
"""The errors of a job that writes into a folder."""

from ..errors import EmblemError


class ResultExistsError(EmblemError):
    """The folder contains a result, and `resume` was not given."""


class OptionsChangedError(EmblemError):
    """A result cannot be resumed with other options."""
