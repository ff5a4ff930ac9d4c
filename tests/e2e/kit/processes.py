"""The function processes of the running service."""

import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path

from kit.run import Run


@dataclass(frozen=True)
class Process:
    pid: int
    function: str
    started: int
    """Clock ticks after boot: tells a process from a later one with the same id."""


def stat_fields(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat after the command name; field 3 of proc(5) is number 0 here."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process."""
    fields = stat_fields(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> int:
    """The most bytes of memory that a running process ever had; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    # A process that nobody waited for has none.
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return 1024 * int(found[1]) if found else 0


def function_processes(run: Run, *functions: str) -> list[Process]:
    """The processes that the runner started for these functions (api, relay, …): NAME/bootstrap in its folder."""
    binaries = {run.functions / function / "bootstrap": function for function in functions}
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            function = binaries.get((entry / "exe").readlink())
            if function:
                found.append(Process(int(entry.name), function, int(stat_fields(int(entry.name))[19])))
        except (OSError, IndexError, ValueError):
            continue  # ended, or another user's
    return found


def kill(process: Process) -> bool:
    """Kills a process (SIGKILL); false if it had ended."""
    try:
        if int(stat_fields(process.pid)[19]) != process.started:
            return False
        os.kill(process.pid, signal.SIGKILL)
        return True
    except (OSError, IndexError, ValueError):
        return False
