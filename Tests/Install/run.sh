#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests/Install/run.sh SET [DOOR...]: installs the tool on a minimal Debian 12 and draws a first emblem.
#
# A door is one way to install it: deb, dist, wheel or container; all are the default. SET is the folder
# with the Debian package, the archive and the wheel. Prints the number of commands and the seconds of each door. Fails if
# an installation fails, or an output differs from that of the program built here. Runs as root.
set -euo pipefail
shopt -s inherit_errexit
root=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck disable=SC2034 # for the doors
set=$(realpath "$1")
shift
doors=("$@")
[ ${#doors[@]} -gt 0 ] || doors=(deb dist wheel container)
work=$root/.build/install
mkdir -p "$work"
# Workers run as an unprivileged user, who must be able to read the images.
chmod 755 "$work"
source "$root/Tests/Install/bare.sh"

# toolchain: prints the folder of the Swift toolchain in use.
toolchain() {
    dirname "$(dirname "$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")")"
}

provide_bare
mkdir -p "$work/more"
python3 - "$root" > "$work/more/embedded.svg" <<'END'
import base64, sys
def data(name, kind):
    text = base64.b64encode(open(f"{sys.argv[1]}/Datasets/samples/{name}", "rb").read()).decode()
    return f"data:image/{kind};base64,{text}"
print(f'''<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">
<image width="60" height="60" xlink:href="{data("logos/lumina-bank.png", "png")}"/>
<image x="40" y="40" width="60" height="60" xlink:href="{data("photos/turned.jpg", "jpeg")}"/>
<text x="10" y="95" font-size="12">Text</text></svg>''')
END
ready=$work/port
rm -f "$ready"
python3 -c '
import http.server, os, sys
os.chdir(sys.argv[1])
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
open(sys.argv[2] + ".part", "w").write(str(server.server_port))
os.rename(sys.argv[2] + ".part", sys.argv[2])
server.serve_forever()' "$root/Datasets/samples" "$ready" &
server=$!
trap 'kill $server 2>/dev/null' EXIT
until [ -s "$ready" ]; do sleep 0.1; done
PORT=$(cat "$ready")
export PORT

# The expected digests, from the program built here.
SAMPLES=$root/Datasets/samples MORE=$work/more "$root/Tests/Install/check.sh" \
    "$root/.build/plain/release/emblem.plain" > "$work/here.sums"

printf '| door | commands | time |\n|---|---|---|\n' > "$work/doors.md"
for name in "${doors[@]}"; do
    door_binds=()
    # The folder that a door adds to the PATH of its commands.
    export EXTRA_PATH=
    # shellcheck source=/dev/null
    source "$root/Tests/Install/$name.sh"
    rm -rf "$work/roots/$name"
done
# Gives the files to the user who called sudo, who can then remove them.
# shellcheck disable=SC2153 # set by sudo
[ -z "${SUDO_UID-}" ] || chown -R "$SUDO_UID:$SUDO_GID" "$work"
cat "$work/doors.md"
