#!/usr/bin/env python3
"""Leaves in symbol graphs what the library says itself: symbols.py MODULE FOLDER.

Members whose words are another module's (`hash(into:)`, `init(rawValue:)`) say nothing that Swift's own
pages don't, and the names of `BB` nothing that the types behind them don't.
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
    gone = known - {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["relationships"] = [
        line for line in graph["relationships"] if not {line["source"], line["target"]} & gone]
    path.write_text(json.dumps(graph))
    return len(graph["symbols"]), len(gone)


module, folder = sys.argv[1], pathlib.Path(sys.argv[2])
for path in sorted(folder.glob("*.symbols.json")):
    kept, gone = trim(path, module)
    print(f"{path.name}: {kept} symbols, {gone} of others left out")
