#!/bin/sh
# certificates.sh FOLDER: makes a certificate authority and the certificates of the tests.
set -eu
cd "$1"
subject() { printf '/CN=%s' "$1"; }
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key" 2>/dev/null; }

key authority
openssl req -x509 -new -key authority.key -out authority.pem -days 30 \
    -subj "$(subject 'emblem tests')" -addext 'basicConstraints=critical,CA:TRUE' 2>/dev/null

# sign NAME DAYS ALTERNATIVE-NAMES
sign() {
    key "$1"
    openssl req -new -key "$1.key" -out "$1.csr" -subj "$(subject "$1")" 2>/dev/null
    printf 'subjectAltName=%s\n' "$3" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial \
        -days "$2" -extfile "$1.ext" -out "$1.pem" 2>/dev/null
}
sign server 30 'DNS:localhost,DNS:good.test,IP:127.0.0.1'
sign expired -1 'DNS:localhost,IP:127.0.0.1'
sign elsewhere 30 'DNS:elsewhere.test'

key self
openssl req -x509 -new -key self.key -out self.pem -days 30 -subj "$(subject localhost)" \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' 2>/dev/null
