#!/usr/bin/env bash
# The work of `make run` after the build: runs a batch over the sample images, as files and from a
# local web server. Stops the server at the end.
set -euo pipefail
emblem=$1 sample=$2 out=$3
here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
tidy() {
    # The server ends when its standard input is closed.
    # shellcheck disable=SC2154 # coproc sets server and server_PID
    [ -z "${server[1]-}" ] || { eval "exec ${server[1]}>&-"; wait "$server_PID" || true; }
    rm -rf "$scratch"
}
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# nginx workers run as another user and need access.
chmod 755 "$scratch"
mkdir -p "$out"

# Prefers the same port in each run, so that a second run finds cached responses.
port=8377
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
coproc server {
    exec "$here/Datasets/Server/nginx.sh" "$scratch" "$here/Datasets/Server/pictures.conf" \
        "port=$port" "root=$(cd "$sample" && pwd)"
}
read -r word <&"${server[0]}" || { echo "nginx did not start; is nginx-light installed?" >&2; exit 1; }
[ "$word" = ready ]
awk -F, -v OFS=, -v "base=http://127.0.0.1:$port" 'NR > 1 { $1 = "url-" $1; $2 = base "/" $2 } 1' \
    "$sample/emblems.csv" > "$out/urls.csv"

say() { echo "$*"; "$@"; }
say "$emblem" batch --list "$sample/emblems.csv" --list "$out/urls.csv" -o "$out" \
    --look logos --scale 1,2,3 --allow-private --cache "$out/.cache" --sheet "$out/sheet.png"
"$emblem" verify "$out"

cat <<END

Lists          $sample/emblems.csv, and $out/urls.csv, served from this machine
Pictures       $out/{small,medium,large,xLarge}/
Manifest       $out/manifest.ndjson     one line per item
Run record     $out/run.json            throughput and latency
Contact sheet  $out/sheet.png
Failures       $emblem failures $out
END
