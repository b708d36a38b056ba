#!/usr/bin/env bash
# Builds for release and runs every test: those on Spark while the tests of Swift compile, since they wait
# for processes most of the time, and those of Swift after that. Both run to their end.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
"$swift" build -c release --product emblem

log=$(mktemp)
trap 'kill "$spark" 2>/dev/null || true; rm -f "$log"' EXIT
Tests/Python/run.py .build/spark --brief > "$log" 2>&1 &
spark=$!
# Deadlines of the tests on Spark go before the compiler.
nice -n 10 "$swift" build -c release --build-tests
status=0
wait "$spark" || status=$?
cat "$log"

cases=0
Tests/Cases/run.py || cases=$?
Tests/run.sh "$swift" test -c release --skip-build
[ $cases -eq 0 ] || { echo 'Cases failed; see above the Swift tests.'; exit 1; }
[ $status -eq 0 ] || { echo 'The tests on Spark failed; see above the Swift tests.'; exit 1; }
