"""The clock of the functions, which a test may set ahead of the machine's: what takes minutes or a day is seen at once.

Only their wall clock goes ahead; how long they wait for something is as it was (libfaketime: FAKETIME_DONT_FAKE_MONOTONIC).
"""

import time
from pathlib import Path

from local_aws.console import Trouble

# Where Debian's package puts it, by the machine's architecture.
LIBRARY = ("/usr/lib", "*/faketime/libfaketimeMT.so.1")


def library() -> Path | None:
    """What sets a process's clock, where it is installed."""
    folder, pattern = LIBRARY
    return next(iter(sorted(Path(folder).glob(pattern))), None)


class Clock:
    """Without a file it is the machine's. With one, that says how many seconds it is ahead: "+0" at first."""

    def __init__(self, file: Path | None):
        self._file, self._library = file, library()
        if file is not None:
            if self._library is None:
                raise Trouble("--movable-clock needs libfaketime: apt-get install faketime")
            file.write_text("+0")

    def now(self) -> float:
        return time.time() + (0 if self._file is None else int(self._file.read_text()))

    def variables(self) -> dict[str, str]:
        """What a process needs in its environment to go by this clock."""
        if self._file is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            # What the file says holds at once.
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
