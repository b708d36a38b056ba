#!/usr/bin/env bash
# Builds for release and runs the tests: those of Python while the tests of Swift compile, then the cases and
# the tests of Swift. With EMBLEM_TESTS=all also those that take long or need Spark, a browser or containers.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
failed=()

# step NAME COMMAND...: runs a command, and remembers its name if it fails.
step() {
    echo "== $1"
    "${@:2}" || failed+=("$1")
}

"$swift" build -c release --product emblem
log=$(mktemp)
trap 'kill "$python" 2>/dev/null || true; rm -f "$log"' EXIT
Tests/Python/run.py .build/python --brief > "$log" 2>&1 &
python=$!
# Deadlines of the tests of Python go before the compiler.
nice -n 10 "$swift" build -c release --build-tests
wait "$python" || failed+=('the Python package')
cat "$log"

if [ "${EMBLEM_TESTS-}" = all ]; then
    step 'Spark' Tests/Python/run.py .build/spark --rows 5000 --stream-rows 1000000
    step 'packages that depend on this one' Tests/Package/run.py .build/package
    step 'the packages' make release
    step 'installation of the packages' Tests/Install/run.sh .build/release-set
    step 'disabled protections' Tests/Mutants/run.py
    pictures=Datasets/generated/many
    (cd Benchmarks && python3 -c "from Harness import many; many.write('../$pictures', range(1000))")
    step 'kills' Benchmarks/Proof/kill-and-resume.py .build/release/emblem "$pictures" Datasets/generated/kill-out
    (cd Benchmarks && python3 -c "from Harness import many; many.write('../$pictures', range(100))")
    step 'power losses' Benchmarks/Proof/power-loss.py .build/release/emblem "$pictures" Datasets/generated/power-scratch --rounds 500
    step 'nights' Benchmarks/Proof/nights.py .build/release/emblem Datasets/generated/nights
fi
step 'cases' Tests/Cases/run.py
step 'Swift' Tests/run.sh "$swift" test -c release --skip-build
[ ${#failed[@]} -eq 0 ] || { printf 'Failed: %s; see above.\n' "${failed[@]}"; exit 1; }
