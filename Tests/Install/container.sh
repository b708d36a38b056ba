#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The container file, built with buildah. No registry is used: the bare root replaces Debian's image, and together with
# the toolchain of this machine it replaces Swift's image. The program built in the container must equal the program
# built here. The versions of Debian packages in the package's dependencies may differ.
# shellcheck disable=SC2034,SC2154 # read by run.sh
export CONTAINERS_STORAGE_CONF=$work/storage.conf
printf '[storage]\ndriver = "vfs"\nrunroot = "%s"\ngraphroot = "%s"\n' "$work/storage/run" "$work/storage/graph" \
    > "$CONTAINERS_STORAGE_CONF"
forget() {
    buildah rm --all > /dev/null 2>&1 || true
    buildah rmi --all --force > /dev/null 2>&1 || true
    rm -rf "$work/storage"
}
forget
swift=$(toolchain)
base=$(buildah from scratch)
buildah add -q "$base" "$bare_archive" / > /dev/null
buildah commit -q "$base" docker.io/library/debian:bookworm-slim > /dev/null
buildah rm "$base" > /dev/null
context=$work/context
rm -rf "$context"
clone "$context"
printf 'FROM docker.io/library/debian:bookworm-slim\nRUN apt-get update && %s %s\nENV PATH=/opt/swift/usr/bin:%s\n' \
    'apt-get install -y --no-install-recommends' "$toolchain_packages" \
    /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin > "$work/Containerfile.swift"
build=(buildah build --isolation chroot --pull=never --network host --volume "$swift:/opt/swift:ro")
"${build[@]}" -q -f "$work/Containerfile.swift" -t docker.io/library/swift:6.2-bookworm "$work/more" \
    > "$work/container.log" 2>&1 || { tail -n 40 "$work/container.log" >&2; exit 1; }

door container "the container file"
echo "   \$ podman build -f Packaging/Containerfile -t emblem ."
"${build[@]}" --build-arg SOURCE_DATE_EPOCH="$("$root/Packaging/epoch.sh")" \
    -f "$context/Packaging/Containerfile" -t emblem "$context" > "$work/container.log" 2>&1 \
    || { tail -n 40 "$work/container.log" >&2; exit 1; }
echo "   \$ podman run emblem render emblem --icon wallet -o first.png"
image=$(buildah from --pull=never localhost/emblem)
buildah run --isolation chroot "$image" -- emblem render emblem --icon wallet -o first.png
mounted=$(buildah mount "$image")
door_commands=2
cp "$mounted/work/first.png" "$door_root/root/first.png"
arrived /root/first.png

here=$(dpkg-deb --fsys-tarfile "$set"/emblem_*.deb | tar -xO ./usr/bin/emblem | sha256sum)
there=$(sha256sum < "$mounted/usr/bin/emblem")
printf '   built here  %s\n   built there %s\n' "${here%% *}" "${there%% *}"
[ "$here" = "$there" ]

# Checks the file system of the container in the same way as the other doors.
bare_root=$door_root
door_root=$mounted
same_bytes emblem
door_root=$bare_root
echo "   image: $(du -sh --apparent-size "$mounted" | cut -f 1), runs as $(buildah inspect --format '{{.OCIv1.Config.User}}' "$image")"
rm -rf "$context"
forget
