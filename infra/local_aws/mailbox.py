"""Amazon SES on one machine: stores every mail and prints the links in it."""

import asyncio
import json
import re
import urllib.request
from pathlib import Path

from local_aws.console import say
from local_aws.emulator import Emulator

_EVERY_SECONDS = 0.2
_LINK = re.compile(r"https?://\S+/confirm[?]token=\S+")


class Mailbox:
    """The mails that the emulator received; no mail leaves the machine."""

    def __init__(self, aws: Emulator, file: Path):
        self._aws, self._file = aws, file
        self._seen = 0

    def open(self, sender: str) -> None:
        """Lets the emulator accept mails of this sender to any address, as a verified account may send them."""
        self._file.unlink(missing_ok=True)
        if not sender:
            return
        client = self._aws.client("sesv2")
        client.put_account_details(MailType="TRANSACTIONAL", WebsiteURL="https://portal.example", ProductionAccessEnabled=True)
        self._aws.client("ses").verify_email_identity(EmailAddress=sender)

    async def collect(self) -> None:
        """Writes each new mail as a line of JSON."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            try:
                mails = await asyncio.to_thread(self._mails)
            except OSError:
                continue  # the emulator is busy, or about to end
            for mail in mails[self._seen :]:
                with self._file.open("a") as kept:
                    kept.write(json.dumps(mail, ensure_ascii=False) + "\n")
                say(f"Mail to {', '.join(mail['To'])}: {mail['Subject']}")
                for link in _LINK.findall(mail["BodyText"]):
                    say(f"  {link}")
            self._seen = len(mails)

    def _mails(self) -> list[dict]:
        with urllib.request.urlopen(f"{self._aws.endpoint}/_ministack/ses/messages", timeout=5) as answer:
            messages = json.load(answer)["messages"]
        return [mail for mails in messages.values() for mail in mails]
