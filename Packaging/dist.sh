#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/dist.sh PROGRAM OUT: makes OUT/emblem-VERSION-linux-ARCH.tar.gz of a built tool, and
# prints its path.
#
# The archive is for machines without installation rights, such as the executors of a cluster. It
# can be unpacked anywhere, because libraries and fonts are found relative to the program. The
# machine needs only a C library of the same or a newer version.
set -euo pipefail
shopt -s inherit_errexit
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

# RPATH, unlike RUNPATH, also applies to indirect dependencies and to libraries opened later.
# shellcheck disable=SC2016 # the loader's word, not the shell's
patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$tree/bin/emblem"
third=$tree/share/doc/third-party
mkdir -p "$tree/lib" "$tree/share/emblem/fonts" "$third"
files=()
libraries=$("$root/Packaging/libraries.sh" all "$program")
fonts=$("$program" formats --json | python3 -c '
import json, sys
packages = json.load(sys.stdin)["fonts"]
missing = [package["package"] for package in packages if package["found"] < package["files"]]
if missing:
    sys.exit(f"not installed: {missing}")
for package in packages:
    print(*package["paths"], sep="\n")')
while read -r file; do
    install -m 644 "$(realpath "$file")" "$tree/lib/${file##*/}"
    # A library with its own path would search its dependencies only there.
    if readelf -d "$file" | grep -qE '\((RPATH|RUNPATH)\)'; then
        # shellcheck disable=SC2016
        patchelf --force-rpath --set-rpath '$ORIGIN' "$tree/lib/${file##*/}"
    fi
    files+=("$file")
done <<< "$libraries"
while read -r file; do
    install -m 644 "$file" "$tree/share/emblem/fonts/"
    files+=("$file")
done <<< "$fonts"
# dpkg records real paths, or paths from before /lib was merged into /usr/lib.
real=$(realpath "${files[@]}")
# shellcheck disable=SC2086 # one path a word
packages=$({ dpkg -S "${files[@]}" $real "${files[@]#/usr}" ${real//\/usr\/lib//lib} 2>/dev/null || true; } \
    | sed -n 's/^\([a-z0-9.+-]*\)\(:[a-z0-9]*\)\{0,1\}: .*/\1/p' | sort -u)
# shellcheck disable=SC2086 # one name a word
sources=$(dpkg-query -W -f '${source:Package} ${source:Version}\n' $packages | sort -u)
for package in $packages; do
    install -m 644 "/usr/share/doc/$package/copyright" "$third/$package.copyright"
done
# Debian's copyright files refer to a folder for the texts of common licences.
mkdir "$third/common-licenses"
install -m 644 /usr/share/common-licenses/* "$third/common-licenses"
cat > "$third/README" <<END
The libraries in lib and the fonts in share/emblem/fonts are Debian's. What each says of its rights stands in
NAME.copyright; where that names /usr/share/common-licenses, the folder common-licenses has the text. In some libraries
the path that they look for others in was set to \$ORIGIN by patchelf; nothing else was changed, and any of them can
be replaced by another build of the same library. In the Python wheel, libicudata has no data, and the font for emoji is
left out.

Some are under the GNU LGPL or GPL (libx265, which libheif is linked with: GPL 2 or later). Sources of all are
Debian's, of these versions: https://snapshot.debian.org/package/NAME/VERSION/, or apt-get source NAME=VERSION.
Whoever hands this archive on sees to it that those can be had from there, or from himself.

$sources
END

"$root/Packaging/sbom.py" "$program" "$tree/bin/emblem" > "$tree/share/doc/emblem/emblem.spdx.json"

mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
newest=$(objdump -T "$tree/bin/emblem" "$tree"/lib/* | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
echo "$name.tar.gz wants ${newest/_/ } or later" >&2
echo "$out/$name.tar.gz"
