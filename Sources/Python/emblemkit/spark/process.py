# SPDX-License-Identifier: Apache-2.0
"""The main function of the Spark API, `process`."""

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
    """Returns a table with one record per row; its images are in `outputs[].data`.

    The columns are those of the tool's lists (`source`, `label`, `layout`, …); other columns are
    copied to `extra`. `columns={"source": "logo_url"}` maps other column names. `key` keeps its
    type. `picture` names a binary column with the bytes of images; the source of a row is loaded
    only if this column is null. `options` are those of `emblem stream`, as in
    `layout=["small"], scale=[1, 2], format="webp"`; `words` are options in command-line form. Spark
    evaluates the table lazily.
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
    """Raises `ValueError` for columns that are missing or that the tool cannot read."""
    for name in (columns.key, columns.picture, *columns.renamed.values()):
        if name is not None and name not in df.columns:
            raise ValueError(f"there is no column {name!r} among {', '.join(df.columns)}")
    if columns.picture is None and not {"source", "url"} & {*df.columns, *columns.renamed}:
        raise ValueError(
            "no column has the sources of the images; name it in columns, as source=…, among "
            + ", ".join(df.columns)
        )
    for field in df.schema.fields:
        is_binary = isinstance(field.dataType, BinaryType)
        if field.name == columns.picture and not is_binary:
            raise ValueError(
                f"column {field.name!r} is not binary; picture= needs a column with image bytes"
            )
        if is_binary and field.name != columns.picture:
            raise ValueError(f"column {field.name!r} is binary; name it with picture=, or drop it")


def _table(job: Job) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def table(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return job.table(batches)

    return table
