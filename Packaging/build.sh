#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/build.sh [SCRATCH]: builds the tool for distribution and prints its path.
#
# Swift's libraries are linked statically. The build is reproducible in any folder, because the
# program contains no path of this machine: compilers record the root as /emblem, and debug
# information and incremental compilation hashes, which include paths, are off.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
scratch=$(realpath -m "${1:-$root/.build/plain}")
cd "$root"
arguments=(-c release --scratch-path "$scratch" --disable-local-rpath -Xcc -g0 -Xswiftc -gnone
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
for mapping in "$scratch=/emblem/.build" "$root=/emblem"; do
    arguments+=(-Xswiftc -file-prefix-map -Xswiftc "$mapping" -Xcc "-ffile-prefix-map=$mapping")
done
nice -n 5 "${SWIFT:-swift}" build "${arguments[@]}" --product emblem >&2
program=$("${SWIFT:-swift}" build "${arguments[@]}" --show-bin-path)/emblem
# Removes the symbols and keeps the ELF notes, which list the libraries that the program opens.
strip --strip-all --remove-section=.comment -o "$program.plain" "$program"
echo "$program.plain"
