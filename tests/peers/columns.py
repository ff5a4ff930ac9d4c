"""The directions of the matrix, one class each."""
import datetime
import hashlib
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import threading
import uuid

import matrix
import ours
import seats
from local_aws.network.pki import spid
from matrix import No
from spoil import SPOILS, Message, Proxy

HERE = pathlib.Path(__file__).resolve().parent
SEATS = dict(zip(matrix.BAD_SEATS, (seats.REVOKED, seats.EXPIRED, seats.FOREIGN), strict=True))
PING = ("http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/service",
        "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/test")
# A starting virtual machine uses a whole core.
JAVA = threading.Semaphore(2)

# The answers of the product to every sender.
BY_OURS = {
    **dict.fromkeys((*matrix.DOCUMENTS, "ping"), "receipt"),
    "duplicate": "2 receipts, kept once",
    "not serviced": "EBMS:0004 not serviced",
    **dict.fromkeys(matrix.BAD_SEATS, "EBMS:0101"),
    "unsigned": "EBMS:0101",
    "unencrypted": "EBMS:0103",
    "tampered": "EBMS:0102",
}


class OursTo:
    """The product sends to a guest: the service, or as4-peer for messages that the service never sends (`matrix.BY_PEER`)."""

    def __init__(self, world, guest, base):
        self.world, self.guest, self.url = world, guest, f"{base}/as4"
        self.proxy = Proxy(base, world.pki / f"{guest.seat}.key.pem")
        urls = dict.fromkeys(("invoice", "not serviced"), self.url) | {spoilt: self.proxy.url(spoilt) for spoilt in SPOILS}
        participants = guest.participants
        for row, url in urls.items():
            world.registers.add(participants[row], url, world.pki / f"{guest.seat}.pem")
        world.registers.add(spid(guest.seat), self.url, world.pki / f"{guest.seat}.pem")

    def run(self, row):
        said, sent = (self.by_peer if row in matrix.BY_PEER else self.by_service)(row)
        times = self.guest.arrived().count(sent)
        wanted = int(said[0] == "receipt" and row != "ping")
        assert times == wanted, f"{said}, and they kept it {times} times"
        return "2 receipts, kept once" if said == ["receipt", "receipt"] else ", then ".join(said)

    def by_service(self, row):
        if row == "MLS":
            envelope = self.world.documents.envelope("invoice", self.guest.seat)
            return self.world.service.answers(envelope, self.guest.seat, self.world.sender)
        said, envelope = self.world.service.sends(row, self.guest.participants.get(row, self.guest.participants["invoice"]))
        return said, hashlib.sha256(envelope).hexdigest()

    def by_peer(self, row):
        envelope = self.world.documents.envelope(row, seats.SENDER, (seats.FALCON, self.guest.participants["invoice"]))
        sender = self.world.sender.as_seat(SEATS[row]) if row in SEATS else self.world.sender
        options, repeat = ["--ping"] if row == "ping" else [], 1
        if row == "duplicate":
            options, repeat = ["--message-id", f"{uuid.uuid4()}@ours.example"], 2
        answers = sender.send(self.url, self.guest.seat, envelope, *options, repeat=repeat)
        return [ours.said(answer) for answer in answers], hashlib.sha256(envelope.read_bytes()).hexdigest()


class Guest:
    """A receiver of another vendor: its seat, and its taxpayers by row."""

    def __init__(self, command, folder, out, seat, tens=1):
        self.command, self.folder, self.out, self.seat = command, folder, out, seat
        rows = ("invoice", "not serviced", *SPOILS, "elsewhere")
        self.participants = {row: f"0235:10012345{10 * tens + at}" for at, row in enumerate(rows, 1)}


class Phase4(Guest):
    """phase4's sender and receiver; `arrived` has the SHA-256 (hex) of stored envelopes."""

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.trust = ["--trust", self.folder / "ap-trust.pem", "--crl-dir", self.folder / "crl"]

    def serve(self, *options):
        words = [self.command, "receive", "--port", "0", "--keystore", self.folder / f"{self.seat}.p12", *self.trust, "--out", self.out]
        words += ["--strict", "--not-serviced", self.participants["not serviced"], *options]
        return ours.Server(words, self.out.with_suffix(".log"))

    def arrived(self):
        told = self.out / "messages.jsonl"
        told = map(json.loads, told.read_text().splitlines()) if told.exists() else ()
        return [one["payload_sha256"] for one in told if one["accepted"] and not one.get("ping")]

    expected = BY_OURS | {
        "duplicate": "receipt, then EBMS:0004 duplicate",
        "expired": "EBMS:0102", "foreign CA": "EBMS:0102",
        "unencrypted": "EBMS:0102",
    }

    def sending(self, url, receiver, envelope, seat=None):
        return [self.command, "send", "--url", url, "--keystore", self.folder / f"{seat or self.seat}.p12", "--receiver-cert",
                self.folder / f"{receiver}.pem", *self.trust, "--sbdh-file", envelope]

    def sends(self, row, world):
        envelope = world.documents.envelope(row, self.seat)
        corrupt = {"unsigned": "unsigned", "unencrypted": "unencrypted", "tampered": "attachment"}
        options = ["--corrupt", corrupt[row]] if row in corrupt else []
        if row == "ping":
            options = ["--edit", f"text:Service={PING[0]}", "--edit", f"text:Action={PING[1]}"]
        if row == "duplicate":
            options = ["--repeat", "2", "--same-id"]
        with JAVA:
            url = f"{world.service.base(row)}/as4"
            told = ours.lines([*self.sending(url, seats.RECEIVER, envelope, SEATS.get(row)), *options])
        answers = [one for one in told if not one.get("summary")]
        if all(answer["ok"] and answer["receipt_verified"] for answer in answers):
            (world.service.has_nothing_of if row == "ping" else world.service.kept)(envelope.read_bytes())
            return f"{len(answers)} receipts, kept once" if row == "duplicate" else "receipt"
        world.service.has_nothing_of(envelope.read_bytes())
        errors = [error for answer in answers for error in answer.get("errors") or ()]
        if not errors:
            return str(answers[0].get("exception") or answers[0].get("result"))
        return errors[0]["code"] + (" not serviced" if errors[0].get("detail") == "PEPPOL:NOT_SERVICED" else "")


class Asx(Guest):
    """asx-rs, by tests/peers/asx."""

    def serve(self):
        self.out.touch()
        return ours.Server([self.command, "serve", "--pki", self.folder, "--seat", self.seat, "--out", self.out,
                            "--not-serviced", self.participants["not serviced"]], self.out.with_suffix(".log"))

    def arrived(self):
        return [json.loads(line)["sha256"] for line in self.out.read_text().splitlines()]

    # Its errors are not signed, and Peppol does not require it.
    expected = BY_OURS | {
        "not serviced": "EBMS:0004 not serviced unsigned",
        **dict.fromkeys(matrix.BAD_SEATS, "EBMS:0101 unsigned"),
        "unsigned": "EBMS:0103 unsigned", "unencrypted": "EBMS:0103 unsigned", "tampered": "EBMS:0102 unsigned",
    }
    only_pings = No("asx-rs 0.16.2 writes no originalSender and finalRecipient, so that of it only pings are Peppol messages: "
                    "sizes, seats and spoilt ones are tried with pings, which nobody keeps and every receiver answers alike")
    # It does not send with an expired certificate or one of a foreign authority.
    expected_of_it = BY_OURS | {
        **dict.fromkeys(("invoice", "credit note", "self-billed", "MLS"), "EBMS:0010"),
        "expired": "not sent", "foreign CA": "not sent",
        "duplicate": only_pings, "not serviced": only_pings,
    }

    def sends(self, row, world, proxy):
        envelope = world.documents.envelope(row, self.seat)
        url = proxy.url(row) if row in SPOILS else f"{world.service.base(row)}/as4"
        options = ["--ping"]
        if row in ("invoice", "credit note", "self-billed", "MLS"):
            options = ["--service", "urn:peppol:bis:billing", "--action", "busdox-docid-qns::" + document_type(row)]
        told = ours.lines([self.command, "send", url, self.folder / f"{seats.RECEIVER}.pem", envelope, "--pki", self.folder,
                           "--seat", SEATS.get(row, self.seat), *options])[0]
        world.service.has_nothing_of(envelope.read_bytes())
        if told["outcome"] == "not sent":
            return "not sent"
        return "receipt" if told["outcome"] == "receipt verified" else told.get("code") or told["why"]


# The root elements of the rows, for other programs.
ROOTS = {"MLS": "ApplicationResponse", "credit note": "CreditNote"}
CUSTOMIZATIONS = {"MLS": "urn:peppol:edec:mls:1.0", "self-billed": "urn:peppol:pint:selfbilling-1@ae-1"}
PROCESSES = {"MLS": "urn:peppol:edec:mls", "self-billed": "urn:peppol:bis:selfbilling"}


def document_type(row):
    """The document type of a row, without its scheme."""
    root = ROOTS.get(row, "Invoice")
    customization = CUSTOMIZATIONS.get(row, "urn:peppol:pint:billing-1@ae-1")
    return f"urn:oasis:names:specification:ubl:schema:xsd:{root}-2::{root}##{customization}::2.1"


class PeppolPy:
    """peppol-py, which only sends."""

    expected = BY_OURS | {"ping": No("peppol-py 1.2.5 sends no pings: it writes a document type into every Action")}
    # It writes the first scheme for every document type, but those of PINT have the second. The test corrects that, except for the row "not
    # serviced".
    WRITES, OF_PINT = "busdox-docid-qns", "peppol-doctype-wildcard"

    def __init__(self, world, proxy):
        from peppol_py import as4_sender

        self.world, self.proxy = world, proxy
        written = as4_sender.generate_as4_envelope

        def with_scheme(*given):
            made = written(*given)
            action = made[2].find(".//{*}Action")
            action.text = action.text.replace(f"{self.WRITES}::{self.OF_PINT}::", f"{self.OF_PINT}::")
            return made

        as4_sender.generate_as4_envelope = with_scheme

    def run(self, row):
        from lxml import etree
        from peppol_py import as4_sender, sender
        from peppol_py.exception import SendPeppolError

        documents, folder = self.world.documents, self.world.pki
        _, ubl = documents.document(row)
        if row == "10 MB":
            # Its parser accepts at most 10 MB of base64, so the document is compressible.
            ubl = ours.numbered(documents.compressible)
        elif ubl is None:
            ubl = etree.tostring(etree.fromstring(documents.envelope(row, seats.PEPPOL_PY).read_bytes())[1])
        document = etree.fromstring(ubl, etree.XMLParser(huge_tree=True))
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
        kind, process = document_type(row), PROCESSES.get(row, "urn:peppol:bis:billing")
        parties = documents.parties("invoice" if row == "not serviced" else row, seats.PEPPOL_PY)
        wrapped, tree = sender.wrap_ubl_in_peppol_standard_business_document_header(
            document, now, kind, process, parties[0], "AE", parties[1])
        if row not in ("MLS", "not serviced"):
            for scheme in tree.iter("Identifier"):
                scheme.text = scheme.text.replace(self.WRITES, self.OF_PINT)
            wrapped, kind = etree.tostring(tree), f"{self.OF_PINT}::{kind}"
        seat = SEATS.get(row, seats.PEPPOL_PY)
        certificates = [(folder / f"{name}.pem").read_bytes() for name in (seat, seats.RECEIVER)]
        body, headers = as4_sender.get_headers_and_body_for_posting_as4_document(
            wrapped, tree, now, kind, process, *parties, seats.RECEIVER, str(HERE / "xmlsec1.py"),
            str(folder / f"{seat}.key.pem"), None, *certificates, seat)
        service = self.world.service
        url = self.proxy.url(row) if row in SPOILS else f"{service.base(row)}/as4"
        times = 2 if row == "duplicate" else 1
        try:
            for _ in range(times):
                as4_sender.post_edelivery_as4_document(url, body, headers, 60, "peppol-py")
        except SendPeppolError as error:
            service.has_nothing_of(wrapped)
            found = re.search(r'errorCode="([^"]+)"', (error.endpoint or {}).get("error_xml") or "")
            word = " not serviced" if "PEPPOL:NOT_SERVICED" in str(error) else ""
            return found[1] + word if found else str(error)
        service.kept(wrapped)
        return "2 receipts, kept once" if row == "duplicate" else "receipt"


class Checked:
    """The product's messages, verified and decrypted by the reference's as4_check.py."""

    no_trust = No("as4_check.py looks at signatures, digests and ciphertexts alone: neither at who is trusted nor at what is missing")
    expected = {**dict.fromkeys((*matrix.DOCUMENTS, "ping"), "holds"),
                **dict.fromkeys(("duplicate", "not serviced", *matrix.BAD_SEATS, "unsigned", "unencrypted"), no_trust),
                "tampered": "InvalidTag"}

    def __init__(self, script, world):
        self.script, self.world = script, world

    def run(self, row):
        envelope = self.world.documents.envelope(row, seats.SENDER)
        file = envelope.with_suffix(".as4")
        self.world.sender.build(seats.RECEIVER, envelope, file, *(["--ping"] if row == "ping" else []))
        if row == "tampered":
            head, _, body = file.read_bytes().partition(b"\r\n\r\n")
            message = Message(head.decode(), body)
            SPOILS[row](message, None)
            file.write_bytes(head + b"\r\n\r\n" + message.bytes())
        key = self.world.pki / f"{seats.RECEIVER}.key.pem"
        done = subprocess.run([sys.executable, self.script, file, "--key", key], capture_output=True, text=True)
        told = json.loads(done.stdout)
        if "error" in told:
            return told["error"].split(":")[0]
        whole = hashlib.sha256(envelope.read_bytes()).hexdigest()
        same = [payload["payload_sha256"] for payload in told["payloads"]] == [whole]
        references = list(told["references"].values())
        holds = told["signature"] is True and references == [True] * 3 and same and done.returncode == 0
        return "holds" if holds else done.stdout


def peppol_py_version():
    return importlib.metadata.version("peppol-py")
