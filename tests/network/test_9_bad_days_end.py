"""The outcome of the documents that were sent on bad days: nothing is lost, nothing was sent as two messages."""

import pytest
from bad_days import LOOKING, PASSING, RECEIVING

from kit.client import detail, sent


@pytest.fixture(scope="module")
def ended(bad_days):
    bad_days.end()
    return bad_days


@pytest.mark.parametrize("day", RECEIVING, ids=str)
def test_a_document_ends_as_its_access_point_had_it(ended, day):
    met, sender = ended.met[day], ended.sender
    document = ended.document(met)
    record, attempts = sender.record(document), sender.attempts(document)
    assert record["status"] == day.ends, (record, attempts)
    assert [each["rule"] for each in record["warnings"] if each["rule"].startswith("AP-NETWORK")] == [day.finding] * bool(day.finding)
    outcomes = {"sent": [day.outcome, "received"], "failed": [day.outcome], "unconfirmed": [day.outcome, "duplicate"]}[day.ends]
    assert [each["outcome"] for each in attempts] == outcomes
    ids = [each["as4_message_id"] for each in attempts]
    # A new message id is used only after the receiver refused the first message.
    assert len(set(ids)) == (2 if day in PASSING else 1)
    event = "document.sent" if day.ends == "sent" else "document.status"
    sender.webhooks.wait_for(event, document)
    assert sender.webhooks_of(event, document) == 1


@pytest.mark.parametrize("day", RECEIVING, ids=str)
def test_its_access_point_took_one_message_or_none(ended, day):
    met = ended.met[day]
    taken, attempts = ended.taken(met), ended.sender.attempts(ended.document(met))
    assert {each["instance_id"] for each in taken} <= {ended.sender.record(ended.document(met))["message_id"]}
    assert {each["message_id"] for each in taken} == ({attempts[-1]["as4_message_id"]} if day.ends != "failed" else set())
    assert sum(not each["again"] for each in taken) == (day.ends != "failed")


@pytest.mark.parametrize("day", RECEIVING, ids=str)
def test_the_key_has_the_final_answer(ended, day):
    met = ended.met[day]
    again = ended.send(met)
    assert again.headers["idempotent-replayed"] == "true"
    if day.ends == "failed":
        told, first = (detail(each, *day.answer) for each in (again, met.first))
        assert (told["message"], told["document_id"]) == (first["message"], first["document_id"])
    else:
        assert (sent(again)["document_id"], again.json()["status"]) == (ended.document(met), day.ends)


@pytest.mark.parametrize("day", LOOKING, ids=str)
def test_who_is_found_again_has_what_waited_and_what_comes(ended, day):
    met, sender = ended.met[day], ended.sender
    record, attempts = sender.record(met.queued), sender.attempts(met.queued)
    outcomes = [day.outcome, "received"] if day.passes else [day.outcome]
    assert [each["outcome"] for each in attempts] == outcomes
    assert record["status"] == ("sent" if day.passes else "failed")
    findings = [each for each in record["warnings"] if each["rule"] == day.finding]
    assert len(findings) == (not day.passes)
    # The key is free, and the earlier fault has no further effect.
    document = sent(ended.send(met))
    arrived = [record["message_id"]] * day.passes + [sender.record(document["document_id"])["message_id"]]
    assert sorted(each["instance_id"] for each in ended.taken(met)) == sorted(arrived)
