"""Waits for later effects, always with a deadline, never with a bare sleep."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_for(what: str, look: Callable[[], T | None], seconds: float = 20, every: float = 0.1) -> T:
    """Calls `look` repeatedly until it returns a true value; fails with this name at the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}; last seen: {found!r}")
        time.sleep(every)
