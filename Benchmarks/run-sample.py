#!/usr/bin/env python3
"""The work of `make run` after the build: run-sample.py EMBLEM SAMPLE OUT

Runs a batch over the sample images, as files and from a local web server.
"""

import csv
import subprocess
import sys
from pathlib import Path

from Harness import servers

emblem, sample, out = map(Path, sys.argv[1:])
out.mkdir(parents=True, exist_ok=True)
urls = sample.parent / "urls.csv"
# The same port in each run, so that a second run finds cached responses.
with servers.nginx(str(sample.absolute()), 8377) as port:
    with open(sample / "emblems.csv", newline="") as file, open(urls, "w", newline="") as served:
        head, *rows = csv.reader(file)
        csv.writer(served).writerows(
            [head, *([f"url-{name}", f"http://127.0.0.1:{port}/{path}", *more] for name, path, *more in rows)])
    command = [
        emblem, "batch", "--list", sample / "emblems.csv", "--list", urls, "-o", out,
        "--scale", "1,2,3", "--allow-private", "--cache", out / ".cache", "--sheet", out / "sheet.png"]
    print(*command, flush=True)
    subprocess.run(command, check=True)
subprocess.run([emblem, "verify", out], check=True)
print(f"""
Lists          {sample}/emblems.csv, and {urls}, served from this machine
Pictures       {out}/{{small,medium,large,xLarge}}/
Manifest       {out}/manifest.ndjson     one line per item
Run record     {out}/run.json            throughput and latency
Contact sheet  {out}/sheet.png
Failures       {emblem} failures {out}""")
