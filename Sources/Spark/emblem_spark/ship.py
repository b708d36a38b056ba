# SPDX-License-Identifier: Apache-2.0
"""The package itself, sent to where its functions are called."""

import tempfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

_shipped: set[str] = set()


def ship(spark: SparkSession) -> None:
    """Sends this package to the executors, once for each application.

    There is nothing to do where `--py-files` or the image of the executors brings it.
    """
    context = spark.sparkContext
    name = str(context.applicationId)
    if name in _shipped:
        return
    archive = Path(tempfile.mkdtemp(prefix="emblem-spark-"), "emblem_spark.zip")
    package = Path(__file__).parent
    with zipfile.ZipFile(archive, "w") as file:
        for module in sorted(package.glob("*.py")):
            file.writestr(zipfile.ZipInfo(f"emblem_spark/{module.name}"), module.read_bytes())
    context.addPyFile(str(archive))
    _shipped.add(name)
