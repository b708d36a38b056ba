#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests/Install/arm64.sh: compiles the project's C code for 64-bit ARM with warnings as errors, and runs the WebP encoder
# under qemu, which must give the same bytes as here. Swift code is not compiled for ARM, because Debian has no such
# toolchain. Its code for x86 is under `#if arch(x86_64)`, and tests compare it with the portable variant.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd -P)
cd "$root"
swift=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2207 # one flag per word
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
echo "$count C files compile for arm64"
aarch64-linux-gnu-gcc -static -O2 -I Sources/CWebPLossy/include -Wno-unknown-pragmas \
    -include stdint.h '-D_Nullable=' '-D_Nonnull=' Tests/Install/webp_digest.c "$work"/CWebPLossy-*.o -o "$work/arm64" -lm
"$swift/clang" -O2 -I Sources/CWebPLossy/include Tests/Install/webp_digest.c Sources/CWebPLossy/*.c -o "$work/here" -lm
there=$(qemu-aarch64-static "$work/arm64") here=$("$work/here")
echo "digests of the WebP encoder: $here here, $there on arm64"
[ "$here" = "$there" ]
