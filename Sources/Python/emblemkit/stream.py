# SPDX-License-Identifier: Apache-2.0
"""An iterator over the results of rows, in bounded memory."""

import json
import re
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any

from .errors import ToolError
from .result import Result, result_of
from .rows import Record, Rows, encode_row, read_rows, take_picture
from .tool import Value, find_program, flags, last_text

# The rows that wait for their results. With `ordered`, their images can be in memory.
_ROWS = 4_096
_ORDERED_ROWS = 512
# The bounds of a row. The tool's own limits are 4 MB, 64 levels and 100,000 values.
_LINE_BYTES = 4_000_000
_BRACKETS = 60
_COMMAS = 90_000
_REFUSED = "the row is longer than 4 MB, nested too deeply, or has a value that JSON cannot express"
_KEY = re.compile(r'\{"key":(\d+)')


class Stream(Iterator[Result]):
    """An iterator over the results of rows, from one process of `emblem stream`.

    Rows are dictionaries with the columns of a list, sources (paths, URLs or bytes of images), or
    a table of pandas, polars or Arrow. A column whose values are bytes has the images themselves;
    a row without bytes loads its source. Results arrive in the order in which they finish, or in
    the order of the rows with `ordered`. The `options` are those of `emblem stream`, as in
    `layout=["small"], format="webp", columns={"source": "logo"}`.

    A thread reads the rows, only as fast as the caller takes results. If the process dies, the
    iteration raises `ToolError`.
    """

    def __init__(
        self,
        rows: Rows,
        *,
        ordered: bool = False,
        program: str | None = None,
        **options: Value | None,
    ) -> None:
        self._rows = enumerate(read_rows(rows, options.get("columns")))
        self._keys: dict[int, Any] = {}
        self._room = threading.Semaphore(_ORDERED_ROWS if ordered else _ROWS)
        self._failure: BaseException | None = None
        self._is_closed = False
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [find_program(program), "stream", *flags(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._messages,
        )
        results = self._read_results()
        self._results = self._in_order(results) if ordered else results
        threading.Thread(target=self._write_rows, name="emblem-rows", daemon=True).start()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __next__(self) -> Result:
        """Waits for the next result and returns it.

        Raises `ToolError` if the tool fails as a whole, and passes on errors of the rows.
        """
        result = next(self._results)
        self._room.release()
        return result

    def close(self) -> None:
        """Ends the process and its workers; the remaining rows get no result.

        May be called from any thread; a `__next__` that waits in another thread then ends.
        """
        self._is_closed = True
        self._process.kill()
        self._process.wait()
        # It fails if the results are read by another thread, which then closes the files.
        with suppress(ValueError):
            self._results.close()

    def _write_rows(self) -> None:
        """Writes the rows to the tool until they end, fail, or the tool has ended."""
        pipe = self._process.stdin
        assert pipe is not None
        try:
            for number, row in self._rows:
                while not self._room.acquire(timeout=1):
                    if self._process.poll() is not None:
                        return
                for piece in self._frame(number, row):
                    pipe.write(piece)
                # A slow source of rows must not delay the rows before.
                pipe.flush()
        except BrokenPipeError:
            # The reader reports the end of the tool.
            pass
        except BaseException as error:
            self._failure = error
            self._process.kill()
        finally:
            with suppress(BrokenPipeError):
                pipe.close()

    def _frame(self, number: int, row: Record) -> list[bytes]:
        self._keys[number] = row.pop("key", None)
        picture = take_picture(row)
        head: Record = {"key": number}
        if picture is not None:
            head["bytes"] = len(picture)
        # The protocol uses these two members.
        columns = {name: v for name, v in row.items() if name.lower() not in ("key", "bytes")}
        line = encode_row(head | columns)
        if line is None or not _is_small(line):
            # The tool answers a row that is no JSON with its placeholder.
            line, picture = b'{"key":%d' % number, None
        return [line, b"\n"] if picture is None else [line, b"\n", picture, b"\n"]

    def _read_results(self) -> Generator[Result, None, None]:
        pipe = self._process.stdout
        assert pipe is not None
        with pipe, self._messages:
            while not self._is_closed and (line := pipe.readline()):
                try:
                    record: Record = json.loads(line)
                    number = record.pop("key", None)
                    if number is None:
                        number = int(_KEY.match(record["beginning"])[1])  # type: ignore[index]
                        record["error"]["message"] = _REFUSED
                    record.pop("beginning", None)
                    sizes = [output["bytes"] for output in record["outputs"]]
                    images = [pipe.read(size) for size in sizes]
                    key = self._keys.pop(number)
                except (ValueError, KeyError, TypeError):
                    self._process.kill()
                    break
                if sum(map(len, images)) != sum(sizes):
                    break
                yield result_of(number, key, record, images)
            code = self._process.wait()
            if self._failure is not None:
                raise self._failure
            if (code != 0 or self._keys) and not self._is_closed:
                words = last_text(self._messages) or f"emblem stream ended with {code}"
                raise ToolError(words, code)

    def _in_order(self, results: Iterator[Result]) -> Generator[Result, None, None]:
        held: dict[int, Result] = {}
        number = 0
        for result in results:
            held[result.number] = result
            while number in held:
                yield held.pop(number)
                number += 1


def _is_small(line: bytes) -> bool:
    return (
        len(line) <= _LINE_BYTES
        and line.count(b"[") + line.count(b"{") <= _BRACKETS
        and line.count(b",") <= _COMMAS
    )
