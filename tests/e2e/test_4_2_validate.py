"""Section 4.2: validation."""

import pytest

from kit import bodies
from kit.client import PATHS, detail, encode, findings, sent


def test_a_valid_body_is_told_to_be_valid(falcon):
    """4.2: accepts the invoice body of POST /invoices and returns the structured result."""
    response = falcon.validate(bodies.invoice())
    assert response.status_code == 200, response.text
    assert response.json() == {"valid": True, "errors": [], "complete": True, "warnings": []}
    assert "location" not in response.headers


def test_validation_and_sending_find_the_same(falcon):
    """4.2: runs the same conversion and checks."""
    body = bodies.invoice(currency="ZZZ", due_date="soon", colour="red")
    assert findings(falcon.validate(body)) == findings(falcon.send(body))


def test_what_is_wrong_with_a_document_is_no_error_of_its_validation(falcon):
    """4.2: returns the structured result, whatever conversion, schema and rules find."""
    response = falcon.validate(bodies.invoice(currency="ZZZ", issue_date="1900-01-01"))
    assert response.status_code == 200, response.text
    judged = response.json()
    assert (judged["valid"], judged["complete"]) == (False, True)
    assert [error["pointer"] for error in judged["errors"]] == ["/currency"]
    detail(falcon.validate("{"), 400, "malformed_json")


def test_what_is_valid_is_sent(falcon):
    """4.2: the same body is accepted by both."""
    body = bodies.invoice()
    assert falcon.validate(body).json()["valid"] is True
    sent(falcon.send(body))


@pytest.mark.parametrize("operation", list(bodies.BUILDERS))
def test_each_kind_of_document_can_be_validated(falcon, operation):
    """4.2 and README: the same meaning for the other three sends."""
    body = bodies.BUILDERS[operation]()
    path = PATHS[operation] + "/validate"
    response = falcon.request("POST", path, content=encode(body))
    assert response.status_code == 200 and response.json()["valid"] is True, response.text
    broken = encode(body | {"currency": "ZZZ"})
    assert findings(falcon.request("POST", path, content=broken)) == findings(falcon.send(broken, operation))


def test_nothing_is_recorded_or_transmitted(tenants, items, function_logs):
    """4.2: delivers nothing; nothing is recorded or transmitted, not even in logs."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    tenants.grant(organization, taxpayer)
    client = tenants.client(organization, taxpayer)
    marker = bodies.unique("validated")
    # That the grant is used is noted by the first request of an hour, whatever it asks.
    assert client.list().json()["items"] == []
    before = items.of_taxpayer(taxpayer), items.objects(taxpayer)
    valid = bodies.invoice(invoice_number=marker, note=marker, source_id=marker, metadata={"m": marker})
    assert client.validate(valid, headers={"idempotency-key": marker}).json()["valid"] is True
    findings(client.validate(valid | {"currency": "ZZZ", marker: marker}))
    detail(client.validate(f'{{"invoice_number": "{marker}"'), 400, "malformed_json")
    assert (items.of_taxpayer(taxpayer), items.objects(taxpayer)) == before
    assert client.list().json()["items"] == []
    assert not items.anywhere(taxpayer, marker)
    assert function_logs.has_requests_of("api"), "the logs of the api function are read"
    assert marker not in function_logs.text()


def test_a_sandbox_recipient_gets_nothing_from_a_validation(falcon, oasis, run):
    """4.2: delivers nothing."""
    number = bodies.unique("VAL")
    body = bodies.invoice(invoice_number=number, customer=bodies.party(run.taxpayer("Oasis").tin, "Oasis Supplies FZE"))
    assert falcon.validate(body).json()["valid"] is True
    assert oasis.list(number=number).json()["items"] == []


def test_validation_does_not_use_idempotency_key_or_prefer(falcon):
    """4.2: it does not use Idempotency-Key or Prefer."""
    key = bodies.unique("key")
    headers = {"idempotency-key": key, "prefer": "respond-async"}
    for _ in range(2):
        response = falcon.validate(bodies.invoice(), headers=headers)
        assert response.status_code == 200 and "idempotent-replayed" not in response.headers
    sent(falcon.send(bodies.invoice(), key=key))


def test_validation_needs_the_headers_of_section_5(falcon):
    """4.2: accepts Authorization, x-ae-taxpayer-id (required with an organization API key) and x-ae-grant-id."""
    detail(falcon.but(key=None).validate(bodies.invoice()), 401, "unauthorized")
    detail(falcon.but(taxpayer_id=None).validate(bodies.invoice()), 400, "invalid_request")
    detail(falcon.but(grant_id="tgr_unknown").validate(bodies.invoice()), 403, "grant_required")


def test_validation_needs_the_scope_invoices_write(tenants):
    """5.3: invoices:write is to send, validate and change documents."""
    organization, taxpayer = tenants.organization(), tenants.taxpayer()
    grant = tenants.grant(organization, taxpayer, scopes=["invoices:read"])
    detail(tenants.client(organization, taxpayer).validate(bodies.invoice()), 403, "insufficient_scope")
    tenants.grant(organization, taxpayer, scopes=["invoices:write"])
    assert tenants.client(organization, taxpayer).validate(bodies.invoice()).status_code == 200
    detail(tenants.client(organization, taxpayer).but(grant_id=grant).validate(bodies.invoice()), 403, "insufficient_scope")


@pytest.mark.parametrize("field", ["credit_note_number", "credit_note_reason_code", "previous_document_id"])
def test_validation_is_of_invoices(falcon, field):
    """4.2: accepts the invoice body of POST /invoices."""
    errors = findings(falcon.validate(bodies.invoice(**{field: "x"})))
    assert any(error["pointer"] == f"/{field}" for error in errors), errors


def test_a_finding_about_the_ubl_names_rule_field_and_place(falcon):
    """4.2 and 2.4: the bytes that would be stored are validated by schema, rules and own checks, in a send as in a validation."""
    body = bodies.invoice(payment_means=[{"means_code": "97"}])
    for response in falcon.validate(body), falcon.send(body):
        [warning] = response.json()["warnings"]
        assert warning["rule"] == "AP-PAYMENT-means"
        assert warning["severity"] == "warning"
        assert warning["pointer"] == "/payment_means/0/means_code"
        assert warning["location"] == "/ubl:Invoice/cac:PaymentMeans/cbc:PaymentMeansCode"
        assert (warning["term"], warning["value"]) == ("IBT-081", "97")
        assert warning["message"] and warning["fix"] and warning["term_name"] and warning["line"] > 1
