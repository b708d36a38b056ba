#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The archive, where nothing is installed and nothing may be.
door dist "the archive"
cp "$set"/emblem-*.tar.gz "$door_root/root/"
step 'tar -xzf /root/emblem-*.tar.gz -C /opt'
step '/opt/emblem-*/bin/emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
inside "$door_root" -- bash -euc 'mv /opt/emblem-* /opt/elsewhere'
same_bytes /opt/elsewhere/bin/emblem
# Every library comes from the archive, but for the C library's own.
inside "$door_root" -- bash -euc 'ldd /opt/elsewhere/bin/emblem /opt/elsewhere/lib/*' > "$work/dist.log"
if grep -q 'not found' "$work/dist.log"; then grep 'not found' "$work/dist.log" >&2; exit 1; fi
# A person without rights, as executors are.
inside "$door_root" "$root/Datasets/samples:/samples" -- \
    setpriv --reuid 1234 --regid 1234 --clear-groups \
    bash -euc 'cd /tmp; /opt/elsewhere/bin/emblem batch /samples -o out --quiet; /opt/elsewhere/bin/emblem verify out' \
    > "$work/dist.log"
echo "   moved, and as a person without rights, too"
