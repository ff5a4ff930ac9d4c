"""The access points of the local network, from the view of their users and neighbours."""

import asyncio
import json
import math
import subprocess
from collections.abc import Callable
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from cryptography.x509 import load_pem_x509_certificate

from kit import bodies
from kit import run as running
from kit.client import Client
from kit.receiver import Delivery, ReceiverLog
from kit.waiting import wait_for
from local_aws.network import letters
from local_aws.network.locator import SCHEME
from local_aws.network.openpeppol import document
from local_aws.network.peer import Peer
from local_aws.network.pki import renewed, spid
from local_aws.network.reporting import entries
from local_aws.network.sml import IDENTIFIERS, LOCATOR, envelope

# Maximum time of a message and its validation on a busy machine.
SECONDS = 20


class Side:
    """An access point of the product with its one Live taxpayer."""

    def __init__(self, described: dict):
        self.run = running.of(described)
        live = described["demo"]["live"]
        self.name, self.participant = live["taxpayer"]["name"], live["taxpayer"]["participant_id"]
        self.tin = self.participant.partition(":")[2]
        self.seat, self.spid, self.edge_url = described["seat"], described["spid"], described["edge_url"]
        self.live = Client(self.run.api_url, self.run.live_key, live["taxpayer"]["taxpayer_id"])
        self.sandbox = Client(self.run.api_url, self.run.sandbox_key, self.run.taxpayer(self.name.split()[0]).taxpayer_id)
        self.webhooks = ReceiverLog(self.run.receiver_log, live["webhook_endpoint"]["secret"])
        self._invoke_url = described["invoke_url"]

    def party(self) -> dict:
        return bodies.party(self.tin, self.name)

    def record(self, document_id: str) -> dict:
        return self.live.get(document_id).json()

    def attempts(self, document_id: str) -> list[dict]:
        response = self.live.request("GET", f"/invoices/{document_id}/attempts")
        assert response.status_code == 200, response.text
        return response.json()["items"]

    def envelope(self, document_id: str) -> str:
        response = self.live.request("GET", f"/invoices/{document_id}/sbdh")
        assert response.status_code == 200, response.text
        return response.text

    def inbound(self, number: str) -> list[dict]:
        return self.live.list(direction="inbound", number=number).json()["items"]

    def arrived(self, number: str) -> dict:
        """The received document with this number."""
        (found,) = wait_for(f"{number} at {self.name}", lambda: self.inbound(number), SECONDS)
        return found

    def reaches(self, document_id: str, *statuses: str, seconds: float = SECONDS) -> dict:
        """Waits until the record has one of the statuses."""

        def look():
            record = self.record(document_id)
            return record if record["status"] in statuses else None

        return wait_for(f"{document_id} to be {' or '.join(statuses)}", look, seconds)

    def reports(self, document_id: str) -> list[dict]:
        """The reports about a document to the tax authority."""
        response = self.live.request("GET", f"/invoices/{document_id}/reports")
        assert response.status_code == 200, response.text
        return response.json()["items"]

    def events(self, document_id: str) -> list[str]:
        """The types of the events about a document's exchange, in order of arrival; the report's event comes at another time."""
        types = [delivery.envelope["type"] for delivery in self._about(document_id)]
        return [each for each in types if each != "document.reported"]

    def webhooks_of(self, event_type: str, document_id: str) -> int:
        """The number of events of a type about a document, without repeated deliveries."""
        return len({each.envelope["id"] for each in self._about(document_id) if each.envelope["type"] == event_type})

    def _about(self, document_id: str) -> list[Delivery]:
        return [each for each in self.webhooks.deliveries() if each.envelope["data"].get("document_id") == document_id]

    def messages(self) -> int:
        """The number of received messages so far."""
        return httpx.get(f"{self.edge_url}/day").json()["came"]

    def day(self, name: str):
        """A bad day of the edge before this access point."""
        return bad_day(self.edge_url, name)

    def operate(self, *arguments: str) -> str:
        """Runs an operator's command."""
        tool = self.run.functions / "access-point" / "bootstrap"
        done = subprocess.run([tool, *arguments], env=self.run.described["environment"], capture_output=True, text=True, timeout=40)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def sweep(self) -> None:
        """Runs the sweeper now, instead of at the next minute."""
        self.invoke("sweeper")

    def invoke(self, function: str) -> None:
        """Invokes a function with its schedule's tick."""
        answer = httpx.post(f"{self._invoke_url}/2015-03-31/functions/{function}/invocations", json={}, timeout=40)
        assert "x-amz-function-error" not in answer.headers, answer.text


@contextmanager
def bad_day(url: str, name: str, *, participant: str | None = None, then: str = "up"):
    """A bad day of an edge, an SMP or a name server, optionally for one participant."""
    about = {"participant": participant} if participant else {}

    def change(day: str) -> None:
        httpx.put(f"{url}/day", json={"day": day} | about).raise_for_status()

    change(name)
    try:
        yield
    finally:
        change(then)


def stranger(participant: str) -> dict:
    """The party of a participant at another access point."""
    return bodies.party(participant.partition(":")[2], "Coral Trading LLC")


@contextmanager
def unheard(side, event_type: str):
    """An access point whose endpoint refuses events of a type in this context."""
    endpoint = f"/webhook-endpoints/{side.run.described['demo']['live']['webhook_endpoint']['endpoint_id']}"
    taken = ["document.received", "document.sent", "document.status", "document.reported"]

    def take(types: list[str]) -> None:
        content = json.dumps({"event_types": types}).encode()
        headers = {"x-ae-taxpayer-id": None, "content-type": "application/merge-patch+json"}
        response = side.live.request("PATCH", endpoint, headers=headers, content=content)
        assert response.status_code == 200, response.text

    before = side.live.request("GET", endpoint, headers={"x-ae-taxpayer-id": None}).json()["event_types"]
    take([each for each in taken if each != event_type])
    try:
        yield
    finally:
        take(before)


def quiet(*sides: Side) -> int:
    """The number of received messages, after all statuses about earlier tests have arrived."""
    return unchanging("no more messages", lambda: sum(side.messages() for side in sides))


def unchanging(what: str, count: Callable[[], int]) -> int:
    """Waits until a number has not changed for a second."""
    seen = []

    def look():
        seen.append(count())
        return len(seen) > 5 and len(set(seen[-6:])) == 1

    wait_for(what, look, SECONDS, every=0.2)
    return seen[-1]


def decided(side: Side, document_id: str, outcome: str) -> dict:
    """Waits until the only report about a document has this outcome."""

    def look():
        reports = side.reports(document_id)
        return reports if reports and reports[0]["outcome"] is not None else None

    (report,) = wait_for(f"the report about {document_id} at {side.name}", look, SECONDS)
    assert (report["outcome"], report["status"]) == (outcome, outcome.lower()), report
    return report


class OtherProgram:
    """Sends hand-built messages with the key of any seat."""

    def __init__(self, network: dict):
        peer = network["peer"]
        self.seat, self.spid, self.participant, self.log = peer["seat"], peer["spid"], peer["participant_id"], Path(peer["log"])
        # Its participant that also receives statuses.
        self.statuses = peer["statuses"]
        self._smp_url = f"{network['network']['smp_url']}/{network['network']['peer_smp']}"
        self.smp, self._keys, self._program = network["network"]["peer_smp"], Path(network["network"]["keys"]), Path(peer["program"])
        self.revoked_seat = network["network"]["revoked_seat"]
        self._peer = Peer(self._program, self._keys, peer["seat"], peer["participant_id"], self.log)

    def party(self) -> dict:
        return bodies.party(self.participant.partition(":")[2], "Pearl Services LLC")

    def send(self, to: Side, envelope: str, seat: str | None = None) -> str:
        """Sends an envelope; describes the answer in a line."""
        return self.send_to(f"{to.edge_url}/as4", to, envelope, seat)

    def send_to(self, as4_url: str, to: Side, envelope: str, seat: str | None = None, *options: str, receiver: str | None = None) -> str:
        """Sends to another address of an access point, or encrypts for another certificate of it, by its name in the key folder."""
        return asyncio.run(self._peer.send(seat or self.seat, as4_url, receiver or to.seat, envelope, *options))

    def key_of(self, side: Side) -> Path:
        return self._keys / f"{side.seat}.key.pem"

    def renews(self, side: Side) -> tuple[str, dict]:
        """Issues another certificate of the same authority for an access point: its name in the key folder, and its entry for the
        secret."""
        return f"{side.seat}-next", renewed(self._keys, side.seat).secret()

    def smp_down(self):
        """Takes its SMP down in this context."""
        return bad_day(self._smp_url, "down")

    @contextmanager
    def publishes(self, side: Side):
        """Registers the taxpayer of an access point at its SMP: the address of the SMP, and its signer."""
        words = ["publish", side.participant, f"{side.edge_url}/as4", self._keys / f"{side.seat}.pem"]
        with subprocess.Popen(self._command(*words), stdout=subprocess.PIPE, text=True) as server:
            try:
                address = server.stdout.readline().removeprefix("listening ").strip()
                certificate = load_pem_x509_certificate((self._keys / f"{self.smp}.pem").read_bytes())
                yield f"http://{address}", certificate.subject.rfc4514_string()
            finally:
                server.terminate()

    def looks_up(self, side: Side, document: dict) -> dict:
        """The result of the product's lookup at the SMP of an access point for a document's type."""
        words = ["lookup", side.run.described["smp_url"], side.participant, document["type"], document["process"]]
        done = subprocess.run(self._command(*words), capture_output=True, text=True, timeout=SECONDS)
        return json.loads(done.stdout)

    def _command(self, *words) -> list[str]:
        return [str(word) for word in (self._program, *words, "--pki", self._keys, "--seat", self.smp)]

    def rejects(self, sender: Side, document_id: str, seat: str | None = None, why: str = "The due date is not ours.") -> str:
        """Rejects a document with a Message Level Status; describes the answer."""
        seat = seat or self.seat
        instance = letters.instance_of(sender.envelope(document_id))
        return self.send(sender, letters.rejection(spid(seat), sender.spid, instance, "/Invoice/cbc:DueDate", why), seat)

    def statuses_of(self, side: Side) -> int:
        """The number of received messages from an access point itself, which are only statuses."""
        return len(self.statuses_to(side))

    def taken_for(self, sender: str, receiver: str) -> list[dict]:
        """The accepted messages from one participant to another."""
        return [each for each in self._peer.messages_of(sender) if each["receiver"] == receiver]

    def statuses_to(self, side: Side) -> list[str]:
        """The receivers of these statuses."""
        return [each["receiver"] for each in self._peer.messages_of(side.spid)]


class Locator:
    """The SML, at which an SMP registers its participants."""

    def __init__(self, url: str, smp_id: str):
        self._url, self._smp_id = f"{url}/manageparticipantidentifier", smp_id

    def create(self, participant: str) -> None:
        self._tell("CreateParticipantIdentifier", participant)

    def delete(self, participant: str) -> None:
        self._tell("DeleteParticipantIdentifier", participant)

    def prepare(self, participant: str, key: str) -> None:
        """Sets the migration key of a participant."""
        self._tell("PrepareMigrationRecord", participant, key)

    def take_over(self, participant: str, key: str) -> None:
        """Takes over a participant from another SMP, with its migration key."""
        self._tell("CompleteMigrationRecord", participant, key)

    def _tell(self, operation: str, participant: str, key: str | None = None) -> None:
        content = f"<ServiceMetadataPublisherID>{self._smp_id}</ServiceMetadataPublisherID>"
        content += f'<id:ParticipantIdentifier scheme="{SCHEME}">{participant}</id:ParticipantIdentifier>'
        content += f"<MigrationKey>{key}</MigrationKey>" if key else ""
        request = f'<{operation} xmlns="{LOCATOR}" xmlns:id="{IDENTIFIERS}">{content}</{operation}>'
        answer = httpx.post(self._url, content=envelope(request), headers={"content-type": "text/xml"})
        assert answer.status_code == 200, answer.text


class Clock:
    """Sets the clock of the functions ahead; it never goes back."""

    def __init__(self, file: Path):
        self._file, self._is_ahead = file, timedelta()

    def until(self, instant: datetime) -> None:
        """Sets the clock to an instant, or a moment later."""
        seconds = (instant - datetime.now(UTC) - self._is_ahead).total_seconds()
        self.ahead(seconds=max(0, math.ceil(seconds)))

    def ahead(self, **by: float) -> None:
        self._is_ahead += timedelta(**by)
        partial = self._file.with_suffix(".partial")
        partial.write_text(f"+{int(self._is_ahead.total_seconds())}")
        partial.replace(self._file)


class Authority:
    """The tax authority and its public data."""

    def __init__(self, described: dict):
        self.spid, self.folder, self._url = described["spid"], described["folder"], described["url"]

    def ledger(self) -> dict:
        return self._get("ledger").json()

    def reports(self, number: str) -> list[dict]:
        """The authority's reports about a document with this number."""
        return [each for each in entries(self.ledger()).values() if each["number"] == number]

    def message(self, instance_id: str) -> bytes:
        """The envelope of a report, as it came."""
        return self._get(f"messages/{instance_id}").content

    def rules(self) -> dict:
        return self._get("rules").json()

    def change(self, rules: dict) -> None:
        httpx.put(f"{self._url}/rules", json=rules).raise_for_status()

    def _get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self._url}/{path}").raise_for_status()


class OpenPeppol:
    """The receiver of monthly statistics and its public data."""

    def __init__(self, described: dict):
        self._url = described["url"]

    def reports(self, month: str, side: Side) -> list[dict]:
        """The received reports of an access point about a month."""
        all_reports = httpx.get(f"{self._url}/reports", timeout=40).raise_for_status().json()
        return [each for each in all_reports if (each["month"], each["reporter"]) == (month, side.seat)]

    def document(self, instance_id: str) -> bytes:
        """The exact bytes of a report."""
        return document(httpx.get(f"{self._url}/messages/{instance_id}").raise_for_status().content)


class Outage:
    """Two sends: one never arrived, the other arrived but its answer was lost."""

    def __init__(self, sender: Side, receiver: Side):
        self.sender, self.receiver = sender, receiver
        self.bodies = {day: bodies.invoice(customer=receiver.party()) for day in ("down", "deaf")}
        self.keys = {day: bodies.unique(day) for day in self.bodies}
        self.first = {}
        for day in self.bodies:
            with receiver.day(day):
                self.first[day] = self.send(day)
        self._decided = False

    def send(self, day: str):
        return self.sender.live.send(self.bodies[day], key=self.keys[day])

    def document(self, day: str) -> str:
        (found,) = self.sender.live.list(direction="outbound", number=bodies.number_of(self.bodies[day])).json()["items"]
        return found["document_id"]

    def decide(self) -> None:
        """Waits for the second attempts."""
        if self._decided:
            return

        def look():
            self.sender.sweep()
            return all(self.sender.record(self.document(day))["status"] != "dispatching" for day in self.bodies)

        wait_for("the second attempts", look, seconds=100, every=2)
        self._decided = True
