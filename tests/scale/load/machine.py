"""CPU time and memory of the service's processes, from /proc (proc(5))."""

import os
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
# Other programs in the folder of the functions.
PROGRAMS = {"access-point", "as4-peer", "local-dynamodb"}
GROUPS = ("functions", "emulators", "load generator", "other programs of the machine")
# A function may have grown by this share between the first minute and the last one.
GROWTH = 0.1


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    # Ticks after boot: tells a process from a later one with the same id.
    started: int
    # CPU seconds, own and of ended children.
    own: float
    children: float


@dataclass(frozen=True)
class Resident:
    """The resident memory of one process of a function at one time, in bytes: all of it, and without the pages of files."""

    at: float
    function: str
    process: tuple[int, int]
    bytes: int
    own: int


@dataclass(frozen=True)
class Growth:
    """The memory of a function's processes that lived in two windows of time: in the first one and in the last one."""

    processes: int
    bytes: tuple[float, float]
    own: tuple[float, float]

    @property
    def share(self) -> float:
        return self.bytes[1] / self.bytes[0] - 1


def processes() -> dict[int, Process]:
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        own, children = ((int(fields[at]) + int(fields[at + 1])) / TICKS for at in (11, 13))
        pid = int(entry.name)
        found[pid] = Process(pid, int(fields[1]), int(fields[19]), own, children)
    return found


def descendants(everything: dict[int, Process], root: int) -> list[Process]:
    children = defaultdict(list)
    for each in everything.values():
        children[each.parent].append(each)
    found, waiting = [], [root]
    while waiting:
        below = children[waiting.pop()]
        found += below
        waiting += [each.pid for each in below]
    return found


def busy_seconds() -> float:
    """CPU seconds of all programs since boot, of all cores."""
    user, nice, system, _idle, _iowait, irq, softirq, *_ = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
    return (user + nice + system + irq + softirq) / TICKS


def resident(now: float, name: str, key: tuple[int, int]) -> list[Resident]:
    try:
        _size, pages, of_files, *_ = map(int, Path(f"/proc/{key[0]}/statm").read_text().split())
    except OSError:
        return []  # ended
    return [Resident(now, name, key, pages * PAGE, (pages - of_files) * PAGE)] if pages else []


class Machine:
    """Samples the processes below the runner `runner`; `folders` hold the functions, NAME/bootstrap."""

    def __init__(self, runner: int, folders: list[Path]):
        self._runner, self._folders = runner, {str(folder) for folder in folders}
        self.resident: list[Resident] = []
        # CPU seconds of each process of a function, also of those that have ended.
        self._functions: dict[tuple[int, int], float] = {}
        self._names: dict[tuple[int, int], str | None] = {}
        self.begun: dict[str, float] = {}

    def begin(self) -> None:
        """CPU time counts from now on."""
        self.begun = {}
        self.begun = self.sample()

    def sample(self) -> dict[str, float]:
        """CPU seconds of each group since the beginning."""
        now, everything = time.monotonic(), processes()
        emulators = everything[self._runner].own
        for each in descendants(everything, self._runner):
            key = (each.pid, each.started)
            if key not in self._names:
                self._names[key] = self._function(each.pid)
            if (name := self._names[key]) is None:
                # The authority starts a program for each verdict: what has ended is in the time of its children.
                emulators += each.own + each.children
            else:
                self._functions[key] = each.own
                self.resident += resident(now, name, key)
        functions, load = sum(self._functions.values()), everything[os.getpid()].own
        used = dict(zip(GROUPS, (functions, emulators, load, busy_seconds() - functions - emulators - load), strict=True))
        return {group: seconds - self.begun.get(group, 0.0) for group, seconds in used.items()}

    def running(self) -> list[tuple[int, str]]:
        """The processes of functions that were seen, with the names of their functions. Some have ended."""
        return [(pid, name) for (pid, _started), name in self._names.items() if name is not None]

    def _function(self, pid: int) -> str | None:
        """The name of the function that a process runs."""
        try:
            program = Path(f"/proc/{pid}/exe").readlink()
        except OSError:
            return None
        name = program.parent.name
        return name if str(program.parent.parent) in self._folders and name not in PROGRAMS else None

    def growth(self, first: tuple[float, float], last: tuple[float, float]) -> dict[str, Growth]:
        """The growth of each function, by medians of each process in both windows."""
        windows = [self._samples(*window) for window in (first, last)]
        common: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for name, key in windows[0].keys() & windows[1].keys():
            common[name].append((name, key))

        def sums(of: str, keys: list) -> tuple[float, float]:
            before, after = (sum(statistics.median(getattr(each, of) for each in window[key]) for key in keys) for window in windows)
            return before, after

        return {name: Growth(len(keys), sums("bytes", keys), sums("own", keys)) for name, keys in sorted(common.items())}

    def keep(self, file: Path) -> None:
        """Writes every sample of memory, for a closer look."""
        rows = (f"{each.at:.0f},{each.function},{each.process[0]},{each.bytes},{each.own}\n" for each in self.resident)
        file.write_text("seconds,function,process,bytes,own\n" + "".join(rows))

    def _samples(self, begun: float, ended: float) -> dict[tuple[str, tuple[int, int]], list[Resident]]:
        found = defaultdict(list)
        for each in self.resident:
            if begun <= each.at < ended:
                found[each.function, each.process].append(each)
        return found
