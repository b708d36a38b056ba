#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the date of this tree's artefacts in seconds: SOURCE_DATE_EPOCH if it is set, otherwise
# that of the last commit, or of the changelog if there is no history.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CHANGELOG.md")}"
