#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/libraries.sh opened|all PROGRAM: prints the files of the libraries that a program opens
# (according to its ELF notes), or of all libraries that it needs, directly or indirectly, except
# those of the C library.
set -euo pipefail
shopt -s inherit_errexit
what=$1 program=$2
# objcopy replaces its output file, so it gets its own folder.
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

of_the_c_library='/(libc|libm|libdl|libpthread|librt|libresolv|libanl|libutil|ld-linux[^/]*)\.so\.[0-9]+$'

case $what in
    opened) opened ;;
    all)
        list=$(opened)
        # shellcheck disable=SC2086 # one name a word
        { printf '%s\n' $list; ldd "$program" $list | awk '$2 == "=>" { print $3 }'; } \
            | grep -vE "$of_the_c_library" | sort -u
        ;;
esac
