"""What the authority remembers: a line a fact, only ever appended, so that one that was killed goes on with what it had."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from local_aws.network.authority.ledger import Entry, Ledger
from local_aws.network.authority.taxdata import TaxData


class Lines:
    """A file of JSON objects, one a line, read from where it was left off."""

    def __init__(self, path: Path):
        self.path = path
        self._read = 0

    def mend(self) -> None:
        """Ends a line that its writer did not live to end: what comes next begins anew."""
        self.path.touch()
        with self.path.open("rb+") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() == 0:
                return
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")

    def new(self) -> Iterator[dict]:
        """Those that are whole and were not read before. What is no object was never finished, so nobody was told of it."""
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
        """On the disk when this returns; in one piece."""
        with self.path.open("ab", buffering=0) as file:
            file.write(json.dumps(content).encode() + b"\n")
            os.fsync(file.fileno())


class Journal:
    """The facts that make the ledger: a report was judged, it was answered."""

    def __init__(self, path: Path):
        self._lines = Lines(path)
        self._lines.mend()

    def ledger(self) -> Ledger:
        """What the facts so far amount to."""
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
