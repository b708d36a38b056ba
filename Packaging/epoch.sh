#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the date for the artefacts in seconds since 1970: SOURCE_DATE_EPOCH if it is set, otherwise
# the date of the last commit, or the date of the changelog file if there is no git history.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CHANGELOG.md")}"
