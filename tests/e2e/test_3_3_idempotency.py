"""Section 3.3: idempotent submission, and the header Idempotency-Key of 4.1."""

import json

import pytest

from kit import bodies
from kit.client import detail, findings, sent

OPERATIONS = list(bodies.BUILDERS)


def documents_with(client, source_id):
    return client.list(source_id=source_id).json()["items"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_first_use_of_a_key_is_processed(falcon, operation):
    """3.3, no record: first use of key, submission processed."""
    response = falcon.send(bodies.BUILDERS[operation](), operation, key=bodies.unique("key"))
    sent(response)
    assert "idempotent-replayed" not in response.headers


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_same_key_and_payload_replays_the_saved_response(falcon, operation):
    """3.3, saved: same key and same payload, saved response replayed without resending."""
    source_id, key = bodies.unique("erp"), bodies.unique("key")
    body = bodies.BUILDERS[operation](source_id=source_id)
    first = falcon.send(body, operation, key=key)
    sent(first)
    for _ in range(3):
        again = falcon.send(body, operation, key=key)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["idempotent-replayed"] == "true"
        assert again.headers["content-type"] == first.headers["content-type"]
        assert again.headers["location"] == first.headers["location"]
    assert len(documents_with(falcon, source_id)) == 1


def test_a_replay_has_no_second_effect(falcon, items):
    """3.3, saved: replayed without resending; one document, one event, one object."""
    key = bodies.unique("key")
    body = bodies.invoice()
    document = sent(falcon.send(body, key=key))
    before = items.of_document(falcon.taxpayer_id, document["document_id"])
    falcon.send(body, key=key)
    assert items.of_document(falcon.taxpayer_id, document["document_id"]) == before
    assert len(items.events(falcon.taxpayer_id, document["document_id"])) == 1
    assert len(items.objects(falcon.taxpayer_id, document["document_id"])) == 1


def test_the_same_payload_written_differently_is_the_same_payload(falcon):
    """3.3, saved: same payload; blanks and the order of members are not part of it."""
    key = bodies.unique("key")
    body = bodies.invoice()
    first = falcon.send(body, key=key)
    turned = json.dumps(dict(reversed(body.items())), indent=3)
    again = falcon.send(turned, key=key)
    assert again.content == first.content and again.headers["idempotent-replayed"] == "true"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_changed_payload_under_the_same_key_is_a_conflict(falcon, operation):
    """3.3, saved: same key, changed payload, HTTP 409."""
    key = bodies.unique("key")
    body = bodies.BUILDERS[operation]()
    first = falcon.send(body, operation, key=key)
    detail(falcon.send(body | {"note": "changed"}, operation, key=key), 409, "idempotency_key_reused")
    again = falcon.send(body, operation, key=key)
    assert again.content == first.content, "the conflict must leave what was saved alone"


def test_a_changed_payload_is_a_conflict_even_when_it_is_invalid(falcon):
    """4.1, send rule 4: a changed payload under an existing key returns HTTP 409."""
    key = bodies.unique("key")
    body = bodies.invoice()
    sent(falcon.send(body, key=key))
    detail(falcon.send(body | {"currency": "ZZZ"}, key=key), 409, "idempotency_key_reused")
    detail(falcon.send("{", key=key), 409, "idempotency_key_reused")


def test_the_same_body_sent_to_another_operation_is_a_changed_payload(falcon):
    """3.3, saved: an idempotency key also identifies the operation."""
    key = bodies.unique("key")
    body = bodies.credit_note()
    sent(falcon.send(body, "credit_note", key=key))
    other = bodies.self_billed_credit_note(credit_note_number=body["credit_note_number"])
    detail(falcon.send(other, "self_billed_credit_note", key=key), 409, "idempotency_key_reused")


def test_an_attempt_in_progress_is_a_conflict(falcon, oasis, items):
    """3.3, in progress: same key, HTTP 409; retry same payload and key."""
    key, source_id = bodies.unique("key"), bodies.unique("erp")
    body = bodies.invoice(source_id=source_id)
    items.reserve(falcon.taxpayer_id, key, fingerprint=items.fingerprint_of(oasis, body), lease_seconds=300)
    told = detail(falcon.send(body, key=key), 409, "idempotency_in_progress")
    assert "same" in told["message"].lower(), told
    assert documents_with(falcon, source_id) == []


def test_an_attempt_in_progress_with_another_payload_is_a_reused_key(falcon, oasis, items):
    """3.3: changed payload, HTTP 409, whatever the state of the first attempt."""
    key = bodies.unique("key")
    fingerprint = items.fingerprint_of(oasis, bodies.invoice())
    items.reserve(falcon.taxpayer_id, key, fingerprint=fingerprint, lease_seconds=300)
    detail(falcon.send(bodies.invoice(), key=key), 409, "idempotency_key_reused")


@pytest.mark.parametrize("prefer", [None, "respond-async"])
def test_a_reservation_whose_worker_died_is_taken_over_after_its_lease(falcon, oasis, items, prefer):
    """3.3, in progress or unconfirmed: retry same payload and key, until the attempt is known."""
    key, source_id = bodies.unique("key"), bodies.unique("erp")
    body = bodies.invoice(source_id=source_id)
    fingerprint = items.fingerprint_of(oasis, body)
    reserved = items.reserve(falcon.taxpayer_id, key, fingerprint, lease_seconds=-1, queued=bool(prefer))
    first = falcon.send(body, key=key, prefer=prefer)
    assert first.status_code == (202 if prefer else 201), first.text
    assert first.json()["document_id"] == reserved, "the work is gone on with, not begun anew"
    again = falcon.send(body, key=key, prefer=prefer)
    assert again.content == first.content and again.headers["idempotent-replayed"] == "true"
    (document,) = documents_with(falcon, source_id)
    assert document["document_id"] == first.json()["document_id"]


def test_a_dead_reservation_leaves_its_key_free(falcon, oasis, items):
    """3.3: a dead attempt left nothing behind, neither document nor response, so its key is free for any payload."""
    key = bodies.unique("key")
    fingerprint = items.fingerprint_of(oasis, bodies.invoice())
    items.reserve(falcon.taxpayer_id, key, fingerprint=fingerprint, lease_seconds=-1)
    sent(falcon.send(bodies.invoice(), key=key))


def test_a_refused_send_frees_its_key(falcon):
    """3.3: only the response of a processed submission is saved. A refused submission leaves no trace."""
    key = bodies.unique("key")
    body = bodies.invoice()
    findings(falcon.send(body | {"currency": "ZZZ"}, key=key))
    sent(falcon.send(body, key=key))


@pytest.mark.parametrize("key", ["!", "~", "k" * 1024, '{"j":[1]},"x"', "0190-ab/cd+ef=="])
def test_printable_ascii_without_blanks_is_a_key(tenants, key):
    """4.1, Idempotency-Key: one or more printable non-space ASCII characters (0x21 to 0x7E)."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    body = bodies.invoice()
    first = client.send(body, key=key)
    assert first.status_code == 201 and client.send(body, key=key).content == first.content


@pytest.mark.parametrize(
    "key",
    [b"", b"two words", b"tab\there", "schlüssel".encode("latin-1"), "مفتاح".encode()],
    ids=["empty", "a blank inside", "a tab inside", "latin-1", "arabic"],
)
def test_another_key_is_refused(falcon, key):
    """4.1, Idempotency-Key: one or more printable non-space ASCII characters (0x21 to 0x7E)."""
    response = falcon.send(bodies.invoice(), headers={"idempotency-key": key})
    assert "idempotency-key" in detail(response, 400, "invalid_request")["message"].lower()


def test_a_key_is_scoped_to_the_taxpayer(falcon, oasis):
    """4.1, Idempotency-Key: scoped to the taxpayer."""
    key = bodies.unique("key")
    first = sent(falcon.send(bodies.invoice(), key=key))
    second = sent(oasis.send(bodies.invoice(), key=key))
    assert first["document_id"] != second["document_id"]


def test_keys_do_not_expire(falcon, items):
    """4.1, Idempotency-Key: keys do not expire automatically."""
    key = bodies.unique("key")
    body = bodies.invoice()
    first = falcon.send(body, key=key)
    item = items.idempotency(falcon.taxpayer_id, key)
    assert not items.time_to_live_attribute() or items.time_to_live_attribute() not in item, item
    items.age(item, years=10)
    assert falcon.send(body, key=key).content == first.content


def test_without_a_key_every_send_is_a_new_document(falcon):
    """4.1, Idempotency-Key: optional."""
    body = bodies.invoice()
    first, second = sent(falcon.send(body)), sent(falcon.send(body))
    assert first["document_id"] != second["document_id"]


def test_the_key_is_not_kept_in_clear(tenants, items):
    """4.1, Idempotency-Key: callers put business data into keys; the table holds a hash only."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    key = bodies.unique("clear-key")
    sent(tenants.client(organization, taxpayer).send(bodies.invoice(), key=key))
    assert items.idempotency(taxpayer, key)
    assert not items.anywhere(taxpayer, key)
