# SPDX-License-Identifier: Apache-2.0
"""A function that sends this package to the executors."""

import tempfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

_shipped: set[str] = set()


def ship(spark: SparkSession) -> None:
    """Sends this package without the tool to the executors, once per application.

    Executors that have the wheel, or get the package with `--py-files`, do not need this.
    """
    context = spark.sparkContext
    name = str(context.applicationId)
    if name in _shipped:
        return
    archive = Path(tempfile.mkdtemp(prefix="emblemkit-"), "emblemkit.zip")
    package = Path(__file__).parents[1]
    with zipfile.ZipFile(archive, "w") as file:
        for module in sorted([*package.glob("*.py"), *package.glob("spark/*.py")]):
            path = module.relative_to(package.parent).as_posix()
            file.writestr(zipfile.ZipInfo(path), module.read_bytes())
    context.addPyFile(str(archive))
    _shipped.add(name)
