#!/usr/bin/env bash
# Runs the benchmarks of a release and keeps their records. Skips a step that finished on the same day and commit.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .build/bench
stamp="$(git rev-parse HEAD) $(date +%F)"
for step in floor:bench cores:bench-cores serial:bench-serial profile:bench-profile peers:bench-peers; do
    kept=.build/bench/${step%%:*}.all
    [ "$(cat "$kept" 2>/dev/null)" != "$stamp" ] || continue
    make --no-print-directory "${step#*:}" RECORD="${step%%:*}"
    echo "$stamp" > "$kept"
done
