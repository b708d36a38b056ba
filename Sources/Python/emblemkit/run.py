# SPDX-License-Identifier: Apache-2.0
"""A function that runs `emblem batch` on rows and writes a folder."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .errors import ToolError
from .frames import Record, encode_row
from .options import Value, flags
from .program import find_program
from .result import Result, result_of
from .tables import Rows, RowSource

# The exit codes of a finished run: all rows have outputs; some rows have no output; no source
# answered.
_FINISHED = {0, 1, 75}
_BLOCK_BYTES = 256 << 10
_MESSAGE_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, with the counts of its manifest."""

    out: Path
    exit_code: int
    items: int
    ok: int
    placeholder: int
    failed: int
    outputs: int
    errors: dict[str, int]
    """The number of items for each error class."""
    messages: str
    """The text that the tool wrote to standard error: its warnings and its summary."""

    def results(self) -> Iterator[Result]:
        """Yields the results in the order of the rows, read from the manifest."""
        for record in _records(self.out):
            if record["type"] == "item":
                yield result_of(record["index"], None, record, self.out)


def batch(
    rows: Rows | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    program: str | None = None,
    **options: Value | None,
) -> Run:
    """Makes the emblems of all rows in the folder `out` with `emblem batch`.

    Rows are dictionaries with the columns of a list, paths or URLs, a table of pandas, polars or
    Arrow, or the path of a list. The `options` are those of `emblem batch`. Raises `ToolError` if
    the run does not finish. A row that fails has a result and raises no error.
    """
    arguments = [find_program(program), "batch", f"--output={os.fspath(out)}", *flags(options)]
    if not {"progress", "quiet", "verbose"} & options.keys():
        arguments += ["--progress", "none"]
    with tempfile.TemporaryFile() as messages:
        if isinstance(rows, str | os.PathLike):
            arguments.append(f"--list={os.fspath(rows)}")
            code = subprocess.run(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                check=False,
            ).returncode
        else:
            arguments += ["--list", "-"]
            lines = _lines(RowSource(options.get("columns")), rows)
            code = _feed(arguments, lines, messages)
        text = _tail(messages)
    if code not in _FINISHED:
        raise ToolError(text or f"emblem batch ended with {code}", code)
    return _finished(Path(out), code, text)


def _lines(source: RowSource, rows: Rows) -> Iterator[bytes]:
    for number, row in enumerate(source.read(rows)):
        if source.take_picture(row) is not None:
            raise TypeError(f"row {number} is an image; a batch takes paths and URLs, use Stream")
        yield encode_row(row)


def _feed(arguments: list[str], lines: Iterator[bytes], messages: IO[bytes]) -> int:
    """Runs the tool with a list on its standard input, and returns the exit code."""
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=messages,
    )
    assert process.stdin is not None
    try:
        block = bytearray()
        # The tool may end before it has read the list.
        with suppress(BrokenPipeError):
            for line in lines:
                block += line
                block += b"\n"
                if len(block) >= _BLOCK_BYTES:
                    process.stdin.write(block)
                    block.clear()
            process.stdin.write(block)
    except BaseException:
        # The tool must not see the end of its input, because it would accept a partial list.
        process.kill()
        process.wait()
        raise
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()
    try:
        return process.wait()
    except BaseException:
        process.send_signal(signal.SIGTERM)
        process.wait()
        raise


def _finished(out: Path, code: int, text: str) -> Run:
    counts: Record = {}
    with suppress(FileNotFoundError):
        for record in _records(out):
            if record["type"] == "summary":
                counts = record
    return Run(
        out,
        code,
        counts.get("items", 0),
        counts.get("ok", 0),
        counts.get("placeholder", 0),
        counts.get("failed", 0),
        counts.get("outputs", 0),
        counts.get("errors", {}),
        text,
    )


def _records(out: Path) -> Iterator[Record]:
    with (out / "manifest.ndjson").open("rb") as manifest:
        for line in manifest:
            yield json.loads(line)


def _tail(file: IO[bytes]) -> str:
    """Returns the last bytes of a file as text."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _MESSAGE_BYTES))
    return file.read().decode(errors="replace").strip()
