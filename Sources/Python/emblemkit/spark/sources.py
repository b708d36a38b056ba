# SPDX-License-Identifier: Apache-2.0
"""Tables of rows: lists as the tool reads them, and pictures of any file system of Hadoop."""

from typing import Literal

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

ListFormat = Literal["txt", "csv", "tsv", "ndjson", "jsonl", "json", "parquet"]
FORMATS: tuple[ListFormat, ...] = ("txt", "csv", "tsv", "ndjson", "jsonl", "json", "parquet")


def read_list(spark: SparkSession, path: str, form: ListFormat | None = None) -> DataFrame:
    """A list from any file system that Spark reads, gzipped or not; its ending says its form.

    A text list has the columns `id` and `source`, which are the same there: a line is a source,
    and one that begins with `#` is a comment. Values of CSV stay text.
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
    raise ValueError(f"{path}: name the form of the list, one of {', '.join(FORMATS)}")


def read_pictures(spark: SparkSession, *paths: str, glob: str | None = None) -> DataFrame:
    """Pictures of any file system that Spark knows (`hdfs://…`, `s3a://…`), with the columns
    `id` and `source` (both the path) and `picture`, for `process(…, picture="picture")`.

    Spark's own reader is asked, for it has the cluster's settings and secrets: what is loaded
    there needs no library of Hadoop beside Python, and no address that the tool may ask. Folders
    are read with all that is below them; `glob` bounds the names. A table that names such paths
    is joined with it on `source`.
    """
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    if glob is not None:
        reader = reader.option("pathGlobFilter", glob)
    files = reader.load(list(paths))
    return files.select(
        F.col("path").alias("id"), F.col("path").alias("source"), F.col("content").alias("picture")
    )
