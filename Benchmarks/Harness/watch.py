"""Sampling of a running program: memory of all its processes, and CPU time by thread."""

import os
import subprocess
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK")


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


def thread_seconds(processes, into):
    """Stores the name and the CPU time of every thread in `into`, by thread ID."""
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
    """Runs a command; returns its seconds, exit code, peak memory, and CPU time by thread name."""
    threads, peak, is_over = {}, [0], threading.Event()
    # Wall clock time, because callers compare it with file times.
    begin, start = time.time(), time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def look():
        while not is_over.wait(interval):
            processes = family(str(process.pid))
            peak[0] = max(peak[0], proportional_kilobytes(processes))
            thread_seconds(processes, threads)

    watcher = threading.Thread(target=look)
    watcher.start()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    is_over.set()
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
