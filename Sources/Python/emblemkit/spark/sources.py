# SPDX-License-Identifier: Apache-2.0
"""Readers of lists and of image files from any Hadoop file system."""

from typing import Literal

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

ListFormat = Literal["txt", "csv", "tsv", "ndjson", "jsonl", "json", "parquet"]
FORMATS: tuple[ListFormat, ...] = ("txt", "csv", "tsv", "ndjson", "jsonl", "json", "parquet")


def read_list(spark: SparkSession, path: str, form: ListFormat | None = None) -> DataFrame:
    """Returns the rows of a list from any file system that Spark reads, gzipped or not.

    The default format follows from the extension. Each line of a text list is a source, and lines
    that start with `#` are comments. Its columns `id` and `source` have the same value. Values of
    CSV stay text.
    """
    form = form or _form_of(path)
    if form == "txt":
        lines = spark.read.text(path).select(F.trim("value").alias("source"))
        lines = lines.where("source != '' and not startswith(source, '#')")
        return lines.select(F.col("source").alias("id"), "source")
    if form in ("csv", "tsv"):
        separator = "\t" if form == "tsv" else ","
        return spark.read.csv(path, header=True, sep=separator, escape='"', multiLine=True)
    if form in ("ndjson", "jsonl"):
        return spark.read.json(path)
    if form == "json":
        return spark.read.json(path, multiLine=True)
    return spark.read.parquet(path)


def _form_of(path: str) -> ListFormat:
    ending = path.rstrip("/").removesuffix(".gz").rsplit(".", 1)[-1].lower()
    for form in FORMATS:
        if form == ending:
            return form
    raise ValueError(
        f"the extension of {path} is not a list format; give the format, one of "
        + ", ".join(FORMATS)
    )


def read_pictures(spark: SparkSession, *paths: str, glob: str | None = None) -> DataFrame:
    """Returns a table of image files from any file system that Spark reads (`hdfs://…`, `s3a://…`).

    The columns are `id` and `source`, which both contain the path, and `picture` with the bytes,
    for `process(…, picture="picture")`. Spark's reader has the settings and secrets of the cluster,
    so Python needs no Hadoop library and the tool makes no request. Folders are read recursively;
    `glob` filters the names. Join the table with other tables on `source`.
    """
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    if glob is not None:
        reader = reader.option("pathGlobFilter", glob)
    files = reader.load(list(paths))
    return files.select(
        F.col("path").alias("id"), F.col("path").alias("source"), F.col("content").alias("picture")
    )
