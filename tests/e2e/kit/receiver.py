"""Receivers of webhooks: the runner's own log, and receivers that a test starts for itself."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from standardwebhooks import Webhook

from kit.waiting import wait_for


@dataclass(frozen=True)
class Delivery:
    """One received attempt; header names in lower case."""

    headers: dict[str, str]
    body: bytes
    envelope: dict = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "envelope", json.loads(self.body))


def verify(delivery: Delivery, secret: str) -> None:
    """Checks signature and timestamp with the Standard Webhooks reference library."""
    envelope = Webhook(secret).verify(delivery.body, delivery.headers)
    assert envelope["id"] == delivery.headers["webhook-id"]


def matching(deliveries: list[Delivery], event_type: str, document_id: str) -> list[Delivery]:
    return [
        delivery
        for delivery in deliveries
        if delivery.envelope["type"] == event_type and delivery.envelope["data"]["document_id"] == document_id
    ]


class Received:
    """Deliveries from any storage; every returned one has been verified."""

    secret: str

    def deliveries(self) -> list[Delivery]:
        raise NotImplementedError

    def wait_for(self, event_type: str, document_id: str, times: int = 1, seconds: float = 20) -> list[Delivery]:
        """Waits for this number of deliveries of an event about a document."""

        def look():
            found = matching(self.deliveries(), event_type, document_id)
            return found if len(found) >= times else None

        found = wait_for(f"{times} delivery of {event_type} about {document_id}", look, seconds)
        for delivery in found:
            verify(delivery, self.secret)
        return found


class ReceiverLog(Received):
    """The log of the local runner's receiver: one JSON object a line."""

    def __init__(self, path: Path, secret: str):
        self.path, self.secret = path, secret
        self._read, self._deliveries = 0, []
        self._lock = threading.Lock()

    def deliveries(self) -> list[Delivery]:
        with self._lock:
            if self.path.exists():
                with self.path.open("rb") as log:
                    log.seek(self._read)
                    for line in log:
                        if not line.endswith(b"\n"):
                            break
                        self._read += len(line)
                        self._deliveries.append(logged(json.loads(line)))
            return list(self._deliveries)


def logged(entry: dict) -> Delivery:
    headers = {name.lower(): value for name, value in entry["headers"].items()}
    body = base64.b64decode(entry["body_base64"]) if "body_base64" in entry else entry["body"].encode()
    return Delivery(headers, body)


class Receiver(Received):
    """A receiver on loopback with configured answers; the last answer repeats."""

    def __init__(self, answers: list[int]):
        self.secret = ""
        self._answers, self._deliveries = list(answers), []
        self._lock = threading.Lock()
        self._may_answer = threading.Event()
        self._may_answer.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/hook"

    def deliveries(self) -> list[Delivery]:
        with self._lock:
            return list(self._deliveries)

    def answer(self, status: int) -> None:
        """Sets the answer from now on."""
        with self._lock:
            self._answers = [status]

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds answers back, so that an attempt lasts. A sender waits for at most 15 seconds."""
        self._may_answer.clear()
        try:
            yield
        finally:
            self._may_answer.set()

    def _handler(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                with receiver._lock:
                    receiver._deliveries.append(Delivery({name.lower(): value for name, value in self.headers.items()}, body))
                    status = receiver._answers.pop(0) if len(receiver._answers) > 1 else receiver._answers[0]
                receiver._may_answer.wait(10)
                self.send_response(status)
                if status in (301, 302, 307, 308):
                    self.send_header("location", receiver.url)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler


@contextmanager
def receiver(answers: list[int] | None = None) -> Iterator[Receiver]:
    """A running receiver; `answers` are its successive statuses."""
    made = Receiver(answers or [200])
    thread = threading.Thread(target=made._server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made._server.shutdown()
        made._server.server_close()
