#!/usr/bin/env bash
# Runs the fuzzing engine on targets one by one, and keeps inputs that reach new code.
#
#   run.sh FUZZER SECONDS CORPUS [TARGET...]
#
# SECONDS is CPU time, so that a busy machine makes a run longer but not smaller. Exits with status
# 1 if an input violated an invariant; the input is in CORPUS/findings.
set -euo pipefail
fuzzer=$1 seconds=$2 corpus=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$fuzzer" || true)

# The engine prints stacks itself; the suppressions list leaks of other libraries.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=0
export LSAN_OPTIONS=suppressions=$root/Tests/leaks.supp:print_suppressions=0
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

mkdir -p "$corpus/findings" "$corpus/logs"
failed=0
TIMEFORMAT='%U %S'
for target in "${targets[@]}"; do
    seeds=$TMPDIR/seeds-$target
    mkdir -p "$corpus/$target" "$seeds"
    tar -xzf "$root/Tests/Fixtures/Fuzz/$target.tar.gz" -C "$seeds"
    options=(-max_total_time="$seconds" -timeout=30 -rss_limit_mb=1024 -malloc_limit_mb=256
        -max_len=8192 -print_final_stats=1 -artifact_prefix="$corpus/findings/$target-")
    # With damaged files, libheif and its AV1 decoders leak memory and output uninitialised memory.
    # The tool fills that memory with zeros, and so does this script.
    fill=
    if [ "$target" = heif ]; then
        options+=(-detect_leaks=0)
        fill=:malloc_fill_byte=0:max_malloc_fill_size=1073741824:detect_leaks=0
    fi
    [ ! -f "$here/Dictionaries/$target.dict" ] || options+=(-dict="$here/Dictionaries/$target.dict")
    # The engine counts wall clock seconds, so it is repeated until the CPU time is used up.
    : >"$corpus/logs/$target.log"
    verdict=ok used=0 runs=0
    while [ "$verdict" = ok ] && [ "$used" -lt "$seconds" ]; do
        rest=$((seconds - used))
        options[0]=-max_total_time=$((rest < 5 ? 5 : rest))
        if { time ASAN_OPTIONS=$ASAN_OPTIONS$fill nice -n 19 "$fuzzer" "$target" "${options[@]}" "$corpus/$target" \
            "$seeds" >"$TMPDIR/log" 2>&1; } 2>"$TMPDIR/time"
        then :; else verdict=FOUND failed=1; fi
        used=$((used + $(awk '{ printf "%d", $1 + $2 + 0.5 }' "$TMPDIR/time")))
        runs=$((runs + $(sed -n 's/^stat::number_of_executed_units: *//p' "$TMPDIR/log" | tail -1 | grep . || echo 0)))
        cat "$TMPDIR/log" >>"$corpus/logs/$target.log"
    done
    reached=$(grep -o 'cov: [0-9]*' "$corpus/logs/$target.log" | tail -1)
    printf '%-14s %-6s %5s s %10s runs  %s  %s inputs kept\n' "$target" "$verdict" "$used" "$runs" \
        "${reached:-cov: ?}" "$(find "$corpus/$target" -type f | wc -l)"
    [ "$verdict" = ok ] || tail -n 30 "$corpus/logs/$target.log" | grep -E 'ERROR|SUMMARY|Fatal|Test unit' || true
done
exit $failed
