#!/usr/bin/env bash
# Prints the line coverage of each room from a test run with --enable-code-coverage; with a second
# argument, the files that are covered to less than that many percent too.
set -euo pipefail
scratch=$1
below=${2:-0}
bundle=$(find "$scratch"/release/ -maxdepth 1 -name '*PackageTests.xctest' | head -n 1)
profile=$(find "$scratch"/release/codecov/ -name default.profdata | head -n 1)
if [ -z "$bundle" ] || [ -z "$profile" ]; then
    echo "No test run with coverage under $scratch: run make coverage" >&2
    exit 66
fi
# The tests start the tool as a process of its own; what it covers counts as well.
objects=()
[ ! -x "$scratch/release/emblem" ] || objects=(-object "$scratch/release/emblem")
tools=$(dirname "$(readlink -f "$(command -v swift)")")
"$tools/llvm-cov" export -summary-only -instr-profile "$profile" "$bundle" "${objects[@]}" |
    python3 -c '
import json, re, sys
below = float(sys.argv[1])
rooms = {}
for file in json.load(sys.stdin)["data"][0]["files"]:
    match = re.search(r"/Sources/([^/]+)/(.*)", file["filename"])
    if match:
        lines = file["summary"]["lines"]
        rooms.setdefault(match[1], []).append((match[2], lines["covered"], lines["count"]))
for room, files in sorted(rooms.items()):
    covered, count = (sum(file[place] for file in files) for place in (1, 2))
    print(f"{room:12} {100 * covered / max(count, 1):6.1f} %  {covered}/{count}")
    for name, covered, count in sorted(files):
        if 100 * covered < below * count:
            print(f"    {name:44} {100 * covered / count:6.1f} %  {covered}/{count}")
' "$below"
