#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The steps of action.yml. Every value comes from a variable and is never read as shell text.
#
# Usage: action.sh install|run
set -euo pipefail

# Writes an output of the step. The value must not contain a line break.
output() {
    case $2 in
    *$'\n'*) echo "error: the value of $1 has a line break; remove it" >&2; exit 64 ;;
    esac
    printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# Reads the lines of $1 into the array `lines`, without empty lines.
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
            echo "error: $EMBLEM_ACTION_BINARY is not a program; correct the input 'binary'" >&2
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
    local words=(batch --output="$EMBLEM_ACTION_OUTPUT" --progress=github)
    if [ -n "$EMBLEM_ACTION_LIST" ]; then words+=(--list="$EMBLEM_ACTION_LIST"); fi
    if [ "$EMBLEM_ACTION_REPORT" = true ]; then words+=(--report); fi
    read_lines "$EMBLEM_ACTION_ARGS"
    words+=("${lines[@]}")
    read_lines "$EMBLEM_ACTION_INPUTS"
    if [ "${#lines[@]}" -gt 0 ]; then words+=(-- "${lines[@]}"); fi
    local program=$EMBLEM_ACTION_PROGRAM code=0
    # The tool would take these variables for options.
    unset "${!EMBLEM_ACTION_@}"
    "$program" "${words[@]}" || code=$?
    output exit-code "$code"
    exit "$code"
}

case ${1-} in
install) install_program ;;
run) run_batch ;;
*) echo "usage: action.sh install|run" >&2; exit 64 ;;
esac
