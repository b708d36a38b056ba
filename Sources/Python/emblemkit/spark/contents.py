# SPDX-License-Identifier: Apache-2.0
"""The contents of a part's folder: a table, and images in the table, or as files."""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, Literal

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet

from ..frames import Answer, Record
from .names import settle_names
from .schema import arrow_schema, table_row
from .spool import Spool

Kind = Literal["parquet", "files"]
KINDS: tuple[Kind, ...] = ("parquet", "files")
TABLE = "emblems.parquet"
_BATCH_ROWS = 500
_BATCH_BYTES = 16 << 20


class Contents:
    """A writer that copies a spool into an unpublished folder."""

    def __init__(
        self, kind: Kind, fs: pyarrow.fs.FileSystem, folder: str, head: bytes = b""
    ) -> None:
        self._kind = kind
        self._fs = fs
        self._folder = folder
        self._head = head

    def write(self, spool: Spool, keys: dict[int, Any], key_type: pa.DataType) -> None:
        """Writes the table and the images, in the order of the rows."""
        names: dict[int, str] = {}
        if self._kind != "parquet":
            names = settle_names(spool.records())
        answers = self._renamed(spool.answers(), names)
        if self._kind == "files":
            answers = self._into_files(answers)
        self._write_table(answers, keys, key_type)

    def _renamed(self, answers: Iterator[Answer], names: dict[int, str]) -> Iterator[Answer]:
        for answer in answers:
            name = names.get(answer.number)
            own = str(answer.record.get("name", answer.record["id"]))
            if name is not None and name != own:
                for output in answer.record["outputs"]:
                    output["path"] = _renamed_path(output["path"], own, name)
                answer.record["name" if "name" in answer.record else "id"] = name
            yield answer

    def _write_table(
        self, answers: Iterator[Answer], keys: dict[int, Any], key_type: pa.DataType
    ) -> None:
        schema = arrow_schema(key_type)
        with (
            self._open(TABLE) as file,
            pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as table,
        ):
            rows: list[Record] = []
            held = 0
            for answer in answers:
                pictures = answer.pictures if self._kind == "parquet" else None
                rows.append(table_row(keys[answer.number], answer.record, pictures))
                held += sum(map(len, pictures or ()))
                if len(rows) >= _BATCH_ROWS or held >= _BATCH_BYTES:
                    table.write_batch(pa.RecordBatch.from_pylist(rows, schema))
                    rows, held = [], 0
            if rows:
                table.write_batch(pa.RecordBatch.from_pylist(rows, schema))

    def _into_files(self, answers: Iterator[Answer]) -> Iterator[Answer]:
        """Writes files under the tool's names, and a manifest that the tool can verify."""
        made: set[str] = set()
        counts = {"items": 0, "ok": 0, "placeholder": 0, "failed": 0, "outputs": 0}
        errors: dict[str, int] = {}
        with self._open("manifest.ndjson") as manifest:
            manifest.write(self._head)
            for answer in answers:
                for output, picture in zip(answer.record["outputs"], answer.pictures, strict=True):
                    folder = str(PurePosixPath(output["path"]).parent)
                    if folder not in made:
                        self._fs.create_dir(f"{self._folder}/{folder}", recursive=True)
                        made.add(folder)
                    with self._open(output["path"]) as file:
                        file.write(picture)
                manifest.write(_manifest_line(answer.record, counts["items"]))
                _count(answer.record, counts, errors)
                yield answer
            manifest.write(_summary_line(counts, errors))

    def _open(self, path: str) -> pa.NativeFile:
        return self._fs.open_output_stream(f"{self._folder}/{path}", compression=None)


def _renamed_path(path: str, own: str, name: str) -> str:
    pure = PurePosixPath(path)
    return str(pure.with_name(name + pure.name.removeprefix(own)))


def _manifest_line(record: Record, index: int) -> bytes:
    fields = {"type": "item", "index": index}
    fields.update((name, value) for name, value in record.items() if name not in fields)
    return (json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _summary_line(counts: dict[str, int], errors: dict[str, int]) -> bytes:
    fields = {"type": "summary", **counts, "errors": dict(sorted(errors.items()))}
    return (json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _count(record: Record, counts: dict[str, int], errors: dict[str, int]) -> None:
    counts["items"] += 1
    counts["outputs"] += len(record["outputs"])
    if record["status"] in counts:
        counts[record["status"]] += 1
    if "error" in record:
        kind = record["error"]["class"]
        errors[kind] = errors.get(kind, 0) + 1
