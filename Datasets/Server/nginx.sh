#!/bin/sh
# nginx.sh FOLDER CONFIGURATION [NAME=VALUE…]: runs nginx until standard input is closed.
#
# The files of nginx are in FOLDER/nginx. CONFIGURATION is the content of the `http` block; @NAME@ is
# replaced by VALUE, and @folder@ by FOLDER. Prints `ready` once nginx listens. On failure, prints the
# reason and exits with 1.
set -eu
folder=$1 configuration=$2
shift 2
PATH=$PATH:/usr/sbin
mkdir -p "$folder/nginx"
rm -f "$folder/nginx/pid"

quoted() { printf '%s' "$1" | sed 's/[|&\\]/\\&/g'; }
fill="s|@folder@|$(quoted "$folder")|g"
for pair; do fill="$fill;s|@${pair%%=*}@|$(quoted "${pair#*=}")|g"; done

{
    [ "$(id -u)" != 0 ] || echo 'user root;'
    cat <<END
daemon off;
worker_processes 1;
error_log "$folder/nginx/error.log";
pid "$folder/nginx/pid";
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path "$folder/nginx/body";
    proxy_temp_path "$folder/nginx/proxy";
    fastcgi_temp_path "$folder/nginx/fastcgi";
    uwsgi_temp_path "$folder/nginx/uwsgi";
    scgi_temp_path "$folder/nginx/scgi";
    types { image/png png; image/jpeg jpg; image/webp webp; image/svg+xml svg; }
    keepalive_requests 100000;
END
    sed "$fill" "$configuration"
    echo '}'
} > "$folder/nginx/nginx.conf"

nginx -e "$folder/nginx/error.log" -c "$folder/nginx/nginx.conf" 2> "$folder/nginx/start.log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true' EXIT
trap 'exit 143' HUP INT TERM
# nginx writes its process ID after it has opened every port.
until [ -s "$folder/nginx/pid" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/nginx/start.log" >&2; exit 1; }
    sleep 0.02
done
echo ready
while read -r _; do :; done
