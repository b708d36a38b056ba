#!/usr/bin/env python3
"""The work of `make spark`: a list from a local web server on a Spark with two executors.

Run with the Python of the tests: run-spark.py EMBLEM SAMPLE OUT
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME / "Sources/Python"))

from pyspark.sql import SparkSession  # noqa: E402

from emblemkit.spark import write  # noqa: E402
from Harness import servers  # noqa: E402

emblem, sample, out = (Path(word).absolute() for word in sys.argv[1:])
shutil.rmtree(out, ignore_errors=True)
os.environ |= {
    "EMBLEM_PROGRAM": str(emblem), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
settings = {
    "spark.executorEnv.EMBLEM_PROGRAM": str(emblem),
    "spark.executorEnv.PYTHONPATH": str(HOME / "Sources/Python"),
    "spark.ui.enabled": "false"}
with servers.nginx(str(sample)) as port:
    spark = SparkSession.builder.master("local-cluster[2,1,2048]").config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    files = sorted(path.relative_to(sample) for path in sample.glob("*/*.*"))
    rows = [(path.stem, f"http://127.0.0.{1 + n % 8}:{port}/{path}") for n, path in enumerate(files)]
    df = spark.createDataFrame(rows, "id string, source string").repartition(4)
    summary = write(df, str(out), scale=[1, 2], allow_private=True, retries=1)
    spark.stop()
subprocess.run([emblem, "verify", out], check=True)
print(json.dumps(summary, indent=1))
print(f"""
Pictures  {out}/part-*/{{small,medium,large,xLarge}}/
Manifest  {out}/manifest.ndjson""")
