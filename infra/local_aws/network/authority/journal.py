"""The authority's append-only journal, one fact a line. A new process continues with the facts of a killed one."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from local_aws.network.authority.ledger import Entry, Ledger
from local_aws.network.authority.taxdata import TaxData


class Lines:
    """A file of JSON objects, one a line, which is read incrementally."""

    def __init__(self, path: Path):
        self.path = path
        self._read = 0

    def mend(self) -> None:
        """Ends a line that a killed writer left incomplete, so that the next fact begins on a new line."""
        self.path.touch()
        with self.path.open("rb+") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() == 0:
                return
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")

    def new(self) -> Iterator[dict]:
        """The complete lines that were not read before. A line that is not an object was never finished, so it was never answered."""
        with self.path.open("rb") as file:
            file.seek(self._read)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._read += len(line)
                try:
                    content = json.loads(line)
                except ValueError:
                    continue
                if isinstance(content, dict):
                    yield content

    def append(self, content: dict) -> None:
        """Appends a line with one write; it is on the disk when this returns."""
        with self.path.open("ab", buffering=0) as file:
            file.write(json.dumps(content).encode() + b"\n")
            os.fsync(file.fileno())


class Journal:
    """The facts of the ledger: a report was judged, a report was answered."""

    def __init__(self, path: Path):
        self._lines = Lines(path)
        self._lines.mend()

    def ledger(self) -> Ledger:
        """The ledger that follows from all facts."""
        made = Ledger()
        for fact in self._lines.new():
            if "judged" in fact:
                made.add(_entry(fact["judged"]))
            else:
                made.entries[fact["answered"]].answered_at = fact["at"]
        return made

    def judged(self, entry: Entry) -> None:
        self._lines.append({"judged": asdict(entry)})

    def answered(self, entry: Entry) -> None:
        self._lines.append({"answered": entry.instance_id, "at": entry.answered_at})


def _entry(content: dict) -> Entry:
    return Entry(**content | {"data": TaxData.of_json(content["data"])})
