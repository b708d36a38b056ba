# SPDX-License-Identifier: Apache-2.0
"""Accumulators: what has been done so far, for whoever watches."""

from dataclasses import dataclass

from pyspark import Accumulator, SparkContext

from ..frames import Answer


@dataclass(slots=True)
class Counters:
    """Rows and bytes of all tasks that have ended.

    Spark adds what a task counted when the task ends, and once more when it has to be repeated:
    they tell how far a job is. What came of it is counted from the result.
    """

    rows: Accumulator[int]
    placeholders: Accumulator[int]
    failures: Accumulator[int]
    bytes_in: Accumulator[int]
    bytes_out: Accumulator[int]

    @classmethod
    def of(cls, context: SparkContext) -> "Counters":
        """Five counters that stand at nought."""
        return cls(*(context.accumulator(0) for _ in range(5)))

    def add(self, answer: Answer) -> None:
        """Counts one answer."""
        self.rows.add(1)
        status = answer.record["status"]
        self.placeholders.add(status == "placeholder")
        self.failures.add(status == "failed")
        self.bytes_in.add(answer.record.get("input", {}).get("bytes", 0))
        self.bytes_out.add(sum(map(len, answer.pictures)))

    def values(self) -> dict[str, int]:
        """What they say now."""
        return {name: getattr(self, name).value for name in self.__slots__}
