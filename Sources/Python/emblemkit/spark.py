# SPDX-License-Identifier: Apache-2.0
"""The Spark API, which runs `emblem stream` on every executor of a cluster.

The wheel must be installed on the driver and on the executors. A task that fails for any reason is
retried by Spark.
"""

import hashlib
import json
import subprocess
import tempfile
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import cast

import pyarrow as pa
from pyarrow import fs as arrow_fs
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import BinaryType, StructField, StructType

from .errors import EmblemError, ToolError
from .result import Result
from .rows import Record
from .stream import Stream
from .tool import Value, find_program, flags

__all__ = ["FolderInUseError", "emblems", "write"]

# The limits at which a batch of results is handed to Spark: rows, or bytes of their images.
_BATCH_ROWS = 1_000
_BATCH_BYTES = 8 << 20
_MANIFEST = "manifest.ndjson"
_ITEMS = "items.ndjson"
_COUNTS = ("items", "ok", "placeholder", "failed", "canceled", "outputs")

_ITEM_COLUMNS = """
    id string, name string, source string, status string, placeholder string,
    error struct<class: string, stage: string, message: string, http_status: int,
        retryable: boolean>,
    input struct<format: string, width: int, height: int, bytes: bigint, sha256: string,
        orientation: int, alpha: boolean>,
    outputs array<struct<path: string, layout: string, scale: double, scheme: string, width: int,
        height: int, bytes: bigint, sha256: string, data: binary>>,
    item string"""


class FolderInUseError(EmblemError):
    """The folder contains a manifest already."""


def emblems(
    df: DataFrame,
    *,
    key: str = "id",
    columns: Mapping[str, str] | None = None,
    program: str | None = None,
    **options: Value | None,
) -> DataFrame:
    """Returns a table with one record for each row; its images are in `outputs[].data`.

    The columns of `df` are those of the tool's lists (`source`, `label`, `layout`, …); other
    columns are copied to `extra`. `columns={"source": "logo_url"}` maps other names. A binary
    column has the images themselves; a row in which it is null loads its source. The value of
    `key` is returned with its type. The `options` are those of `emblem stream`, as in
    `layout=["small"], scale=[1, 2], format="webp"`. Spark evaluates the table lazily.
    """
    _check_columns(df, key, columns or {})
    given = df.schema[key]
    schema = StructType([StructField("key", given.dataType, given.nullable)])
    for field in cast(StructType, StructType.fromDDL(_ITEM_COLUMNS)).fields:
        schema.add(field)
    arrow_schema = to_arrow_schema(schema)
    opened = _opener(key, columns, program, options)

    def table(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[Record] = []
        held = 0
        with opened(batches, False) as stream:
            for result in stream:
                rows.append(_table_row(result))
                held += sum(len(image.data) for image in result.images)
                if len(rows) >= _BATCH_ROWS or held >= _BATCH_BYTES:
                    yield pa.RecordBatch.from_pylist(rows, arrow_schema)
                    rows, held = [], 0
        if rows:
            yield pa.RecordBatch.from_pylist(rows, arrow_schema)

    return df.mapInArrow(table, schema)


def write(
    df: DataFrame,
    folder: str,
    *,
    key: str = "id",
    columns: Mapping[str, str] | None = None,
    program: str | None = None,
    **options: Value | None,
) -> Record:
    """Makes the emblems of all rows in a folder that `emblem verify` accepts.

    Returns the summary of its manifest. The folder is a path that all executors reach, or a URL of
    a file system of fsspec. The other arguments are those of `emblems`. Each attempt of a task
    writes into a folder of its own, `part-NUMBER-RANDOM`. The manifest, which is written last,
    names only the files of the attempts that Spark counted, and the other folders are removed.
    """
    _check_columns(df, key, columns or {})
    head = _manifest_head(program, columns, options)
    fs, root = _open(folder)
    if fs.get_file_info(f"{root}/{_MANIFEST}").type != arrow_fs.FileType.NotFound:
        raise FolderInUseError(f"{folder} contains a manifest; choose another folder")
    fs.create_dir(root, recursive=True)
    opened = _opener(key, columns, program, options)

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        fs, root = _open(folder)
        # An attempt that starts after the end of the job must not leave files.
        if fs.get_file_info(f"{root}/{_MANIFEST}").type != arrow_fs.FileType.NotFound:
            raise FolderInUseError(f"{folder} contains a manifest")
        part = _Part(fs, root)
        try:
            with opened(batches, True) as stream:
                for result in stream:
                    part.add(result)
            summary = part.finish()
        except BaseException:
            part.remove()
            raise
        if summary["items"]:
            yield pa.RecordBatch.from_pydict({"summary": [json.dumps(summary)]})
        else:
            part.remove()

    rows = df.mapInArrow(task, "summary string").collect()
    parts = sorted((json.loads(row["summary"]) for row in rows), key=lambda part: part["name"])
    summary: Record = {"type": "summary"}
    summary |= {name: sum(part[name] for part in parts) for name in _COUNTS}
    if not summary["canceled"]:
        del summary["canceled"]
    classes = sorted({name for part in parts for name in part["errors"]})
    summary["errors"] = {
        name: sum(part["errors"].get(name, 0) for part in parts) for name in classes
    }
    _write_manifest(fs, root, head, parts, summary)
    return summary


class _Part:
    """The images and records of one attempt of a task, in a folder of its own."""

    def __init__(self, fs: arrow_fs.FileSystem, root: str) -> None:
        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        self._name = f"part-{number:05d}-{uuid.uuid4().hex[:12]}"
        self._fs = fs
        self._folder = f"{root}/{self._name}"
        self._folders: set[str] = set()
        self._names: set[str] = set()
        self._counts = dict.fromkeys(_COUNTS, 0)
        self._errors: dict[str, int] = {}
        fs.create_dir(self._folder, recursive=True)
        self._items = fs.open_output_stream(f"{self._folder}/{_ITEMS}")

    def add(self, result: Result) -> None:
        """Writes the images of a result and its record."""
        record = result.record
        own = str(record["name"])
        record["name"] = name = self._free_name(own, result.source)
        for output, image in zip(record["outputs"], result.images, strict=True):
            path = PurePosixPath(output["path"])
            path = path.with_name(name + path.name.removeprefix(own))
            self._make_folder(str(path.parent))
            with self._fs.open_output_stream(f"{self._folder}/{path}") as file:
                file.write(image.data)
            output["path"] = f"{self._name}/{path}"
        self._items.write(_line(record))
        self._counts["items"] += 1
        self._counts[result.status] += 1
        self._counts["outputs"] += len(result.images)
        if result.error is not None:
            kind = result.error.error_class
            self._errors[kind] = self._errors.get(kind, 0) + 1

    def finish(self) -> Record:
        """Returns the name of the folder and its counts."""
        self._items.close()
        return {"name": self._name, **self._counts, "errors": self._errors}

    def remove(self) -> None:
        """Removes the folder of a failed attempt, as far as possible."""
        with suppress(OSError):
            self._items.close()
        with suppress(OSError):
            self._fs.delete_dir(self._folder)

    def _make_folder(self, name: str) -> None:
        if name not in self._folders:
            # Not recursive: the driver may have removed the folder of this attempt.
            self._fs.create_dir(f"{self._folder}/{name}", recursive=False)
            self._folders.add(name)

    def _free_name(self, name: str, source: str) -> str:
        """Returns the name, with digits of the hash of the source if another row has the name."""
        wanted, number = name, 1
        while (folded := unicodedata.normalize("NFC", wanted).casefold()) in self._names:
            digits = hashlib.sha256(source.encode()).hexdigest()[:8]
            wanted = f"{name}-{digits}" if number == 1 else f"{name}-{digits}-{number}"
            number += 1
        self._names.add(folded)
        return wanted


def _opener(
    key: str,
    columns: Mapping[str, str] | None,
    program: str | None,
    options: Mapping[str, Value | None],
) -> Callable[[Iterable[pa.RecordBatch], bool], Stream]:
    """Returns a function that opens a stream over the rows of a partition on an executor."""
    taken = {"id", "source", "url", *(columns or {}).values()}

    def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Record]:
        for batch in batches:
            for row in batch.to_pylist():
                value = row[key] if key in taken else row.pop(key)
                if row.get((columns or {}).get("id", "id")) is None and row.get("name") is None:
                    row[(columns or {}).get("id", "id")] = str(value)
                # The stream returns the key as it is; the tool sees only the number of the row.
                row["key"] = value
                yield row

    def opened(batches: Iterable[pa.RecordBatch], ordered: bool) -> Stream:
        context = TaskContext.get()
        # An executor has no cache unless the caller asks for one. A task uses only its own cores.
        chosen: dict[str, Value | None] = {"cache": "none", "columns": columns}
        chosen["jobs"] = context.cpus() if context is not None else 1
        return Stream(rows(batches), ordered=ordered, program=program, **chosen | dict(options))

    return opened


def _check_columns(df: DataFrame, key: str, columns: Mapping[str, str]) -> None:
    """Raises `ValueError` for columns that are missing or that the tool cannot read."""
    for name in (key, *columns.values()):
        if name not in df.columns:
            raise ValueError(f"there is no column {name!r} among {', '.join(df.columns)}")
    pictures = [field.name for field in df.schema.fields if isinstance(field.dataType, BinaryType)]
    if len(pictures) > 1:
        raise ValueError(f"a row has one image; drop some of the columns {', '.join(pictures)}")
    if not pictures and not {"source", "url"} & {*df.columns, *columns}:
        raise ValueError(
            "no column has the sources of the images; name it in columns, as source=…, among "
            + ", ".join(df.columns)
        )


def _table_row(result: Result) -> Record:
    record = result.record
    # These members describe the position of the row in a stream.
    item = {name: v for name, v in record.items() if name not in ("index", "row", "line")}
    outputs = [
        {**output, "data": image.data}
        for output, image in zip(record["outputs"], result.images, strict=True)
    ]
    return {**record, "key": result.key, "outputs": outputs, "item": _line(item).decode().rstrip()}


def _open(folder: str) -> tuple[arrow_fs.FileSystem, str]:
    """Returns the file system and the path of a folder."""
    if "://" not in folder:
        return arrow_fs.LocalFileSystem(), str(Path(folder).absolute())
    from fsspec.core import url_to_fs

    fs, path = url_to_fs(folder)
    return arrow_fs.PyFileSystem(arrow_fs.FSSpecHandler(fs)), path.rstrip("/")  # type: ignore[abstract]


def _manifest_head(
    program: str | None, columns: Mapping[str, str] | None, options: Mapping[str, Value | None]
) -> bytes:
    """Returns the run record of an empty batch, which checks the options before the job starts."""
    with tempfile.TemporaryDirectory(prefix="emblem-head-") as folder:
        rows, out = Path(folder, "rows.ndjson"), Path(folder, "out")
        rows.touch()
        words = flags({"columns": columns, **options, "cache": "none", "quiet": True})
        done = subprocess.run(
            [find_program(program), "batch", "--list", rows, "-o", out, *words],
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise ToolError(done.stderr.decode(errors="replace").strip(), done.returncode)
        with (out / _MANIFEST).open("rb") as manifest:
            return manifest.readline()


def _write_manifest(
    fs: arrow_fs.FileSystem, root: str, head: bytes, parts: list[Record], summary: Record
) -> None:
    """Writes the manifest from the records of the parts, and removes all other folders of parts."""
    index = 0
    with fs.open_output_stream(f"{root}/{_MANIFEST}.new") as manifest:
        manifest.write(head)
        for part in parts:
            with fs.open_input_file(f"{root}/{part['name']}/{_ITEMS}") as items:
                for line in _lines(items):
                    record = json.loads(line)
                    record |= {"index": index, "row": index + 1}
                    record.pop("line", None)
                    manifest.write(_line(record))
                    index += 1
        manifest.write(_line(summary))
    fs.move(f"{root}/{_MANIFEST}.new", f"{root}/{_MANIFEST}")
    names = {part["name"] for part in parts}
    for part in parts:
        fs.delete_file(f"{root}/{part['name']}/{_ITEMS}")
    for found in fs.get_file_info(arrow_fs.FileSelector(root)):
        if found.base_name.startswith("part-") and found.base_name not in names:
            _remove(fs, found.path)


def _lines(file: pa.NativeFile) -> Iterator[bytes]:
    rest = b""
    while block := file.read(1 << 20):
        *lines, rest = (rest + block).split(b"\n")
        yield from lines


def _remove(fs: arrow_fs.FileSystem, path: str) -> None:
    """Removes the folder of an attempt, in which another process may still write."""
    for _ in range(5):
        with suppress(OSError):
            fs.delete_dir(path)
            return


def _line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
