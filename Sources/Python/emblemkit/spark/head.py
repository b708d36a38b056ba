# SPDX-License-Identifier: Apache-2.0
"""A function that gets the first line of a manifest from the tool."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


def manifest_head(program: str, words: Sequence[str]) -> bytes:
    """Returns the run record of an empty batch with the same options."""
    with tempfile.TemporaryDirectory(prefix="emblem-head-") as folder:
        rows = Path(folder, "rows.ndjson")
        rows.touch()
        subprocess.run(
            [program, "batch", "--list", rows, "-o", Path(folder, "out"), *words, "--quiet"],
            check=True,
            capture_output=True,
        )
        with Path(folder, "out", "manifest.ndjson").open("rb") as manifest:
            return manifest.readline()
