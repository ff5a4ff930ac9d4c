"""What takes minutes, or a day. The clock of both access points goes ahead here, and never back: this file is the last one.

Webhooks are not looked at: to who verifies them they are from the future."""

import pytest
from sides import quiet, stranger, unchanging, unheard

from kit import bodies
from kit.client import detail, sent


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
