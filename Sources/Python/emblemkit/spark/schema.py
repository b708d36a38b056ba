# SPDX-License-Identifier: Apache-2.0
"""The schema of a result for Spark and Arrow, and the conversion of records to rows."""

import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from ..frames import Answer, Record

_STRING, _INT, _LONG = StringType(), IntegerType(), LongType()


def _struct(**fields: DataType) -> StructType:
    return StructType([StructField(name, kind) for name, kind in fields.items()])


ERROR = _struct(
    **{"class": _STRING, "http_status": _INT},
    stage=_STRING,
    message=_STRING,
    retryable=BooleanType(),
)
SOURCE = _struct(
    format=_STRING,
    width=_INT,
    height=_INT,
    bytes=_LONG,
    sha256=_STRING,
    orientation=_INT,
    alpha=BooleanType(),
)
LINT = _struct(code=_STRING, layout=_STRING, scale=DoubleType(), scheme=_STRING, id=_STRING)
OUTPUT = _struct(
    path=_STRING,
    layout=_STRING,
    scale=DoubleType(),
    scheme=_STRING,
    width=_INT,
    height=_INT,
    bytes=_LONG,
    sha256=_STRING,
    data=BinaryType(),
)

# Members of a record that describe the position in a stream and not the row.
_POSITION_MEMBERS = ("index", "row", "line")


def item_schema(key: StructField) -> StructType:
    """Returns the columns of a result: the caller's key and the members of a manifest item.

    `outputs[].data` contains the bytes of an image, `extra` contains JSON, and `item` contains the
    whole record of the tool without its position in the stream.
    """
    item = _struct(
        id=_STRING,
        name=_STRING,
        source=_STRING,
        status=_STRING,
        placeholder=_STRING,
        error=ERROR,
        input=SOURCE,
        outputs=ArrayType(OUTPUT),
        accessibility=_struct(label=_STRING),
        thumbhash=_STRING,
        dominant_color=_STRING,
        lint=ArrayType(LINT),
        extra=_STRING,
        item=_STRING,
    )
    return StructType([StructField("key", key.dataType, key.nullable), *item.fields])


def arrow_schema(key: pa.DataType) -> pa.Schema:
    """Returns the columns of a result as an Arrow schema."""
    columns = item_schema(StructField("key", StringType())).fields[1:]
    return pa.schema(
        [pa.field("key", key)]
        + [pa.field(column.name, _arrow_type(column.dataType)) for column in columns]
    )


def _arrow_type(kind: DataType) -> pa.DataType:
    if isinstance(kind, StructType):
        return pa.struct(
            [pa.field(member.name, _arrow_type(member.dataType)) for member in kind.fields]
        )
    if isinstance(kind, ArrayType):
        return pa.list_(_arrow_type(kind.elementType))
    plain: dict[type[DataType], pa.DataType] = {
        StringType: pa.string(),
        IntegerType: pa.int32(),
        LongType: pa.int64(),
        DoubleType: pa.float64(),
        BooleanType: pa.bool_(),
        BinaryType: pa.binary(),
    }
    return plain[type(kind)]


def item_record(record: Record) -> Record:
    """Returns a record without its position in the stream."""
    return {name: value for name, value in record.items() if name not in _POSITION_MEMBERS}


def item_text(record: Record) -> str:
    """Returns a record as one line of JSON, as the tool writes it."""
    return json.dumps(item_record(record), ensure_ascii=False, separators=(",", ":"))


def table_row(key: Any, record: Record, pictures: Sequence[bytes] | None) -> Record:  # noqa: ANN401
    """Returns a row of the result; `pictures` is `None` if the images are stored elsewhere."""
    outputs = [
        {**output, "data": pictures[number] if pictures is not None else None}
        for number, output in enumerate(record["outputs"])
    ]
    extra = record.get("extra")
    return {
        **record,
        "key": key,
        "name": record.get("name", record["id"]),
        "outputs": outputs,
        "extra": None if extra is None else json.dumps(extra, ensure_ascii=False),
        "item": item_text(record),
    }


def answer_row(key: Any, answer: Answer) -> Record:  # noqa: ANN401
    """Returns a row of the result with its images."""
    return table_row(key, answer.record, answer.pictures)
