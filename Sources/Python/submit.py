# SPDX-License-Identifier: Apache-2.0
"""The program for spark-submit, with `--py-files emblemkit.zip` or the wheel on executors."""

import sys

from emblemkit.spark.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
