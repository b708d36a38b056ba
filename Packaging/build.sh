#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/build.sh [SCRATCH]: builds the tool for other machines and prints its path.
#
# Swift's libraries are linked statically. The program contains no path of this machine, so that the
# same sources give the same bytes in any folder. Compilers record the root as /emblem, and there is
# no debug information and no hash of incremental compilation, which would include paths.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd -P)
scratch=$(realpath -m "${1:-$root/.build/plain}")
cd "$root"
arguments=(-c release --scratch-path "$scratch" --disable-local-rpath -Xcc -g0 -Xswiftc -gnone
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
for place in "$scratch=/emblem/.build" "$root=/emblem"; do
    arguments+=(-Xswiftc -file-prefix-map -Xswiftc "$place" -Xcc "-ffile-prefix-map=$place")
done
nice -n 5 "${SWIFT:-swift}" build "${arguments[@]}" --product emblem >&2
program=$("${SWIFT:-swift}" build "${arguments[@]}" --show-bin-path)/emblem
# Strips everything that only a linker or debugger reads; notes stay.
strip --strip-all --remove-section=.comment -o "$program.plain" "$program"
echo "$program.plain"
