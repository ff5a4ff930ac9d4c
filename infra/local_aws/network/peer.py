"""A third access point that is another program: it takes every message, and sends what is made by hand."""

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path

from local_aws import processes
from local_aws.console import Trouble
from local_aws.network.pki import spid

PROGRAM = "as4-peer"
START_SECONDS = 5


class Peer:
    """Serves one participant. Its log has a line for each message that came.

    `keys` is the folder of the network's certificates, where that of `seat` is.
    """

    def __init__(self, program: Path, keys: Path, seat: str, participant: str, log: Path):
        self._program, self._keys, self.seat, self.participant, self.log = program, keys, seat, participant, log
        self.spid = spid(seat)
        self.as4_url = ""

    def _environment(self, seat: str) -> dict[str, str]:
        files = {"AS4_CERTIFICATE": f"{seat}.pem", "AS4_KEY": f"{seat}.key.pem", "AS4_CA": "access-point.pem"}
        return {name: str(self._keys / file) for name, file in files.items()}

    async def serve(self, owned: AsyncExitStack) -> None:
        self.log.unlink(missing_ok=True)
        command = [self._program, "serve", "0"]
        process = await processes.start(command, self._environment(self.seat), self.log, self._keys)
        owned.push_async_callback(processes.stop, process)
        for _ in range(START_SECONDS * 50):
            if found := re.match(r"listening (\S+)", self.log.read_text()):
                self.as4_url = f"http://{found[1]}/as4"
                return
            await asyncio.sleep(0.02)
        raise Trouble(f"the third access point did not start; see {self.log}")

    def messages_of(self, participant: str) -> list[str]:
        """The lines about messages that a participant sent."""
        scheme, _, value = participant.partition(":")
        sender = f'original_sender: ParticipantId {{ scheme: "{scheme}", value: "{value}" }}'
        return [line for line in self.log.read_text().splitlines() if sender in line]

    async def send(self, seat: str, url: str, receiver: str, envelope: str) -> str:
        """Sends an envelope with the key of a seat, and says what came back."""
        path = self._keys / f"{seat}-by-hand.xml"
        path.write_text(envelope)
        process = await asyncio.create_subprocess_exec(
            str(self._program), "send", url, str(self._keys / f"{receiver}.pem"), str(path),
            env=self._environment(seat), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        output, _ = await process.communicate()
        return output.decode().strip()
