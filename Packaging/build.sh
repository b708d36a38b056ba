#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/build.sh [SCRATCH]: builds the tool for other machines and prints where it is.
#
# Swift's own libraries stand inside. No path of this machine does, so that the same sources give the same
# bytes in any folder: the root is called /emblem in what the compilers write down, there is nothing for a
# debugger, where more would be told, and no hash of each file's compilation, which Swift writes beside its code
# for the next one and which knows the paths.
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
# What only a linker or a debugger reads goes; the notes stay.
strip --strip-all --remove-section=.comment -o "$program.plain" "$program"
echo "$program.plain"
