# SPDX-License-Identifier: Apache-2.0
"""The one function that most callers need."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType

from ..options import Value, flags
from ..supervisor import Limits
from .counters import Counters
from .rows import Columns
from .schema import item_schema
from .worker import Job


def process(
    df: DataFrame,
    *,
    key: str = "id",
    picture: str | None = None,
    columns: Mapping[str, str] | None = None,
    program: str | None = None,
    words: Sequence[str] = (),
    counters: Counters | None = None,
    limits: Limits | None = None,
    **options: Value | None,
) -> DataFrame:
    """Emblems of each row: one record a row, its pictures in `outputs[].data`.

    Columns are those of the tool's lists (`source`, `label`, `layout`, …), others are carried in
    `extra`; `columns={"source": "logo_url"}` reads other people's tables. `key` is given back
    with its own type. With `picture`, a binary column holds the pictures themselves, and nothing
    is loaded for rows in which it is not null. `options` are those of `emblem stream`
    (`layout=["small"], scale=[1, 2], format="webp"`), `words` the same as its command line has
    them. Nothing runs before the result is used.
    """
    chosen = Columns(key, picture, dict(columns or {}))
    check_columns(df, chosen)
    job = Job(
        chosen,
        [*flags(options), *words],
        program,
        limits or Limits(),
        counters.add if counters is not None else None,
    )
    return df.mapInArrow(_table(job), item_schema(df.schema[key]))


def check_columns(df: DataFrame, columns: Columns) -> None:
    """Throws `ValueError` for columns that are not there or cannot be told to the tool."""
    for name in (columns.key, columns.picture, *columns.renamed.values()):
        if name is not None and name not in df.columns:
            raise ValueError(f"there is no column {name!r} among {', '.join(df.columns)}")
    if columns.picture is None and not {"source", "url"} & {*df.columns, *columns.renamed}:
        raise ValueError(
            "no column says where the pictures are; name it in columns, as source=…, among "
            + ", ".join(df.columns)
        )
    for field in df.schema.fields:
        is_binary = isinstance(field.dataType, BinaryType)
        if field.name == columns.picture and not is_binary:
            raise ValueError(f"column {field.name!r} is to hold pictures and is not binary")
        if is_binary and field.name != columns.picture:
            raise ValueError(
                f"column {field.name!r} is binary: name it with picture=, or leave it out"
            )


def _table(job: Job) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def table(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return job.table(batches)

    return table
