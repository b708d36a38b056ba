#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/apt.sh GROUP...: installs the missing Debian packages of the groups.
# Packaging/apt.sh --list GROUP...: prints the names of the packages.
set -euo pipefail

declare -A groups=(
    [build]="pkg-config libjpeg-dev libpng-dev libwebp-dev libdeflate-dev zlib1g-dev
        libcurl4-openssl-dev librsvg2-dev libpango1.0-dev libglib2.0-dev liblcms2-dev libheif-dev
        fonts-inter fonts-dejavu-core fonts-noto-ui-core fonts-wqy-microhei fonts-noto-color-emoji"
    [run]="nginx-light python3-pil"
    [spark]="openjdk-17-jre-headless python3-venv nginx-light"
    [lint]="clang-format shellcheck codespell"
    [test]="aapt libjpeg-turbo-progs libavif-bin libheif-examples ffmpeg python3-jsonschema python3-venv
        nginx-light openssl strace binutils make ninja-build git shellcheck"
    [thorough]="chromium valgrind cmake"
    [packaging]="binutils dpkg-dev git patchelf python3"
    [install]="lintian mmdebstrap buildah crun"
    [bench]="nginx-light python3-venv python3-pil"
    [peers]="python3-venv nginx-light libvips42 libvips-tools libjxl-devtools libegl1
        libgl1"
    [gate]="valgrind strace binutils"
)

only_list=
if [ "${1-}" = --list ]; then only_list=1; shift; fi
packages=()
for group in "$@"; do
    # shellcheck disable=SC2206 # one word per package
    packages+=(${groups[$group]:?unknown group of packages: $group})
done
if [ -n "$only_list" ]; then
    echo "${packages[*]}"
    exit
fi

missing=()
for package in "${packages[@]}"; do
    # shellcheck disable=SC2016 # a format of dpkg-query
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "Installing: ${missing[*]}"
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -qq
# The tests start these programs themselves, so systemd must not start them after installation.
declare -A services=([nginx-light]=nginx)
masked=()
if [ -d /run/systemd/system ]; then
    for package in "${!services[@]}"; do
        if [[ " ${missing[*]} " = *" $package "* ]]; then masked+=("${services[$package]}"); fi
    done
fi
if [ ${#masked[@]} -gt 0 ]; then
    "${as_root[@]}" systemctl --runtime mask "${masked[@]}" >/dev/null 2>&1 || true
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
if [ ${#masked[@]} -gt 0 ]; then
    { "${as_root[@]}" systemctl --runtime unmask "${masked[@]}" &&
        "${as_root[@]}" systemctl disable "${masked[@]}"; } >/dev/null 2>&1 || true
fi
