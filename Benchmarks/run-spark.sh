#!/usr/bin/env bash
# The work of `make spark` after the build: runs the sample list from a local web server on Spark
# with two executors. Stops the server and Spark at the end.
set -euo pipefail
emblem=$(realpath "$1") dataset=$2 sample=$3 environment=$(cd "$4" && pwd) out=$5
here=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
tidy() {
    # The server ends when its standard input is closed.
    # shellcheck disable=SC2154 # coproc sets server and server_PID
    [ -z "${server[1]-}" ] || { eval "exec ${server[1]}>&-"; wait "$server_PID" || true; }
    rm -rf "$scratch"
}
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# nginx workers run as another user and need access.
chmod 755 "$scratch"
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)

port=8377
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
coproc server {
    exec "$here/Datasets/Server/nginx.sh" "$scratch" "$here/Datasets/Server/pictures.conf" \
        "port=$port" "root=$(cd "$sample" && pwd)"
}
read -r word <&"${server[0]}" || { echo "nginx did not start; is nginx-light installed?" >&2; exit 1; }
[ "$word" = ready ]
# Distributes the rows over eight hosts, so that partitioning by host has an effect.
"$dataset" urls --base "http://127.0.0.1:$port" -o "$scratch/urls.csv"
awk '{ gsub(/127\.0\.0\.1/, "127.0.0." NR % 8 + 1); print }' "$scratch/urls.csv" > "$out/urls.csv"

mkdir "$scratch/conf"
cp "$here/Benchmarks/log4j2.properties" "$scratch/conf"
export SPARK_CONF_DIR=$scratch/conf EMBLEM_PROGRAM=$emblem PYTHONPATH=$here/Sources/Python
export SPARK_LOCAL_IP=127.0.0.1
export PYSPARK_PYTHON=$environment/bin/python PYSPARK_SUBMIT_ARGS="--conf spark.ui.enabled=false \
    --conf spark.ui.showConsoleProgress=false --conf spark.local.dir=$scratch pyspark-shell"
say() { echo "$*"; "$@"; }
say "$environment/bin/python" -m emblemkit.spark --master 'local-cluster[2,1,2048]' \
    --list "$out/urls.csv" --out "$out/result" --target files --partitions 8 \
    -- --scale 1,2 --allow-private --retries 1
for part in "$out"/result/parts/*; do "$emblem" verify "$part" > "$scratch/verify" || { cat "$scratch/verify"; exit 2; }; done

cat <<END

List           $out/urls.csv, served from this machine
Parts          $out/result/parts/          one per partition, each with a verified manifest
Pictures       $out/result/parts/*/{small,medium,large,xLarge}/
Table          $out/result/parts/*/emblems.parquet
Run record     $out/result/run.json        counts, rates, the slowest parts
END
