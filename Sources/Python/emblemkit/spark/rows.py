# SPDX-License-Identifier: Apache-2.0
"""Conversion of Arrow batches to rows for the tool, with the caller's keys."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..frames import Record, Row, encode_columns
from .schema import arrow_schema

# The columns that the tool knows. Null means that the value is missing.
KNOWN = {
    "source",
    "url",
    "id",
    "name",
    "label",
    "layout",
    "appearance",
    "mode",
    "placeholder",
    "badge",
    "alternatives",
    "dark",
}


@dataclass(slots=True)
class Columns:
    """The roles of the caller's columns."""

    key: str
    picture: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Maps the tool's column names to the caller's, as in `{"source": "logo_url"}`."""


@dataclass(slots=True)
class RowReader:
    """A reader that numbers the rows of a partition from 0 and keeps their keys until taken."""

    columns: Columns
    keys: dict[int, Any] = field(default_factory=dict)
    count: int = 0
    key_type: pa.DataType | None = None

    def read(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """Yields the rows of all batches, with one batch in memory at a time."""
        for batch in batches:
            self.key_type = batch.schema.field(self.columns.key).type
            yield from self._rows(batch)

    def take_key(self, number: int) -> Any:  # noqa: ANN401
        """Removes the key of a row and returns it."""
        return self.keys.pop(number)

    def batch(self, rows: list[Record]) -> pa.RecordBatch:
        """Returns rows of the result as a batch, with keys of the caller's type."""
        assert self.key_type is not None, "batch() needs the key type of a row that was read"
        return pa.RecordBatch.from_pylist(rows, arrow_schema(self.key_type))

    def _rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        keys = batch.column(self.columns.key).to_pylist()
        picture = batch.column(self.columns.picture) if self.columns.picture else None
        columns = self._columns(batch)
        for index, key in enumerate(keys):
            values = {name: column[index] for name, column in columns.items()}
            values = {
                name: value
                for name, value in values.items()
                if not (value is None and name in KNOWN) and value == value
            }
            if "id" not in values and "name" not in values:
                values["id"] = str(key)
            number, self.count = self.count, self.count + 1
            self.keys[number] = key
            # Images are converted one by one; a second copy of all would double the memory.
            yield Row(
                number, encode_columns(values), None if picture is None else picture[index].as_py()
            )

    def _columns(self, batch: pa.RecordBatch) -> dict[str, list[Any]]:
        """Returns the values of the columns for the tool, under the tool's names."""
        tool_names = {column: name for name, column in self.columns.renamed.items()}
        columns: dict[str, list[Any]] = {}
        for name in batch.schema.names:
            if (
                name in (self.columns.key, self.columns.picture)
                and name not in KNOWN | tool_names.keys()
            ):
                continue
            if name != self.columns.picture:
                columns[tool_names.get(name, name)] = batch.column(name).to_pylist()
        return columns
