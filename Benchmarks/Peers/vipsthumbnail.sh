#!/bin/sh
# vipsthumbnail.sh INPUT OUTPUT: makes thumbnails of a folder with vipsthumbnail, in two processes.
# vipsthumbnail has no background and no rounded corners, so it does less than the other tools.
set -eu
mkdir -p "$2/128"
out=$(cd "$2/128" && pwd)
export VIPS_CONCURRENCY=1
find "$1" -maxdepth 1 -type f -print0 | sort -z |
    xargs -0 -P 2 -n 64 vipsthumbnail --size 128x128 \
        -o "$out/%s.png[compression=6,strip]"
