#!/usr/bin/env python3
"""A script that removes inherited symbols from symbol graphs: symbols.py MODULE FOLDER.

Members with a doc comment of another module (`hash(into:)`, `init(rawValue:)`) are documented on Swift's
pages. The names in `BB` are documented with their types.
"""

import json
import pathlib
import sys


def is_ours(symbol, module):
    comment = symbol.get("docComment")
    if comment is not None and comment.get("module") != module:
        return False
    path = symbol["pathComponents"]
    return not (path[0] == "BB" and len(path) > 1)


def trim(path, module):
    graph = json.loads(path.read_text())
    known = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["symbols"] = [symbol for symbol in graph["symbols"] if is_ours(symbol, module)]
    removed = known - {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["relationships"] = [
        line for line in graph["relationships"] if not {line["source"], line["target"]} & removed]
    path.write_text(json.dumps(graph))
    return len(graph["symbols"]), len(removed)


module, folder = sys.argv[1], pathlib.Path(sys.argv[2])
for path in sorted(folder.glob("*.symbols.json")):
    kept, removed = trim(path, module)
    print(f"{path.name}: {kept} symbols, {removed} removed")
