# SPDX-License-Identifier: Apache-2.0
"""The command `python -m emblemkit`, which runs the tool."""

import os
import sys

from .tool import find_program

if __name__ == "__main__":
    os.execv(find_program(), ["emblem", *sys.argv[1:]])
