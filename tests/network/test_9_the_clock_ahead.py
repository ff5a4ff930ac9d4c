"""What takes minutes, or a day. The clock of both access points goes ahead here, and never back: this file is the last one.

Webhooks are not looked at: to who verifies them they are from the future."""

from sides import quiet, stranger, unchanging, unheard

from kit import bodies
from kit.client import detail, sent
from kit.waiting import wait_for


def attempt_at(side, party: dict) -> dict:
    """How the one attempt went to send somebody an invoice."""
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
        clock.ahead(minutes=1)
        b.sweep()
        record = a.reaches(document, "forwarded")
    assert (record["message_level_status"]["code"], record["message_level_status"]["findings"]) == ("AB", [])
    assert b.inbound(bodies.number_of(body))[0]["status"] == "received"


def test_an_access_point_that_takes_its_time_delays_nobody_else(a, b, other_program, clock):
    """Twenty documents that wait for one, and as many for another, queued one by one."""
    of_slow, of_quick = [], []
    with b.day("slow"):
        for _ in range(20):
            of_slow.append(queued(a, b.party()))
            of_quick.append(queued(a, other_program.party()))
        for document_id in of_quick:
            a.reaches(document_id, "sent")
        waiting = [each for each in of_slow if not has_arrived(a, each)]
    # Four are at it at first and eight after that, which takes twelve seconds each time.
    assert len(waiting) >= 8

    def look():
        # What found no room asks again a minute later.
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
    with b.day("busy"):
        for body in bodies_of_five:
            detail(a.live.send(body, key=bodies.number_of(body)), 503, "transmission_unconfirmed")
        came = b.messages()
        key = bodies.unique("key")
        one_more = bodies.invoice(customer=b.party())
        told = detail(a.live.send(one_more, key=key), 503, "recipient_unreachable")
        assert b.messages() == came, told
    # It is well again, which nobody asks before the minute is over.
    detail(a.live.send(one_more, key=key), 503, "recipient_unreachable")
    assert b.messages() == came
    clock.ahead(seconds=61)
    sent(a.live.send(one_more, key=key))
    # Those that may have arrived are tried again when their own time has come.
    clock.ahead(minutes=2)
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
        # A quarter of an hour nobody asks.
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


def test_what_nobody_confirmed_for_a_day_is_unconfirmed_and_says_why(a, b, clock):
    with b.day("down"):
        document_id = queued(a, b.party())

        def look():
            clock.ahead(minutes=70)
            a.sweep()
            record = a.record(document_id)
            return record if record["status"] == "unconfirmed" else None

        record = wait_for("the end of a day", look, seconds=60, every=0.5)
    (finding,) = (each for each in record["warnings"] if each["rule"] == "AP-NETWORK-given-up")
    assert "connection closed" in finding["message"]
    attempts = a.attempts(document_id)
    assert len(attempts) >= 15
    # Any of them may have arrived: all were the same message.
    assert {(each["outcome"], each["as4_message_id"]) for each in attempts} == {("unconfirmed", attempts[0]["as4_message_id"])}
