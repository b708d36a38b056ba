#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/dist.sh PROGRAM OUT: makes OUT/emblem-VERSION-linux-ARCH.tar.gz of a built tool, and prints its name.
#
# The archive is for machines on which nothing may be installed, such as the executors of a cluster. It can be
# unpacked anywhere: libraries and fonts are found by where the program is. All it wants of its machine is a C
# library that is as new as its own.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
program=$(realpath "$1")
out=$(realpath -m "$2")
version=$("$program" --version | cut -d ' ' -f 2)
name=emblem-$version-linux-$(uname -m)
SOURCE_DATE_EPOCH=$("$root/Packaging/epoch.sh")
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
tree=$work/$name
make -s -C "$root" install-files EMBLEM="$program" DESTDIR="$tree" PREFIX= >&2

# The older kind of path holds for libraries of libraries, too, and for those that are opened later.
# shellcheck disable=SC2016 # the loader's word, not the shell's
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$tree/bin/emblem"
mkdir -p "$tree/lib" "$tree/share/emblem/fonts" "$tree/share/doc/third-party"
files=()
while read -r file; do
    install -m 644 "$(realpath "$file")" "$tree/lib/${file##*/}"
    # A library with a path of its own would look there for what it needs, and nowhere else.
    if readelf -d "$file" | grep -qE '\((RPATH|RUNPATH)\)'; then
        # shellcheck disable=SC2016
        patchelf --force-rpath --set-rpath '$ORIGIN' "$tree/lib/${file##*/}"
    fi
    files+=("$file")
done < <("$root/Packaging/libraries.sh" all "$program")
while read -r file; do
    install -m 644 "$file" "$tree/share/emblem/fonts/"
    files+=("$file")
done < <("$program" formats --json | python3 -c '
import json, sys
for package in json.load(sys.stdin)["fonts"]:
    print(*package["paths"], sep="\n")')
# Packages know their files as they are, or by the path before /lib was /usr/lib.
real=$(realpath "${files[@]}")
# shellcheck disable=SC2086 # one path a word
for package in $({ dpkg -S "${files[@]}" $real "${files[@]#/usr}" ${real//\/usr\/lib//lib} 2>/dev/null || true; } \
    | sed -n 's/^\([a-z0-9.+-]*\)\(:[a-z0-9]*\)\{0,1\}: .*/\1/p' | sort -u); do
    install -m 644 "/usr/share/doc/$package/copyright" "$tree/share/doc/third-party/$package.copyright"
done

"$root/Packaging/sbom.py" "$program" "$tree/bin/emblem" > "$tree/share/doc/emblem/emblem.spdx.json"

mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
newest=$(objdump -T "$tree/bin/emblem" "$tree"/lib/* | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
echo "$name.tar.gz wants ${newest/_/ } or later" >&2
echo "$out/$name.tar.gz"
