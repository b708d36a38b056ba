#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the moment that artefacts of this tree are dated by, in seconds: SOURCE_DATE_EPOCH if it is said, else that
# of the last commit; of a tree that came without its history, that of its changelog.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$root/CHANGELOG.md")}"
