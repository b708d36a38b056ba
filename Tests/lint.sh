#!/usr/bin/env bash
# Checks the layout of Swift and C, the shell scripts and the spelling. `lint.sh --swift` checks Swift alone,
# and `lint.sh --format` lays Swift and C out.
set -euo pipefail
cd "$(dirname "$0")/.."
find_files() { find Packaging Sources Tests Datasets Benchmarks -not -path '*/generated/*' "$@" -print0; }
# The headers of CSystem hold little but the names of installed headers, in an order that counts.
c_files() { find_files -name '*.[ch]' -not -path '*/CSystem/*'; }
swift_format() { "${SWIFT:-swift}" format "$@" --parallel --recursive Package.swift Plugins Sources Tests Benchmarks; }
if [ "${1-}" = --format ]; then
    c_files | xargs -0 clang-format -i
    swift_format --in-place
    exit
fi
swift_format lint --strict
if [ "${1-}" = --swift ]; then exit; fi
c_files | xargs -0 clang-format --dry-run -Werror
find_files -name '*.sh' | xargs -0 shellcheck
codespell
