#!/usr/bin/env bash
# What `make run` does once everything is built: a real batch over the sample pictures.
set -euo pipefail
emblem=$1 dataset=$2 sample=$3 out=$4

mkdir -p "$out"
echo "emblem batch --list $sample/emblems.csv -o $out --scale 1,2,3"
"$emblem" batch --list "$sample/emblems.csv" -o "$out" --scale 1,2,3 --trace "$out/trace.json"
"$emblem" verify "$out"
"$dataset" sheet --from "$out" -o "$out/sheet.png"

cat <<END

Pictures       $out/{small,medium,large,xLarge}/
Manifest       $out/manifest.ndjson     one line an item
Run record     $out/run.json            throughput and latency
Trace          $out/trace.json          open it in chrome://tracing or ui.perfetto.dev
Contact sheet  $out/sheet.png
END
