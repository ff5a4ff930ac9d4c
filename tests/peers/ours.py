"""The product's side beside the service: `as4-peer`, built from the product's parts, and the documents of the other peers."""
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
# Kind and operation of each row; the default is an invoice.
KINDS = {
    "credit note": ("credit-note", "credit_note"),
    "self-billed": ("self-billed-invoice", "self_billed_invoice"),
    "MLS": (STATUS, None),
}
INVOICE = ("invoice", "invoice")
SIZES = {"10 kB": 10_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
# Maximum time of an exchange, even on a busy machine.
MOST_SECONDS = 300


def lines(command, seconds=MOST_SECONDS):
    """The output of a program, one JSON object a line."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=seconds)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not told:
        raise RuntimeError(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()[-400:] or 'told nothing'}")
    return told


class Server:
    """A peer's server, which prints its address; stopped at the end."""

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
    """A body whose other party is not the taxpayer."""
    party = "supplier" if operation.startswith("self_billed") else "customer"
    return bodies.BUILDERS[operation](**{party: party_of(participant)})


def party_of(participant):
    return bodies.party(participant.partition(":")[2], "Coral Trading LLC")


class Documents:
    """Envelopes to send, each with a new instance and number: documents from a guest's taxpayer to the product's."""

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
        """Kind and UBL of a row; no UBL for a status."""
        kind, _ = KINDS.get(row, INVOICE)
        document = self.sized.get(row, self.documents.get(kind))
        return kind, document and numbered(document)

    def parties(self, row, seat):
        """Sender and receiver: the providers themselves for a status, otherwise a guest's taxpayer and the product's."""
        if row == "MLS":
            return spid(seat), spid(seats.RECEIVER)
        return seats.GUEST, seats.NOT_SERVED if row == "not serviced" else seats.OASIS

    def envelope(self, row, seat, parties=None):
        """A file with a new envelope of a row, from the access point of a seat."""
        return self.wrapped(*self.document(row), parties or self.parties(row, seat))

    def of_size(self, wanted):
        """A file with a new envelope of an invoice of about this size."""
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
    """The document with a new number."""
    return re.sub(rb"(?<=<cbc:ID>)[^<]*", bodies.unique("PEERS").encode(), ubl, count=1)


def enlarged(ubl, wanted, content):
    """The document with an attachment, of about this size in total; `content` returns this many bytes."""
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
        """The message is encrypted for the seat `receiver`."""
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
    """A short text for an answer of `send`."""
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
