# SPDX-License-Identifier: Apache-2.0
"""Typed values for the results of rows."""

from pathlib import Path
from typing import Any, Literal, NamedTuple

from .rows import Record

Status = Literal["ok", "placeholder", "failed", "canceled"]


class Failure(NamedTuple):
    """The reason why a source could not be shown."""

    error_class: str
    """The error class in the manifest, such as `http_4xx` or `not_image`."""
    message: str
    stage: str
    retryable: bool
    http_status: int | None


class Image(NamedTuple):
    """One image of a result."""

    path: str
    """The path that the tool gives the image, relative to the folder of a batch."""
    layout: str
    scale: float
    scheme: str
    width: int
    height: int
    sha256: str
    content: bytes | Path
    """The bytes if the image is from a stream, or the file if it is from a batch."""

    @property
    def data(self) -> bytes:
        """The bytes of the image. An image of a batch is read from its file on each call."""
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()


class Result(NamedTuple):
    """The result of one row."""

    number: int
    """The number of the row, from 0."""
    key: Any
    """The value of the row's column `key`; `None` in a batch."""
    id: str
    source: str
    status: Status
    error: Failure | None
    images: tuple[Image, ...]
    record: Record
    """The item of the manifest, with all members."""


def result_of(number: int, key: Any, record: Record, contents: list[bytes] | Path) -> Result:  # noqa: ANN401
    """Returns the result for a record of the tool.

    `contents` is the list of images, or the folder that contains their files.
    """
    error = record.get("error")
    images = tuple(
        Image(
            output["path"],
            output["layout"],
            output["scale"],
            output["scheme"],
            output["width"],
            output["height"],
            output["sha256"],
            contents / output["path"] if isinstance(contents, Path) else contents[index],
        )
        for index, output in enumerate(record["outputs"])
    )
    return Result(
        number,
        key,
        record["id"],
        record["source"],
        record["status"],
        error
        and Failure(
            error["class"],
            error["message"],
            error["stage"],
            error["retryable"],
            error.get("http_status"),
        ),
        images,
        record,
    )
