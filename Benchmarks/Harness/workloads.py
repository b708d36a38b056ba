"""Workloads as data: `Workloads/NAME.json`, and the command lines that they stand for."""

import json
import os

from . import lists
from .places import EMBLEM, GENERATED, WORKLOADS
from .runs import folder_digest


def names():
    order = [
        "logos", "by-pillow", "as-found", "photos", "layouts", "layouts-webp", "matrix", "webp", "svg", "urls", "duplicates",
        "rerun", "one", "cores"]
    there = sorted(name[:-5] for name in os.listdir(WORKLOADS) if name.endswith(".json"))
    return [name for name in order if name in there] + [n for n in there if n not in order]


def facts(name):
    with open(os.path.join(WORKLOADS, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def sets(wanted):
    """The data sets that some workloads stand on."""
    return sorted({facts(name)["data"].split("/")[0] for name in wanted})


class Workload:
    """One of them, ready to run."""

    def __init__(self, name, quick):
        self.facts = facts(name)
        self.name = name
        self.data = os.path.join(GENERATED, self.facts["data"])
        self.files = sorted(os.listdir(self.data))[: self.limit(quick)]
        self.is_shortened = quick and self.limit(True) != self.limit(False)
        self.cases = self.facts.get("cases", [{"name": "emblem"}])
        self.repeats = self.facts.get("repeats", 1)
        self.jobs = self.facts.get("jobs", 2)

    def limit(self, quick):
        limits = [self.facts.get("limit"), self.facts.get("quick") if quick else None]
        return min((limit for limit in limits if limit), default=None)

    def prepare(self, scratch, port):
        """Writes the list where one is needed; the words that tell emblem what to work on."""
        source = self.facts.get("source")
        if source is None and self.limit(False) == 1:
            # A single file; scanning its folder is not part of the work.
            return [os.path.join(self.data, self.files[0])]
        if source is None:
            return [self.data, "--limit", str(len(self.files))]
        target = os.path.join(scratch, f"{self.name}.txt")
        if source == "served":
            kind = self.facts["data"].split("/")[1]
            lists.write_urls(target, port, [f"{kind}/{name}" for name in self.files])
        else:
            self.files = lists.write_repeated(target, self.data, self.files)
        return ["--list", target]

    def command(self, case, words, output):
        jobs = ["--jobs", str(self.jobs)] if self.jobs else []
        return [
            *case.get("before", []), EMBLEM, "batch", *words, "-o", output,
            *self.facts["options"], *case.get("options", []), *jobs, "--quiet"]

    def shown(self, case):
        """The command without the places of this machine."""
        words = self.command(case, [self.facts["data"]], "OUT")
        return " ".join("emblem" if word == EMBLEM else word for word in words)

    def digest(self):
        return folder_digest(self.data)
