"""Our side: `as4-peer`, which is made of the product's parts, and the documents that it sends."""
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import pki

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = HERE.parent / "conformance"

SENDER, RECEIVER, NOT_SERVED = "0235:1001234501", "0235:1001234502", "0235:1999999900"
# The participants that the two providers are themselves.
SENDER_PROVIDER, RECEIVER_PROVIDER = "0242:000001", "0242:000002"

# Kind: operation, body, and who the taxpayer is where the body has no supplier.
DOCUMENTS = {
    "invoice": ("invoice", "invoices/standard-tax-invoice.json", None),
    "credit-note": ("credit_note", "credit-notes/standard-tax-credit-note.json", None),
    "self-billed-invoice": ("self_billed_invoice", "self-billing-invoices/self-billing.json", "falcon.json"),
}
SMALL = ("invoice", "invoices/standard-invoice-mandatory-fields.json", None)
SIZES = {"10 kB": 10_000, "1 MB": 1_000_000, "10 MB": 10_000_000}
STATUS = "mls"
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


class Documents:
    """Envelopes to send, each of an instance of its own."""

    def __init__(self, command, peer, folder):
        self.peer, self.folder = peer, folder
        folder.mkdir()
        self.documents = {kind: self.convert(command, *source) for kind, source in DOCUMENTS.items()}
        self.small = self.convert(command, *SMALL)
        self.sized = {size: enlarged(self.small, wanted, os.urandom) for size, wanted in SIZES.items()}
        self.compressible = enlarged(self.small, SIZES["10 MB"], bytes)

    def convert(self, command, operation, body, taxpayer):
        whose = ["--taxpayer", CONFORMANCE / "taxpayers" / taxpayer] if taxpayer else []
        done = subprocess.run([command, "convert", "--operation", operation, *whose, CONFORMANCE / "bodies" / body],
                              capture_output=True, check=True)
        return done.stdout

    def document(self, row):
        """Kind and UBL of what a row sends; no UBL for a status."""
        if row in SIZES:
            return "invoice", self.sized[row]
        kind = {"invoice": "invoice", "credit note": "credit-note", "self-billed": "self-billed-invoice", "MLS": STATUS}
        kind = kind.get(row, "invoice")
        return kind, self.documents.get(kind)

    def parties(self, row):
        if row == "MLS":
            return SENDER_PROVIDER, RECEIVER_PROVIDER
        return SENDER, NOT_SERVED if row == "not serviced" else RECEIVER

    def envelope(self, row):
        """A file with a new envelope of what a row sends."""
        return self.wrapped(*self.document(row), self.parties(row))

    def of_size(self, wanted):
        """A file with a new envelope of an invoice of about so many bytes."""
        return self.wrapped("invoice", enlarged(self.small, wanted, os.urandom), (SENDER, RECEIVER))

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


def enlarged(ubl, wanted, content):
    """The document with an attachment, of about so many bytes in all; `content` makes that many."""
    room = max(wanted - len(ubl) - 400, 300)
    attachment = base64.b64encode(content(room * 3 // 4))
    reference = (b"<cac:AdditionalDocumentReference><cbc:ID>attachment</cbc:ID><cac:Attachment>"
                 b'<cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="a.pdf">' + attachment
                 + b"</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>")
    return re.sub(rb"(<cac:AccountingSupplierParty)", lambda found: reference + found[1], ubl, count=1)


def digest(payload):
    return base64.b64encode(hashlib.sha256(payload).digest()).decode()


class Ours:
    """as4-peer with a seat of the test network."""

    def __init__(self, peer, folder, seat):
        self.words, self.folder = [peer], folder
        self.identity = ["--pki", folder, "--seat", seat]

    def as_seat(self, seat):
        return Ours(self.words[0], self.folder, seat)

    def command(self, url, envelope, repeat):
        receiver = self.folder / f"{pki.RECEIVER}.pem"
        return [*self.words, "send", url, receiver, envelope, *self.identity, "--repeat", repeat]

    def send(self, url, envelope, *options, repeat=1):
        return lines([*self.command(url, envelope, repeat), *options])

    def build(self, envelope, file, *options):
        receiver = self.folder / f"{pki.RECEIVER}.pem"
        subprocess.run([*self.words, "build", receiver, envelope, file, *self.identity, *options], check=True)

    def lookup(self, smp, participant, document_type, process):
        return lines([*self.words, "lookup", smp, participant, document_type, process, *self.identity])[0]

    def publish(self, participant, address, log):
        receiver = self.folder / f"{pki.RECEIVER}.pem"
        return Server([*self.words, "publish", participant, address, receiver, *self.identity], log)

    def serve(self, out, log, takes=()):
        takes = [word for one in takes for word in ("--takes", one)]
        return Server([*self.words, "serve", "--serves", RECEIVER, "--out", out, *takes, *self.identity], log)


class Inbox:
    """What our server told, by what it received."""

    def __init__(self, file):
        self.file = file

    def of(self, payload):
        wanted = digest(payload)
        told = map(json.loads, self.file.read_text().splitlines())
        return [one for one in told if one.get("sha256") == wanted]


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
