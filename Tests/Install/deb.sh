#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package: checks it with lintian, and installs it on a minimal Debian.
# shellcheck disable=SC2034,SC2154 # read by run.sh
lintian --fail-on error,warning "$set"/emblem_*.deb
door deb "the \`.deb\`"
cp "$set"/emblem_*.deb "$door_root/root/"
step 'apt-get update'
step 'apt-get install -y /root/emblem_*.deb'
step 'emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
same_bytes emblem
# Installs only the dependencies: the fonts for other scripts are recommended, not required.
lean=$(new_root lean)
cp "$set"/emblem_*.deb "$lean/root/"
inside "$lean" -- bash -euc 'apt-get update; apt-get install -y --no-install-recommends /root/emblem_*.deb
    emblem render badge --text New -o /root/new.png; emblem --version
    test -s /usr/share/man/man1/emblem.1.gz || test ! -d /usr/share/man
    bash -n /usr/share/bash-completion/completions/emblem
    apt-get remove -y emblem; test ! -e /usr/bin/emblem' > "$work/lean.log" 2>&1 \
    || { tail -n 20 "$work/lean.log" >&2; exit 1; }
rm -rf "$lean"
echo "   works without recommended packages, and leaves no program after removal"
