"""Our side beside the service: `as4-peer`, which is made of the product's parts, and the documents that others send us."""
import base64
import json
import os
import pathlib
import re
import subprocess
import tempfile

import seats
from kit import bodies
from local_aws.network.pki import spid

STATUS = "mls"
# Kind and operation of what a row sends; where it is not said, an invoice.
KINDS = {
    "credit note": ("credit-note", "credit_note"),
    "self-billed": ("self-billed-invoice", "self_billed_invoice"),
    "MLS": (STATUS, None),
}
INVOICE = ("invoice", "invoice")
SIZES = {"10 kB": 10_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
# No exchange takes longer, however busy the machine is.
MOST_SECONDS = 300


def lines(command, seconds=MOST_SECONDS):
    """What a program told, one JSON object a line."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not told:
        raise RuntimeError(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[-400:] or 'told nothing'}")
    return told


class Server:
    """A server of a peer, which says where it listens, until it is ended."""

    def __init__(self, command, log):
        with log.open("wb") as errors:
            words = [str(word) for word in command]
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
        first = self.process.stdout.readline()
        if "listening" not in first:
            raise RuntimeError(f"{pathlib.Path(command[0]).name} did not start: {log.read_text()[-400:]}")
        self.base = f"http://127.0.0.1:{first.strip().rsplit(':', 1)[1]}"

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def body_for(operation, participant):
    """A body with another business, which is not the taxpayer's."""
    party = "supplier" if operation.startswith("self_billed") else "customer"
    return bodies.BUILDERS[operation](**{party: party_of(participant)})


def party_of(participant):
    return bodies.party(participant.partition(":")[2], "Coral Trading LLC")


class Documents:
    """Envelopes to send, each of an instance and a number of its own: documents of a guest's taxpayer for ours."""

    def __init__(self, command, peer, folder):
        self.peer, self.folder = peer, folder
        folder.mkdir()
        taxpayer = folder / "taxpayer.json"
        taxpayer.write_text(json.dumps(party_of(seats.GUEST)))
        self.documents = {}
        for kind, operation in (INVOICE, *(one for one in KINDS.values() if one[1])):
            body = folder / f"{kind}.json"
            body.write_text(json.dumps(body_for(operation, seats.OASIS)))
            words = [command, "convert", "--operation", operation, "--taxpayer", taxpayer, body]
            self.documents[kind] = subprocess.run(words, capture_output=True, check=True).stdout
        small = self.documents["invoice"]
        self.sized = {size: enlarged(small, wanted, os.urandom) for size, wanted in SIZES.items()}
        self.compressible = enlarged(small, SIZES["10 MB"], bytes)

    def document(self, row):
        """Kind and UBL of what a row sends; no UBL for a status."""
        kind, _ = KINDS.get(row, INVOICE)
        document = self.sized.get(row, self.documents.get(kind))
        return kind, document and numbered(document)

    def parties(self, row, seat):
        """Who sends it to whom: the providers themselves, a taxpayer at theirs one at ours."""
        if row == "MLS":
            return spid(seat), spid(seats.RECEIVER)
        return seats.GUEST, seats.NOT_SERVED if row == "not serviced" else seats.OASIS

    def envelope(self, row, seat, parties=None):
        """A file with a new envelope of what a row sends, by the access point of a seat."""
        return self.wrapped(*self.document(row), parties or self.parties(row, seat))

    def of_size(self, wanted):
        """A file with a new envelope of an invoice of about so many bytes."""
        document = enlarged(self.documents["invoice"], wanted, os.urandom)
        return self.wrapped("invoice", document, (seats.GUEST, seats.OASIS))

    def wrapped(self, kind, ubl, parties):
        handle, name = tempfile.mkstemp(".xml", kind, self.folder)
        os.close(handle)
        envelope, words = pathlib.Path(name), ["wrap", kind, *parties]
        if ubl is not None:
            document = envelope.with_suffix(".ubl")
            document.write_bytes(ubl)
            words.append(document)
        envelope.write_bytes(subprocess.run([self.peer, *words], capture_output=True, check=True).stdout)
        return envelope


def numbered(ubl):
    """The same document under a number that no other has."""
    return re.sub(rb"(?<=<cbc:ID>)[^<]*", bodies.unique("PEERS").encode(), ubl, count=1)


def enlarged(ubl, wanted, content):
    """The document with an attachment, of about so many bytes in all; `content` makes that many."""
    room = max(wanted - len(ubl) - 400, 300)
    attachment = base64.b64encode(content(room * 3 // 4))
    reference = (b"<cac:AdditionalDocumentReference><cbc:ID>attachment</cbc:ID><cac:Attachment>"
                 b'<cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">' + attachment
                 + b"</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>")
    return re.sub(rb"(<cac:AccountingSupplierParty)", lambda found: reference + found[1], ubl, count=1)


class Ours:
    """as4-peer with a seat of the local network."""

    def __init__(self, peer, folder, seat):
        self.words, self.folder = [peer], folder
        self.identity = ["--pki", folder, "--seat", seat]

    def as_seat(self, seat):
        return Ours(self.words[0], self.folder, seat)

    def command(self, url, receiver, envelope, repeat):
        """`receiver` is the seat for which it is encrypted."""
        return [*self.words, "send", url, self.folder / f"{receiver}.pem", envelope, *self.identity, "--repeat", repeat]

    def send(self, url, receiver, envelope, *options, repeat=1):
        return lines([*self.command(url, receiver, envelope, repeat), *options])

    def build(self, receiver, envelope, file, *options):
        certificate = self.folder / f"{receiver}.pem"
        subprocess.run([*self.words, "build", certificate, envelope, file, *self.identity, *options], check=True)

    def lookup(self, smp, participant, document_type, process):
        return lines([*self.words, "lookup", smp, participant, document_type, process, *self.identity])[0]

    def serve(self, out, log):
        return Server([*self.words, "serve", "--serves", seats.OASIS, "--out", out, *self.identity], log)


def said(answer):
    """An answer that `send` read, in a word or two."""
    if answer["outcome"] != "rejected":
        return answer["outcome"].replace("receipt verified", "receipt")
    error = answer["errors"][0]
    words = [error["code"]]
    if "PEPPOL:NOT_SERVICED" in error["detail"]:
        words.append("not serviced")
    if answer["verdict"] == "duplicate":
        words.append("duplicate")
    if not answer["proven"]:
        words.append("unsigned")
    return " ".join(words)
