"""The results of a run as text."""

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from clients import Sent
from endpoint import Endpoint
from machine import GROUPS, GROWTH, Growth, Machine

RESULTS = Path(__file__).resolve().parents[1] / "local.md"
MINUTE = 60.0
MEGABYTE = 1e6
MOST_SHOWN = 20


def load_average() -> float:
    """Programs that ran or waited for a core, in the last minute."""
    return os.getloadavg()[0]


def table(head: list[str], rows: list[list]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def milliseconds(times: list[float], share: float) -> str:
    """A quantile of times in seconds."""
    ordered = sorted(times)
    return f"{1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]:.0f} ms" if ordered else "–"


@dataclass
class Results:
    """Times are seconds of the monotonic clock. `used` has the CPU seconds of each group until `sent_until`, and `used_by_all` those until
    the last document ended."""

    options: argparse.Namespace
    begun: float
    sent_until: float
    sent: list[Sent]
    endpoint: Endpoint
    machine: Machine
    used: dict[str, float]
    used_by_all: dict[str, float]
    lost: list[str]
    wrong: list[str]
    load: tuple[float, float]

    @property
    def accepted(self) -> list[Sent]:
        return [each for each in self.sent if each.document_id]

    @property
    def ends(self) -> list[float]:
        """When each accepted document reached its end."""
        return [self.endpoint.ended[each.document_id] for each in self.accepted if each.document_id in self.endpoint.ended]

    def grown(self) -> list[str]:
        """The functions whose memory grew more than it may."""
        return [name for name, growth in self._growth().items() if growth.bytes[1] > (1 + GROWTH) * growth.bytes[0]]

    def _growth(self) -> dict[str, Growth]:
        return self.machine.growth(*self._windows())

    def _windows(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """A minute after a minute of warming up, and the last minute of sending; a fifth of a run that is shorter than five minutes."""
        window = min(MINUTE, (self.sent_until - self.begun) / 5)
        return (self.begun + window, self.begun + 2 * window), (self.sent_until - window, self.sent_until)

    def failures(self) -> list[str]:
        found = [f"{len(self.lost)} lost"] if self.lost else []
        found += [f"{len(self.wrong)} doubled or different"] if self.wrong else []
        found += [f"{self.endpoint.refused} deliveries with a wrong signature"] if self.endpoint.refused else []
        found += [] if self.accepted else ["no document was accepted"]
        return found + [f"the memory of {name} grew by more than {GROWTH:.0%}" for name in self.grown()]

    def text(self) -> str:
        minutes = (self.sent_until - self.begun) / MINUTE
        load = f"at {self.options.rate:g} documents a second" if self.options.rate else f"by {self.options.clients} clients in closed loops"
        parts = [
            "# The service on one machine\n",
            "Written by `tests/scale/run local --write`. The functions are compiled as they are deployed.\n"
            "Everything else is an emulator.\n",
            f"Documents were sent {load} for {minutes:.1f} minutes, on {os.cpu_count()} cores. "
            f"The machine's load average was {self.load[0]:.1f} before and {self.load[1]:.1f} after.\n",
            self._sum(), "## Minutes\n", self._minutes(), "## CPU time\n", self._cpu(), "## Memory\n", self._memory(),
        ]  # fmt: skip
        if found := [*self.lost, *self.wrong]:
            parts += ["## Findings\n", "".join(f"- {each}\n" for each in found[:MOST_SHOWN])]
        return "\n".join([*parts, f"**{', '.join(self.failures()) or 'Nothing was lost, doubled or grew'}.**\n"])

    def _sum(self) -> str:
        times, ends = [each.seconds for each in self.accepted], self.ends
        until = max(ends, default=self.begun)
        rate = len(ends) / (until - self.begun) if ends else 0.0
        lags = [self.endpoint.ended[each.document_id] - each.begun for each in self.accepted if each.document_id in self.endpoint.ended]
        rows = [
            ["documents offered", len(self.sent)],
            ["accepted", len(self.accepted)],
            ["ended, with all webhooks verified", len(ends)],
            ["lost", len(self.lost)],
            ["doubled or different", len(self.wrong)],
            ["documents a second, from the first request to the last end", f"{rate:.2f}"],
            ["send, p50 / p99", f"{milliseconds(times, 0.5)} / {milliseconds(times, 0.99)}"],
            ["request to end, p50 / p99", f"{milliseconds(lags, 0.5)} / {milliseconds(lags, 0.99)}"],
            ["last end after the last request", f"{max(0.0, until - self.sent_until):.1f} s"],
            ["requests that clients repeated", sum(each.repetitions for each in self.sent)],
            ["deliveries that came again under the same id", self.endpoint.repeated],
        ]
        return table(["what", "measured"], rows)

    def _minutes(self) -> str:
        rows, ends = [], self.ends
        count = int((max([*ends, self.sent_until]) - self.begun) // MINUTE) + 1
        for minute in range(count):
            begun = self.begun + minute * MINUTE
            sends = [each for each in self.accepted if begun <= each.answered < begun + MINUTE]
            over = sum(begun <= end < begun + MINUTE for end in ends)
            open_at_end = sum(each.answered < begun + MINUTE for each in self.accepted) - sum(end < begun + MINUTE for end in ends)
            times = [each.seconds for each in sends]
            rows.append([
                minute + 1, len(sends), over, f"{over / MINUTE:.2f}", milliseconds(times, 0.5), milliseconds(times, 0.99), open_at_end
            ])  # fmt: skip
        head = ["minute", "sent", "ended", "ended a second", "send p50", "send p99", "not ended yet"]
        return table(head, rows)

    def _cpu(self) -> str:
        whole, elapsed = sum(self.used.values()) or 1.0, self.sent_until - self.begun
        of_run_all = sum(self.used[group] for group in GROUPS[:3]) or 1.0
        rows = []
        for group in GROUPS:
            seconds = self.used[group]
            of_run = f"{seconds / of_run_all:.0%}" if group in GROUPS[:3] else "–"
            rows.append([group, f"{seconds:.1f}", f"{seconds / elapsed:.2f}", of_run, f"{seconds / whole:.0%}"])
        each = 1000 * self.used_by_all[GROUPS[0]] / max(1, len(self.ends))
        note = f"The functions of both access points took {each:.0f} ms of CPU time for each document, until the last one ended.\n"
        head = ["whose", "seconds", "cores", "share of the run", "share of all"]
        return "While documents were sent:\n\n" + table(head, rows) + "\n" + note

    def _memory(self) -> str:
        rows = []
        for name, growth in self._growth().items():
            before, after, *own = (f"{each / MEGABYTE:.1f}" for each in (*growth.bytes, *growth.own))
            rows.append([name, growth.processes, before, after, f"{growth.share:+.1%}", *own])
        windows = [f"from {begun - self.begun:.0f} to {ended - self.begun:.0f} s" for begun, ended in self._windows()]
        what = f"Medians {' and '.join(windows)} after the first request, of the processes that lived in both times.\n"
        what += "Own memory is what is resident without the pages of files.\n"
        return what + "\n" + table(["function", "processes", "MB, first", "last", "growth", "own MB, first", "last"], rows)
