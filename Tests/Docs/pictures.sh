#!/usr/bin/env bash
# pictures.sh TOOL FOLDER: draws the images of the documentation. DocC requires the names NAME@2x.png and
# NAME~dark@2x.png.
set -euo pipefail
tool=$(realpath "$1") folder=$(realpath "$2")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The components on the pages.
samples=Datasets/samples
both() {
    local name=$1
    shift
    "$tool" "$@" --scale 2 -o "$folder/$name@2x.png"
    "$tool" "$@" --scale 2 --scheme dark -o "$folder/$name~dark@2x.png"
}
both step-worn render emblem "$samples/logos/torvella-coffee.png" --layout xLarge --badge 3:danger
both step-avatar render avatar "$samples/photos/turned.jpg" --layout large
both step-badge render badge --text New --appearance success
both step-state render state --kind loading-failure
"$tool" render shimmer --layout xLarge --scale 2 -o "$work/shimmer.png"
cp "$work/shimmer.png" "$folder/step-shimmer@2x.png"
