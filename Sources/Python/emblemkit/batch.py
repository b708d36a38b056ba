# SPDX-License-Identifier: Apache-2.0
"""A function that runs `emblem batch` on rows and writes a folder."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import ToolError
from .result import Result, result_of
from .rows import Record, Rows, encode_row, read_rows, take_picture
from .tool import Value, find_program, flags, last_text

# The exit codes of a finished run: all rows have outputs; some rows have no output; no source
# answered.
_FINISHED = {0, 1, 75}


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
    listed: Iterator[bytes] = iter(())
    if isinstance(rows, str | os.PathLike):
        arguments.append(f"--list={os.fspath(rows)}")
    else:
        arguments += ["--list", "-"]
        listed = _lines(rows, options.get("columns"))
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=messages
        )
        assert process.stdin is not None
        try:
            # The tool may end before it has read the list.
            with suppress(BrokenPipeError):
                process.stdin.writelines(listed)
                process.stdin.close()
            code = process.wait()
        except BaseException:
            # The tool must not take the end of its input for the end of the list.
            process.kill()
            process.wait()
            raise
        text = last_text(messages)
    if code not in _FINISHED:
        raise ToolError(text or f"emblem batch ended with {code}", code)
    return _finished(Path(out), code, text)


def _lines(rows: Rows, columns: Value | None) -> Iterator[bytes]:
    for number, row in enumerate(read_rows(rows, columns)):
        if take_picture(row) is not None:
            raise TypeError(f"row {number} is an image; a batch takes paths and URLs, use Stream")
        # The tool answers a row that is no JSON with its placeholder.
        yield (encode_row(row) or b"a row that JSON cannot express") + b"\n"


def _finished(out: Path, code: int, text: str) -> Run:
    counts: Record = {}
    with suppress(FileNotFoundError):
        for record in _records(out):
            if record["type"] == "summary":
                counts = record
    names = ("items", "ok", "placeholder", "failed", "outputs")
    found = {name: counts.get(name, 0) for name in names}
    return Run(out, code, errors=counts.get("errors", {}), messages=text, **found)


def _records(out: Path) -> Iterator[Record]:
    with (out / "manifest.ndjson").open("rb") as manifest:
        for line in manifest:
            yield json.loads(line)
