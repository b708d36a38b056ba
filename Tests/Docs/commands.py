#!/usr/bin/env python3
"""A filter that turns the output of `emblem man --markdown` into the documentation page Commands.

Reads standard input and writes standard output. Tables become lists, which narrow screens show
without scrolling.
"""

import re
import sys

print("""# Commands

Every command and option of the tool, generated from their declarations.

## Overview

`emblem man --markdown` and `emblem help COMMAND` print the same text.
""")
for line in sys.stdin.read().splitlines():
    row = re.fullmatch(r"\| (`.+?`) \| (.*) \| (.*) \|", line)
    heading = re.fullmatch(r"## `(.*)`", line)
    if row:
        option, meaning, default = (part.replace("\\|", "|") for part in row.groups())
        # The possible values follow the description, each in code voice.
        choices = re.search(r"(?<=\. )`[^`]+`(?: `[^`]+`)*(?=\.)", meaning)
        if choices:
            listed = choices[0].replace("` `", "`, `")
            before, after = meaning[:choices.start()], meaning[choices.end():]
            meaning = before + ("Choices: " if ", " in listed else "Or ") + listed + after
        print(f"- {option}: {meaning}" + (f" Default: {default}." if default.strip() else ""))
    elif heading:
        print(f"## {heading[1]}")
    elif not line.startswith("| option |") and not line.startswith("|---"):
        print(line)
