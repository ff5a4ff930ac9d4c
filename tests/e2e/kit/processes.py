"""The function processes of the running service."""

import os
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


def ancestors(pid: int) -> list[int]:
    found = []
    while pid > 1:
        pid = int(stat_fields(pid)[1])
        found.append(pid)
    return found


def function_processes(run: Run, *functions: str) -> list[Process]:
    """The processes that run these functions (api, relay, …), and were started by the runner."""
    started_by_runner = {int(pid) for pid in run.described["pids"].values()}
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        pid = int(entry.name)
        try:
            environment = dict(
                pair.split(b"=", 1) for pair in (entry / "environ").read_bytes().split(b"\0") if b"=" in pair
            )
            name = environment.get(b"AWS_LAMBDA_FUNCTION_NAME", b"").decode()
            function = next((function for function in functions if of_function(name, function)), None)
            if function and started_by_runner & set(ancestors(pid)):
                found.append(Process(pid, function, int(stat_fields(pid)[19])))
        except (OSError, IndexError, ValueError):
            continue  # gone, or another user's
    return found


def of_function(lambda_name: str, function: str) -> bool:
    """Whether a Lambda function's name is that of one of ours: `api`, `ap-api`, `stack-ApiFunction-1X`."""
    words = lambda_name.lower().replace("function", "").replace("_", "-").split("-")
    return function in words


def kill(process: Process) -> bool:
    """Kills a process at once (SIGKILL); false when it was gone."""
    try:
        if int(stat_fields(process.pid)[19]) != process.started:
            return False
        os.kill(process.pid, signal.SIGKILL)
        return True
    except (OSError, IndexError, ValueError):
        return False
