#!/usr/bin/env python3
"""Opens pages in Chromium without a screen and does what a person would.

Reads a list of visits as JSON from standard input and prints a list of what came of each. A visit:
  url, width, height, scheme (light or dark), script (false switches scripts off), steps
and a step is one of
  {"eval": expression}   its value is a result; a promise is waited for
  {"file": path}         the same for the text of a file
  {"until": expression}  waits until it is true
  {"key": name}          presses a key; {"text": words} types
  {"shot": path}         keeps a picture of the screen
The outcome: results (texts; what is none, as JSON), errors (what the console was told, exceptions, refused loads) and requests.
The browser is spoken to over two pipes, one JSON message after the other, each ended by a zero.
"""
import base64
import fcntl
import json
import os
import select
import subprocess
import sys
import tempfile
import time

SECONDS = 60
KEYS = {
    "Enter": (13, "\r"), "Escape": (27, None), "Tab": (9, None), "End": (35, None), "Home": (36, None),
    "PageUp": (33, None), "PageDown": (34, None), "ArrowLeft": (37, None), "ArrowUp": (38, None),
    "ArrowRight": (39, None), "ArrowDown": (40, None), "/": (191, "/"), " ": (32, " "),
}


class Browser:
    def __init__(self, folder):
        ours, theirs = os.pipe(), os.pipe()
        # Far from the two numbers that the browser expects its own ends at.
        reads, writes = (fcntl.fcntl(fd, fcntl.F_DUPFD, 64) for fd in (ours[0], theirs[1]))

        def place():
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={folder}"],
            pass_fds=(3, 4), preexec_fn=place, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (ours[0], theirs[1], reads, writes):
            os.close(fd)
        self.writes, self.reads = ours[1], theirs[0]
        self.number = 0
        self.rest = b""
        self.events = []

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writes, data):]
        number = self.number
        while True:
            answer = self.next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def next(self):
        end = time.monotonic() + SECONDS
        while b"\0" not in self.rest:
            if not select.select([self.reads], [], [], max(end - time.monotonic(), 0))[0]:
                raise RuntimeError("the browser does not answer")
            data = os.read(self.reads, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait_for(self, method, session):
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    return
            self.events.append(self.next())

    def end(self):
        try:
            self.send("Browser.close")
        except RuntimeError:
            self.process.kill()
        self.process.wait()


def value_of(browser, session, expression):
    answer = browser.send(
        "Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
    return answer["result"].get("value")


def text_of(browser, session, expression):
    value = value_of(browser, session, expression)
    return value if isinstance(value, str) else json.dumps(value)


def take(browser, session, step, results):
    if "eval" in step:
        results.append(text_of(browser, session, step["eval"]))
    elif "file" in step:
        with open(step["file"], encoding="utf-8") as file:
            results.append(text_of(browser, session, file.read()))
    elif "until" in step:
        end = time.monotonic() + 20
        while not value_of(browser, session, step["until"]):
            if time.monotonic() > end:
                raise RuntimeError("never true: " + step["until"])
            time.sleep(0.01)
    elif "key" in step:
        code, text = KEYS[step["key"]]
        key = {"key": step["key"], "windowsVirtualKeyCode": code}
        browser.send("Input.dispatchKeyEvent", session, type="keyDown" if text else "rawKeyDown",
                     **key, **({"text": text} if text else {}))
        browser.send("Input.dispatchKeyEvent", session, type="keyUp", **key)
    elif "text" in step:
        browser.send("Input.insertText", session, text=step["text"])
    elif "shot" in step:
        picture = browser.send("Page.captureScreenshot", session, format="png")
        with open(step["shot"], "wb") as file:
            file.write(base64.b64decode(picture["data"]))


def visit(browser, wish):
    target = browser.send("Target.createTarget", url="about:blank")["targetId"]
    session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.send(domain + ".enable", session)
    browser.send("Emulation.setDeviceMetricsOverride", session, width=wish.get("width", 1280),
                 height=wish.get("height", 800), deviceScaleFactor=1, mobile=False)
    browser.send("Emulation.setEmulatedMedia", session, features=[
        {"name": "prefers-color-scheme", "value": wish.get("scheme", "light")}])
    if wish.get("script") is False:
        browser.send("Emulation.setScriptExecutionDisabled", session, value=True)
    browser.events.clear()
    browser.send("Page.navigate", session, url=wish["url"])
    browser.wait_for("Page.loadEventFired", session)
    outcome = {"results": [], "errors": [], "requests": []}
    for step in wish.get("steps", []):
        take(browser, session, step, outcome["results"])
    browser.send("Runtime.evaluate", session, expression="0")
    for event in browser.events:
        if event.get("sessionId") != session:
            continue
        method, facts = event["method"], event["params"]
        if method == "Runtime.consoleAPICalled" and facts["type"] in ("error", "warning", "assert"):
            outcome["errors"].append(json.dumps(facts["args"]))
        elif method == "Runtime.exceptionThrown":
            outcome["errors"].append(json.dumps(facts["exceptionDetails"])[:2000])
        elif method == "Log.entryAdded" and facts["entry"]["level"] in ("error", "warning"):
            outcome["errors"].append(facts["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            outcome["requests"].append(facts["request"]["url"])
    browser.send("Target.closeTarget", targetId=target)
    return outcome


def main():
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(folder)
        try:
            outcomes = [visit(browser, wish) for wish in json.load(sys.stdin)]
        finally:
            browser.end()
    json.dump(outcomes, sys.stdout)


main()
