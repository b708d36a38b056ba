#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Functions that make minimal Debian systems and install into them. run.sh sources this file, and runs as root.
#
# A door is one way to install the tool. Each door gets a new root: the smallest Debian 12 with apt. Commands run in the
# root with chroot, in separate mount and process namespaces and with the network of this machine. run.sh sets $root
# (this tree), $set (the folder of release files) and $work (the working folder).
# shellcheck disable=SC2154

bare_archive=$work/debian-12.tar

provide_bare() {
    [ -s "$bare_archive" ] && return
    mmdebstrap --variant=minbase --format=tar bookworm "$bare_archive.part" 2> "$work/mmdebstrap.log" \
        || { tail -n 20 "$work/mmdebstrap.log" >&2; return 1; }
    mv "$bare_archive.part" "$bare_archive"
}

# new_root NAME: makes a new root and prints its path.
new_root() {
    local folder=$work/roots/$1
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -C "$folder" -xf "$bare_archive"
    cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
    echo "$folder"
}

# inside ROOT [SOURCE:TARGET ...] -- COMMAND...: runs a command in a root, with read-only folders of this machine.
inside() {
    local folder=$1
    shift
    local binds=()
    while [ "$1" != -- ]; do
        binds+=("$1")
        shift
    done
    shift
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --pid --fork --kill-child -- bash -euc '
        folder=$1 count=$2
        shift 2
        mount -t proc proc "$folder/proc"
        mount --rbind /dev "$folder/dev"
        while [ "$count" -gt 0 ]; do
            mkdir -p "$folder${1#*:}"
            mount --bind "${1%%:*}" "$folder${1#*:}"
            mount -o remount,bind,ro "$folder${1#*:}"
            shift
            count=$((count - 1))
        done
        exec chroot "$folder" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH="/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin${EXTRA_PATH:+:$EXTRA_PATH}" \
            ${PORT:+PORT=$PORT} "$@"
    ' bash "$folder" "${#binds[@]}" "${binds[@]}" "$@"
}

# The Debian packages that swift.org requires for a toolchain on Debian 12, on one line.
toolchain_packages='binutils git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3-dev libsqlite3-0
    libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev'
# shellcheck disable=SC2086,SC2116
toolchain_packages=$(echo $toolchain_packages)

# clone FOLDER: copies the sources with uncommitted changes, without ignored files.
clone() {
    mkdir -p "$1"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -x -C "$1"
}

# door NAME TITLE: starts a door with a new root, and starts its clock.
door() {
    door_name=$1 door_title=$2 door_commands=0
    door_root=$(new_root "$1")
    door_start=$EPOCHREALTIME
    echo "== $2"
}

# step COMMAND: prints, counts and runs a command that a user types, in the root with door_binds.
step() {
    echo "   \$ $1"
    door_commands=$((door_commands + 1))
    inside "$door_root" "${door_binds[@]}" -- bash -euc "$1" > "$work/$door_name.log" 2>&1 \
        || { tail -n 40 "$work/$door_name.log" >&2; echo "$door_name: failed" >&2; return 1; }
}

# arrived FILE: checks the first emblem in the root, and adds the door to the table.
arrived() {
    local seconds
    seconds=$(awk -v a="$door_start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
    [ "$(head -c 4 "$door_root$1" | tail -c 3)" = PNG ] || { echo "$door_name: $1 is not a PNG file" >&2; return 1; }
    printf '| %s | %d | %d s |\n' "$door_title" "$door_commands" "$seconds" >> "$work/doors.md"
    echo "   $door_commands commands, $seconds s"
}

# same_bytes PROGRAM: runs check.sh with the installed program; its digests must equal those of the program built here.
same_bytes() {
    inside "$door_root" "$root/Datasets/samples:/samples" "$root/Tests/Install:/check" "$work/more:/more" -- \
        bash /check/check.sh "$1" > "$work/$door_name.sums" 2> "$work/$door_name.errors" \
        || { cat "$work/$door_name.errors" >&2; echo "$door_name: the check failed" >&2; return 1; }
    diff "$work/here.sums" "$work/$door_name.sums" \
        || { echo "$door_name: the digests differ from those of the program built here" >&2; return 1; }
    echo "   $(wc -l < "$work/here.sums") files have the same bytes as on the build machine"
}
