# SPDX-License-Identifier: Apache-2.0
"""The command line of the Spark job, for `python -m emblemkit.spark` and `spark-submit`."""

import argparse
import os
import sys
from collections.abc import Sequence

from pyspark.sql import SparkSession

from emblemkit import EmblemError
from emblemkit.spark import read_list, read_pictures, write
from emblemkit.spark.contents import KINDS
from emblemkit.spark.progress import Progress
from emblemkit.spark.sources import FORMATS

_DESCRIPTION = """Makes emblems of a list on a Spark cluster. Arguments after `--` are options of
`emblem stream`, such as layouts, formats and limits."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a job and returns the exit code.

    The codes are 0, 1 if an item has no output, and 64 if the job cannot run.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    tool_options: list[str] = []
    if "--" in words:
        tool_options = words[words.index("--") + 1 :]
        words = words[: words.index("--")]
    chosen = _parser().parse_args(words)
    spark = _session(chosen)
    try:
        if chosen.list:
            df, picture = read_list(spark, chosen.list, chosen.list_format), None
        else:
            df, picture = read_pictures(spark, *chosen.pictures, glob=chosen.glob), "picture"
        record = write(
            df,
            chosen.out,
            kind=chosen.kind,
            key=chosen.key,
            picture=picture,
            columns=dict(pair.split("=", 1) for pair in chosen.columns.split(",") if pair),
            partitions=chosen.partitions,
            resume=chosen.resume,
            program=chosen.program,
            words=tool_options,
            progress=None if chosen.quiet else Progress(),
        )
    except (EmblemError, ValueError) as error:
        print(f"emblemkit.spark: {error}", file=sys.stderr)
        return 64
    finally:
        spark.stop()
    if not chosen.quiet:
        print(
            f"{record['rows']:,} rows in {record['parts']} parts below {chosen.out}/parts, "
            f"{record['placeholder']:,} with placeholder, {record['failed']:,} without output; "
            f"{record['rows_per_second']:,.0f} rows/s; {record['skipped']:,} skipped"
        )
    return 1 if record["failed"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m emblemkit.spark", description=_DESCRIPTION)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--list", metavar="PATH", help="list on any file system that Spark reads")
    given.add_argument(
        "--pictures", metavar="PATH", nargs="+", help="image files, folders or globs"
    )
    parser.add_argument(
        "--list-format", choices=FORMATS, help="format of the list (default: by its extension)"
    )
    parser.add_argument("--glob", help="pattern for the names of image files, such as *.png")
    parser.add_argument(
        "--out", required=True, metavar="DIR", help="output folder that all executors can reach"
    )
    parser.add_argument("--target", dest="kind", choices=KINDS, default="parquet")
    parser.add_argument("--key", default="id", help="column with a unique value (default: id)")
    parser.add_argument("--columns", default="", metavar="source=logo_url,…")
    parser.add_argument("--partitions", type=int, metavar="N")
    parser.add_argument("--resume", action="store_true", help="skip rows with a record in DIR")
    parser.add_argument("--program", metavar="PATH", help="path of the tool on every executor")
    parser.add_argument("--master", help="Spark master (default: of spark-submit, or local[*])")
    parser.add_argument("--quiet", action="store_true")
    return parser


def _session(chosen: argparse.Namespace) -> SparkSession:
    builder = SparkSession.builder.appName("emblem")
    if chosen.master:
        builder = builder.master(chosen.master)
    # Executors must run the same Python version as the driver.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = builder.getOrCreate()
    # A batch of rows with images must fit into a small heap.
    if chosen.pictures:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
    return spark


if __name__ == "__main__":
    sys.exit(main())
