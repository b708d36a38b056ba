# SPDX-License-Identifier: Apache-2.0
"""Functions that write the emblems of a table into a folder of parts and read them again."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from ..errors import ProgramNotFoundError
from ..frames import Record
from ..options import Value, flags
from ..program import check_options, tool_version
from ..supervisor import Limits
from .contents import KINDS, TABLE, Kind
from .counters import Counters
from .errors import OptionsChangedError, ResultExistsError
from .hosts import spread_by_host
from .part import PARTS, UNFINISHED, Destination, open_folder, part_maker
from .process import check_columns
from .program import find_program
from .progress import Progress
from .record import run_record
from .rows import Columns
from .ship import ship
from .worker import Job

RUN = "run.json"
_OPTIONS = "options.json"


def write(
    df: DataFrame,
    out: str,
    *,
    kind: Kind = "parquet",
    key: str = "id",
    picture: str | None = None,
    columns: Mapping[str, str] | None = None,
    partitions: int | None = None,
    resume: bool = False,
    program: str | None = None,
    words: Sequence[str] = (),
    limits: Limits | None = None,
    progress: Progress | None = None,
    **options: Value | None,
) -> Record:
    """Makes the emblems of all rows in `out/parts`, with one folder per partition.

    Returns the run record, which is also written to `out/run.json`. Each part is published
    atomically and once, even if Spark repeats its task. `kind` selects images in the table
    (`parquet`) or as `files`. `resume` skips rows whose key has a record from an earlier run.
    The other arguments are those of `process`. The table is
    partitioned by host, unless `picture` is given.
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} does not exist; use one of {', '.join(KINDS)}")
    chosen = Columns(key, picture, dict(columns or {}))
    check_columns(df, chosen)
    spark = df.sparkSession
    arguments = [*flags(options), *words]
    tool = _check_here(program, arguments)
    fs, folder = open_folder(out)
    run = _open_result(fs, folder, {"options": arguments, "kind": kind, "key": key}, resume)
    begin, skipped = time.time(), 0
    if run > 0:
        df, skipped = _rows_to_do(df, read_result(spark, out), key)
    source = chosen.renamed.get("source", "source" if "source" in df.columns else "url")
    spread = None
    if picture is None and source in df.columns:
        spread = spread_by_host(df, source=source, key=key, partitions=partitions)
        df = spread.df
    elif partitions is not None:
        df = df.repartition(partitions)
    ship(spark)
    counters = Counters.of(spark.sparkContext)
    job = Job(chosen, arguments, program, limits or Limits(), counters.add)
    summaries = df.mapInArrow(part_maker(job, Destination(out, kind, run)), "summary string")
    with progress.watching(spark, counters) if progress else nullcontext():
        parts = [json.loads(row["summary"]) for row in summaries.collect()]
    record = run_record(
        parts,
        begin=begin,
        options=arguments,
        kind=kind,
        tool=tool_version(tool) if tool else None,
        run=run,
        skipped=skipped,
        spread=spread,
        spark=spark,
        package=_package_version(),
        counters=counters.values(),
    )
    with suppress(OSError):
        fs.delete_dir(f"{folder}/{UNFINISHED}")
    _replace(fs, f"{folder}/{RUN}", record)
    return record


def read_result(spark: SparkSession, out: str) -> DataFrame:
    """Returns the rows of all parts."""
    return (
        spark.read.option("recursiveFileLookup", "true")
        .option("pathGlobFilter", TABLE)
        .parquet(f"{out}/{PARTS}")
    )


def _check_here(program: str | None, words: Sequence[str]) -> str | None:
    """Checks the options before the job starts; returns the path of the tool on the driver.

    Returns `None` without a check if the driver does not have the tool.
    """
    try:
        found = find_program(program)
    except ProgramNotFoundError:
        return None
    check_options(found, words)
    return found


def _open_result(
    fs: pyarrow.fs.FileSystem, folder: str, chosen: dict[str, Any], resume: bool
) -> int:
    """Creates the folder if necessary, and returns the number of this run into it, from 0."""
    parts = fs.get_file_info(
        pyarrow.fs.FileSelector(f"{folder}/{PARTS}", allow_not_found=True, recursive=False)
    )
    if parts and not resume:
        raise ResultExistsError(
            f"{folder} holds a result; resume it with resume=True or --resume, or choose another "
            "folder"
        )
    if parts:
        with fs.open_input_stream(f"{folder}/{_OPTIONS}") as file:
            before = json.loads(file.read())
        if before != chosen:
            raise OptionsChangedError(
                f"cannot resume {folder}: its options were {before} and are now {chosen}; repeat "
                "the original options, or choose another folder"
            )
    fs.create_dir(f"{folder}/{PARTS}", recursive=True)
    _replace(fs, f"{folder}/{_OPTIONS}", chosen)
    return 1 + max((int(Path(part.path).name.split("-")[1]) for part in parts), default=-1)


def _rows_to_do(df: DataFrame, done: DataFrame, key: str) -> tuple[DataFrame, int]:
    """Returns the rows whose key has no record, and the number of records."""
    keys = done.select(F.col("key").alias("_done"))
    left = df.join(keys.distinct(), F.col(key).eqNullSafe(F.col("_done")), "left_anti")
    return left, keys.count()


def _replace(fs: pyarrow.fs.FileSystem, path: str, value: Record) -> None:
    with fs.open_output_stream(f"{path}.new") as file:
        file.write(json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n")
    fs.move(f"{path}.new", path)


def _package_version() -> str | None:
    with suppress(Exception):
        return version("emblemkit")
    return None
