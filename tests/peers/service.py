"""The service itself in the local network: its Live sends, and its stored messages of other peers."""
import base64
import hashlib
import json
import os
import re
from contextlib import contextmanager

import httpx
from serving import served
from sides import Locator, Side

import ours
import seats
from kit import bodies
from kit.items import Items
from kit.waiting import wait_for
from local_aws.network import letters
from local_aws.network.publisher import DOCUMENTS, STATUSES
from local_aws.network.sml import LOCATOR, envelope

# Messages for `access-point serve inbound`, since they are too large for a function.
LARGE = ("1 MB", "10 MB")
# Maximum time of an unoptimized validation of 10 MB under load.
SECONDS = 90


class Service:
    """The product's two access points: `a` sends, `b` receives."""

    def __init__(self, network, servers, work):
        self.a, self.b = (Side(network["access_points"][name]) for name in "ab")
        self._items, self._server = Items(self.b.run), servers.enter_context(served(self.b, work))
        self._kept = []
        self.smp, self.smp_id = self.b.run.described["smp_url"], self.b.run.parameter("SmpId", "")

    def base(self, row):
        """The base address for messages of a row, followed by `/as4`."""
        return self._server.as4_url.removesuffix("/as4") if row in LARGE else self.b.edge_url

    def _message(self, payload):
        """The stored data of a message with this envelope."""
        # UUIDs are case-insensitive (RFC 9562, section 4); the hash uses lower case.
        instance = letters.instance_of(payload[:16384].decode(errors="replace")).lower()
        return self._items.query(f"LIVE#INBOUND#{hashlib.sha256(instance.encode()).hexdigest()}", "MESSAGE")

    def kept(self, payload):
        """Checks that exactly these bytes are stored once: beside their message, and as a taxpayer's document."""
        (message,) = self._message(payload)
        assert self._items.payload(message["envelope"]) == payload, "it stored other bytes"
        assert b"SignatureValue>" in self._items.payload(message["message"]), "it has no evidence"
        if b"Type>ApplicationResponse<" in payload[:16384]:
            return
        number = re.search(rb"<cbc:ID>([^<]*)", payload)[1].decode()
        self._kept.append(number)
        (document,) = wait_for(f"{number} at {self.b.name}", lambda: self.b.inbound(number), SECONDS)
        record = self.b.reaches(document["document_id"], "received", "rejected", seconds=SECONDS)
        assert record["status"] == "received", record["warnings"]
        path = f"/invoices/{document['document_id']}/"
        sbdh, ubl = (self.b.live.request("GET", path + each, follow_redirects=True).content for each in ("sbdh", "ubl"))
        assert sbdh == payload, "its API has another envelope"
        assert ubl in payload and number.encode() in ubl, "its API has another document"

    def twice(self):
        """The documents that are stored more than once, and the total number."""
        return [number for number in self._kept if len(self.b.inbound(number)) != 1], len(self._kept)

    def has_nothing_of(self, payload):
        """Checks that nothing of it is stored."""
        assert self._message(payload) == [], "it was kept"

    def has_card(self, card):
        """Sets the business card of the receiving taxpayer, which is published while it is listed."""
        for path, content in (("business-card", json.dumps(card).encode()), ("directory-listing", None)):
            answer = self.b.live.request("PUT", f"/taxpayer/{path}", content=content)
            assert answer.status_code == 200, answer.text
        url = f"{self.smp}/businesscard/iso6523-actorid-upis%3A%3A{self.b.participant.replace(':', '%3A')}"
        wait_for("the card", lambda: httpx.get(url).status_code == 200)

    def sends(self, row, participant):
        """Sends a row in Live: the outcome of each attempt, and the envelope."""
        _, operation = ours.KINDS.get(row, ours.INVOICE)
        body = ours.body_for(operation, participant)
        if row in ours.SIZES:
            content = base64.b64encode(os.urandom(ours.SIZES[row] * 3 // 4)).decode()
            attachment = {"content_base64": content, "mime_code": "application/pdf", "filename": "a.pdf"}
            body["supporting_documents"] = [{"id": "A", "attachment": attachment}]
        answer = self.a.live.send(body, operation)
        (document,) = self.a.live.list(direction="outbound", number=bodies.number_of(body)).json()["items"]
        came = [said(attempt) for attempt in self.a.attempts(document["document_id"])]
        assert (answer.status_code == 201) == (came == ["receipt"]), f"{came}, and it answered {answer.text}"
        path = f"/invoices/{document['document_id']}/sbdh"
        return came, self.a.live.request("GET", path, follow_redirects=True).content

    def answers(self, brought, seat, sender):
        """Lets a guest's seat send an invalid document, and answers it: the outcome of the status, and its SHA-256."""
        number = bodies.unique("PEERS")
        _, invalid = letters.miscalculated(brought.read_text(), number)
        brought.write_text(invalid)
        (receipt,) = sender.as_seat(seat).send(f"{self.base('invoice')}/as4", seats.RECEIVER, brought)
        assert ours.said(receipt) == "receipt", receipt
        document_id = self.b.arrived(number)["document_id"]

        def look():
            found = self._items.query(f"LIVE#ANSWER#{document_id}", "TRANSMISSION")
            return found and found[0]["attempts"] and found[0]["attempts"][-1].get("outcome") and found[0]

        way = wait_for("a status", look, SECONDS)
        return [said(attempt) for attempt in way["attempts"]], way["envelope"]["sha256"]


def said(attempt):
    """A short text for an attempt of the service."""
    if attempt["outcome"] == "received":
        return "receipt"
    cause = attempt.get("cause") or attempt["outcome"]
    words = [attempt.get("ebms_code") or cause]
    words += ["not serviced"] * ("PEPPOL:NOT_SERVICED" in cause) + ["unsigned"] * (", unsigned: " in cause)
    return " ".join(words)


class Registers:
    """The network's SMP and SML with registrations of the guests during the test."""

    SMP_ID = "PAE000908"

    def __init__(self, network):
        self._smp, self._url = f"{network['smp_url']}/{network['peer_smp']}", network["sml_url"]
        self._sml = Locator(self._url, network["peer_smp"])
        self._told = []

    def add(self, participant, url, certificate):
        """Registers a taxpayer for all documents and an access point for statuses, with this address and certificate."""
        services = STATUSES if participant.startswith("0242:") else DOCUMENTS
        told = {"address": url, "certificate": certificate.read_text()}
        told["services"] = [[each.document_type, each.process] for each in services]
        httpx.put(f"{self._smp}/iso6523-actorid-upis::{participant}", json=told).raise_for_status()
        self._sml.create(participant)
        self._told.append(participant)

    @contextmanager
    def publisher(self, address, participant):
        """Registers a guest's SMP and its participant in this context."""
        place = f"<LogicalAddress>{address}</LogicalAddress><PhysicalAddress>127.0.0.1</PhysicalAddress>"
        name = f"<ServiceMetadataPublisherID>{self.SMP_ID}</ServiceMetadataPublisherID>"
        self._tell("CreateServiceMetadataPublisherService", f"<PublisherEndpoint>{place}</PublisherEndpoint>{name}")
        try:
            Locator(self._url, self.SMP_ID).create(participant)
            yield
        finally:
            self._tell("ServiceMetadataPublisherID", self.SMP_ID)

    def _tell(self, operation, content):
        request = envelope(f'<{operation} xmlns="{LOCATOR}">{content}</{operation}>')
        answer = httpx.post(f"{self._url}/manageservicemetadata", content=request, headers={"content-type": "text/xml"})
        assert answer.status_code == 200, answer.text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for participant in self._told:
            self._sml.delete(participant)
