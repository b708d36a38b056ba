#!/usr/bin/env bash
# Runs the tests by the command given, and ends with what failed, if anything did, and the
# runner's own summary.
set -euo pipefail

# Cases at once. All are started together otherwise, and a task that waits for the network then
# comes after every case that has not begun: minutes, where a deadline is seconds.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$@" 2>&1 | tee "$log"; then
    exit 0
fi
echo
echo "What failed:"
grep -a -E '^✘|error: ' "$log" | tail -n 60
exit 1
