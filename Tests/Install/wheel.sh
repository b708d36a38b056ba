#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python wheel, on a minimal Debian with Python.
# shellcheck disable=SC2034,SC2154 # read by run.sh
door wheel "the Python wheel"
cp "$set"/emblemkit-*.whl "$door_root/root/"
step 'apt-get update'
step 'apt-get install -y --no-install-recommends python3-venv'
step 'python3 -m venv /opt/python'
step '/opt/python/bin/pip install --no-index /root/emblemkit-*.whl'
step '/opt/python/bin/emblem render emblem --icon wallet -o /root/first.png'
arrived /root/first.png
# The wheel has no font for emoji, so the font of Debian is installed, as the page on Python says.
inside "$door_root" -- apt-get install -y --no-install-recommends fonts-noto-color-emoji > "$work/wheel.log" 2>&1
same_bytes /opt/python/bin/emblem
# The API, as a user without rights.
inside "$door_root" "$root/Datasets/samples:/samples" -- \
    setpriv --reuid 1234 --regid 1234 --clear-groups \
    /opt/python/bin/python -c '
import pathlib, emblemkit
logos = sorted(pathlib.Path("/samples/logos").glob("*.png"))
with emblemkit.Stream(logos, layout="small", cache="none") as stream:
    assert {result.status for result in stream} == {"ok"}
assert emblemkit.batch(logos, "/tmp/out", cache="none").ok == len(logos)' > "$work/wheel.log" 2>&1 \
    || { cat "$work/wheel.log" >&2; exit 1; }
echo "   the API works for a user without rights"
