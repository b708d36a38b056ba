#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The archive, on a system without other packages and for a user without rights.
# shellcheck disable=SC2034,SC2154 # read by run.sh
door dist "the archive"
cp "$set"/emblem-*.tar.gz "$door_root/root/"
step 'tar -xzf /root/emblem-*.tar.gz -C /opt'
step '/opt/emblem-*/bin/emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
inside "$door_root" -- bash -euc 'mv /opt/emblem-* /opt/elsewhere'
same_bytes /opt/elsewhere/bin/emblem
# The archive must contain every library that its files need, except those of glibc.
readelf -d "$door_root/opt/elsewhere/bin/emblem" "$door_root"/opt/elsewhere/lib/* \
    | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u \
    | grep -vE '^(libc|libm|libdl|libpthread|librt|libresolv|libanl|libutil|ld-linux.*)\.so\.[0-9]+$' > "$work/dist.needed"
while read -r name; do
    [ -e "$door_root/opt/elsewhere/lib/$name" ] || { echo "dist: the archive lacks $name" >&2; exit 1; }
done < "$work/dist.needed"
# The licences require their text, and the names and versions of the sources.
third=$door_root/opt/elsewhere/share/doc/third-party
for name in Apache-2.0 GPL-2 GPL-3 LGPL-2.1 LGPL-3; do
    [ -s "$third/common-licenses/$name" ] || { echo "dist: the archive lacks the text of $name" >&2; exit 1; }
done
for name in libheif x265; do
    grep -qE "^$name [0-9]" "$third/README" || { echo "dist: the README lacks the source version of $name" >&2; exit 1; }
done
# A user without rights, like the executors of a cluster.
inside "$door_root" "$root/Datasets/samples:/samples" -- \
    setpriv --reuid 1234 --regid 1234 --clear-groups \
    bash -euc 'cd /tmp; /opt/elsewhere/bin/emblem batch /samples -o out --quiet; /opt/elsewhere/bin/emblem verify out' \
    > "$work/dist.log"
echo "   works in another folder and for a user without rights"
