#!/usr/bin/env bash
# make.sh BUILD OUT: makes the documentation site. BUILD is the build folder with the tool and the modules.
# The tool draws the images and prints the page of commands, so that both are up to date. A broken link or
# a missing page is an error.
set -euo pipefail
build=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The documentation catalogue, with generated images and pages.
catalog=$work/EmblemKit.docc
cp -R "$root/Sources/EmblemKit/EmblemKit.docc" "$catalog"
"$here/pictures.sh" "$build/emblem" "$catalog/Resources"
{
    # shellcheck disable=SC2016 # the quoted command is text
    printf '# Commands\n\nThe help of every command. The manual page (`emblem man`) says more about the options.\n'
    "$build/emblem" man | sed -n 's/^\.SS "emblem \(.*\)"$/\1/p' | while read -r command; do
        printf '\n## %s\n\n```text\n' "$command"
        # shellcheck disable=SC2086 # A command may have two words.
        COLUMNS=100 "$build/emblem" help $command
        printf '```\n'
    done
} >"$catalog/Commands.md"
"$here/records.py" "$build/emblem" "$catalog"

# The symbols that the library declares.
flags=(-I "$build/Modules")
for folder in "$root"/Sources/CSystem/*/; do flags+=(-I "$folder"); done
for map in "$build"/*.build/module.modulemap; do
    # Tools for plugins are separate builds of the same modules.
    [[ $map == *-tool.build/* ]] || flags+=(-Xcc "-fmodule-map-file=$map")
done
for flag in $(pkg-config --cflags-only-I libjpeg libpng libwebp libdeflate zlib libcurl librsvg-2.0 \
    pangocairo pangoft2 glib-2.0 lcms2 libheif); do flags+=(-Xcc "$flag"); done
target=$(swiftc -print-target-info | sed -n 's|.*"triple": "\(.*\)".*|\1|p' | head -n 1)
mkdir "$work/symbols"
exported=Artwork,Codecs,Raster,Theming
swift-symbolgraph-extract -module-name EmblemKit -target "$target" "${flags[@]}" \
    -module-cache-path "$work/cache" -minimum-access-level public -skip-synthesized-members \
    -experimental-allowed-reexported-modules="$exported" -output-dir "$work/symbols"
"$here/symbols.py" "EmblemKit,$exported" "$work/symbols"

rm -rf "$out"
docc convert "$catalog" \
    --fallback-display-name EmblemKit --fallback-bundle-identifier EmblemKit \
    --additional-symbol-graph-dir "$work/symbols" --output-path "$out" \
    --transform-for-static-hosting --warnings-as-errors
echo "The documentation is in $out/documentation/emblemkit: python3 -m http.server -d $out"
