"""The clock of the functions. A test may set it ahead of the machine's clock, to see the effect of minutes or days at once.

Only the wall clock is ahead; waiting times stay unchanged (libfaketime: FAKETIME_DONT_FAKE_MONOTONIC).
"""

import time
from pathlib import Path

from local_aws.console import Trouble

# The path in Debian's package; it depends on the machine's architecture.
LIBRARY = ("/usr/lib", "*/faketime/libfaketimeMT.so.1")


def library() -> Path | None:
    """The library that sets a process's clock, if it is installed."""
    folder, pattern = LIBRARY
    return next(iter(sorted(Path(folder).glob(pattern))), None)


class Clock:
    """Without a file this is the machine's clock. A file contains how many seconds it is ahead: "+0" at first."""

    def __init__(self, file: Path | None):
        self._file, self._library = file, library()
        if file is not None:
            if self._library is None:
                raise Trouble("--movable-clock needs libfaketime: apt-get install faketime")
            file.write_text("+0")

    def now(self) -> float:
        return time.time() + (0 if self._file is None else int(self._file.read_text()))

    def variables(self) -> dict[str, str]:
        """The environment variables that make a process use this clock."""
        if self._file is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            # A change of the file takes effect at once.
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
