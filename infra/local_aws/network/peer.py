"""A third access point, a separate program. It accepts every message and sends messages that are built by hand."""

import asyncio
import json
import re
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from local_aws import processes
from local_aws.console import Trouble
from local_aws.network.lookup import Way
from local_aws.network.pki import spid

PROGRAM = "as4-peer"
START_SECONDS = 5


class Peer:
    """Serves `participant`, and others that are named at its start. Its log has a line for each received message.

    `keys` is the folder of the network's certificates, with that of `seat`.
    """

    def __init__(self, program: Path, keys: Path, seat: str, participant: str, log: Path):
        self._program, self._keys, self.seat, self.participant, self.log = program, keys, seat, participant, log
        self.spid = spid(seat)
        self.as4_url = ""

    def _command(self, *words: str, seat: str) -> list[str]:
        return [str(self._program), *words, "--pki", str(self._keys), "--seat", seat]

    async def serve(self, owned: AsyncExitStack, *others: str, options: Sequence[str] = ()) -> asyncio.subprocess.Process:
        self.log.unlink(missing_ok=True)
        served = [word for participant in (self.participant, *others) for word in ("--serves", participant)]
        command = self._command("serve", *served, *options, seat=self.seat)
        process = await processes.start(command, {}, self.log, self._keys)
        owned.push_async_callback(processes.stop, process)
        for _ in range(START_SECONDS * 50):
            if found := re.match(r"listening (\S+)", self.log.read_text()):
                self.as4_url = f"http://{found[1]}/as4"
                return process
            await asyncio.sleep(0.02)
        raise Trouble(f"{self.seat} did not start; see {self.log}")

    def messages_of(self, participant: str) -> list[dict]:
        """The accepted messages of a participant."""
        came = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [each for each in came if each.get("sender") == participant]

    async def send(self, seat: str, url: str, receiver: str, envelope: str, *options: str) -> str:
        """Sends an envelope with the key of a seat to the receiver with this certificate name, and returns the answer."""
        return await self._send(seat, url, (self._keys / f"{receiver}.pem").read_text(), envelope, *options)

    async def deliver(self, way: Way, envelope: str, message_id: str) -> str:
        """Sends an envelope with its own key to the result of a lookup."""
        return await self._send(self.seat, way.as4_url, way.certificate, envelope, "--message-id", message_id)

    async def _send(self, seat: str, url: str, receiver: str, envelope: str, *options: str) -> str:
        with tempfile.TemporaryDirectory(prefix="as4-peer-") as folder:
            certificate, content = Path(folder, "receiver.pem"), Path(folder, "envelope.xml")
            certificate.write_text(receiver)
            content.write_text(envelope)
            process = await asyncio.create_subprocess_exec(
                *self._command("send", url, str(certificate), str(content), *options, seat=seat),
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            output, _ = await process.communicate()
        try:
            return _line(json.loads(output))
        except json.JSONDecodeError:
            return output.decode().strip()


def _line(came: dict) -> str:
    """Describes the answer to a message in one line."""
    match came["outcome"]:
        case "receipt verified":
            return f"receipt verified: {came['message_id']} by {came['by']}"
        case "rejected":
            return f"rejected, {'proven' if came['proven'] else 'unproven'}: {came['errors']}"
        case outcome:
            return f"{outcome}: {came['why']}"
