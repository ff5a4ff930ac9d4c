"""Function processes die at any moment (3.3, 6.1): every send happens once, or its key is free; and every row of an import."""

import json
import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from kit import bodies, processes
from kit.items import aws
from kit.receiver import receiver
from kit.waiting import wait_for

SENDS = int(os.environ.get("KILL_SENDS", "200"))
SENDERS = 4
# One in this many sends goes through the queues.
QUEUED_EVERY = 5
SEED = int(os.environ.get("KILL_SEED", "7"))
# Maximum time from the beginning of a send to the death of a function: about the time of a send.
LONGEST_PAUSE = 0.06
# The share of deaths of the function api.
API_SHARE = 0.6
BEHIND = ["relay", "deliver", "convert", "dispatch"]
FINAL = {201, 202}
# The rows of an import, the number of its workers that die, and the maximum work time before a death.
ROWS = int(os.environ.get("KILL_ROWS", "300"))
DEATHS = int(os.environ.get("KILL_DEATHS", "2"))
LONGEST_SPELL = 2.5
# The sweeper claims the jobs of a dead function: every minute, after the lease has ended.
SWEEP_SECONDS = 60


@pytest.fixture
def impatient_queues(run):
    """Redelivers a dead worker's message after 65 s instead of minutes, that of an import after less; restores the setting afterwards.

    As in the template, that is longer than the lease: a message that comes while the lease stands has no effect.
    """
    sqs = aws(run, "sqs")
    queues = {url: queue for queue, url in run.described["queues"].items() if queue.endswith("Queue")}
    assert len(queues) > 1, run.described["queues"]
    name = "VisibilityTimeout"
    before = {url: sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])["Attributes"][name] for url in queues}
    for url, queue in queues.items():
        seconds = lease_seconds(run) + 5 if queue.startswith("Imports") else 65
        sqs.set_queue_attributes(QueueUrl=url, Attributes={name: str(seconds)})
    yield
    for url, seconds in before.items():
        sqs.set_queue_attributes(QueueUrl=url, Attributes={name: seconds})


@pytest.mark.slow
@pytest.mark.usefixtures("impatient_queues")
def test_killed_functions_lose_and_double_nothing(run, tenants, items, capsys):
    """3.3, in progress or unconfirmed, and 6.1, point 2: retry until the answer is final; delivery at least once."""
    with receiver() as hook:
        organization, taxpayer = tenants.organization(), tenants.taxpayer()
        tenants.grant(organization, taxpayer)
        hook.secret = tenants.endpoint(organization, hook.url)
        client = tenants.client(organization, taxpayer)
        prepared = {(key := bodies.unique("kill")): bodies.invoice(source_id=key) for _ in range(SENDS)}
        queued = set(list(prepared)[::QUEUED_EVERY])

        def send(key):
            return client.send(prepared[key], key=key, prefer="respond-async" if key in queued else None)

        first_tries, killed = send_all_while_killing(run, send, prepared)
        unsent = len(prepared) - len(items.documents(taxpayer))
        recovering = time.monotonic()
        finals = recover(run, send, prepared)
        wait_for(
            "all queued sends to be sent",
            lambda: all(document["status"] == "sent" for document in items.documents(taxpayer)),
            seconds=3 * (lease_seconds(run) + SWEEP_SECONDS),
            every=1,
        )
        recovering = time.monotonic() - recovering

        documents = items.documents(taxpayer)
        by_source = Counter(document["source_id"] for document in documents)
        assert by_source == Counter(dict.fromkeys(prepared, 1)), "each send exists exactly once"
        for document in documents:
            assert finals[document["source_id"]].json()["document_id"] == document["document_id"]
            assert (finals[document["source_id"]].status_code == 202) == (document["source_id"] in queued)
            assert client.ubl(document["document_id"]).status_code == 200
        events = Counter(event["subject"]["document_id"] for event in items.all_events(taxpayer))
        assert events == Counter({document["document_id"]: 1 for document in documents}), "each has exactly one event"
        arrived = every_webhook(hook, set(events), seconds=3 * (lease_seconds(run) + SWEEP_SECONDS))
        assert all(len(ids) == 1 for ids in arrived.values()), "an event has one webhook-id, however often it arrives"
        dead = dead_letters(run)
        assert not any(dead.values()), f"nothing is given up for good: {dead}"

    unfinished = sum(1 for answer in first_tries.values() if answer not in FINAL)
    with capsys.disabled():
        print(
            f"\nkill: {SENDS} sends ({len(queued)} queued) from {SENDERS} threads, seed {SEED}: killed {dict(killed)}; "
            f"{unfinished} first tries without a final answer {dict(Counter(map(str, first_tries.values())))}, "
            f"{unsent} of all sends not made; "
            f"after recovery ({recovering:.0f} s) {len(documents)} documents, {sum(events.values())} events, "
            f"{len(hook.deliveries())} deliveries of {len(arrived)} events, {sum(dead.values())} dead letters"
        )
    assert killed["api"] > 0, "nothing was killed: the test has shown nothing"


@pytest.mark.slow
@pytest.mark.usefixtures("impatient_queues")
def test_an_import_whose_workers_are_killed_sends_every_row_once_under_one_result(run, tenants, items, capsys):
    """3.3 and 6.1, point 2, for many documents in one file: the next worker completes the work of a dead one."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    rows = [bodies.invoice() for _ in range(ROWS)]
    numbers = [bodies.number_of(row) for row in rows]
    file = "".join(json.dumps(row) + "\n" for row in rows).encode()
    taken = client.request("POST", "/imports", headers={"content-type": "application/x-ndjson"}, content=file)
    assert taken.status_code == 202, taken.text
    import_id = taken.json()["import_id"]
    begun = time.monotonic()
    partition = f"SANDBOX#ORGANIZATION#{organization}#IMPORTS#{taxpayer}"
    left = kill_workers(run, items, partition, import_id)

    def completed():
        stands = client.request("GET", f"/imports/{import_id}").json()
        return stands if stands["status"] == "completed" else None

    # A send that died with its worker keeps its key until its own lease ends.
    stands = wait_for("the import", completed, seconds=4 * (lease_seconds(run) + SWEEP_SECONDS), every=0.5)
    assert (stands["documents"], stands["accepted"], stands["already_sent"], stands["refused"]) == (ROWS, ROWS, 0, 0)
    result = client.request("GET", f"/imports/{import_id}/result", follow_redirects=True)
    assert result.status_code == 200, result.text
    outcomes = [json.loads(line) for line in result.text.splitlines()]
    assert [outcome["row"] for outcome in outcomes] == list(range(1, ROWS + 1)), "each row has one outcome"
    assert [outcome["number"] for outcome in outcomes] == numbers
    assert {outcome["outcome"] for outcome in outcomes} == {"accepted"}
    wait_for(
        "all rows to be sent",
        lambda: all(document["status"] == "sent" for document in items.documents(taxpayer)),
        seconds=3 * (lease_seconds(run) + SWEEP_SECONDS),
        every=1,
    )

    documents = items.documents(taxpayer)
    assert Counter(document["number"] for document in documents) == Counter(numbers), "each document exists exactly once"
    assert {document["number"]: document["document_id"] for document in documents} == {
        outcome["number"]: outcome["document_id"] for outcome in outcomes
    }
    events = Counter(event["subject"]["document_id"] for event in items.all_events(taxpayer))
    assert events == Counter({document["document_id"]: 1 for document in documents}), "each has exactly one event"
    dead = dead_letters(run)
    assert not any(dead.values()), f"nothing is given up for good: {dead}"
    with capsys.disabled():
        print(f"\nkill: an import of {ROWS} rows, seed {SEED}: its workers died when so many rows had an outcome: {left}; "
              f"completed after {time.monotonic() - begun:.0f} s")
    assert left, "nothing was killed: the test has shown nothing"


def kill_workers(run, items, partition: str, import_id: str) -> list[int]:
    """Kills the workers of an import at random moments; returns the number of rows with an outcome at each death."""
    chance, seen, left = random.Random(SEED), set(), []

    def another():
        (record,) = items.query(partition, import_id)
        owner = record.get("lease", {}).get("owner")
        return record if record["status"] != "running" or owner and owner not in seen else None

    while len(left) < DEATHS:
        record = wait_for("another worker", another, seconds=3 * (lease_seconds(run) + SWEEP_SECONDS), every=0.02)
        if record["status"] != "running":
            break
        seen.add(record["lease"]["owner"])
        time.sleep(chance.uniform(0, LONGEST_SPELL))
        alive = processes.function_processes(run, "imports")
        (record,) = items.query(partition, import_id)
        at_work = record.get("lease", {}).get("owner") in seen
        # The process of this worker is among them: at most two work at once.
        if sum(processes.kill(process) for process in alive) and at_work:
            counts = record["counts"]
            left.append(int(sum(counts.values())))
    return left


def dead_letters(run) -> dict[str, int]:
    """The number of messages in each dead-letter queue."""
    sqs = aws(run, "sqs")
    queues = {name: url for name, url in run.described["queues"].items() if name.endswith("DeadLetters")}
    stages = {name.removesuffix("Queue") for name in run.described["queues"] if name.endswith("Queue")}
    assert stages < {name.removesuffix("DeadLetters") for name in queues}, run.described["queues"]
    counts = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    return {
        name: sum(int(count) for count in sqs.get_queue_attributes(QueueUrl=url, AttributeNames=counts)["Attributes"].values())
        for name, url in queues.items()
    }


def lease_seconds(run) -> int:
    return int(run.parameter("ReservationLeaseSeconds", "60"))


def send_all_while_killing(run, send, prepared):
    """Sends everything once while functions die; returns the answers of the first attempts, and the killed functions."""
    chance = random.Random(SEED)
    answers, killed = {}, Counter()
    begun, done = threading.Semaphore(0), threading.Event()

    def killer():
        while not done.is_set():
            # Paced by the sends, so that deaths do not depend on the speed of the machine.
            for _ in range(chance.randint(1, 5)):
                begun.acquire(timeout=1)
            time.sleep(chance.uniform(0, LONGEST_PAUSE))
            functions = ["api"] if chance.random() < API_SHARE else BEHIND
            alive = processes.function_processes(run, *functions)
            if alive:
                victim = chance.choice(sorted(alive, key=lambda process: process.pid))
                killed[victim.function] += processes.kill(victim)

    def attempt(key):
        begun.release()
        try:
            answers[key] = send(key).status_code
        except httpx.HTTPError as error:
            answers[key] = type(error).__name__

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        with ThreadPoolExecutor(SENDERS) as pool:
            list(pool.map(attempt, prepared))
    finally:
        done.set()
        thread.join()
    return answers, killed


def recover(run, send, prepared):
    """Retries every key with its payload until the answer is final: a dead attempt's lease must end."""

    def retry(key):
        def look():
            try:
                answer = send(key)
            except httpx.HTTPError:
                return None
            return answer if answer.status_code in FINAL else None

        answer = wait_for(f"a final answer to {key}", look, seconds=2 * lease_seconds(run), every=0.5)
        return key, answer

    with ThreadPoolExecutor(SENDERS) as pool:
        return dict(pool.map(retry, prepared))


def every_webhook(hook, document_ids, seconds):
    """The webhook ids for each document, once every document has one."""

    def look():
        arrived = {}
        for delivery in hook.deliveries():
            arrived.setdefault(delivery.envelope["data"]["document_id"], set()).add(delivery.headers["webhook-id"])
        return arrived if document_ids <= set(arrived) else None

    return wait_for("a webhook of every document", look, seconds, every=0.5)
