# SPDX-License-Identifier: Apache-2.0
"""What can go wrong that no row is to blame for."""


class EmblemError(Exception):
    """Ends the job: no other row would fare better."""


class ProgramNotFoundError(EmblemError):
    """The executable is not where it was looked for."""


class StreamFailedError(EmblemError):
    """The tool refuses its options or this machine, or dies whatever it is given."""


class ResultExistsError(EmblemError):
    """The folder holds a result, and nothing was said of going on with it."""


class OptionsChangedError(EmblemError):
    """A result cannot be gone on with under other options."""
