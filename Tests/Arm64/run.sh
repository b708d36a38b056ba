#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests/Arm64/run.sh: compiles the project's C code for 64-bit ARM with warnings as errors. Runs the WebP encoder, the system
# call filter and the kernels of pixels under qemu, which must give the same results as on this machine, an x86-64.
#
# Debian has no Swift for ARM, but the compiler has Embedded Swift. It compiles `Raster` and the filters of PNG, whose plain
# kernels are in Swift, together with `Kernels.swift`. The rest of the Swift code is not compiled for ARM.
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cross=/usr/aarch64-linux-gnu
# The headers of libraries are those of this machine.
# shellcheck disable=SC2207 # one flag per word
arm=("$swift/clang" --target=aarch64-linux-gnu --sysroot=/ -isystem "$cross/include" -idirafter /usr/include
    -idirafter "/usr/include/$(uname -m)-linux-gnu" -O2 -Wall -Wextra -Werror $(pkg-config --cflags libjpeg libpng zlib))
link=("${arm[@]}" --gcc-install-dir="$(dirname /usr/lib/gcc-cross/aarch64-linux-gnu/*/libgcc.a)" -fuse-ld=lld -static
    -B "$cross/lib" -L "$cross/lib")

# kernels TRIPLE NAME INCLUDE COMMAND...: makes the program $work/NAME; the command compiles and links C.
kernels() {
    local triple=$1 name=$2 include=$3 folder="$work/$2.build" sources
    shift 3
    mkdir "$folder"
    cat > "$folder/module.modulemap" << MAP
module CKernels { header "$PWD/Sources/CKernels/include/emb_kernels.h" }
module Glibc [system] { header "$include/math.h" header "$include/stdlib.h" header "$include/string.h" }
MAP
    local flags=("$swift/swiftc" -target "$triple" -enable-experimental-feature Embedded
        -enable-experimental-feature Lifetimes -swift-version 6 -package-name emblem -parse-as-library -wmo -suppress-warnings
        -I "$folder" -Xcc -D__linux__ -Xcc -isystem -Xcc "$include")
    "${flags[@]}" -O -module-name System -emit-module-path "$folder/System.swiftmodule" -c -o "$folder/System.o" \
        Sources/System/{BoundedCache,SeededRandom,Rethrowing}.swift Tests/Arm64/Mutex.swift
    # Previews have no kernels.
    mapfile -t sources < <(find Sources/Raster -name '*.swift' -not -path '*/Preview/*')
    "${flags[@]}" -Osize -module-name Raster -c -o "$folder/Raster.o" \
        "${sources[@]}" Sources/Codecs/PNG/PNGFilter.swift Tests/Arm64/Kernels.swift
    "$@" -O2 -I Sources/CKernels/include -o "$work/$name" "$folder"/*.o Sources/CKernels/*.c \
        "$swift/../lib/swift/embedded/$triple/libswiftUnicodeDataTables.a" -lm
}

kernels x86_64-unknown-linux-gnu kernels-here /usr/include "$swift/clang" &
here=$!
kernels aarch64-none-none-elf kernels-arm "$cross/include" "${link[@]}"

count=0
for module in CKernels CDeflate CWebPLossy CJPEGScaled CShims CSandbox CCurlShims CDrawing; do
    for file in "Sources/$module"/*.c; do
        "${arm[@]}" -I "Sources/$module/include" -I Sources/CShims/include -I Sources/CJPEGScaled/include \
            -c "$file" -o "$work/$module-$(basename "$file" .c).o"
        count=$((count + 1))
    done
done
echo "$count C files compile for arm64"

"${link[@]}" -I Sources/CWebPLossy/include Tests/Arm64/webp_digest.c "$work"/CWebPLossy-*.o -o "$work/webp-arm" -lm
"$swift/clang" -O2 -I Sources/CWebPLossy/include Tests/Arm64/webp_digest.c Sources/CWebPLossy/*.c -o "$work/webp-here" -lm

# Every system call of ARM exists on x86-64, too.
"${arm[@]}" -dM -E -include sys/syscall.h - < /dev/null | sed -nE 's/^#define SYS_(\w+) .*/CALL(\1)/p' > "$work/calls.inc"
"${link[@]}" -I "$work" -I Sources/CSandbox/include Tests/Arm64/seccomp_table.c -o "$work/seccomp-arm"
"$swift/clang" -I "$work" -I Sources/CSandbox/include Tests/Arm64/seccomp_table.c -o "$work/seccomp-here"

wait "$here"
for program in webp seccomp kernels; do
    for place in here arm; do
        if [ $place = arm ]; then emulator=(qemu-aarch64); else emulator=(); fi
        "${emulator[@]}" "$work/$program-$place" > "$work/$program-$place.txt" ||
            { tail -n 1 "$work/$program-$place.txt" >&2; exit 1; }
    done
    diff "$work/$program-here.txt" "$work/$program-arm.txt" || { echo "$program: arm64 (>) gives other results" >&2; exit 1; }
    echo "$program: the same results on arm64, $(wc -l < "$work/$program-arm.txt") lines"
done
