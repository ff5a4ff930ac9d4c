"""What the load counts and computes, without a service."""

import argparse
import json
from types import SimpleNamespace

import large
import pytest
import validation
from clients import Sent
from endpoint import ENDED, Endpoint
from machine import GROUPS, Machine, Resident
from tables import Results

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def event(kind: str, document_id: str, event_id: str) -> dict:
    return {"id": event_id, "type": kind, "data": {"document_id": document_id}}


def endpoint_of(documents: dict[str, float]) -> Endpoint:
    """An endpoint to which everything about some documents came at these times."""
    made = Endpoint(SECRET)
    made.ended.update(documents)
    return made


def results(sent: list[Sent], endpoint: Endpoint, resident: list[Resident] = (), lost: list[str] = ()) -> Results:
    machine = Machine(1, [])
    machine.resident = list(resident)
    options = argparse.Namespace(rate=2.0, clients=4)
    return Results(options, 0.0, 300.0, sent, endpoint, machine, *([dict.fromkeys(GROUPS, 10.0)] * 2), list(lost), [], (0.1, 0.2))


def test_a_document_has_ended_when_all_its_events_came_and_a_repeated_delivery_is_not_doubled():
    endpoint = Endpoint(SECRET)
    for number, kind in enumerate(sorted(ENDED)):
        assert "doc_1" not in endpoint.ended
        endpoint.note(event(kind, "doc_1", f"evt_{number}"))
    assert "doc_1" in endpoint.ended
    endpoint.note(event("document.sent", "doc_1", "evt_1"))
    endpoint.note(event("document.status", "doc_1", "evt_9"))
    assert (endpoint.repeated, endpoint.doubled()) == (1, {"doc_1": ["document.status"]})


def test_documents_count_in_the_minute_of_their_end_and_the_rate_is_until_the_last_one():
    sent = [Sent(f"N-{each}", each, each + 0.5, 201, f"doc_{each}", 0) for each in range(100)]
    text = results(sent, endpoint_of({f"doc_{each}": each + 101.0 for each in range(100)})).text()
    assert "| documents a second, from the first request to the last end | 0.50 |" in text
    assert "| 1 | 60 | 0 | 0.00 | 500 ms | 500 ms | 60 |" in text
    assert "| 4 | 0 | 21 | 0.35 | – | – | 0 |" in text
    assert "Nothing was lost, doubled or grew." in text


def test_what_is_lost_or_grows_is_a_failure():
    sent = [Sent("N-1", 1.0, 2.0, 201, "doc_1", 0)]
    grows = [Resident(at, "api", (7, 1), size, 50) for at, size in ((90.0, 100), (290.0, 111))]
    stays = [Resident(at, "relay", (8, 1), size, 50) for at, size in ((90.0, 100), (290.0, 110))]
    ended_later = [Resident(at, "mls", (9, 1), size, 50) for at, size in ((90.0, 100), (200.0, 900))]
    found = results(sent, endpoint_of({"doc_1": 3.0}), grows + stays + ended_later, ["doc_2"])
    assert found.failures() == ["1 lost", "the memory of api grew by more than 10%"]
    assert "| relay | 1 | 0.0 | 0.0 | +10.0% | 0.0 | 0.0 |" in found.text() and "mls" not in found.text()
    assert results([], endpoint_of({})).failures() == ["no document was accepted"]


@pytest.mark.parametrize(
    "points, call, each",
    [
        ([(1, 0.3), (10, 1.2), (5, 0.7)], 0.2, 0.1),
        ([(1, 0.3), (1, 0.5)], 0.4, 0.0),
        ([(1, 0.5), (10, 0.3)], 0.4, 0.0),
        ([(1, 0.01), (11, 1.11)], 0.0, 0.56 / 6),
    ],
)
def test_a_line_through_invocations_has_the_seconds_of_a_call_and_of_a_record(points, call, each):
    assert validation.line(points) == pytest.approx((call, each))


def test_the_constants_of_a_function_leave_out_what_it_waits_for_on_purpose(tmp_path, monkeypatch):
    entries = [("deliver", 10, validation.WEBHOOK + 0.2), ("dispatch", 10, validation.ANSWER + 0.3), ("report", 2, 0.4)]
    entries += [(name, 1, 0.1) for name in ("api", "inbound", "convert", "validate_inbound")] + [("relay", 16, 0.1)]
    lines = [{"time": 5.0, "function": name, "records": records, "seconds": seconds, "error": None} for name, records, seconds in entries]
    lines += [lines[0] | {"time": 50.0, "seconds": 90.0}, lines[0] | {"error": "Runtime.ExitError", "seconds": 90.0}]
    (tmp_path / "invocations.log").write_text("".join(json.dumps(each) + "\n" for each in lines))
    side = SimpleNamespace(run=SimpleNamespace(logs=tmp_path))
    made = validation.timings(validation.invocations(side, 0.0, 10.0), documents=1)
    assert made["deliver"] == {"executions": 2, "call": 0.2, "seconds": 0.0, "batch": 10}
    assert (made["dispatch"]["call"], made["api"]["executions"]) == (0.3, 16)


def test_the_largest_documents_fit_a_request_and_a_function_that_takes_more_than_its_memory_is_seen():
    recipient = {"participant_id": "0235:1001234502", "name": "Oasis Supplies FZE"}
    made = json.loads(large.body("L-1", recipient))
    assert (made["invoice_number"], len(made["line_items"])) == ("L-1", large.LINES)
    assert 0.85 < len(json.dumps(made)) / (4 * 1024 * 1024) < 1
    # Its own, and that of all functions.
    assert large.stated("validate_inbound") > large.stated("relay") > 0
    text = large.report({"relay": large.stated("relay") * 1.5}, 12, 9.9, ["doc_1"], [])
    assert "| `relay` | 256 | 384 | 150% |" in text and "12 of 12 documents of 9.9 MB" in text and "- doc_1" in text
