"""Many sends with one key at the same moment (3.3, 4.1): one document, one event."""

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import bodies

PARALLEL = 64
ROUNDS = int(os.environ.get("RACE_ROUNDS", "20"))


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
