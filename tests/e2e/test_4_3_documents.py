"""Section 4.3: listing and retrieving documents, and their stored records."""

import hashlib
import re
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import bodies
from kit.client import PATHS, detail, sent


@pytest.fixture(scope="module")
def library(tenants):
    """A taxpayer of its own with documents of every kind, by name; and its client."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    neighbour = tenants.taxpayer()
    tenants.grant(organization, neighbour)
    to_us = bodies.party(tenants.tin(taxpayer), "Library")
    documents = {}

    def keep(name, sender, operation="invoice", **changes):
        documents[name] = sent(sender.send(bodies.BUILDERS[operation](**changes), operation))

    keep("old", client, issue_date="2026-01-10", source_id="erp-1", invoice_number="L-1")
    keep("new", client, issue_date=bodies.uae_today(), source_id="erp-2", invoice_number="L-2")
    keep("same number", client, source_id="erp-1", invoice_number="L-1", note="the same number a second time")
    keep("credit", client, "credit_note", credit_note_number="L-4")
    keep("self-billed", client, "self_billed_invoice", invoice_number="L-5")
    keep("self-billed credit", client, "self_billed_credit_note", credit_note_number="L-6")
    keep("at the neighbour", tenants.client(organization, neighbour), invoice_number="L-7", customer=to_us)
    (inbound,) = client.list(direction="inbound").json()["items"]
    documents["inbound"] = inbound
    del documents["at the neighbour"]
    return client, documents


def ids(response):
    assert response.status_code == 200, response.text
    answer = response.json()
    assert set(answer) == {"items", "next_cursor"}
    return [item["document_id"] for item in answer["items"]]


def named(documents, *names):
    return {documents[name]["document_id"] for name in names}


def test_the_list_has_every_document_of_the_taxpayer_once_newest_first(library):
    """4.3: GET /invoices lists documents of the taxpayer; 1: including those received."""
    client, documents = library
    listed = ids(client.list())
    assert set(listed) == named(documents, *documents) and len(listed) == len(documents)
    created = [item["created_at"] for item in client.list().json()["items"]]
    assert created == sorted(created, reverse=True)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"direction": "outbound"}, ["old", "new", "same number", "credit", "self-billed", "self-billed credit"]),
        ({"direction": "inbound"}, ["inbound"]),
        ({"type": "credit_note"}, ["credit"]),
        ({"type": "self_billed_invoice"}, ["self-billed"]),
        ({"type": "self_billed_credit_note"}, ["self-billed credit"]),
        ({"type": "invoice"}, ["old", "new", "same number", "inbound"]),
        ({"status": "received"}, ["inbound"]),
        ({"status": "failed"}, []),
        ({"source_id": "erp-1"}, ["old", "same number"]),
        ({"source_id": "erp-3"}, []),
        ({"number": "L-1"}, ["old", "same number"]),
        ({"number": "l-1"}, []),
        ({"number": "L-1", "issued_to": "2026-01-10"}, ["old"]),
        ({"issued_to": "2026-01-10"}, ["old"]),
        ({"issued_from": "2026-01-10", "issued_to": "2026-01-10"}, ["old"]),
        ({"issued_to": "2026-01-09"}, []),
        ({"created_to": "2026-01-01T00:00:00Z"}, []),
        ({"direction": "outbound", "type": "invoice", "status": "sent", "source_id": "erp-2", "number": "L-2"}, ["new"]),
    ],
)
def test_each_filter_keeps_what_it_says(library, query, names):
    """4.3: list documents; filters by direction, type, status, source_id, number, issue and creation date."""
    client, documents = library
    assert set(ids(client.list(**query))) == named(documents, *names)


def test_the_bounds_of_creation_count_in(library):
    """4.3: filter by creation date range."""
    client, documents = library
    moment = documents["credit"]["created_at"]
    assert named(documents, "credit") <= set(ids(client.list(created_from=moment, created_to=moment)))
    later = set(ids(client.list(created_from=moment)))
    assert named(documents, "self-billed", "inbound") <= later and not named(documents, "old") & later


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_the_pages_show_every_document_once(library, limit):
    """4.3: opaque cursor, limit 1 to 100."""
    client, documents = library
    seen, cursor = [], {}
    while True:
        page = client.list(limit=limit, **cursor).json()
        assert len(page["items"]) <= limit
        seen += [item["document_id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == ids(client.list())


def test_the_pages_of_a_filter_show_every_document_once(library):
    """4.3: the cursor goes together with the filters."""
    client, documents = library
    seen, cursor = [], {}
    while True:
        page = client.list(limit=1, direction="outbound", type="invoice", **cursor).json()
        seen += [item["document_id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert len(seen) == 3 and set(seen) == named(documents, "old", "new", "same number")


def test_a_page_has_20_documents_when_no_limit_is_given(tenants):
    """4.3: the default limit."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    with ThreadPoolExecutor(4) as pool:
        made = {sent(response)["document_id"] for response in pool.map(lambda _: client.send(bodies.invoice()), range(21))}
    first = client.list().json()
    assert len(first["items"]) == 20 and first["next_cursor"]
    rest = client.list(cursor=first["next_cursor"]).json()
    assert len(rest["items"]) == 1 and rest["next_cursor"] is None
    assert {item["document_id"] for item in first["items"] + rest["items"]} == made


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"}, {"limit": "101"}, {"limit": "-1"}, {"limit": "ten"}, {"limit": ""},
        {"cursor": "AAAA"}, {"cursor": "not a cursor"}, {"cursor": ""},
        {"direction": "sideways"}, {"type": "380"}, {"status": "lost"},
        {"issued_from": "2026-02-30"}, {"issued_to": "yesterday"},
        {"created_from": "2026-02-30T00:00:00Z"}, {"created_to": "now"},
        {"colour": "red"}, {"Direction": "inbound"}, {"taxpayer_id": "txpay_1"},
    ],
    ids=str,
)
def test_a_wrong_or_unknown_query_is_refused_by_name(library, query):
    """4.3: no parameter of a caller is ignored."""
    client, _ = library
    told = detail(client.list(**query), 400, "invalid_request")
    assert next(iter(query)) in told["message"], told


def test_a_query_parameter_given_twice_is_refused(library):
    """4.3: of two values for one parameter neither is silently dropped."""
    client, _ = library
    response = client.request("GET", "/invoices?status=sent&status=received")
    detail(response, 400, "invalid_request")


def test_another_taxpayers_cursor_shows_nothing_of_the_other(library, falcon):
    """4.3: list documents of the taxpayer."""
    client, _ = library
    cursor = client.list(limit=1).json()["next_cursor"]
    detail(falcon.list(cursor=cursor), 400, "invalid_request")


def test_a_cursor_belongs_to_its_filters(library):
    """4.3: the cursor goes together with the filters."""
    client, _ = library
    cursor = client.list(limit=1).json()["next_cursor"]
    detail(client.list(limit=1, direction="outbound", cursor=cursor), 400, "invalid_request")


def test_a_document_is_retrieved_as_it_is_listed(library):
    """4.3: retrieval of one document."""
    client, documents = library
    for item in client.list().json()["items"]:
        assert client.get(item["document_id"]).json() == item


def test_a_document_shows_what_an_integrator_needs(library):
    """4.3 with 2.4: the record of a document."""
    client, documents = library
    document = client.get(documents["new"]["document_id"]).json()
    wanted = {
        "document_id", "taxpayer_id", "direction", "type", "document_type_code", "status", "number", "uuid", "issue_date",
        "due_date", "currency", "transaction_type_code", "profile", "mls_type", "total_without_vat", "total_vat",
        "total_with_vat", "amount_due", "supplier", "customer", "source_id", "metadata", "message_id", "created_at", "updated_at",
    }
    assert wanted <= set(document), wanted - set(document)
    assert (document["total_without_vat"], document["total_vat"], document["total_with_vat"]) == ("200.00", "10.00", "210.00")


def test_the_ubl_is_byte_for_byte_what_is_stored(library, items):
    """4.3: other document retrieval; the UBL as it was sent, in storage under its own hash."""
    client, documents = library
    for name in ("new", "credit", "self-billed"):
        document_id = documents[name]["document_id"]
        response = client.ubl(document_id)
        assert response.headers["content-type"].split(";")[0] == "application/xml"
        assert response.content.startswith(b"<?xml")
        (key,) = items.objects(client.taxpayer_id, document_id)
        assert key == f"sandbox/{client.taxpayer_id}/{document_id}/{hashlib.sha256(response.content).hexdigest()}.xml"
        assert items.object(key) == response.content


def test_an_inbound_documents_ubl_can_be_retrieved(library):
    """4.3: retrieval of documents received from others."""
    client, documents = library
    assert b"L-7" in client.ubl(documents["inbound"]["document_id"]).content


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_the_content_of_a_document_sent_again_gives_the_same_ubl(falcon, operation):
    """4.3 with 2.4: a document as JSON in the vocabulary of the send bodies; fields that the document does not have are left out."""
    document = sent(falcon.send(bodies.BUILDERS[operation](source_id="erp-9"), operation))
    told = falcon.request("GET", f"/invoices/{document['document_id']}/content").json()
    assert (told["document_id"], told["direction"], told["type"]) == (document["document_id"], "outbound", operation)
    assert (told["unmapped"], told["unmapped_cut"]) == ([], False)
    assert "source_id" not in told["content"]
    assert sent(falcon.send(told["content"], operation))["ubl"] == document["ubl"]


def test_an_inbound_documents_content_is_what_its_sender_sent(library):
    """4.3: retrieval of documents received from others."""
    client, documents = library
    told = client.request("GET", f"/invoices/{documents['inbound']['document_id']}/content").json()
    assert (told["direction"], told["content"]["invoice_number"]) == ("inbound", "L-7")
    assert told["content"]["customer"]["name"] == "Library" and told["unmapped"] == []


def streams_of(pdf: bytes) -> list[bytes]:
    """The decompressed streams of a PDF."""
    held = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            held.append(zlib.decompressobj().decompress(stream))
        except zlib.error:
            held.append(stream)
    return held


@pytest.mark.parametrize("name", ["new", "inbound"])
def test_a_document_is_a_pdf_with_the_very_ubl_within(library, name):
    """4.3: other document retrieval; the function with the typesetter renders it."""
    client, documents = library
    document_id = documents[name]["document_id"]
    path, ubl = f"/invoices/{document_id}/pdf", client.ubl(document_id).content
    made = []
    for language in ("en", "both", "en"):
        answer = client.request("GET", path, params={"language": language})
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-") and b"(document.xml)" in answer.content
        assert ubl in streams_of(answer.content)
        made.append(answer.content)
    english, both, again = made
    assert english == again != both
    detail(client.request("GET", path, params={"language": "fr"}), 400, "invalid_request")
    detail(client.request("GET", path.replace(document_id, "doc_0190000000007000800000000000dead")), 404, "not_found")


def test_a_sandbox_document_has_neither_envelope_nor_attempts(library):
    """1, Sandbox behaviour 3: no lookup or dispatch takes place."""
    client, documents = library
    document_id = documents["new"]["document_id"]
    assert client.request("GET", f"/invoices/{document_id}/attempts").json() == {"items": []}
    detail(client.request("GET", f"/invoices/{document_id}/sbdh"), 404, "not_found")
    assert "Sandbox" in detail(client.request("GET", f"/invoices/{document_id}/receipt"), 404, "not_found")["message"]


@pytest.mark.parametrize("path", ["", "/ubl", "/content", "/sbdh", "/receipt", "/attempts"])
@pytest.mark.parametrize("wrong", ["doc_0190000000007000800000000000dead", "doc_", "1", "doc_%2e%2e", "%2e%2e", "DOC_1", "doc_1%23doc_2"])
def test_an_unknown_document_is_not_found(falcon, path, wrong):
    """4.3 and 7: unknown resources."""
    detail(falcon.request("GET", f"/invoices/{wrong}{path}"), 404, "not_found")


def test_another_tenants_document_is_not_found(falcon, oasis):
    """4.3: documents of the taxpayer; another tenant's is 404 and looks like one that does not exist."""
    document_id = sent(falcon.send(bodies.invoice()))["document_id"]
    for look in (oasis.get, oasis.ubl):
        foreign = detail(look(document_id), 404, "not_found")
        unknown = detail(look("doc_0190000000007000800000000000dead"), 404, "not_found")
        assert foreign["message"].replace(document_id, "") == unknown["message"].replace("doc_0190000000007000800000000000dead", "")


def test_a_document_of_the_other_mode_is_not_found(falcon, tenants):
    """1, Modes: documents of the two modes are separate; the key decides the mode (9.3)."""
    document_id = sent(falcon.send(bodies.invoice()))["document_id"]
    organization = tenants.organization(mode="live")
    taxpayer = tenants.taxpayer(mode="live", taxpayer_id=falcon.taxpayer_id)
    tenants.grant(organization, taxpayer, mode="live")
    live = tenants.client(organization, taxpayer, mode="live")
    assert live.list().json()["items"] == []
    detail(live.get(document_id), 404, "not_found")
    detail(live.ubl(document_id), 404, "not_found")


PARTS = ("", "/ubl", "/content", "/html", "/pdf", "/sbdh", "/receipt", "/attempts")


@pytest.mark.parametrize("path", ["/invoices", *(f"/invoices/doc_1{part}" for part in PARTS)])
def test_retrieval_needs_authorization_and_taxpayer(falcon, path):
    """4.3: requires Authorization and x-ae-taxpayer-id."""
    detail(falcon.but(key=None).request("GET", path), 401, "unauthorized")
    detail(falcon.but(taxpayer_id=None).request("GET", path), 400, "invalid_request")


def test_the_other_send_paths_list_nothing(falcon):
    """4.3: GET /invoices is the one list."""
    for operation, path in PATHS.items():
        if operation != "invoice":
            detail(falcon.request("GET", path), 405, "method_not_allowed")
