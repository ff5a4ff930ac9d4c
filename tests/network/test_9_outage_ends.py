"""The outcome of the sends without an answer: each arrived once, and its sender has the answer."""

import pytest

from kit import bodies
from kit.client import sent

DAYS = ["down", "deaf"]


@pytest.fixture(scope="module")
def decided(outage):
    outage.decide()
    return outage


@pytest.mark.parametrize("day", DAYS)
def test_the_same_message_is_sent_again_and_confirmed(decided, day):
    document = decided.document(day)
    first, second = decided.sender.attempts(document)
    assert (first["outcome"], second["outcome"]) == ("unconfirmed", "received")
    assert first["as4_message_id"] == second["as4_message_id"]
    decided.sender.webhooks.wait_for("document.sent", document)


@pytest.mark.parametrize("day", DAYS)
def test_the_key_has_the_final_answer_for_ever(decided, day):
    first, again = decided.send(day), decided.send(day)
    assert sent(first)["document_id"] == decided.document(day)
    assert first.content == again.content
    assert first.headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize("day", DAYS)
def test_it_arrived_once(decided, day):
    number = bodies.number_of(decided.bodies[day])
    arrived = decided.receiver.arrived(number)
    assert arrived["status"] == "received"
    assert len(decided.receiver.inbound(number)) == 1
    decided.receiver.webhooks.wait_for("document.received", arrived["document_id"])
    assert decided.receiver.events(arrived["document_id"]).count("document.received") == 1
