"""The runner's output on the terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

STARTED = time.monotonic()


class Trouble(Exception):
    """An error that the user can correct; only its text is shown."""


def say(text: str = "") -> None:
    print(text, flush=True)


def elapsed() -> float:
    """Seconds since the runner started."""
    return time.monotonic() - STARTED


def fail(text: str) -> None:
    print(f"infra/local: {text}", file=sys.stderr, flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Prints a step and how long it took."""
    say(f"==> {title}")
    begun = time.monotonic()
    yield
    say(f"    done in {time.monotonic() - begun:.1f} s")


def table(rows: list[tuple[str, ...]], indent: str = "  ") -> None:
    """Prints rows with aligned columns."""
    if not rows:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        say(indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
