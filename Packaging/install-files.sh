#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packaging/install-files.sh TOOL: copies a built tool, its manual page, completions and documents
# to $DESTDIR$PREFIX. ZSH_FUNCTIONS is the folder for completions of zsh.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$1
prefix=${PREFIX-/usr/local}
share=${DESTDIR-}$prefix/share
zsh=${DESTDIR-}${ZSH_FUNCTIONS:-$prefix/share/zsh/site-functions}
install -D -m 755 "$tool" "${DESTDIR-}$prefix/bin/emblem"
install -d "$share/man/man1" "$share/bash-completion/completions" "$zsh" "$share/fish/vendor_completions.d"
"$tool" man > "$share/man/man1/emblem.1"
"$tool" completions bash > "$share/bash-completion/completions/emblem"
"$tool" completions zsh > "$zsh/_emblem"
"$tool" completions fish > "$share/fish/vendor_completions.d/emblem.fish"
install -m 644 -D -t "$share/doc/emblem" LICENSE NOTICE CHANGELOG.md
echo "Installed ${DESTDIR-}$prefix/bin/emblem"
