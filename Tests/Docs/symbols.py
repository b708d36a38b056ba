#!/usr/bin/env python3
"""A script that removes inherited symbols from symbol graphs: symbols.py MODULES FOLDER.

MODULES are the library and the modules whose public types it exports, separated by commas.

Members with a doc comment of another module (`hash(into:)`, `init(rawValue:)`) are documented on Swift's
pages. The names in `BB` are documented with their types.
"""

import json
import pathlib
import sys


def is_ours(symbol, modules):
    comment = symbol.get("docComment")
    if comment is not None and comment.get("module") not in modules:
        return False
    path = symbol["pathComponents"]
    return not (path[0] == "BB" and len(path) > 1)


def trim(path, modules):
    graph = json.loads(path.read_text())
    known = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["symbols"] = [symbol for symbol in graph["symbols"] if is_ours(symbol, modules)]
    removed = known - {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["relationships"] = [
        line for line in graph["relationships"] if not {line["source"], line["target"]} & removed]
    path.write_text(json.dumps(graph))
    return len(graph["symbols"]), len(removed)


modules, folder = sys.argv[1].split(","), pathlib.Path(sys.argv[2])
for path in sorted(folder.glob("*.symbols.json")):
    kept, removed = trim(path, modules)
    print(f"{path.name}: {kept} symbols, {removed} removed")
