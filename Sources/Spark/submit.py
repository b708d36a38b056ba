# SPDX-License-Identifier: Apache-2.0
"""What spark-submit is given, beside `--py-files emblem_spark.zip`: the package's own entry."""

import sys

from emblem_spark.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
