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
import pki
from matrix import No
from spoil import SPOILS, Message

HERE = pathlib.Path(__file__).resolve().parent
SEATS = dict(zip(matrix.BAD_SEATS, (pki.REVOKED, pki.EXPIRED, pki.FOREIGN), strict=True))
PING = ("http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/service",
        "http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/test")
# A virtual machine takes a core while it starts.
JAVA = threading.Semaphore(2)

# What our side answers, whoever sends.
BY_OURS = {
    **dict.fromkeys((*matrix.DOCUMENTS, "ping"), "receipt"),
    "duplicate": "2 receipts, kept once",
    "not serviced": "EBMS:0004 not serviced",
    **dict.fromkeys(matrix.BAD_SEATS, "EBMS:0101"),
    "unsigned": "EBMS:0101",
    "unencrypted": "EBMS:0103",
    "tampered": "EBMS:0102",
}


def kept(inbox, envelope, times):
    """Checks that our server told of exactly this envelope, and took it once."""
    told = inbox.of(envelope)
    assert len(told) == times, f"our server told of it {len(told)} times"
    again = [one for one in told if one.get("again")]
    assert len(again) == times - 1, f"our server took it {times - len(again)} times"


class OursTo:
    """We send, somebody receives: `arrived` are the SHA-256 (hex) of envelopes that they kept."""

    def __init__(self, sender, documents, url, proxy, arrived):
        self.sender, self.documents, self.url, self.proxy, self.arrived = sender, documents, url, proxy, arrived

    def run(self, row):
        envelope = self.documents.envelope(row)
        sender = self.sender.as_seat(SEATS[row]) if row in SEATS else self.sender
        url = self.proxy.url(row) if row in SPOILS else self.url
        options = ["--ping"] if row == "ping" else []
        if row == "duplicate":
            options = ["--message-id", f"{uuid.uuid4()}@ours.example"]
        repeat = 2 if row == "duplicate" else 1
        said = [ours.said(answer) for answer in sender.send(url, envelope, *options, repeat=repeat)]
        payload = envelope.read_bytes()
        times = self.arrived().count(hashlib.sha256(payload).hexdigest())
        wanted = int(said[0] == "receipt" and row != "ping")
        assert times == wanted, f"{said}, and they kept it {times} times"
        return "2 receipts, kept once" if said == ["receipt", "receipt"] else ", then ".join(said)


class Phase4:
    """phase4's sender and receiver."""

    def __init__(self, run, folder, out):
        self.command, self.folder, self.out = run, folder, out
        self.trust = ["--trust", folder / "ap-trust.pem", "--crl-dir", folder / "crl"]

    def serve(self, *options):
        return ours.Server([self.command, "receive", "--port", "0", "--keystore", self.folder / f"{pki.RECEIVER}.p12", *self.trust,
                            "--out", self.out, "--strict", "--not-serviced", ours.NOT_SERVED, *options], self.out.with_suffix(".log"))

    def arrived(self):
        told = map(json.loads, (self.out / "messages.jsonl").read_text().splitlines())
        return [one["payload_sha256"] for one in told if one["accepted"] and not one.get("ping")]

    expected = BY_OURS | {
        "duplicate": "receipt, then EBMS:0004 duplicate",
        "expired": "EBMS:0102", "foreign CA": "EBMS:0102",
        "unencrypted": "EBMS:0102",
    }

    def sending(self, url, envelope):
        return [self.command, "send", "--url", url, "--keystore", self.folder / f"{pki.SENDER}.p12", "--receiver-cert",
                self.folder / f"{pki.RECEIVER}.pem", *self.trust, "--sbdh-file", envelope]

    def sends(self, row, url, documents, inbox):
        envelope = documents.envelope(row)
        corrupt = {"revoked": "revoked", "expired": "expired-cert", "foreign CA": "foreign-ca", "unsigned": "unsigned",
                   "unencrypted": "unencrypted", "tampered": "attachment"}
        options = ["--corrupt", corrupt[row]] if row in corrupt else []
        if row == "ping":
            options = ["--edit", f"text:Service={PING[0]}", "--edit", f"text:Action={PING[1]}"]
        if row == "duplicate":
            options = ["--repeat", "2", "--same-id"]
        with JAVA:
            told = ours.lines([*self.sending(f"{url}/as4", envelope), *options])
        answers = [one for one in told if not one.get("summary")]
        if all(answer["ok"] and answer["receipt_verified"] for answer in answers):
            kept(inbox, envelope.read_bytes(), len(answers))
            return "2 receipts, kept once" if row == "duplicate" else "receipt"
        errors = [error for answer in answers for error in answer.get("errors") or ()]
        if not errors:
            return str(answers[0].get("exception") or answers[0].get("result"))
        return errors[0]["code"] + (" not serviced" if errors[0].get("detail") == "PEPPOL:NOT_SERVICED" else "")


class Asx:
    """asx-rs, by tests/peers/asx."""

    def __init__(self, command, folder, out):
        self.command, self.folder, self.out = command, folder, out

    def serve(self):
        self.out.touch()
        return ours.Server([self.command, "serve", "--pki", self.folder, "--seat", pki.RECEIVER, "--out", self.out,
                            "--not-serviced", ours.NOT_SERVED], self.out.with_suffix(".log"))

    def arrived(self):
        return [json.loads(line)["sha256"] for line in self.out.read_text().splitlines()]

    # Its errors are not signed, which Peppol does not ask for.
    expected = BY_OURS | {
        "not serviced": "EBMS:0004 not serviced unsigned",
        **dict.fromkeys(matrix.BAD_SEATS, "EBMS:0101 unsigned"),
        "unsigned": "EBMS:0103 unsigned", "unencrypted": "EBMS:0103 unsigned", "tampered": "EBMS:0102 unsigned",
    }
    only_pings = No("asx-rs 0.16.2 writes no originalSender and finalRecipient, so that of it only pings are Peppol messages: "
                    "sizes, seats and spoilt ones are tried with pings, which nobody keeps and every receiver answers alike")
    # What is expired or of a foreign authority it does not send with at all.
    expected_of_it = BY_OURS | {
        **dict.fromkeys(("invoice", "credit note", "self-billed", "MLS"), "EBMS:0010"),
        "expired": "not sent", "foreign CA": "not sent",
        "duplicate": only_pings, "not serviced": only_pings,
    }

    def sends(self, row, url, proxy, documents):
        envelope = documents.envelope(row)
        url = proxy.url(row) if row in SPOILS else f"{url}/as4"
        options = ["--ping"]
        if row in ("invoice", "credit note", "self-billed", "MLS"):
            options = ["--service", "urn:peppol:bis:billing", "--action", "busdox-docid-qns::" + document_type(row)]
        told = ours.lines([self.command, "send", url, self.folder / f"{pki.RECEIVER}.pem", envelope, "--pki", self.folder,
                           "--seat", SEATS.get(row, pki.SENDER), *options])[0]
        if told["outcome"] == "not sent":
            return "not sent"
        return "receipt" if told["outcome"] == "receipt verified" else told.get("code") or told["why"]


# What the rows send, as far as peppol-py is told it.
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

    # It writes this scheme before every document type; where ours are served they have the other one.
    takes = ["busdox-docid-qns::" + document_type(row) for row in ("invoice", "credit note", "self-billed")]
    expected = BY_OURS | {"ping": No("peppol-py 1.2.5 sends no pings: it writes busdox-docid-qns before every Action")}

    def __init__(self, folder, url, proxy, documents, inbox):
        self.folder, self.url, self.proxy, self.documents, self.inbox = folder, url, proxy, documents, inbox

    def run(self, row):
        from lxml import etree
        from peppol_py import as4_sender, sender
        from peppol_py.exception import SendPeppolError

        _, ubl = self.documents.document(row)
        if row == "10 MB":
            # Its parser takes no more than 10 MB of base64: a document that compresses.
            ubl = self.documents.compressible
        elif ubl is None:
            envelope = etree.fromstring(self.documents.envelope(row).read_bytes())
            ubl = etree.tostring(envelope[1])
        document = etree.fromstring(ubl, etree.XMLParser(huge_tree=True))
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
        kind, process = document_type(row), PROCESSES.get(row, "urn:peppol:bis:billing")
        parties = self.documents.parties(row)
        wrapped, tree = sender.wrap_ubl_in_peppol_standard_business_document_header(
            document, now, kind, process, parties[0], "AE", parties[1])
        seat = SEATS.get(row, pki.SENDER)
        certificates = [(self.folder / f"{name}.pem").read_bytes() for name in (seat, pki.RECEIVER)]
        body, headers = as4_sender.get_headers_and_body_for_posting_as4_document(
            wrapped, tree, now, kind, process, *parties, pki.RECEIVER, str(HERE / "xmlsec1.py"),
            str(self.folder / f"{seat}.key.pem"), None, *certificates, seat)
        url = self.proxy.url(row) if row in SPOILS else f"{self.url}/as4"
        times = 2 if row == "duplicate" else 1
        try:
            for _ in range(times):
                as4_sender.post_edelivery_as4_document(url, body, headers, 60, "peppol-py")
        except SendPeppolError as error:
            found = re.search(r'errorCode="([^"]+)"', (error.endpoint or {}).get("error_xml") or "")
            word = " not serviced" if "PEPPOL:NOT_SERVICED" in str(error) else ""
            return found[1] + word if found else str(error)
        kept(self.inbox, wrapped, times)
        return "2 receipts, kept once" if row == "duplicate" else "receipt"


class Checked:
    """Ours, verified and decrypted by the reference's as4_check.py."""

    no_trust = No("as4_check.py looks at signatures, digests and ciphertexts alone: neither at who is trusted nor at what is missing")
    expected = {**dict.fromkeys((*matrix.DOCUMENTS, "ping"), "holds"),
                **dict.fromkeys(("duplicate", "not serviced", *matrix.BAD_SEATS, "unsigned", "unencrypted"), no_trust),
                "tampered": "InvalidTag"}

    def __init__(self, script, sender, documents, folder):
        self.script, self.sender, self.documents, self.folder = script, sender, documents, folder

    def run(self, row):
        envelope = self.documents.envelope(row)
        file = envelope.with_suffix(".as4")
        self.sender.build(envelope, file, *(["--ping"] if row == "ping" else []))
        if row == "tampered":
            head, _, body = file.read_bytes().partition(b"\r\n\r\n")
            message = Message(head.decode(), body)
            SPOILS[row](message, None)
            file.write_bytes(head + b"\r\n\r\n" + message.bytes())
        done = subprocess.run([sys.executable, self.script, file, "--key", self.folder / f"{pki.RECEIVER}.key.pem"],
                              capture_output=True, text=True)
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
