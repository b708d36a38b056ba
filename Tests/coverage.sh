#!/usr/bin/env bash
# Prints the line coverage of each room from a test run with --enable-code-coverage.
set -euo pipefail
scratch=$1
bundle=$(find "$scratch"/release/ -maxdepth 1 -name '*PackageTests.xctest' | head -n 1)
profile=$(find "$scratch"/release/codecov/ -name default.profdata | head -n 1)
tools=$(dirname "$(readlink -f "$(command -v swift)")")
"$tools/llvm-cov" export -summary-only -instr-profile "$profile" "$bundle" |
    python3 -c '
import json, re, sys
rooms = {}
for file in json.load(sys.stdin)["data"][0]["files"]:
    match = re.search(r"/Sources/([^/]+)/", file["filename"])
    if match:
        lines = file["summary"]["lines"]
        total = rooms.setdefault(match[1], [0, 0])
        total[0] += lines["covered"]
        total[1] += lines["count"]
for room, (covered, count) in sorted(rooms.items()):
    print(f"{room:12} {100 * covered / max(count, 1):6.1f} %  {covered}/{count}")
'
