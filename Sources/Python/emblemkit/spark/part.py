# SPDX-License-Identifier: Apache-2.0
"""The result of a partition: a folder that is written under a temporary name and then renamed."""

import json
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.fs
from pyspark import TaskContext

from ..frames import Answer, Record
from ..supervisor import Tally
from .contents import Contents, Kind
from .head import manifest_head
from .program import find_program
from .spool import Spool
from .worker import Job

PARTS = "parts"
# The folder of parts in progress. Remaining files are from failed attempts.
UNFINISHED = ".unfinished"
SUMMARY = "summary.json"


@dataclass(slots=True)
class Destination:
    """The output folder, the kind and the number of a run."""

    out: str
    kind: Kind
    run: int

    def open(self) -> tuple[pyarrow.fs.FileSystem, str]:
        """Returns the file system and the path of the folder."""
        return open_folder(self.out)


def open_folder(out: str) -> tuple[pyarrow.fs.FileSystem, str]:
    """Returns the file system and the path of a folder.

    The folder is a path, or a URL that Arrow supports, such as `hdfs://…`.
    """
    if "://" in out:
        fs, path = pyarrow.fs.FileSystem.from_uri(out)
        return fs, path.rstrip("/")
    return pyarrow.fs.LocalFileSystem(), out.rstrip("/")


def part_maker(
    job: Job, destination: Destination
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Returns a function that writes a partition as a part and yields its summary as JSON."""

    def make(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        summary = _make_part(job, destination, batches, f"part-{destination.run}-{number:05d}")
        if summary is not None:
            yield pa.RecordBatch.from_pydict({"summary": [json.dumps(summary)]})

    return make


def _make_part(
    job: Job, destination: Destination, batches: Iterable[pa.RecordBatch], name: str
) -> Record | None:
    begin = time.time()
    reader, supervisor, answers = job.answers(batches)
    spool = Spool()
    try:
        summary = _Summary()
        for answer in answers:
            summary.add(answer)
            spool.add(answer)
        if reader.key_type is None or len(spool) == 0:
            return None
        fs, out = destination.open()
        folder = f"{out}/{UNFINISHED}/{name}-{uuid.uuid4().hex}"
        fs.create_dir(folder, recursive=True)
        is_set = destination.kind == "files"
        head = manifest_head(find_program(job.program), job.words) if is_set else b""
        Contents(destination.kind, fs, folder, head).write(spool, reader.keys, reader.key_type)
        record = summary.record(name, begin, supervisor.tally)
        with fs.open_output_stream(f"{folder}/{SUMMARY}") as file:
            file.write(json.dumps(record).encode())
        return put_in_place(fs, folder, f"{out}/{PARTS}/{name}", record)
    finally:
        spool.close()


def put_in_place(fs: pyarrow.fs.FileSystem, made: str, target: str, summary: Record) -> Record:
    """Renames the folder to its final name, and returns the summary of the published part.

    If another attempt was faster, keeps its part and deletes the folder. Never replaces a folder
    that contains files.
    """
    try:
        if fs.get_file_info(target).type == pyarrow.fs.FileType.NotFound:
            fs.move(made, target)
            return summary
    except OSError:
        if fs.get_file_info(target).type == pyarrow.fs.FileType.NotFound:
            raise
    with fs.open_input_stream(f"{target}/{SUMMARY}") as file:
        first: Record = json.loads(file.read())
    fs.delete_dir(made)
    return first


class _Summary:
    """The counts of a part."""

    def __init__(self) -> None:
        self._counts = {"rows": 0, "ok": 0, "placeholder": 0, "failed": 0, "canceled": 0}
        self._outputs = self._bytes_in = self._bytes_out = 0
        self._errors: dict[str, int] = {}

    def add(self, answer: Answer) -> None:
        record = answer.record
        self._counts["rows"] += 1
        self._counts[record["status"]] += 1
        self._outputs += len(record["outputs"])
        self._bytes_in += record.get("input", {}).get("bytes", 0)
        self._bytes_out += sum(map(len, answer.pictures))
        if "error" in record:
            kind = record["error"]["class"]
            self._errors[kind] = self._errors.get(kind, 0) + 1

    def record(self, name: str, begin: float, tally: Tally) -> Record:
        return {
            "part": name,
            **self._counts,
            "outputs": self._outputs,
            "bytes_in": self._bytes_in,
            "bytes_out": self._bytes_out,
            "errors": self._errors,
            "begin": round(begin, 3),
            "seconds": round(time.time() - begin, 3),
            "processes": tally.starts,
            "process_deaths": tally.deaths,
            "rows_blamed": tally.blamed,
            "cpu_seconds": round(tally.cpu_seconds, 3),
            "peak_process_kilobytes": tally.peak_kilobytes,
        }
