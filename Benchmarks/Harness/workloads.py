"""Workloads, which are described in `workloads.json`, and their command lines."""

import json
import os

from . import lists
from .places import EMBLEM, GENERATED, HOME
from .runs import folder_digest


def all_facts():
    """Returns the facts of every workload by name, in the order of a measurement."""
    with open(os.path.join(HOME, "Benchmarks/workloads.json"), encoding="utf-8") as file:
        return json.load(file)


def sets(wanted):
    """Returns the names of the data sets that the workloads need."""
    facts = all_facts()
    return sorted({facts[name]["data"].split("/")[0] for name in wanted})


class Workload:
    """A workload with its files, cases and command lines."""

    def __init__(self, name, quick):
        self.facts = all_facts()[name]
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
        """Writes the list if the workload needs one; returns the arguments for emblem's input."""
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
            "--look", "plain", *self.facts["options"], *case.get("options", []), *jobs, "--quiet"]

    def shown(self, case):
        """Returns the command line without paths of this machine."""
        words = self.command(case, [self.facts["data"]], "OUT")
        return " ".join("emblem" if word == EMBLEM else word for word in words)

    def digest(self):
        return folder_digest(self.data)
