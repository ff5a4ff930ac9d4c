"""Supervises the tax authority's process. When it dies, the runner restarts it on the same port with the same data."""

import asyncio
import contextlib
import os
import re
import shutil
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from local_aws import build, processes
from local_aws.console import Trouble, fail, say
from local_aws.network.peer import PROGRAM
from local_aws.network.pki import spid
from local_aws.options import ROOT

MODULE = "local_aws.network.authority"
START_SECONDS = 15
PAUSE_SECONDS = 0.2
# Maximum number of restarts.
STARTS = 10


@dataclass
class TaxAuthority:
    """Stores everything in `folder`, which is empty at the start; `programs` is the folder of the run's binaries."""

    seat: str
    folder: Path
    keys: Path
    name_server: str
    programs: Path
    log: Path
    arguments: list[str] = field(default_factory=list)
    url: str = ""
    pid: int = 0

    @property
    def spid(self) -> str:
        return spid(self.seat)

    async def serve(self, owned: AsyncExitStack) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        process = await self._start()
        keeping = asyncio.create_task(self._keep(process))
        keeping.add_done_callback(_given_up)

        async def stop() -> None:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)

        owned.push_async_callback(stop)

    async def _keep(self, process: asyncio.subprocess.Process) -> None:
        try:
            while True:
                status = await process.wait()
                say(f"the tax authority ended ({status}); it goes on with what it had")
                process = await self._start_again()
        finally:
            await processes.stop(process)

    async def _start_again(self) -> asyncio.subprocess.Process:
        """The process may also be killed while it starts."""
        for _ in range(STARTS - 1):
            await asyncio.sleep(PAUSE_SECONDS)
            with contextlib.suppress(Trouble):
                return await self._start()
        return await self._start()

    async def _start(self) -> asyncio.subprocess.Process:
        port = self.url.rpartition(":")[2] or "0"
        command = [sys.executable, "-m", MODULE, "--folder", self.folder, "--keys", self.keys, "--seat", self.seat]
        command += ["--name-server", self.name_server, "--port", port, *self.arguments]
        command += ["--peer", build.placed(PROGRAM, self.programs), "--tool", build.placed(build.TOOL, self.programs)]
        self.log.touch()
        said = self.log.stat().st_size
        process = await processes.start(command, os.environ | {"PYTHONPATH": str(ROOT / "infra")}, self.log, ROOT)
        for _ in range(START_SECONDS * 20):
            if found := re.search(r"listening (\S+)", self.log.read_text()[said:]):
                self.url, self.pid = found[1], process.pid
                return process
            if process.returncode is not None:
                break
            await asyncio.sleep(0.05)
        await processes.stop(process)
        raise Trouble(f"the tax authority did not start; see {self.log}")

    async def ledger(self) -> dict:
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}/ledger") as answer:
            return await answer.json()


def _given_up(keeping: asyncio.Task) -> None:
    if not keeping.cancelled() and (error := keeping.exception()):
        fail(f"the tax authority is not started again: {error}")
