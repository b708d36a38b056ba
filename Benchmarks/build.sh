#!/usr/bin/env bash
# Builds products of the package for release: build.sh PRODUCT...
set -euo pipefail
cd "$(dirname "$0")/.."
for product in "$@"; do "${SWIFT:-swift}" build -c release --product "$product"; done
