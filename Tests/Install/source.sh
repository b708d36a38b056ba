#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A build from source. The toolchain of this machine replaces a downloaded one; the packages that swift.org requires are
# installed.
# shellcheck disable=SC2034,SC2154 # read by run.sh
swift=$(toolchain)
door source "from source"
door_binds=("$swift:/opt/swift")
EXTRA_PATH=/opt/swift/usr/bin
clone "$door_root/root/a-clone"
step 'apt-get update'
step "apt-get install -y --no-install-recommends make $toolchain_packages"
step 'cd /root/a-clone && make build'
step '/root/a-clone/.build/release/emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
same_bytes /root/a-clone/.build/release/emblem
