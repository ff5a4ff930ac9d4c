"""A log of all invocations: what a function took for how many records, and how long they waited for an execution environment."""

import json
import time
from pathlib import Path
from typing import TextIO

# Each record of a batch names its event source once. Inside a text of JSON, the quotes would be escaped.
_RECORD = b'"eventSourceARN"'


class InvocationLog:
    """Writes a line of JSON for each invocation that ends. Without a file it writes nothing."""

    def __init__(self, log: Path | None):
        self._file: TextIO | None = log.open("a", buffering=1) if log else None

    def note(self, function: str, payload: bytes, placed: float, begun: float, error: str | None) -> None:
        """`placed` and `begun` are when the event came and when an environment took it (monotonic seconds)."""
        if self._file is None:
            return
        now = time.monotonic()
        entry = {
            "time": round(time.time(), 3),
            "function": function,
            "records": payload.count(_RECORD),
            "waited": round(begun - placed, 4),
            "seconds": round(now - begun, 4),
            "error": error,
        }
        self._file.write(json.dumps(entry) + "\n")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
