#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Debian package: what lintian says of it, and what it does on a Debian that has nothing.
# shellcheck disable=SC2034,SC2154 # read by run.sh
lintian --fail-on error,warning "$set"/emblem_*.deb
door deb "the \`.deb\`"
cp "$set"/emblem_*.deb "$door_root/root/"
step 'apt-get update'
step 'apt-get install -y /root/emblem_*.deb'
step 'emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
same_bytes emblem
# Nothing but what it depends on: the fonts of other scripts are recommended, not needed.
lean=$(new_root lean)
cp "$set"/emblem_*.deb "$lean/root/"
inside "$lean" -- bash -euc 'apt-get update; apt-get install -y --no-install-recommends /root/emblem_*.deb
    emblem render badge --text New -o /root/new.png; emblem --version
    test -s /usr/share/man/man1/emblem.1.gz || test ! -d /usr/share/man
    bash -n /usr/share/bash-completion/completions/emblem
    apt-get remove -y emblem; test ! -e /usr/bin/emblem' > "$work/lean.log" 2>&1 \
    || { tail -n 20 "$work/lean.log" >&2; exit 1; }
rm -rf "$lean"
echo "   without recommended packages, too; nothing is left after it is removed"
