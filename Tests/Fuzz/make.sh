#!/usr/bin/env bash
# Builds the fuzzing engine and feeds its targets: make.sh SECONDS [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
resources=$("${swift}c" -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)".*|\1|p')
EMBLEM_FUZZ=$resources/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
export EMBLEM_FUZZ
"$swift" build -c release --sanitize=address --scratch-path .build/fuzz --product emblem-fuzz
Tests/Fuzz/run.sh .build/fuzz/release/emblem-fuzz "$1" .build/fuzz-corpus "${@:2}"
