# SPDX-License-Identifier: Apache-2.0
"""Readers of rows from lists, pandas, polars and libraries with Arrow's interface."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from .frames import Record
from .options import Value

Source = str | os.PathLike[str] | bytes
Row = Mapping[str, Any]


class ArrowTable(Protocol):
    """A table of pandas, polars, pyarrow, DuckDB or another library with Arrow's interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Rows = Iterable[Row | Source] | ArrowTable

# The number of rows of a table that are converted at a time.
_CHUNK = 1_000


class RowSource:
    """A reader that converts rows to dictionaries without missing values.

    `columns` maps the tool's column names to the column names of the rows, as the option does.
    """

    def __init__(self, columns: Value | None = None) -> None:
        if isinstance(columns, str):
            columns = dict(pair.split("=", 1) for pair in columns.split(",") if "=" in pair)
        self._source = columns.get("source", "source") if isinstance(columns, Mapping) else "source"

    def read(self, rows: Rows) -> Iterator[Record]:
        """Yields the rows; a table is converted in chunks."""
        for number, row in enumerate(_rows_of(rows)):
            if isinstance(row, str | bytes | os.PathLike):
                yield {self._source: row}
            elif isinstance(row, Mapping):
                yield {str(name): value for name, value in row.items() if not _is_missing(value)}
            else:
                raise TypeError(
                    f"row {number} is of type {type(row).__name__}; give a dictionary, a path, "
                    "a URL or bytes"
                )

    def take_picture(self, row: Record) -> bytes | None:
        """Removes the source of a row and returns it, if the source is bytes."""
        for name in (self._source, "source", "url"):
            if isinstance(row.get(name), bytes | bytearray | memoryview):
                return bytes(row.pop(name))
        return None


def _rows_of(rows: Any) -> Iterator[Any]:  # noqa: ANN401
    if isinstance(rows, str | bytes | Mapping):
        raise TypeError(f"rows are a {type(rows).__name__}; give a list of rows, or a table")
    library = type(rows).__module__.partition(".")[0]
    if library == "pandas" and hasattr(rows, "iloc") and hasattr(rows, "columns"):
        return _pandas_rows(rows)
    if library == "polars" and hasattr(rows, "iter_rows"):
        return iter(rows.iter_rows(named=True))
    if library == "pyarrow" or hasattr(rows, "__arrow_c_stream__"):
        return _arrow_rows(rows)
    return iter(rows)


def _pandas_rows(frame: Any) -> Iterator[Record]:  # noqa: ANN401
    for start in range(0, len(frame), _CHUNK):
        yield from frame.iloc[start : start + _CHUNK].to_dict("records")


def _arrow_rows(table: Any) -> Iterator[Record]:  # noqa: ANN401
    import pyarrow

    if isinstance(table, pyarrow.RecordBatch):
        batches: Iterable[Any] = [table]
    elif isinstance(table, pyarrow.RecordBatchReader):
        batches = table
    else:
        batches = pyarrow.RecordBatchReader.from_stream(table)
    for batch in batches:
        for start in range(0, batch.num_rows, _CHUNK):
            yield from batch.slice(start, _CHUNK).to_pylist()


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    if isinstance(value, float):
        return not math.isfinite(value)
    # The missing values of pandas, compared by name because this package does not import pandas.
    return type(value).__name__ in ("NAType", "NaTType")
