"""Section 4.3: reports to the tax authority. In Sandbox nothing is reported (section 1, point 2)."""

import pytest

from kit import bodies
from kit.client import detail, sent


@pytest.fixture(scope="module")
def document(falcon):
    return sent(falcon.send(bodies.invoice()))


def test_a_sandbox_document_has_no_reports(falcon, document):
    """1, point 2: nothing is reported in Sandbox."""
    assert document["reporting"] is None
    response = falcon.request("GET", f"/invoices/{document['document_id']}/reports")
    assert response.status_code == 200 and response.json() == {"items": []}


@pytest.mark.parametrize("query", ["", "?outcome=REPORTED", "?kind=S&status=due", "?created_from=2026-01-01T00:00:00Z&limit=1"])
def test_a_sandbox_taxpayer_has_no_reports(falcon, document, query):
    response = falcon.request("GET", f"/reports{query}")
    assert response.status_code == 200 and response.json() == {"items": [], "next_cursor": None}


@pytest.mark.parametrize("query", ["?outcome=reported", "?kind=X", "?status=REPORTED", "?limit=0", "?document_id=doc_1"])
def test_what_no_list_of_reports_takes_is_refused(falcon, query):
    detail(falcon.request("GET", f"/reports{query}"), 400, "invalid_request")


@pytest.mark.parametrize("end", ["", "/xml"])
def test_there_is_no_report_by_the_name_of_a_sandbox_document(falcon, document, end):
    report = document["document_id"].replace("doc_", "rep_")
    detail(falcon.request("GET", f"/reports/{report}{end}"), 404, "not_found")


def test_in_sandbox_nothing_is_filed_again(falcon, document):
    path = f"/invoices/{document['document_id']}/reports"
    detail(falcon.request("POST", path, json={"kind": "R"}), 409, "report_not_repairable")
    detail(falcon.request("POST", path, json={"kind": "S"}), 422, "validation_failed")
    detail(falcon.request("POST", "/invoices/doc_1/reports", json={"kind": "R"}), 404, "not_found")
