#!/usr/bin/env bash
# Runs the tests of a release build: those on Spark and those of Swift. Both run to their end.
set -euo pipefail
cd "$(dirname "$0")/.."
spark=0
Tests/Spark/run.py .build/spark --brief || spark=$?
Tests/run.sh "${SWIFT:-swift}" test -c release --skip-build
[ $spark -eq 0 ] || { echo 'The tests on Spark failed; see above the Swift tests.'; exit 1; }
