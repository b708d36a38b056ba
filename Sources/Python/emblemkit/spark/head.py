# SPDX-License-Identifier: Apache-2.0
"""The first line of a manifest, as only the tool can write it."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path


def manifest_head(program: str, words: Sequence[str]) -> bytes:
    """The run record of a batch of nothing under the same options."""
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
