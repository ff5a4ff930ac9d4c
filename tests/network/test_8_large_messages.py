"""Messages of up to 100 MB, which no function can receive, at `access-point serve inbound`; and the configuration at its start."""

import base64
import http.client
import json
import os

import httpx
from serving import environment_of, memory_of, served
from sides import decided

from kit import bodies
from kit.items import aws
from local_aws.network import letters

# Bytes of a document, and maximum memory of the server for each byte. A message is compressed by gzip, which reduces random bytes in Base64
# by a quarter.
LARGEST, TIMES = 100_000_000, 3
# The share of its memory that a function may take, unoptimized.
SHARE_OF_FUNCTION = 0.75
# Maximum bytes of a message.
MOST = 100 * 1024 * 1024
# Maximum time of an unoptimized validation.
SECONDS = 240


def with_attachment(envelope: str, number: str, size: int) -> str:
    """The document with another number and an attachment of about this size."""
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
        # The memory of the program itself does not count, especially in an unoptimized build with all features.
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
    decided(b, arrived["document_id"], "REPORTED")
    for function in ("validate_inbound", "report"):
        used, stated = memory_of(b, function)
        print(f"{function} with it: {used / 1e6:.0f} MB at most, of {stated} MB (template.yaml)")
        assert used <= SHARE_OF_FUNCTION * stated * 1e6, function


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
    """Messages are encrypted for either certificate; a process that starts meanwhile has both keys."""
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
    # Without the key of the other certificate, its messages cannot be decrypted.
    with served(b, tmp_path) as server:
        answer = other_program.send_to(server.as4_url, b, letters.renewed(template, bodies.unique("CHANGED")), receiver=newer)
        assert answer.startswith("rejected") and "EBMS:0102" in answer, answer
