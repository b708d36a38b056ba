#!/bin/sh
# Runs nginx in the folder named until standard input ends. The folder holds `www` and the
# certificates. Ports: plain, tls (HTTP/2), expired, elsewhere, self-signed, TLS 1.0 only.
set -eu
folder=$1
shift
mkdir -p "$folder/nginx"

tls() { # port certificate more
    cat <<END
    server {
        listen 127.0.0.1:$1 ssl${3:-};
        ssl_certificate $folder/$2.pem;
        ssl_certificate_key $folder/$2.key;
        ${4:-}
        root $folder/www;
        location /moved/ { return 302 /\$arg_to; }
        location /storm/ { return 302 https://\$http_host/files/logo-1.png; }
        location / { }
    }
END
}

{
    [ "$(id -u)" != 0 ] || echo 'user root;'
    cat <<END
daemon off;
worker_processes 1;
error_log $folder/nginx/error.log;
pid $folder/nginx/pid;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $folder/nginx/body;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    types { image/png png; image/svg+xml svg; }
    keepalive_requests 100000;
    limit_req_zone \$binary_remote_addr zone=slow:1m rate=20r/s;
    limit_req_status 429;
    server {
        listen 127.0.0.1:$1 backlog=4096;
        root $folder/www;
        location /files/ { }
        location /always/ { gzip_static always; gunzip off; alias $folder/www/packed/; }
        location /moved/ { return 302 /\$arg_to; }
        location /gone/ { return 410; }
        location /limited/ { limit_req zone=slow burst=2 nodelay; alias $folder/www/files/; }
        location /fresh/ { add_header Cache-Control max-age=600; alias $folder/www/files/; }
        location /closing/ { keepalive_timeout 0; alias $folder/www/files/; }
        location /few/ { keepalive_requests 3; alias $folder/www/files/; }
    }
END
    tls "$2" server ' http2'
    tls "$3" expired
    tls "$4" elsewhere
    tls "$5" self
    tls "$6" server '' 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;'
    echo '}'
} > "$folder/nginx/nginx.conf"

nginx -e "$folder/nginx/error.log" -c "$folder/nginx/nginx.conf" 2> "$folder/nginx/start.log" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
while read -r _; do :; done
