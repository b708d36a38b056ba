#!/usr/bin/env bash
# Makes pages of the library's documentation: docs.sh BUILD OUT, where BUILD is what swift build left.
# Any link that leads nowhere, and any example that is none, is an error.
set -euo pipefail
build=$1 out=$2
root=$(cd "$(dirname "$0")/.." && pwd)
symbols=$(mktemp -d)
trap 'rm -rf "$symbols"' EXIT

flags=(-I "$build/Modules")
for door in "$root"/Sources/CSystem/*/; do flags+=(-I "$door"); done
for map in "$build"/*.build/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
for flag in $(pkg-config --cflags-only-I libjpeg libpng libwebp libdeflate zlib libcurl librsvg-2.0 \
    pangocairo pangoft2 glib-2.0 lcms2 libheif); do flags+=(-Xcc "$flag"); done

target=$(swiftc -print-target-info | sed -n 's|.*"triple": "\(.*\)".*|\1|p' | head -n 1)
swift-symbolgraph-extract -module-name EmblemKit -target "$target" "${flags[@]}" \
    -module-cache-path "$symbols/cache" -minimum-access-level public -output-dir "$symbols"
rm -rf "$symbols/cache"
docc convert "$root/Sources/EmblemKit/EmblemKit.docc" \
    --fallback-display-name EmblemKit --fallback-bundle-identifier EmblemKit \
    --additional-symbol-graph-dir "$symbols" --output-path "$out" \
    --transform-for-static-hosting --warnings-as-errors
echo "The documentation is in $out: python3 -m http.server -d $out, then /documentation/emblemkit"
