"""`access-point serve inbound` before an access point of the local network."""

import re
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

from kit.waiting import wait_for


def environment_of(side) -> dict[str, str]:
    """The environment of the function `inbound`."""
    lines = (side.run.functions / "inbound" / "env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


class Server:
    """The server for an access point's inbound messages, started like its operator does."""

    def __init__(self, side, folder: Path):
        self._log = folder / "serve.log"
        with self._log.open("wb") as log:
            command = [side.run.functions / "access-point" / "bootstrap", "serve", "inbound", "--listen", "127.0.0.1:0"]
            self.process = subprocess.Popen(command, env=environment_of(side), stdout=log, stderr=log)
        found = wait_for("the server", lambda: re.search(r"listening on (\S+)", self._log.read_text()))
        self.address = found[1]
        self.as4_url = f"http://{self.address}/as4"

    def memory(self) -> tuple[int, int]:
        """Current and maximum memory of the server in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        now, peak = (1024 * int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) for name in ("VmRSS", "VmHWM"))
        return now, peak


@contextmanager
def served(side, folder: Path):
    server = Server(side, folder)
    try:
        yield server
    finally:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 0
