#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/reproducible.sh OUT: builds the last commit in this folder and in another folder, and
# compares the programs, packages, archives and wheels. Fails if a byte differs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
out=$(realpath -m "$1")
cd "$root"
git diff --quiet HEAD || { echo "The tree has uncommitted changes. Commit them first." >&2; exit 1; }
SOURCE_DATE_EPOCH=$(Packaging/epoch.sh)
export SOURCE_DATE_EPOCH

other=$(mktemp -d "${TMPDIR:-/tmp}/a-folder-of-another-name-XXXXXX")
trap 'rm -rf "$other"' EXIT
git archive HEAD | tar -x -C "$other"
program=$(Packaging/build.sh)
again=$("$other/Packaging/build.sh")
first=$(mktemp -d "$out-XXXXXX") second=$(mktemp -d "$out-XXXXXX")
trap 'rm -rf "$other" "$first" "$second"' EXIT
for kind in deb dist; do
    "Packaging/$kind.sh" "$program" "$first" >/dev/null
    "$other/Packaging/$kind.sh" "$again" "$second" >/dev/null
done
Packaging/wheel.py "$first"/emblem-*.tar.gz "$first" >/dev/null
"$other/Packaging/wheel.py" "$second"/emblem-*.tar.gz "$second" >/dev/null
cp "$program" "$first/emblem"
cp "$again" "$second/emblem"

echo "$root" && (cd "$first" && sha256sum -- *)
echo "$other" && (cd "$second" && sha256sum -- *)
diff -r "$first" "$second" && echo "All files are identical."
