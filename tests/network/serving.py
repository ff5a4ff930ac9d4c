"""`access-point serve inbound` before an access point of the local network."""

import re
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import httpx

from kit.processes import peak_memory
from kit.waiting import wait_for


def environment_of(side) -> dict[str, str]:
    """The environment of the function `inbound`."""
    lines = (side.run.functions / "inbound" / "env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def memory_of(side, function: str) -> tuple[int, int]:
    """The largest memory of a process of a function, in bytes, and the function's MemorySize in megabytes."""
    pids = httpx.get(f"{side.run.described['invoke_url']}/functions").json()[function]
    stated = re.search(r"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=(\d+)", Path(f"/proc/{pids[0]}/environ").read_text())
    return max(peak_memory(pid) for pid in pids), int(stated[1])


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
        now = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
        return 1024 * int(now[1]), peak_memory(self.process.pid)


@contextmanager
def served(side, folder: Path):
    server = Server(side, folder)
    try:
        yield server
    finally:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(10) == 0
