#!/usr/bin/env bash
# Builds and runs the tests under the address sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(-c release --sanitize=address --scratch-path .build/asan)
"${SWIFT:-swift}" build "${options[@]}" --build-tests
export LSAN_OPTIONS=suppressions=$PWD/Tests/leaks.supp:print_suppressions=0
Tests/run.sh "${SWIFT:-swift}" test "${options[@]}" --skip-build
