"""Many sends with one key at the same moment (3.3, 4.1): one document, one event."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import bodies
from kit.waiting import wait_for

PARALLEL = 64
ROUNDS = int(os.environ.get("RACE_ROUNDS", "20"))


def at_once(attempts) -> list:
    """Runs all attempts at the same moment; returns their results."""
    together = threading.Barrier(len(attempts))

    def begin(attempt):
        together.wait()
        return attempt()

    with ThreadPoolExecutor(len(attempts)) as pool:
        return list(pool.map(begin, attempts))


@pytest.fixture(autouse=True, scope="module")
def warm(falcon):
    """Starts all function processes before the races: a start under load takes seconds."""

    def look():
        return {answer.status_code for answer in at_once([lambda: falcon.list(limit=1)] * PARALLEL)} == {200}

    wait_for("all function processes to answer", look, seconds=120)


@pytest.mark.slow
def test_64_parallel_sends_with_one_key_make_one_document_and_one_event(falcon, items, capsys):
    """3.3: first use is processed, in progress is 409, saved is replayed; never a second effect."""
    figures = Counter()
    with ThreadPoolExecutor(PARALLEL) as pool:
        for _ in range(ROUNDS):
            figures += one_round(falcon, items, pool)
    with capsys.disabled():
        print(f"\nrace: {ROUNDS} rounds of {PARALLEL} parallel sends with one key: {dict(sorted(figures.items()))}")
    assert figures["documents"] == figures["events"] == figures["first answers"] == ROUNDS
    assert figures["replays"] + figures["conflicts"] == ROUNDS * (PARALLEL - 1)


def one_round(client, items, pool) -> Counter:
    key, source_id = bodies.unique("race"), bodies.unique("race")
    body = bodies.invoice(source_id=source_id)
    together = threading.Barrier(PARALLEL)

    def attempt(_):
        together.wait()
        return client.send(body, key=key)

    answers = list(pool.map(attempt, range(PARALLEL)))
    made = [answer for answer in answers if answer.status_code == 201]
    conflicts = [answer for answer in answers if answer.status_code == 409]
    assert len(made) + len(conflicts) == PARALLEL, Counter(answer.status_code for answer in answers)
    assert made, "nobody won"
    assert {answer.json()["detail"]["code"] for answer in conflicts} <= {"idempotency_in_progress"}
    first = [answer for answer in made if "idempotent-replayed" not in answer.headers]
    assert {answer.content for answer in made} == {first[0].content}, "a replay differs from the first answer"
    again = pool.map(lambda _: client.send(body, key=key), conflicts)
    assert all((answer.status_code, answer.content) == (201, first[0].content) for answer in again), "a retried conflict"
    documents = client.list(source_id=source_id).json()["items"]
    events = [event for document in documents for event in items.events(client.taxpayer_id, document["document_id"])]
    return Counter(
        {
            "documents": len(documents),
            "events": len(events),
            "first answers": len(first),
            "replays": len(made) - len(first),
            "conflicts": len(conflicts),
        }
    )


def test_of_two_payloads_that_race_for_a_key_one_wins_and_the_other_is_refused(falcon):
    """3.3: same key, changed payload, HTTP 409, also when both come at once."""
    key, source_id = bodies.unique("race"), bodies.unique("race")
    rivals = [bodies.invoice(source_id=source_id, note=note) for note in ("one", "other")]
    answers = at_once([lambda body=body: (body["note"], falcon.send(body, key=key)) for body in rivals * 16])
    winners = {note for note, answer in answers if answer.status_code == 201}
    assert len(winners) == 1, Counter((note, answer.status_code) for note, answer in answers)
    for note, answer in answers:
        if note not in winners:
            assert answer.status_code == 409, answer.text
    (document,) = falcon.list(source_id=source_id).json()["items"]
    assert all(answer.json()["document_id"] == document["document_id"] for note, answer in answers if answer.status_code == 201)


def test_one_of_many_takes_over_from_a_dead_attempt(falcon, oasis, items):
    """3.3, unconfirmed: retries of a dead attempt make one document between them."""
    key, source_id = bodies.unique("race"), bodies.unique("race")
    body = bodies.invoice(source_id=source_id)
    items.reserve(falcon.taxpayer_id, key, fingerprint=items.fingerprint_of(oasis, body), lease_seconds=-1)
    answers = at_once([lambda: falcon.send(body, key=key)] * 32)
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.content for answer in answers if answer.status_code == 201}) == 1
    (document,) = falcon.list(source_id=source_id).json()["items"]
    assert len(items.events(falcon.taxpayer_id, document["document_id"])) == 1


def test_queued_sends_that_race_for_a_key_make_one_document(falcon, items):
    """3.3 with 4.1, Prefer: the same holds for queued delivery."""
    key, source_id = bodies.unique("race"), bodies.unique("race")
    body = bodies.invoice(source_id=source_id)
    answers = at_once([lambda: falcon.send(body, key=key, prefer="respond-async")] * 32)
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert len({answer.content for answer in answers if answer.status_code == 202}) == 1
    (document,) = falcon.list(source_id=source_id).json()["items"]
    wait_for("the document to be sent", lambda: falcon.get(document["document_id"]).json()["status"] == "sent")
    assert len(items.events(falcon.taxpayer_id, document["document_id"])) == 1
