#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/release.sh OUT FORM...: builds the tool for distribution, and makes its forms in the folder OUT:
# deb (a Debian package), dist (an archive with all libraries and fonts) and wheel (made of the archive).
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
forms=" ${*:2} "
program=$(Packaging/build.sh | tail -n 1)
if [[ $forms = *' deb '* ]]; then Packaging/deb.sh "$program" "$out"; fi
if [[ $forms = *' dist '* || $forms = *' wheel '* ]]; then Packaging/dist.sh "$program" "$out"; fi
if [[ $forms = *' wheel '* ]]; then Packaging/wheel.py "$out"/emblem-*-linux-*.tar.gz "$out"; fi
(cd "$out" && rm -f SHA256SUMS && sha256sum -- *.* > .sums && mv .sums SHA256SUMS)
