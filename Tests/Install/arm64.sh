#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests/Install/arm64.sh: compiles all C of ours for 64-bit ARM with warnings as errors, and runs the encoder of WebP
# there, under qemu: the same bytes must come out. Swift for ARM is not tried: no such toolchain is to be had from
# Debian. Its code for x86 stands under `#if arch(x86_64)`, with a plain twin beside it that tests hold equal.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
cd "$root"
swift=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2207 # flags, a word each
arm=("$swift/clang" --target=aarch64-linux-gnu --sysroot=/ -isystem /usr/aarch64-linux-gnu/include
    -idirafter /usr/include -idirafter "/usr/include/$(gcc -print-multiarch)" -O2 -Wall -Wextra -Werror
    $(pkg-config --cflags libjpeg libpng zlib))
count=0
for module in CKernels CDeflate CWebPLossy CJPEGScaled CShims CSandbox CCurlShims CJPEGXL; do
    for file in "Sources/$module"/*.c; do
        "${arm[@]}" -I "Sources/$module/include" -I Sources/CShims/include -I Sources/CJPEGScaled/include \
            -c "$file" -o "$work/$module-$(basename "$file" .c).o"
        count=$((count + 1))
    done
done
echo "$count files of C compile for arm64"
aarch64-linux-gnu-gcc -static -O2 -I Sources/CWebPLossy/include -Wno-unknown-pragmas \
    -include stdint.h '-D_Nullable=' '-D_Nonnull=' Tests/Install/webp_digest.c "$work"/CWebPLossy-*.o -o "$work/arm64" -lm
"$swift/clang" -O2 -I Sources/CWebPLossy/include Tests/Install/webp_digest.c Sources/CWebPLossy/*.c -o "$work/here" -lm
there=$(qemu-aarch64-static "$work/arm64") here=$("$work/here")
echo "encoder of WebP: $here here, $there on arm64"
[ "$here" = "$there" ]
