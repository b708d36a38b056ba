# SPDX-License-Identifier: Apache-2.0
"""Functions that find the tool on an executor."""

from pathlib import Path

from pyspark import SparkFiles

from .. import program


def find_program(wanted: str | None = None) -> str:
    """Returns the path of the tool.

    Searches as `emblemkit.find_program` does, with the archives of the job before the wheel.
    """
    return program.find_program(wanted, archives=[Path.cwd(), *_spark_folder()])


def _spark_folder() -> list[Path]:
    """Returns the folder in which Spark unpacks archives; empty outside Spark."""
    try:
        return [Path(SparkFiles.getRootDirectory())]
    except (AssertionError, AttributeError):
        return []
