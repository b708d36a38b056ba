#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml. Inputs arrive in environment variables and are never evaluated as code.
#
# Usage: action.sh install|run
set -euo pipefail

# Writes an output of the step. Rejects a value with a line break, which could add other outputs.
output() {
    case $2 in
    *$'\n'*) echo "error: the value of $1 has a line break; remove it" >&2; exit 64 ;;
    esac
    printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# Reads the non-empty lines of $1 into the array `lines`.
read_lines() {
    lines=()
    local line
    while IFS= read -r line; do
        line=${line%$'\r'}
        if [ -n "$line" ]; then lines+=("$line"); fi
    done <<< "$1"
}

install_program() {
    if [ -n "$EMBLEM_ACTION_BINARY" ]; then
        [ -x "$EMBLEM_ACTION_BINARY" ] || {
            echo "error: $EMBLEM_ACTION_BINARY is not an executable file; correct the input 'binary'" >&2
            exit 66
        }
        output program "$(realpath "$EMBLEM_ACTION_BINARY")"
        return
    fi
    local folder="$RUNNER_TEMP/emblem-action"
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -- "$EMBLEM_ACTION_PACKAGE"
    output program "$folder/bin/emblem"
}

run_batch() {
    local arguments=(batch --output="$EMBLEM_ACTION_OUTPUT" --progress=github)
    if [ -n "$EMBLEM_ACTION_LIST" ]; then arguments+=(--list="$EMBLEM_ACTION_LIST"); fi
    if [ "$EMBLEM_ACTION_REPORT" = true ]; then arguments+=(--report); fi
    read_lines "$EMBLEM_ACTION_ARGS"
    arguments+=("${lines[@]}")
    read_lines "$EMBLEM_ACTION_INPUTS"
    if [ "${#lines[@]}" -gt 0 ]; then arguments+=(-- "${lines[@]}"); fi
    local program=$EMBLEM_ACTION_PROGRAM code=0
    # The tool reads EMBLEM_ variables as options.
    unset "${!EMBLEM_ACTION_@}"
    "$program" "${arguments[@]}" || code=$?
    output exit-code "$code"
    exit "$code"
}

case ${1-} in
install) install_program ;;
run) run_batch ;;
*) echo "usage: action.sh install|run" >&2; exit 64 ;;
esac
