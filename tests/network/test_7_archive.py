"""Archives of both sides: the history of a document, with every proof."""

import io
import re
import zipfile

import httpx
from lxml import etree
from sides import decided

from kit import bodies
from kit.client import sent
from kit.waiting import wait_for

YEARS = {"issued_from": "2026-01-01", "issued_to": "2027-12-31"}


def archived(side) -> dict[str, bytes]:
    """The files of an archive of all documents of a side, by path."""
    archive = side.live.request("POST", "/archives", params=YEARS).json()
    path = f"/archives/{archive['archive_id']}"
    wait_for("the archive", lambda: side.live.request("GET", path).json()["status"] == "completed", seconds=90)
    answer = side.live.request("GET", f"{path}/file", follow_redirects=False)
    assert answer.status_code == 307, answer.text
    with zipfile.ZipFile(io.BytesIO(httpx.get(answer.headers["location"]).content)) as bag:
        assert bag.testzip() is None
        prefix = f"{archive['archive_id']}/data/documents/"
        return {name.removeprefix(prefix): bag.read(name) for name in bag.namelist() if name.startswith(prefix)}


def of(files: dict[str, bytes], document_id: str) -> dict[str, bytes]:
    """The files of one document, by their paths below its folder."""
    return {path.split("/", 1)[1]: content for path, content in files.items() if path.split("/")[0].endswith(f"_{document_id}")}


def by_receipt(file: tuple[str, bytes]) -> bool:
    """Sorts receipts last."""
    return file[0].endswith("-receipt.xml")


def canonical(document: bytes) -> bytes:
    return etree.tostring(etree.fromstring(document), method="c14n")


def test_both_sides_archive_a_document_with_every_proof_of_its_way(a, b):
    body = bodies.invoice(invoice_number=bodies.unique("ARCHIVE"), customer=b.party())
    outbound = sent(a.live.send(body))["document_id"]
    inbound = b.arrived(bodies.number_of(body))["document_id"]
    reports = {a: decided(a, outbound, "REPORTED")["report_id"], b: decided(b, inbound, "REPORTED")["report_id"]}
    a.reaches(outbound, "delivered", "forwarded")
    wait_for("the status that was sent", lambda: "statuses/answer-receipt.xml" in of(archived(b), inbound), seconds=90)
    files = {a: of(archived(a), outbound), b: of(archived(b), inbound)}
    for side, found in files.items():
        assert {"document.json", "document.xml", "envelope.xml"} <= found.keys()
        for name in ("tax-data.xml", "envelope.xml", "receipt.xml", "verdict.xml", "verdict-receipt.xml"):
            assert found[f"reports/{reports[side]}/{name}"], name
    # Both have the same document, and the receipt names the message.
    assert canonical(files[a]["document.xml"]) == canonical(files[b]["document.xml"])
    assert files[a]["envelope.xml"] == files[b]["envelope.xml"]
    assert b"NonRepudiationInformation" in files[a]["receipt.xml"]
    # The receiver has the message as received, with the sender's signature.
    (message_id,) = re.findall(rb"RefToMessageId>([^<]+)<", files[a]["receipt.xml"])
    assert message_id in files[b]["message.as4"] and b"SignatureValue>" in files[b]["message.as4"]
    assert "message.as4" not in files[a]
    # Both have exactly the same receipt.
    assert files[a]["receipt.xml"] == files[b]["receipt.xml"]
    # Both have the same status, and the same receipt for it.
    (came, receipt) = [content for path, content in sorted(files[a].items(), key=by_receipt) if path.startswith("statuses/")]
    assert (came, receipt) == (files[b]["statuses/answer.xml"], files[b]["statuses/answer-receipt.xml"])
    assert outbound.encode() in files[a]["document.json"]
