#!/bin/sh
# graphicsmagick.sh INPUT OUTPUT BACKGROUND: makes rounded emblems of a folder with GraphicsMagick.
# Uses two processes in batch mode, so that the program starts once for many files.
set -eu
mkdir -p "$2/128"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export MAGICK_THREAD_LIMIT=1 OMP_NUM_THREADS=1
gm convert -size 512x512 xc:black -fill white -draw 'roundRectangle 0,0 511,511 128,128' \
    -filter Box -resize 128x128 "$scratch/mask.png"
find "$1" -maxdepth 1 -type f | sort | awk -v out="$2/128" -v scratch="$scratch" -v color="$3" '{
    name = $0; sub(/.*\//, "", name); sub(/\.[^.]*$/, "", name)
    list = scratch "/list-" NR % 2
    # With -size, the JPEG decoder shrinks the image.
    printf "convert -size 256x256 \"%s\" -auto-orient -filter Lanczos -resize 128x128 " \
        "-background \"%s\" -gravity center -extent 128x128 +profile * \"mpr:small\"\n", $0, color > list
    printf "composite -compose CopyOpacity \"%s/mask.png\" mpr:small -quality 65 \"PNG32:%s/%s.png\"\n", \
        scratch, out, name > list
}'
gm batch -stop-on-error on "$scratch/list-0" &
gm batch -stop-on-error on "$scratch/list-1"
wait $!
