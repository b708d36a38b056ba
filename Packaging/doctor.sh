#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/doctor.sh TOOL: prints the versions of the toolchain and the libraries, and the formats of a built tool.
set -euo pipefail
"${SWIFT:-swift}" --version 2>&1 | head -n 1
for library in libjpeg libpng libwebp libdeflate zlib libcurl librsvg-2.0 pangocairo lcms2 libheif glib-2.0; do
    printf '%-14s %s\n' $library "$(pkg-config --modversion $library 2>/dev/null || echo 'missing: make setup')"
done
[ ! -x "$1" ] || "$1" formats
