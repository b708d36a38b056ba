"""Watches a program from outside while it runs: memory of all its processes, CPU by thread."""

import os
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


def family(process):
    """A process and all that descend from it."""
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
    """Memory with what is shared divided among those who share it."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration):
            pass
    return total


def thread_seconds(processes, into):
    """User and system time of every thread so far, by its number; names beside them."""
    for process in processes:
        try:
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/stat", encoding="utf-8") as file:
                    name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
                fields = rest.split()
                into[task] = (name, (int(fields[11]) + int(fields[12])) / TICKS)
        except OSError:
            pass


def watched(command, interval=0.2):
    """Runs a command: seconds, exit code, peak memory, CPU by the name of the thread."""
    threads, peak, over = {}, [0], threading.Event()
    # Wall clock time, because it is compared with file times.
    begin, start = time.time(), time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def look():
        while not over.wait(interval):
            processes = family(str(process.pid))
            peak[0] = max(peak[0], proportional_kilobytes(processes))
            thread_seconds(processes, threads)

    watcher = threading.Thread(target=look)
    watcher.start()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    over.set()
    watcher.join()
    by_name = {}
    for name, spent in threads.values():
        by_name[name] = round(by_name.get(name, 0) + spent, 2)
    return {
        "status": process.returncode,
        "errors": errors,
        "begin": begin,
        "seconds": round(seconds, 3),
        "cpu": round(usage.ru_utime + usage.ru_stime, 2),
        "cpu_by_thread": by_name,
        "peak_pss_mb": round(peak[0] / 1024, 1),
    }
