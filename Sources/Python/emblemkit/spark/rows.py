# SPDX-License-Identifier: Apache-2.0
"""From batches of Arrow to rows for the tool, without losing the caller's key."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..frames import Record, Row, encode_columns
from .schema import arrow_schema

# The columns that the tool knows; null is the same as a missing column.
KNOWN = {
    "source",
    "url",
    "id",
    "name",
    "label",
    "hint",
    "value",
    "layout",
    "appearance",
    "mode",
    "placeholder",
    "badge",
    "alternatives",
}


@dataclass(slots=True)
class Columns:
    """Which column of the caller's is what."""

    key: str
    picture: str | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The tool's name of a column to the caller's, as in `{"source": "logo_url"}`."""


@dataclass(slots=True)
class RowReader:
    """Rows of a partition with numbers from 0; keeps the key of each until it is taken."""

    columns: Columns
    keys: dict[int, Any] = field(default_factory=dict)
    count: int = 0
    key_type: pa.DataType | None = None

    def read(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
        """The rows of all batches, one batch in memory at a time."""
        for batch in batches:
            self.key_type = batch.schema.field(self.columns.key).type
            yield from self._rows(batch)

    def take_key(self, number: int) -> Any:  # noqa: ANN401
        """The key of a row, which is then forgotten."""
        return self.keys.pop(number)

    def batch(self, rows: list[Record]) -> pa.RecordBatch:
        """Rows of the result, whose keys are of the caller's type."""
        assert self.key_type is not None, "a row was read before"
        return pa.RecordBatch.from_pylist(rows, arrow_schema(self.key_type))

    def _rows(self, batch: pa.RecordBatch) -> Iterator[Row]:
        keys = batch.column(self.columns.key).to_pylist()
        picture = batch.column(self.columns.picture) if self.columns.picture else None
        told = self._told(batch)
        for index, key in enumerate(keys):
            values = {name: column[index] for name, column in told.items()}
            values = {
                name: value
                for name, value in values.items()
                if not (value is None and name in KNOWN) and value == value
            }
            if "id" not in values and "name" not in values:
                values["id"] = str(key)
            number, self.count = self.count, self.count + 1
            self.keys[number] = key
            # Pictures are converted one by one, because a second copy of all would double the
            # memory.
            yield Row(
                number, encode_columns(values), None if picture is None else picture[index].as_py()
            )

    def _told(self, batch: pa.RecordBatch) -> dict[str, list[Any]]:
        theirs = {theirs: ours for ours, theirs in self.columns.renamed.items()}
        told: dict[str, list[Any]] = {}
        for name in batch.schema.names:
            if (
                name in (self.columns.key, self.columns.picture)
                and name not in KNOWN | theirs.keys()
            ):
                continue
            if name != self.columns.picture:
                told[theirs.get(name, name)] = batch.column(name).to_pylist()
        return told
