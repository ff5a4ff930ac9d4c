"""Tests that take minutes or a day. They move the clock of both access points ahead, never back: this file is the last one.

Webhooks are not checked, since for the verifier they are from the future.
"""

from datetime import datetime, timedelta

from sides import quiet, stranger, unchanging, unheard

from kit import bodies
from kit.client import detail, sent
from kit.items import Items, aws
from kit.waiting import wait_for

# Minutes between attempts without a receipt, as documented: after the first attempts, and after each further one, for a day.
FIRST_WAITS, FURTHER_WAITS = [1, 5, 15, 30], 60
# So many of them are waits in the queue, in real time. The sweeper takes over a quarter of an hour later.
QUEUED_WAITS, GRACE = 2, timedelta(minutes=15)
DAY = timedelta(hours=24)


def attempt_at(side, party: dict) -> dict:
    """The outcome of the only attempt to send an invoice to a recipient."""
    (attempt,) = side.attempts(sent(side.live.send(bodies.invoice(customer=party)))["document_id"])
    return attempt


def test_what_nobody_took_within_a_quarter_of_an_hour_is_forwarded(a, b, clock):
    body = bodies.invoice(customer=b.party())
    with unheard(b, "document.received"):
        document = sent(a.live.send(body))["document_id"]
        b.arrived(bodies.number_of(body))
        clock.ahead(minutes=14)
        b.sweep()
        unchanging("no more messages", a.messages)
        assert (a.record(document)["status"], a.record(document)["message_level_status"]) == ("sent", None)
        # The queue's message is late: the sweeper takes over.
        clock.ahead(minutes=1, seconds=GRACE.total_seconds())
        b.sweep()
        record = a.reaches(document, "forwarded")
    assert (record["message_level_status"]["code"], record["message_level_status"]["findings"]) == ("AB", [])
    assert b.inbound(bodies.number_of(body))[0]["status"] == "received"


def test_an_access_point_that_takes_its_time_delays_nobody_else(a, b, other_program, clock):
    """Twenty queued documents for a slow access point, and as many for another one."""
    of_slow, of_quick = [], []
    with b.day("slow"):
        for _ in range(20):
            of_slow.append(queued(a, b.party()))
            of_quick.append(queued(a, other_program.party()))
        for document_id in of_quick:
            a.reaches(document_id, "sent")
        waiting = [each for each in of_slow if not has_arrived(a, each)]
    # First four, then eight executions at once, which take twelve seconds each.
    assert len(waiting) >= 8

    def look():
        # Rejected documents retry a minute later.
        clock.ahead(minutes=1)
        a.sweep()
        return all(has_arrived(a, each) for each in of_slow)

    wait_for("those that waited", look, seconds=60, every=2)


def has_arrived(side, document_id: str) -> bool:
    return side.record(document_id)["status"] in ("sent", "delivered", "forwarded")


def queued(side, party: dict) -> str:
    response = side.live.send(bodies.invoice(customer=party), prefer="respond-async", key=bodies.unique("key"))
    assert response.status_code == 202, response.text
    return response.json()["document_id"]


def test_an_access_point_that_failed_five_times_is_left_alone_for_a_minute(a, b, clock):
    bodies_of_five = [bodies.invoice(customer=b.party()) for _ in range(5)]
    quiet(a, b)
    # A failure within ten seconds after an answer is one of a busy access point.
    clock.ahead(seconds=11)
    with b.day("down"):
        for body in bodies_of_five:
            detail(a.live.send(body, key=bodies.number_of(body)), 503, "transmission_unconfirmed")
        came = b.messages()
        key = bodies.unique("key")
        one_more = bodies.invoice(customer=b.party())
        told = detail(a.live.send(one_more, key=key), 503, "recipient_unreachable")
        assert b.messages() == came, told
    # The access point has recovered, but the breaker stays open until the minute is over.
    detail(a.live.send(one_more, key=key), 503, "recipient_unreachable")
    assert b.messages() == came
    clock.ahead(seconds=61)
    sent(a.live.send(one_more, key=key))
    # Documents that may have arrived are retried at their own time.
    clock.ahead(minutes=2, seconds=GRACE.total_seconds())
    a.sweep()
    for body in bodies_of_five:
        (found,) = a.live.list(direction="outbound", number=bodies.number_of(body)).json()["items"]
        a.reaches(found["document_id"], "sent", "delivered", "forwarded")
        first, *_, last = a.attempts(found["document_id"])
        assert (first["as4_message_id"], last["outcome"]) == (last["as4_message_id"], "received")
        assert b.arrived(bodies.number_of(body))["status"] == "received"


def test_who_registers_is_found_a_minute_after_he_was_not(a, locator, participants, clock):
    participant = participants["invoices_only"]
    party = stranger(participant)
    clock.ahead(minutes=16)
    locator.delete(participant)
    try:
        detail(a.live.send(bodies.invoice(customer=party)), 422, "recipient_not_registered")
    finally:
        locator.create(participant)
    detail(a.live.send(bodies.invoice(customer=party)), 422, "recipient_not_registered")
    clock.ahead(seconds=61)
    assert attempt_at(a, party)["outcome"] == "received"


def test_what_was_found_serves_while_the_smp_is_down_for_a_day_and_no_longer(a, other_program, clock):
    party = other_program.party()
    clock.ahead(minutes=16)
    assert attempt_at(a, party)["stale_lookup"] is False
    with other_program.smp_down():
        # No attempt for 15 minutes.
        clock.ahead(minutes=14)
        assert attempt_at(a, party)["stale_lookup"] is False
        clock.ahead(minutes=2)
        assert attempt_at(a, party)["stale_lookup"] is True
        clock.ahead(hours=23)
        assert attempt_at(a, party)["stale_lookup"] is True
        clock.ahead(hours=1)
        detail(a.live.send(bodies.invoice(customer=party)), 503, "recipient_lookup_failed")
    clock.ahead(minutes=2)
    assert attempt_at(a, party)["stale_lookup"] is False


def test_what_nobody_confirms_is_tried_again_by_the_schedule_for_a_day_and_is_unconfirmed_then(a, b, clock):
    items, begins = Items(a.run), []
    with b.day("down"):
        document_id = queued(a, b.party())
        while due := next_attempt(a, items, document_id, after=len(begins)):
            begins.append(due - GRACE if len(begins) < QUEUED_WAITS else due)
            lose_messages(a)
            # An earlier sweep does not claim it.
            clock.until(begins[-1] - timedelta(seconds=5))
            a.sweep()
            clock.until(due)
            a.sweep()
    attempts = a.attempts(document_id)
    began = [instant(each["started_at"]) for each in attempts]
    assert [at >= due for at, due in zip(began[1:], begins, strict=True)] == [True] * len(begins)
    ended = [at + timedelta(milliseconds=each["duration_ms"]) for at, each in zip(began, attempts, strict=True)]
    # A wait is up to a tenth longer, at random; and the outcome of an attempt is recorded a moment after it.
    waits = [(due - at) / timedelta(minutes=1) for at, due in zip(ended, begins, strict=False)]
    for wait, documented in zip(waits, [*FIRST_WAITS, *[FURTHER_WAITS] * len(begins)], strict=False):
        assert documented <= wait <= documented * 1.1 + 0.1, waits
    assert began[-1] - began[0] <= DAY < began[-1] - began[0] + timedelta(minutes=FURTHER_WAITS * 1.1)
    # Any attempt may have arrived: all sent the same message.
    assert {(each["outcome"], each["as4_message_id"]) for each in attempts} == {("unconfirmed", attempts[0]["as4_message_id"])}
    record = a.record(document_id)
    assert record["status"] == "unconfirmed"
    (finding,) = (each for each in record["warnings"] if each["rule"] == "AP-NETWORK-given-up")
    assert "connection closed" in finding["message"]


def test_what_is_retired_from_the_table_after_120_days_is_read_as_before(a, b, clock):
    sent, received = reported(a, "01", "delivered", "forwarded"), reported(b, "02", "received")
    of_sent = ["{document}/attempts", "{document}/receipt"]
    cases = [(a, sent, of_sent, "DOCUMENT"), (b, received, [], "ANSWER")]
    clock.ahead(days=123)
    for side, report, more, exchange in cases:
        document, report_path = f"/invoices/{report['document_id']}", f"/reports/{report['report_id']}"
        paths = [document, f"{document}/sbdh", f"{document}/reports", report_path, f"{report_path}/xml"]
        paths += [path.format(document=document) for path in more]
        before = answers(side, paths)
        assert retirable(side, report, exchange) == ["TRANSMISSION", "FILING", "TRANSMISSION"]
        # The first runs of a deployment visit 400 days, ten at once.
        for _ in range(45):
            side.invoke("archives")
            if not retirable(side, report, exchange):
                break
        assert not retirable(side, report, exchange)
        assert answers(side, paths) == before


def reported(side, role: str, *statuses: str) -> dict:
    """A report that the authority accepted, of a document with one of the statuses."""
    reports = side.live.request("GET", "/reports", params={"outcome": "REPORTED", "limit": 100}).json()["items"]
    return next(each for each in reports if each["role"] == role and side.record(each["document_id"])["status"] in statuses)


def answers(side, paths: list[str]) -> list[bytes]:
    answered = [side.live.request("GET", path) for path in paths]
    assert {answer.status_code for answer in answered} == {200}, [answer.text for answer in answered]
    return [answer.content for answer in answered]


def retirable(side, report: dict, exchange: str) -> list[str]:
    """What the table has of the items that may be retired."""
    items, owner = Items(side.run), f"LIVE#TAXPAYER#{side.live.taxpayer_id}"
    of_exchange = {"DOCUMENT": f"{owner}#DOCUMENT#{report['document_id']}", "ANSWER": f"LIVE#ANSWER#{report['document_id']}"}[exchange]
    of_report = f"{owner}#FILING#{report['report_id']}"
    found = [item["sk"] for partition in (of_exchange, of_report) for item in items.query(partition)]
    return [sort for sort in found if sort != "DOCUMENT"]


def next_attempt(side, items: Items, document_id: str, after: int) -> datetime | None:
    """The due time of the attempt after the next one, once that was made; None if there is none."""

    def look():
        # The attempt first: a document that is read before it may have the due time of its relay.
        if len(side.attempts(document_id)) <= after:
            return None
        (item,) = items.query(f"LIVE#TAXPAYER#{side.live.taxpayer_id}#DOCUMENT#{document_id}", "DOCUMENT")
        waits = item["status"] == "dispatching" and item.keys().isdisjoint({"lease", "relay"})
        decided = item["status"] == "unconfirmed" or waits
        return item if decided else None

    item = wait_for(f"attempt {after + 1}", look, seconds=20)
    return instant(item["due_at"]) if item["status"] == "dispatching" else None


def lose_messages(side):
    """Empties the queue of documents. What waits there comes in real time, whatever the clock of the service says."""
    aws(side.run, "sqs").purge_queue(QueueUrl=side.run.described["queues"]["DispatchLiveQueue"])


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
