#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/empty-icu.sh FILE: replaces libicudata.so.VERSION with a library without data.
#
# Only libxml2 uses ICU, and only for encodings that iconv does not support. The empty table has the
# format of ICU's stubdata. The replacement saves 31 MB, or 12 MB compressed.
set -euo pipefail
file=$1
name=${file##*/}
version=${name##*.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
as -o "$work/table.o" - <<END_OF_TABLE
.section .rodata
.balign 16
.globl icudt${version}_dat
.type icudt${version}_dat, @object
.size icudt${version}_dat, 56
icudt${version}_dat:
    .short 32                       # size of this header
    .byte 0xda, 0x27
    .short 20, 0
    .byte 0, 0, 2, 0                # little-endian, ASCII, two bytes per character
    .ascii "ToCP"                   # a table of contents
    .byte 1, 0, 0, 0, 0, 0, 0, 0
    .zero 8
    .long 0, 0, 0, 0, 0, 0          # no entries
.section .note.GNU-stack, "", @progbits
END_OF_TABLE
ld -shared -soname "$name" --build-id=none -z noexecstack -s -o "$file" "$work/table.o"
