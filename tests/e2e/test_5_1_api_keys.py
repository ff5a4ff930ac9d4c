"""Section 5.1: organization API keys; 5.3: scopes."""

import pytest

from kit import bodies
from kit.client import detail, sent
from kit.items import text_of


@pytest.mark.parametrize(
    "header",
    [
        None, "", "Api-Key", "Basic cGs6", "Api-Key pk_test_unknown", "Api-Key pk_live_unknown",
        "Api-Key nonsense", "pk_test_unknown", "Api-Key pk_test_unknown extra",
    ],
    ids=str,
)
def test_wrong_credentials_are_refused(falcon, header):
    """5.1, point 2: Authorization: Api-Key <API_KEY>, on every authenticated request."""
    for response in (
        falcon.request("GET", "/invoices", headers={"authorization": header}),
        falcon.send(bodies.invoice(), headers={"authorization": header}),
    ):
        detail(response, 401, "unauthorized")
        assert response.headers["www-authenticate"] == "Api-Key, Bearer"


def test_what_is_no_access_token_is_refused_as_one(falcon):
    """5.2; RFC 6750, section 3.1."""
    response = falcon.request("GET", "/invoices", headers={"authorization": "Bearer pk_test_x"})
    detail(response, 401, "invalid_token")
    assert response.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def test_a_key_with_one_character_changed_is_refused(falcon):
    """5.1, point 2: the key must be the one that was created."""
    last = "a" if falcon.key[-1] != "a" else "b"
    detail(falcon.but(key=falcon.key[:-1] + last).list(), 401, "unauthorized")
    detail(falcon.but(key=falcon.key.replace("pk_test_", "pk_live_")).list(), 401, "unauthorized")


def test_the_scheme_of_authorization_has_no_case(falcon):
    """5.1, point 2, with RFC 9110 11.1: the scheme is a case-insensitive token."""
    assert falcon.request("GET", "/invoices", headers={"authorization": f"api-key {falcon.key}"}).status_code == 200


def test_keys_start_with_their_mode(run):
    """5.1, point 1: Live keys start pk_live_; Sandbox keys start pk_test_."""
    assert run.live_key.startswith("pk_live_") and run.sandbox_key.startswith("pk_test_")


def test_a_live_key_does_not_reach_a_sandbox_taxpayer(falcon, run):
    """5.1, point 1: keys are of the same mode as the taxpayer; Sandbox keys route requests to Sandbox."""
    detail(falcon.but(key=run.live_key).list(), 403, "grant_required")
    detail(falcon.but(key=run.live_key).send(bodies.invoice()), 403, "grant_required")


def test_a_taxpayer_without_a_grant_is_refused(pearl):
    """5.1, point 4: an allocated taxpayer id alone does not authorize access; an API key never bypasses consent."""
    detail(pearl.send(bodies.invoice()), 403, "grant_required")
    detail(pearl.validate(bodies.invoice()), 403, "grant_required")
    detail(pearl.list(), 403, "grant_required")
    detail(pearl.get("doc_1"), 403, "grant_required")
    detail(pearl.ubl("doc_1"), 403, "grant_required")


def test_an_unknown_taxpayer_looks_like_one_without_a_grant(falcon, pearl):
    """5.1, point 4: a caller without access to a taxpayer does not learn that it exists."""
    unknown = falcon.but(taxpayer_id="txpay_0190000000007000800000000000dead")
    known = detail(pearl.list(), 403, "grant_required")["message"].replace(pearl.taxpayer_id, "")
    assert detail(unknown.list(), 403, "grant_required")["message"].replace(unknown.taxpayer_id, "") == known


def test_a_revoked_grant_gives_no_access(tenants):
    """5.1, point 4, and 3.1: the organization must hold an active grant; requests of a revoked one return 403."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    grant = tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    sent(client.send(bodies.invoice()))
    tenants.revoke(organization, taxpayer, grant)
    detail(client.send(bodies.invoice()), 403, "grant_required")
    detail(client.list(), 403, "grant_required")
    detail(client.but(grant_id=grant).list(), 403, "grant_required")


@pytest.mark.parametrize("changes", [{"status": "inactive"}, {"status": "onboarding"}], ids=str)
def test_a_taxpayer_that_is_not_active_is_refused(tenants, changes):
    """5.1, point 4: onboarding must be complete, the taxpayer must be active."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer(**changes)
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    detail(client.send(bodies.invoice()), 403, "taxpayer_inactive")
    detail(client.list(), 403, "taxpayer_inactive")


def test_a_key_acts_through_all_grants_of_its_organization(tenants):
    """5.1, point 5: without x-ae-grant-id the key acts through all of the organization's active grants."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    writing = tenants.grant(organization, taxpayer, scopes=["invoices:write"])
    reading = tenants.grant(organization, taxpayer, scopes=["invoices:read"])
    client = tenants.client(organization, taxpayer)
    document = sent(client.send(bodies.invoice()))
    assert client.get(document["document_id"]).status_code == 200
    tenants.revoke(organization, taxpayer, reading)
    sent(client.send(bodies.invoice()))
    detail(client.request("GET", f"/invoices/{document['document_id']}/ubl"), 403, "insufficient_scope")
    assert client.get(document["document_id"]).status_code == 200, "it sent it itself"
    assert writing != reading


def test_a_named_grant_has_exactly_its_scopes(tenants):
    """5.1, point 5: with x-ae-grant-id it acts through that one grant and has exactly its scopes."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    writing = tenants.grant(organization, taxpayer, scopes=["invoices:write"])
    reading = tenants.grant(organization, taxpayer, scopes=["invoices:read"])
    client = tenants.client(organization, taxpayer)
    document = sent(client.but(grant_id=writing).send(bodies.invoice()))
    detail(client.but(grant_id=reading).send(bodies.invoice()), 403, "insufficient_scope")
    content = f"/invoices/{document['document_id']}/content"
    assert client.but(grant_id=reading).request("GET", content).status_code == 200
    detail(client.but(grant_id=writing).request("GET", content), 403, "insufficient_scope")


def test_a_named_grant_fails_once_it_is_revoked(tenants):
    """3.1: requests made with x-ae-grant-id act through that one grant only and fail once it is revoked."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    revoked = tenants.grant(organization, taxpayer)
    tenants.grant(organization, taxpayer)
    tenants.revoke(organization, taxpayer, revoked)
    client = tenants.client(organization, taxpayer)
    sent(client.send(bodies.invoice()))
    detail(client.but(grant_id=revoked).send(bodies.invoice()), 403, "grant_required")


def test_another_organizations_grant_gives_no_access(tenants):
    """2.3: a grant links one organization to one taxpayer."""
    holder, stranger, taxpayer = tenants.organization(), tenants.organization(), tenants.taxpayer()
    grant = tenants.grant(holder, taxpayer)
    client = tenants.client(stranger, taxpayer)
    detail(client.list(), 403, "grant_required")
    detail(client.but(grant_id=grant).list(), 403, "grant_required")


def test_a_reader_sees_what_other_organizations_issued(tenants):
    """5.3, invoices:read: every document of the taxpayer, including those other organizations issued."""
    issuer, reader, taxpayer = tenants.organization(), tenants.organization(), tenants.taxpayer()
    tenants.grant(issuer, taxpayer)
    tenants.grant(reader, taxpayer, scopes=["invoices:read"])
    document = sent(tenants.client(issuer, taxpayer).send(bodies.invoice()))
    client = tenants.client(reader, taxpayer)
    assert [item["document_id"] for item in client.list().json()["items"]] == [document["document_id"]]
    assert client.get(document["document_id"]).status_code == client.ubl(document["document_id"]).status_code == 200


def test_an_inbound_reader_sees_inbound_documents_only(tenants):
    """5.3, inbound:read: read documents other access points sent to the taxpayer."""
    organization, taxpayer, sender = tenants.organization(), tenants.taxpayer(), tenants.taxpayer()
    tenants.grant(organization, sender)
    writing = tenants.grant(organization, taxpayer, scopes=["invoices:write"])
    inbound_only = tenants.grant(organization, taxpayer, scopes=["inbound:read"])
    outbound = sent(tenants.client(organization, taxpayer).but(grant_id=writing).send(bodies.invoice()))
    to_us = bodies.party(tenants.tin(taxpayer), "Reader")
    sent(tenants.client(organization, sender).send(bodies.invoice(customer=to_us)))
    reader = tenants.client(organization, taxpayer).but(grant_id=inbound_only)
    (inbound,) = reader.list().json()["items"]
    assert inbound["direction"] == "inbound"
    assert reader.get(inbound["document_id"]).status_code == 200
    detail(reader.get(outbound["document_id"]), 404, "not_found")
    detail(reader.ubl(outbound["document_id"]), 404, "not_found")
    detail(reader.list(direction="outbound"), 403, "insufficient_scope")


def test_the_scope_taxpayer_read_shows_no_documents(tenants):
    """5.3, taxpayer:read: read taxpayer details."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer, scopes=["taxpayer:read"])
    detail(tenants.client(organization, taxpayer).list(), 403, "insufficient_scope")


def test_credentials_are_kept_as_hashes_and_logged_nowhere(falcon, run, items, function_logs):
    """5.5: keys and secrets never in logs; a reader of the table cannot use them."""
    sent(falcon.send(bodies.invoice()))
    falcon.but(key=None).request("GET", "/invoices", headers={"authorization": f"Bearer {run.live_key}"})
    kept = "".join(text_of(item) for item in items.scan())
    logged = function_logs.text()
    assert function_logs.has_requests_of("api")
    for secret in (run.sandbox_key, run.live_key, run.endpoint_secret):
        assert secret not in kept and secret not in logged
