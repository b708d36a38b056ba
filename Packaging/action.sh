#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The step of action.yml. Inputs arrive in environment variables and are never evaluated as code.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

# Reads the non-empty lines of $1 into the array `lines`.
read_lines() {
    lines=()
    local line
    while IFS= read -r line; do
        line=${line%$'\r'}
        if [ -n "$line" ]; then lines+=("$line"); fi
    done <<< "$1"
}

program=$EMBLEM_ACTION_BINARY
if [ -z "$program" ]; then
    program=$here/.build/release/emblem
    [ -x "$program" ] || program=$(command -v emblem || true)
fi
[ -x "$program" ] || {
    echo "error: ${program:-emblem} is not an executable file; run make build in the checkout of emblem, or give the input 'binary'" >&2
    exit 66
}

arguments=(batch --output="$EMBLEM_ACTION_OUTPUT" --progress=github)
if [ -n "$EMBLEM_ACTION_LIST" ]; then arguments+=(--list="$EMBLEM_ACTION_LIST"); fi
if [ "$EMBLEM_ACTION_REPORT" = true ]; then arguments+=(--report); fi
read_lines "$EMBLEM_ACTION_ARGS"
arguments+=("${lines[@]}")
read_lines "$EMBLEM_ACTION_INPUTS"
if [ "${#lines[@]}" -gt 0 ]; then arguments+=(-- "${lines[@]}"); fi
# The tool reads EMBLEM_ variables as options.
unset "${!EMBLEM_ACTION_@}"
code=0
"$program" "${arguments[@]}" || code=$?
printf 'exit-code=%s\n' "$code" >> "$GITHUB_OUTPUT"
exit "$code"
