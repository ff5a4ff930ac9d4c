"""What no function can take: messages of up to 100 MB, at `access-point serve inbound`; and what it reads at its start."""

import base64
import http.client
import json
import os
import re
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import httpx

from kit import bodies
from kit.items import aws
from kit.waiting import wait_for
from local_aws.network import letters

# Bytes of a document and, at most, memory of the server for each byte. A message is what is left of that by gzip, to which
# random bytes in Base64 give a quarter.
LARGEST, TIMES = 100_000_000, 3
# Bytes of a message at most.
MOST = 100 * 1024 * 1024
# What one who judges it unoptimized may take.
SECONDS = 240


def environment_of(side) -> dict[str, str]:
    """What the function that takes messages is started with."""
    lines = (side.run.functions / "inbound" / "env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


class Server:
    """The server before an access point's inbound messages, as its operator starts it."""

    def __init__(self, side, folder: Path):
        self._log = folder / "serve.log"
        with self._log.open("wb") as log:
            command = [side.run.functions / "access-point" / "bootstrap", "serve", "inbound", "--listen", "127.0.0.1:0"]
            self.process = subprocess.Popen(command, env=environment_of(side), stdout=log, stderr=log)
        found = wait_for("the server", lambda: re.search(r"listening on (\S+)", self._log.read_text()))
        self.address = found[1]
        self.as4_url = f"http://{self.address}/as4"

    def memory(self) -> tuple[int, int]:
        """Bytes of memory that it has, and had at most."""
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


def with_attachment(envelope: str, number: str, size: int) -> str:
    """The same document with another number and an attachment, of about so many bytes."""
    envelope = letters.renewed(envelope, number)
    content = base64.b64encode(os.urandom((size - len(envelope)) * 3 // 4)).decode()
    before, start, rest = envelope.partition("<cac:AccountingSupplierParty>")
    binary = '<cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">'
    attachment = f"<cac:Attachment>{binary}{content}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>"
    reference = f"<cac:AdditionalDocumentReference><cbc:ID>A</cbc:ID>{attachment}</cac:AdditionalDocumentReference>"
    return f"{before}{reference}{start}{rest}"


def test_a_document_of_100_mb_is_taken_in_three_times_its_size(b, other_program, template, tmp_path):
    number = bodies.unique("LARGE")
    envelope = with_attachment(template, number, LARGEST)
    with served(b, tmp_path) as server:
        # What the program itself takes is no matter of the message; the more so of an unoptimized one with everything in it.
        at_rest, _ = server.memory()
        answer = other_program.send_to(server.as4_url, b, envelope)
        assert answer.startswith("receipt verified"), answer
        _, peak = server.memory()
    taken = peak - at_rest
    print(
        f"receiving {LARGEST / 1e6:.0f} MB: the process has {peak / 1e6:.0f} MB of memory at most, {peak / LARGEST:.2f} times that, "
        f"of which the program at rest has {at_rest / 1e6:.0f}: {taken / 1e6:.0f} MB for the message, {taken / LARGEST:.2f} times "
        f"(at most {TIMES})"
    )
    assert taken <= TIMES * LARGEST
    arrived = b.arrived(number)
    assert b.reaches(arrived["document_id"], "received", "rejected", seconds=SECONDS)["status"] == "received"


def test_a_message_that_no_function_can_take_is_refused_by_the_one_for_messages(b):
    answer = httpx.post(f"{b.run.api_url}/as4", content=bytes(5_000_000), headers={"content-type": "multipart/related"}, timeout=20)
    assert answer.status_code == 413


def test_a_message_beyond_that_is_refused_before_it_comes(b, tmp_path):
    with served(b, tmp_path) as server:
        connection = http.client.HTTPConnection(server.address, timeout=20)
        connection.putrequest("POST", "/as4")
        connection.putheader("Content-Type", "multipart/related")
        connection.putheader("Content-Length", str(MOST + 1))
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()


def test_both_certificates_serve_while_one_is_changed(b, other_program, template, tmp_path):
    """Messages come for either of the two; a process that starts meanwhile has the keys of both."""
    secrets = aws(b.run, "secretsmanager")
    arn = environment_of(b)["NETWORK_SECRET_ARN"]
    before = secrets.get_secret_value(SecretId=arn)["SecretString"]
    newer, added = other_program.renews(b)
    held = json.loads(before)
    secrets.put_secret_value(SecretId=arn, SecretString=json.dumps(held | {"keys": [added, *held["keys"]]}))
    try:
        with served(b, tmp_path) as server:
            for receiver in (b.seat, newer):
                number = bodies.unique("CHANGED")
                answer = other_program.send_to(server.as4_url, b, letters.renewed(template, number), receiver=receiver)
                assert answer.startswith("receipt verified"), answer
                assert b.reaches(b.arrived(number)["document_id"], "received")
    finally:
        secrets.put_secret_value(SecretId=arn, SecretString=before)
    # Without its key nothing that was made for the other certificate is read.
    with served(b, tmp_path) as server:
        answer = other_program.send_to(server.as4_url, b, letters.renewed(template, bodies.unique("CHANGED")), receiver=newer)
        assert answer.startswith("rejected") and "EBMS:0102" in answer, answer
