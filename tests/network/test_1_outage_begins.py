"""The answer to the sender while the arrival of a message is unknown. The last file checks the outcome, a minute later."""

import pytest

from kit.client import detail

DAYS = ["down", "deaf"]


@pytest.mark.parametrize("day", DAYS)
def test_a_send_into_silence_is_unconfirmed_and_names_the_document(outage, day):
    told = detail(outage.first[day], 503, "transmission_unconfirmed")
    assert outage.document(day) in told["message"]
    assert int(outage.first[day].headers["retry-after"]) > 0


@pytest.mark.parametrize("day", DAYS)
def test_the_same_key_is_in_progress_until_it_is_decided(outage, day):
    detail(outage.send(day), 409, "idempotency_in_progress")


@pytest.mark.parametrize("day", DAYS)
def test_the_attempt_says_what_happened(outage, day):
    (attempt,) = outage.sender.attempts(outage.document(day))
    assert (attempt["number"], attempt["outcome"]) == (1, "unconfirmed")
    assert attempt["cause"] and attempt["as4_message_id"]
    assert outage.sender.record(outage.document(day))["status"] == "dispatching"
    assert outage.sender.events(outage.document(day)) == []
