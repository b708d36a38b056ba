#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/libraries.sh opened|all PROGRAM: prints paths of libraries.
#
# `opened` prints the libraries that the program opens at run time, according to its ELF notes.
# `all` prints its direct and indirect dependencies, except the libraries of glibc.
set -euo pipefail
shopt -s inherit_errexit
mode=$1 program=$2
# objcopy replaces its output file, so it gets a temporary folder.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

opened() {
    objcopy --dump-section ".note.dlopen=$folder/notes" "$program" "$folder/copy"
    grep -aoE '"soname":\[[^]]*\]' "$folder/notes" | grep -aoE '"[^":]+\.so[^"]*"' | tr -d '"' | sort -u \
        | while read -r name; do
            file=$(ldconfig -p | awk -v name="$name" '$1 == name && !found { found = $NF } END { print found }')
            [ -n "$file" ] || { echo "$name is not installed" >&2; exit 1; }
            echo "$file"
        done
}

glibc_pattern='/(libc|libm|libdl|libpthread|librt|libresolv|libanl|libutil|ld-linux[^/]*)\.so\.[0-9]+$'

case $mode in
    opened) opened ;;
    all)
        list=$(opened)
        # shellcheck disable=SC2086 # one name per word
        { printf '%s\n' $list; ldd "$program" $list | awk '$2 == "=>" { print $3 }'; } \
            | grep -vE "$glibc_pattern" | sort -u
        ;;
esac
