"""The answer to the sender on bad days of other servers, and the recorded attempt. The last files check the outcome."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from bad_days import AT_ONCE, LOOKING, PASSING, RECEIVING, SILENT
from sides import stranger

from kit import bodies
from kit.client import detail


@pytest.mark.parametrize("day", RECEIVING, ids=str)
def test_a_send_to_an_access_point_on_a_bad_day_is_answered_and_its_attempt_says_why(bad_days, day):
    met = bad_days.met[day]
    told = detail(met.first, *day.answer)
    document = bad_days.document(met)
    assert told["document_id"] == document
    first = bad_days.sender.attempts(document)[0]
    assert (first["number"], first["outcome"], first["ebms_code"]) == (1, day.outcome, day.ebms_code), first
    assert day.cause in first["cause"], first["cause"]
    assert first["endpoint"].endswith(f"/edges/{met.participant.rpartition(':')[2]}/as4")
    goes_on = day in SILENT or day in PASSING
    assert ("retry-after" in met.first.headers) is (goes_on or day.then != "up")


@pytest.mark.parametrize("day", LOOKING, ids=str)
def test_a_send_on_a_bad_day_of_a_lookup_frees_its_key_and_a_queued_one_says_why(bad_days, day):
    met = bad_days.met[day]
    detail(met.first, *day.answer)
    assert bad_days.documents(met) == []
    first = bad_days.sender.attempts(met.queued)[0]
    assert (first["outcome"], first["as4_message_id"], first["endpoint"]) == (day.outcome, None, None), first
    assert met.participant in first["cause"] and day.cause in first["cause"], first["cause"]


def test_a_batch_to_one_buyer_asks_an_smp_once_that_takes_three_seconds_for_an_answer(bad_days):
    with bad_days.looked_up_on(bad_days.fresh, "slow"), ThreadPoolExecutor(AT_ONCE) as pool:
        documents = list(pool.map(lambda _: bad_days.queue(bodies.invoice(customer=stranger(bad_days.fresh))), range(AT_ONCE)))
        for document in documents:
            bad_days.sender.reaches(document, "sent", seconds=30)
    # The ServiceGroup, and its metadata.
    assert bad_days.asked(bad_days.fresh) == 2
    assert [len(bad_days.sender.attempts(each)) for each in documents] == [1] * AT_ONCE
