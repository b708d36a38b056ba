# SPDX-License-Identifier: Apache-2.0
"""Spark accumulators that count finished rows, for progress output."""

from dataclasses import dataclass

from pyspark import Accumulator, SparkContext

from ..frames import Answer


@dataclass(slots=True)
class Counters:
    """Counts of rows and bytes of all finished tasks.

    Spark adds the counts of a task when the task ends, and adds them again if the task is repeated.
    They show progress only. The run record counts the rows of the result.
    """

    rows: Accumulator[int]
    placeholders: Accumulator[int]
    failures: Accumulator[int]
    bytes_in: Accumulator[int]
    bytes_out: Accumulator[int]

    @classmethod
    def of(cls, context: SparkContext) -> "Counters":
        """Returns counters with the value 0."""
        return cls(*(context.accumulator(0) for _ in range(5)))

    def add(self, answer: Answer) -> None:
        self.rows.add(1)
        status = answer.record["status"]
        self.placeholders.add(status == "placeholder")
        self.failures.add(status == "failed")
        self.bytes_in.add(answer.record.get("input", {}).get("bytes", 0))
        self.bytes_out.add(sum(map(len, answer.pictures)))

    def values(self) -> dict[str, int]:
        """Returns the current values by name."""
        return {name: getattr(self, name).value for name in self.__slots__}
