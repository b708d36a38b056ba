"""The memory of a running program with all its processes."""

import os


def family(process):
    """Returns a process and its descendants."""
    members, waiting = [], [process]
    while waiting:
        member = waiting.pop()
        members.append(member)
        try:
            for task in os.listdir(f"/proc/{member}/task"):
                with open(f"/proc/{member}/task/{task}/children", encoding="ascii") as file:
                    waiting += file.read().split()
        except OSError:
            pass
    return members


def proportional_kilobytes(processes):
    """Returns the proportional set size of the processes: shared pages are divided by their users."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration):
            pass
    return total
