#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/dist.sh PROGRAM OUT: packs a built tool as OUT/emblem-VERSION-linux-ARCH.tar.gz, and
# prints its path.
#
# The archive is for users without installation rights, such as executors of a cluster. It works in
# any folder, because the program finds its libraries and fonts relative to itself. The machine
# needs only a C library of the same or a newer version.
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
make -s -C "$root" install EMBLEM="$program" DESTDIR="$tree" PREFIX= >&2

# RPATH, unlike RUNPATH, also applies to indirect dependencies and to libraries opened at run time.
# shellcheck disable=SC2016 # the loader expands $ORIGIN
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
    # A library with its own RPATH would search for its dependencies only there.
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
# dpkg records real paths, or paths from before Debian merged /lib into /usr/lib.
real=$(realpath "${files[@]}")
# shellcheck disable=SC2086 # one path per word
packages=$({ dpkg -S "${files[@]}" $real "${files[@]#/usr}" ${real//\/usr\/lib//lib} 2>/dev/null || true; } \
    | sed -n 's/^\([a-z0-9.+-]*\)\(:[a-z0-9]*\)\{0,1\}: .*/\1/p' | sort -u)
# shellcheck disable=SC2086 # one name per word
sources=$(dpkg-query -W -f '${source:Package} ${source:Version}\n' $packages | sort -u)
for package in $packages; do
    install -m 644 "/usr/share/doc/$package/copyright" "$third/$package.copyright"
done
# Debian's copyright files refer to a folder for the texts of common licences.
mkdir "$third/common-licenses"
install -m 644 /usr/share/common-licenses/* "$third/common-licenses"
cat > "$third/README" <<END
The libraries in lib and the fonts in share/emblem/fonts are from Debian packages. NAME.copyright contains the copyright
and licence of the package NAME. Where it refers to /usr/share/common-licenses, the text is in the folder
common-licenses. In some libraries, patchelf set the search path for other libraries to \$ORIGIN. No other change was
made, and you can replace each library with another build of it. In the Python wheel, libicudata has no data, and the
font for emoji is omitted.

Some libraries are under the GNU LGPL or GPL, for example libx265 (GPL 2 or later), which libheif is linked with. The
sources are Debian's, in the versions below: https://snapshot.debian.org/package/NAME/VERSION/, or
apt-get source NAME=VERSION. If you redistribute this archive, make sure that recipients can get these sources from
Debian or from you.

$sources
END

mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
newest=$(objdump -T "$tree/bin/emblem" "$tree"/lib/* | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
echo "$name.tar.gz needs ${newest/_/ } or later" >&2
echo "$out/$name.tar.gz"
