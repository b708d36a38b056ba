# SPDX-License-Identifier: Apache-2.0
"""The program for spark-submit.

The executors need the wheel, or get the package with `--py-files emblemkit.zip`.
"""

import sys

from emblemkit.spark.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
