#!/usr/bin/env bash
# build.sh PRODUCT...: builds products of the package in release mode.
set -euo pipefail
cd "$(dirname "$0")/.."
for product in "$@"; do "${SWIFT:-swift}" build -c release --product "$product"; done
