# SPDX-License-Identifier: Apache-2.0
"""Conversion of lists and of tables (pandas, polars, Arrow) to rows for the tool."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from .tool import Value

Record = dict[str, Any]
Source = str | os.PathLike[str] | bytes


class ArrowTable(Protocol):
    """A table of pandas, polars, pyarrow, DuckDB or another library with Arrow's interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Rows = Iterable[Mapping[str, Any] | Source] | ArrowTable

# The number of rows of a table that are converted at a time.
_CHUNK = 1_000


def read_rows(rows: Rows, columns: Value | None = None) -> Iterator[Record]:
    """Yields the rows as dictionaries without missing values; converts a table in chunks.

    `columns` is the option that maps the tool's column names to those of the rows.
    """
    if isinstance(columns, str):
        columns = dict(pair.split("=", 1) for pair in columns.split(",") if "=" in pair)
    source = columns.get("source", "source") if isinstance(columns, Mapping) else "source"
    for number, row in enumerate(_rows_of(rows)):
        if isinstance(row, str | bytes | os.PathLike):
            yield {source: row}
        elif isinstance(row, Mapping):
            yield {str(name): value for name, value in row.items() if not _is_missing(value)}
        else:
            raise TypeError(
                f"row {number} is of type {type(row).__name__}; give a dictionary, a path, "
                "a URL or bytes"
            )


def take_picture(row: Record) -> bytes | None:
    """Removes the column of a row that is the bytes of its image, and returns the bytes."""
    names = [
        name for name, value in row.items() if isinstance(value, bytes | bytearray | memoryview)
    ]
    if len(names) > 1:
        raise TypeError(f"a row has one image, and not {' and '.join(names)}")
    return bytes(row.pop(names[0])) if names else None


def encode_row(row: Record) -> bytes | None:
    """Returns a row as JSON in UTF-8, or `None` if JSON cannot represent it."""
    try:
        text = json.dumps(
            row, default=_json_value, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
    except (ValueError, RecursionError):
        return None
    # A lone surrogate becomes `?`.
    return text.encode("utf-8", "replace")


def _json_value(value: object) -> object:
    """Returns a JSON value for a value that `json` cannot encode: NumPy types, paths, or text."""
    if isinstance(value, bytes | bytearray | memoryview):
        raise TypeError("bytes cannot stand inside a list or dictionary of a row")
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    plain = getattr(value, "tolist", None)
    return plain() if plain is not None else str(value)


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
