#!/usr/bin/env python3
"""Makes the page of the commands of what `emblem man --markdown` prints: standard input to output.

Its tables become lists, which narrow screens show without scrolling.
"""

import re
import sys

print("""# Commands

Every command and option of the tool, from their declarations.

## Overview

The same as `emblem man --markdown` prints and `emblem help COMMAND` says.
""")
for line in sys.stdin.read().splitlines():
    row = re.fullmatch(r"\| (`.+?`) \| (.*) \| (.*) \|", line)
    heading = re.fullmatch(r"## `(.*)`", line)
    if row:
        option, meaning, default = (part.replace("\\|", "|") for part in row.groups())
        # What may be said stands behind the meaning, word by word.
        choices = re.search(r"(?<=\. )`[^`]+`(?: `[^`]+`)*(?=\.)", meaning)
        if choices:
            said = choices[0].replace("` `", "`, `")
            before, after = meaning[:choices.start()], meaning[choices.end():]
            meaning = before + ("Choices: " if ", " in said else "Or ") + said + after
        print(f"- {option}: {meaning}" + (f" Default: {default}." if default.strip() else ""))
    elif heading:
        print(f"## {heading[1]}")
    elif not line.startswith("| option |") and not line.startswith("|---"):
        print(line)
