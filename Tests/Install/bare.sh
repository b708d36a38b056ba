#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bare Debian systems to install into; the scripts of this folder read this file and run as root.
#
# A root is the smallest Debian 12 that has apt, fresh for each door. Commands run in it by chroot, in mount and
# process spaces of their own; the network is that of this machine. run.sh says what $root, $set and $work are.
# shellcheck disable=SC2154

bare_archive=$work/debian-12.tar

provide_bare() {
    [ -s "$bare_archive" ] && return
    mmdebstrap --variant=minbase --format=tar bookworm "$bare_archive.part" 2> "$work/mmdebstrap.log" \
        || { tail -n 20 "$work/mmdebstrap.log" >&2; return 1; }
    mv "$bare_archive.part" "$bare_archive"
}

# new_root NAME: makes a fresh root and prints where it is.
new_root() {
    local place=$work/roots/$1
    rm -rf "$place"
    mkdir -p "$place"
    tar -C "$place" -xf "$bare_archive"
    cp -L /etc/resolv.conf "$place/etc/resolv.conf"
    echo "$place"
}

# inside ROOT [SOURCE:PLACE ...] -- COMMAND...: runs it there, with folders of this machine that may be read.
inside() {
    local place=$1
    shift
    local binds=()
    while [ "$1" != -- ]; do
        binds+=("$1")
        shift
    done
    shift
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --pid --fork --kill-child -- bash -euc '
        place=$1 count=$2
        shift 2
        mount -t proc proc "$place/proc"
        mount --rbind /dev "$place/dev"
        while [ "$count" -gt 0 ]; do
            mkdir -p "$place${1#*:}"
            mount --bind "${1%%:*}" "$place${1#*:}"
            mount -o remount,bind,ro "$place${1#*:}"
            shift
            count=$((count - 1))
        done
        exec chroot "$place" /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH="/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin${EXTRA_PATH:+:$EXTRA_PATH}" \
            ${PORT:+PORT=$PORT} "$@"
    ' bash "$place" "${#binds[@]}" "${binds[@]}" "$@"
}

# What swift.org wants to be installed beside a toolchain on Debian 12, on one line.
toolchain_packages='binutils git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3-dev libsqlite3-0
    libstdc++-12-dev libxml2 libz3-4 pkg-config tzdata zlib1g-dev'
# shellcheck disable=SC2086,SC2116
toolchain_packages=$(echo $toolchain_packages)

# clone FOLDER: the sources as they are committed or about to be.
clone() {
    mkdir -p "$1"
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf -) | tar -x -C "$1"
}

# door NAME TITLE: begins the account of a door.
door() {
    door_name=$1 door_title=$2 door_commands=0
    door_root=$(new_root "$1")
    door_start=$EPOCHREALTIME
    echo "== $2"
}

# step COMMAND: what a person types at this door, told and counted; runs in the root with door_binds.
step() {
    echo "   \$ $1"
    door_commands=$((door_commands + 1))
    inside "$door_root" "${door_binds[@]}" -- bash -euc "$1" > "$work/$door_name.log" 2>&1 \
        || { tail -n 40 "$work/$door_name.log" >&2; echo "$door_name: failed" >&2; return 1; }
}

# arrived PICTURE: the first emblem is there.
arrived() {
    local seconds
    seconds=$(awk -v a="$door_start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
    [ "$(head -c 4 "$door_root$1" | tail -c 3)" = PNG ] || { echo "$door_name: no emblem at $1" >&2; return 1; }
    printf '| %s | %d | %d s |\n' "$door_title" "$door_commands" "$seconds" >> "$work/doors.md"
    echo "   $door_commands commands, $seconds s"
}

# same_bytes PROGRAM: what a door's program makes of everything is what the one built here makes.
same_bytes() {
    inside "$door_root" "$root/Datasets/samples:/samples" "$root/Tests/Install:/check" "$work/more:/more" -- \
        bash /check/check.sh "$1" > "$work/$door_name.sums" 2> "$work/$door_name.errors" \
        || { cat "$work/$door_name.errors" >&2; echo "$door_name: the check failed" >&2; return 1; }
    diff "$work/here.sums" "$work/$door_name.sums" \
        || { echo "$door_name: other bytes than here" >&2; return 1; }
    echo "   $(wc -l < "$work/here.sums") files, the same bytes as on the machine that built it"
}
