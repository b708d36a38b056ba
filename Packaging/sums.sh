#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/sums.sh FOLDER: writes the SHA-256 digests of the files in FOLDER to FOLDER/SHA256SUMS.
set -euo pipefail
cd "$1"
sums=$(find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum)
echo "$sums" > SHA256SUMS
