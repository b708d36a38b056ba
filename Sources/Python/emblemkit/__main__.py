# SPDX-License-Identifier: Apache-2.0
"""`python -m emblemkit`: the tool itself."""

import os
import sys

from .program import find_program

if __name__ == "__main__":
    os.execv(find_program(), ["emblem", *sys.argv[1:]])
