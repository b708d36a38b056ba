#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh PROGRAM: uses everything that the tool needs on a machine, and prints digests of the outputs: every codec,
# libraries opened at run time, both sets of fonts, images in drawings, a server, and workers.
set -euo pipefail
emblem=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Workers run as an unprivileged user and need access.
chmod 755 "$folder"
cd "$folder"
export XDG_CACHE_HOME=$folder/cache

"$emblem" formats > formats.txt
if grep -E '^(library|font) ' formats.txt | grep -vE ' (found|[0-9.]+)$' >&2; then exit 1; fi
cp -r "${SAMPLES:-/samples}" samples
"$emblem" batch samples -o out --scale 1,2 --quiet
"$emblem" verify out > /dev/null
"$emblem" batch --list samples/emblems.csv -o listed --placeholder initials --format avif,webp,jpeg --quiet
"$emblem" verify listed > /dev/null
for format in avif webp; do
    "$emblem" render emblem --icon wallet -o "icon.$format"
    "$emblem" render emblem "icon.$format" -o "from-$format.png"
done
"$emblem" render emblem "${MORE:-/more}/embedded.svg" --layout xLarge -o embedded.png
"$emblem" render emblem "http://127.0.0.1:$PORT/logos/lumina-bank.png" --allow-private -o fetched.png
"$emblem" render avatar --label 'Ada Lovelace' -o latin.png
"$emblem" render state --title 'مرحبا नमस्ते 你好 🎉' -o scripts.png
rm -rf samples cache formats.txt out/run.json listed/run.json out/.emblem listed/.emblem
find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
