"""Simulated faults ("bad days") of access points, of SMPs and of the name server. Each affects its own recipient.

All begin at once, and end after the first attempts. Retries follow a minute later, while other tests run.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx
from sides import OtherProgram, Side, bad_day, stranger

from kit import bodies
from kit.waiting import wait_for

# Concurrent sends.
AT_ONCE = 12


@dataclass(frozen=True)
class Receiving:
    """A day of an access point, and the outcome of a document that is sent on it.

    `cause` is the cause of its attempt, `then` the day of the next attempt.
    """

    day: str
    cause: str
    answer: tuple[int, str] = (503, "transmission_unconfirmed")
    outcome: str = "unconfirmed"
    then: str = "up"
    ends: str = "sent"
    finding: str | None = None

    @property
    def ebms_code(self) -> str | None:
        return self.day.partition(" ")[0] if self.day.startswith("EBMS") else None

    def __str__(self) -> str:
        return self.day if self.then == "up" else f"{self.day}, then {self.then}"


def _refusing(code: str, said: str) -> Receiving:
    """A permanent signed error."""
    return Receiving(code, f"{code} {said}", (422, "transmission_refused"), "refused", ends="failed", finding="AP-NETWORK-refused")


# Answers without proof: the same message is retried under the same id.
SILENT = [
    Receiving("down", "connection closed"),
    Receiving("deaf", "connection closed"),
    Receiving("busy", "HTTP 503 without a body"),
    Receiving("empty", "HTTP 200 without a body"),
    Receiving("page", "HTTP 200 with text/html, which is not a SOAP message: <!DOCTYPE html>"),
    Receiving("junk", "HTTP 200 with more than 1048576 bytes"),
    Receiving("cut", "HTTP 200 with a message that cannot be accepted"),
    Receiving("dripping", "HTTP 200 with an answer that broke off, or was not complete in time"),
    Receiving("unsigned", "HTTP 200 with a receipt that is not signed"),
    Receiving("spoilt", "digest"),
    Receiving("another", "another@bad-days.local"),
    Receiving("digests", "the receipt repeats"),
    Receiving("EBMS:0004 unsigned", "EBMS:0004 Other, unsigned: PEPPOL:NOT_SERVICED"),
    Receiving("EBMS:0202 unsigned", "EBMS:0202 DeliveryFailure, unsigned"),
]
# Temporary signed errors: the message is retried under another id.
PASSING = [
    Receiving(code, f"{code} {said}", outcome="deferred")
    for code, said in (
        ("EBMS:0005", "ConnectionFailure"),
        ("EBMS:0202", "DeliveryFailure"),
        ("EBMS:0301", "MissingReceipt"),
        ("EBMS:0302", "InvalidReceipt"),
    )
]
# Permanent signed errors.
REFUSING = [
    _refusing("EBMS:0001", "ValueNotRecognized"),
    _refusing("EBMS:0003", "ValueInconsistent"),
    _refusing("EBMS:0004", "Other: PEPPOL:NOT_SERVICED"),
    _refusing("EBMS:0007", "MimeInconsistency"),
    _refusing("EBMS:0008", "FeatureNotSupported"),
    _refusing("EBMS:0009", "InvalidHeader"),
    _refusing("EBMS:0010", "ProcessingModeMismatch"),
    _refusing("EBMS:0011", "ExternalPayloadError"),
    _refusing("EBMS:0101", "FailedAuthentication"),
    _refusing("EBMS:0102", "FailedDecryption"),
    _refusing("EBMS:0103", "PolicyNoncompliance"),
    _refusing("EBMS:0303", "DecompressionFailure"),
    # The access point cannot have the message, since nothing was sent before.
    _refusing("EBMS:4001", "DuplicateDetected"),
]
# "Duplicate" after an attempt without an answer.
CALLED_DUPLICATE = Receiving("deaf", "connection closed", then="EBMS:4001", ends="unconfirmed", finding="AP-NETWORK-duplicate")
RECEIVING = [*SILENT, *PASSING, *REFUSING, CALLED_DUPLICATE]


@dataclass(frozen=True)
class Looking:
    """A day on which the lookup of a recipient fails, and the answer to the sender. `at` is the faulty server."""

    day: str
    cause: str
    answer: tuple[int, str]
    outcome: str
    at: str = "smp"
    finding: str | None = None

    @property
    def passes(self) -> bool:
        return self.outcome == "lookup_failed"

    def __str__(self) -> str:
        return f"{self.at} {self.day}"


def _failing(day: str, cause: str, at: str = "smp") -> Looking:
    return Looking(day, cause, (503, "recipient_lookup_failed"), "lookup_failed", at)


def _defective(day: str, cause: str) -> Looking:
    return Looking(day, cause, (422, "recipient_registration_defective"), "defective", finding="AP-NETWORK-defective")


LOOKING = [
    _failing("broken", "DNS did not answer for", "names"),
    Looking("nobody", "DNS has nothing under", (422, "recipient_not_registered"), "not_registered", "names", "AP-NETWORK-not-registered"),
    _failing("down", "answered with status 503"),
    _failing("broken", "answered with status 500"),
    _failing("page", "answered what is"),
    _failing("silent", "did not answer"),
    _defective("other-participant", "answers about"),
    _defective("other-document", "answers about"),
    _defective("foreign", "is signed with a certificate that is not trusted"),
    _defective("expired", "is signed with a certificate that is not trusted"),
    _defective("unsigned", "signature"),
    _defective("spoilt", "the signature does not"),
]


@dataclass
class Met:
    """A day, its recipient, and the documents that were sent on it: in a request, and by the queue."""

    day: Receiving | Looking
    participant: str
    body: dict = field(init=False)
    key: str = field(init=False)
    first: httpx.Response = field(init=False)
    queued: str = ""

    def __post_init__(self) -> None:
        self.body, self.key = bodies.invoice(customer=stranger(self.participant)), bodies.unique("day")


class BadDays:
    """Sends a document on each day when it is created."""

    def __init__(self, sender: Side, other_program: OtherProgram, network: dict):
        self.sender, self._receiver, self._network = sender, other_program, network["network"]
        self._smp_url = f"{self._network['smp_url']}/{self._network['peer_smp']}"
        self._edges: dict[str, str] = dict(self._network["neighbours"])
        participants = iter(self._edges)
        self.met = {day: Met(day, next(participants)) for day in (*RECEIVING, *LOOKING)}
        # A participant without cached lookups.
        self.fresh = next(participants)
        self._before = {each["instance_id"] for met in self.met.values() for each in self._all_taken(met)}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._meet, self.met.values()))
        self._ended = False

    def _meet(self, met: Met) -> None:
        if isinstance(met.day, Receiving):
            url = self._edges[met.participant]
            with bad_day(url, met.day.day, then=met.day.then):
                met.first = self.send(met)
            return
        with self.looked_up_on(met.participant, met.day.day, met.day.at):
            met.first = self.send(met)
            body = bodies.changed(met.body, {"invoice_number": bodies.unique()})
            met.queued = self.queue(body)
            wait_for(f"an attempt on {met.day}", lambda: self.sender.attempts(met.queued))

    def looked_up_on(self, participant: str, day: str, at: str = "smp"):
        """A bad day of the SMP or the name server, for one participant."""
        return bad_day(self._smp_url if at == "smp" else self._network["names_url"], day, participant=participant)

    def asked(self, participant: str) -> int:
        """The number of requests to the SMP about a participant."""
        return httpx.get(f"{self._smp_url}/asked/{participant}").json()["asked"]

    def send(self, met: Met) -> httpx.Response:
        return self.sender.live.send(met.body, key=met.key)

    def queue(self, body: dict) -> str:
        response = self.sender.live.send(body, prefer="respond-async", key=bodies.unique("day"))
        assert response.status_code == 202, response.text
        return response.json()["document_id"]

    def document(self, met: Met) -> str:
        """The document that was sent on it in a request."""
        (found,) = self.sender.live.list(direction="outbound", number=bodies.number_of(met.body)).json()["items"]
        return found["document_id"]

    def documents(self, met: Met) -> list[dict]:
        return self.sender.live.list(direction="outbound", number=bodies.number_of(met.body)).json()["items"]

    def taken(self, met: Met) -> list[dict]:
        """The accepted messages for the recipient of a day."""
        return [each for each in self._all_taken(met) if each["instance_id"] not in self._before]

    def _all_taken(self, met: Met) -> list[dict]:
        return self._receiver.taken_for(self.sender.participant, met.participant)

    def end(self) -> None:
        """Waits until all retries have an outcome."""
        if self._ended:
            return
        waiting = {self.document(met) for day, met in self.met.items() if isinstance(day, Receiving)}
        waiting |= {met.queued for met in self.met.values() if met.queued}

        def look():
            waiting.difference_update([each for each in waiting if self.sender.record(each)["status"] not in ("accepted", "dispatching")])
            if waiting:
                self.sender.sweep()
            return not waiting

        wait_for("the second attempts", look, seconds=100, every=2)
        self._ended = True

