#!/usr/bin/env bash
# Checks the layout of the C files, and the shell scripts. `lint.sh --format` lays the C files out.
set -euo pipefail
cd "$(dirname "$0")/.."
find_files() { find Packaging Sources Tests Datasets Benchmarks -not -path '*/generated/*' "$@" -print0; }
# The headers of CSystem hold little but the names of installed headers, in an order that counts.
c_files() { find_files -name '*.[ch]' -not -path '*/CSystem/*'; }
if [ "${1-}" = --format ]; then
    c_files | xargs -0 clang-format -i
    exit
fi
c_files | xargs -0 clang-format --dry-run -Werror
find_files -name '*.sh' | xargs -0 shellcheck
