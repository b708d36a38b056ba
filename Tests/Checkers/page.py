#!/usr/bin/env python3
"""A script that opens the page of a web folder in headless Chromium and reports its contents.

Usage: page.py WEB [--dark] [--scale N]. Prints JSON with the properties of each image, the messages of
the console and failed requests. The page is served with an additional script, which sends the report.
"""

import functools
import http.server
import json
import queue
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SCRIPT = """
<script>
const faults = [];
addEventListener('error', e => faults.push(String(e.message || e.target.currentSrc || e.target.href)), true);
addEventListener('load', async () => {
  const images = [...document.querySelectorAll('img')];
  for (const image of images) { image.loading = 'eager'; }
  await Promise.all(images.map(image => image.decode().catch(() => faults.push(image.currentSrc))));
  const sheet = getComputedStyle(document.documentElement);
  await fetch('/report', {method: 'POST', body: JSON.stringify({
    faults,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    surface: sheet.getPropertyValue('--emblem-background-surface').trim(),
    pictures: images.map(image => ({
      item: image.closest('section').querySelector('h2').textContent,
      source: new URL(image.currentSrc).pathname.slice(1),
      natural: [image.naturalWidth, image.naturalHeight],
      shown: [image.getBoundingClientRect().width, image.getBoundingClientRect().height],
      declared: [image.width, image.height],
      radius: getComputedStyle(image).borderTopLeftRadius,
      alt: image.alt,
      sources: [...image.parentElement.querySelectorAll('source')].map(s => [s.type, s.media]),
    })),
  })});
});
</script>
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    missing: list[str] = []
    reports: queue.Queue = queue.Queue()

    def do_GET(self) -> None:
        if self.path != "/snippets.html":
            return super().do_GET()
        page = (Path(self.directory) / "snippets.html").read_bytes() + SCRIPT.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def do_POST(self) -> None:
        Handler.reports.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_) -> None:
        pass

    def log_error(self, form: str, *arguments) -> None:
        Handler.missing.append(f"{self.path}: {form % arguments}")


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


server = http.server.ThreadingHTTPServer(
    ("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    with open(Path(profile) / "errors", "w+") as errors:
        browser = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
             f"--user-data-dir={profile}", "--remote-debugging-port=0",
             f"--force-device-scale-factor={option('--scale', '1')}",
             *(["--blink-settings=preferredColorScheme=0"] if "--dark" in sys.argv else []),
             f"http://127.0.0.1:{server.server_port}/snippets.html"],
            stdout=subprocess.DEVNULL, stderr=errors)
        try:
            report = Handler.reports.get(timeout=60)
        finally:
            browser.terminate()
            browser.wait(30)
        errors.seek(0)
        report["console"] = re.findall(r"CONSOLE.*", errors.read())
server.shutdown()
report["missing"] = Handler.missing
print(json.dumps(report))
