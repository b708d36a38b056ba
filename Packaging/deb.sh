#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/deb.sh PROGRAM OUT: packs a built tool as OUT/emblem_VERSION_ARCH.deb, and prints its
# path.
#
# dpkg-shlibdeps finds the dependencies on linked libraries. The program's ELF notes list the
# libraries that it opens at run time.
set -euo pipefail
shopt -s inherit_errexit
root=$(cd "$(dirname "$0")/.." && pwd -P)
program=$(realpath "$1")
out=$(realpath -m "$2")
version=$("$program" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
maintainer=${DEB_MAINTAINER:-The emblem authors <maintainers@emblem.example>}
SOURCE_DATE_EPOCH=$("$root/Packaging/epoch.sh")
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
tree=$work/tree
make -s -C "$root" install EMBLEM="$program" DESTDIR="$tree" PREFIX=/usr \
    ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions >&2
documents=$tree/usr/share/doc/emblem
rm "$documents/LICENSE"
cp "$root/Packaging/deb/copyright" "$documents/copyright"
cat > "$documents/changelog" <<END
emblem ($version) stable; urgency=medium

  * Release $version. CHANGELOG.md.gz in this folder lists the changes.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$documents/changelog" "$documents/CHANGELOG.md" "$tree/usr/share/man/man1/emblem.1"

mkdir -p "$work/debian" "$tree/DEBIAN"
printf 'Source: emblem\n\nPackage: emblem\nArchitecture: any\n' > "$work/debian/control"
linked=$(cd "$work" && dpkg-shlibdeps -O --warnings=0 "$tree/usr/bin/emblem" | sed 's/^shlibs:Depends=//')
opened=$("$root/Packaging/libraries.sh" opened "$program" | while read -r file; do
    # dpkg records files under their real paths below /usr.
    package=$(dpkg -S "$(realpath "$file")" | cut -d : -f 1)
    # The available functions depend on the upstream version, not on the package revision.
    number=$(dpkg-query -W -f '${Version}' "$package" | sed 's/-[^-]*$//; s/+.*//')
    printf ', %s (>= %s)' "$package" "$number"
done)

sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@MAINTAINER@/$maintainer/" \
    -e "s/@SIZE@/$(du -sk --apparent-size "$tree/usr" | cut -f 1)/" -e "s/@DEPENDS@/$linked$opened/" \
    "$root/Packaging/deb/control.in" > "$work/control"
cp "$work/control" "$tree/DEBIAN/control"
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$tree/DEBIAN/md5sums"
find "$tree" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/emblem_${version}_$architecture.deb" >&2
echo "$out/emblem_${version}_$architecture.deb"
