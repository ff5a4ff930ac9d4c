"""The logs of the functions after all earlier tests: each line leads to its request, and none contains a secret."""

import json
import re
import time
from pathlib import Path

import pytest

from kit import bodies
from kit.client import detail, findings, sent
from kit.waiting import wait_for

# Texts that must never be in a log.
NEVER = ("pk_test_", "pk_live_", "whsec_", "X-Amz-Signature", "Authorization", "<cbc:")

PAGES = {"docs", "oauth", "portal"}
FUNCTIONS = {path.name for path in (Path(__file__).parents[2] / "functions").iterdir()}

# The fields that a line of a stage must have, by its operation.
ABOUT = {
    "convert": {"taxpayer_id", "document_id"},
    "dispatch": {"taxpayer_id", "document_id"},
    "deliver": {"organization_id", "endpoint_id"},
    "validate_inbound": {"envelope"},
    "mls": {"document_id"},
    "register": {"taxpayer_id", "register"},
    "admit": {"application_id"},
    "report": {"taxpayer_id", "report_id"},
    "peppol_report": {"report_id"},
    "archive": {"taxpayer_id", "archive_id"},
    "import": {"organization_id", "taxpayer_id", "import_id"},
    "mail": {"mail_id"},
}


def lines_of(run, function: str) -> list[dict]:
    """The lines of a function's log, with all fields of their spans under `within`."""
    path = run.logs / f"{function}.log"
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.startswith("{")]
    for line in lines:
        line["within"] = {name: value for span in line.get("spans", []) for name, value in span.items()}
    return lines


@pytest.fixture(scope="module")
def asked(falcon, pearl, run) -> dict[str, str]:
    """Requests of every kind, by name, with their ids."""
    body = bodies.invoice()
    document = sent(falcon.send(body))["document_id"]
    answers = {
        "sent": falcon.send(bodies.invoice(), key=bodies.unique("key")),
        "read": falcon.get(document),
        "unauthorized": falcon.but(key="pk_test_" + "x" * 43).get(document),
        "malformed credential": falcon.but(key="nonsense").get(document),
        "ungranted": pearl.get(document),
        "not found": falcon.get("doc_0"),
        "unknown path": falcon.request("GET", "/nothing"),
        "invalid query": falcon.list(limit="many"),
        "invalid": falcon.send(bodies.invoice(currency="ZZZ")),
        "malformed": falcon.send('{"secret-name": 1, "secret-name": 2}'),
        "media type": falcon.send(body, headers={"content-type": "text/plain"}),
        "queued": falcon.send(bodies.invoice(), key=bodies.unique("key"), prefer="respond-async"),
    }
    findings(answers["invalid"])
    detail(answers["not found"], 404, "not_found")
    time.sleep(0.2)
    queued = answers["queued"].json()["document_id"]
    wait_for("the queued document to be sent", lambda: falcon.get(queued).json()["status"] == "sent")
    return {what: answer.headers["x-request-id"] for what, answer in answers.items()} | {"document": document, "queued document": queued}


def answered(run, request_id: str) -> dict:
    """The final line of a request."""
    lines = [line for line in lines_of(run, "api") if line["within"].get("request.id") == request_id and "http.status" in line]
    assert len(lines) == 1, (request_id, lines)
    return lines[0]


def test_a_request_is_told_with_its_operation_organization_taxpayer_key_and_document(run, falcon, asked):
    for what, operation in (("sent", "send_invoice"), ("read", "get_document"), ("queued", "send_invoice")):
        span = answered(run, asked[what])["within"]
        assert span["operation"] == operation
        assert (span["organization_id"], span["taxpayer_id"]) == (run.organization_id, falcon.taxpayer_id)
        assert span["key_id"].startswith("key_") and falcon.key not in json.dumps(span)
        assert span["document_id"].startswith("doc_")
    assert answered(run, asked["read"])["within"]["document_id"] == asked["document"]


@pytest.mark.parametrize(
    ("what", "code", "cause"),
    [
        ("unauthorized", "unauthorized", "no such API key"),
        ("malformed credential", "unauthorized", "form of an API key"),
        ("ungranted", "grant_required", "no active grant"),
        ("not found", "not_found", "no document"),
        ("unknown path", "not_found", "/v1/nothing"),
        ("invalid query", "invalid_request", "limit"),
        ("invalid", "validation_failed", "AP-JSON-code"),
        ("malformed", "malformed_json", "not JSON"),
        ("media type", "unsupported_media_type", "application/json"),
    ],
)
def test_a_refusal_is_told_with_its_cause(run, asked, what, code, cause):
    line = answered(run, asked[what])
    assert line["error.code"] == code
    assert cause in line["error.cause"], line


def test_the_stages_of_a_queued_send_are_told_with_its_document(run, falcon, asked):
    for function in ("convert", "dispatch"):
        spans = [line["within"] for line in lines_of(run, function) if line["within"].get("document_id") == asked["queued document"]]
        assert spans, f"{function} says nothing of the document"
        for span in spans:
            assert span["operation"] == function and span["taxpayer_id"] == falcon.taxpayer_id
            assert span["requestId"]


def test_every_line_of_the_whole_run_leads_to_its_request(run, asked):
    counted = 0
    # The runner has other logs beside those of the functions.
    for function in {path.stem for path in run.logs.glob("*.log")} & FUNCTIONS:
        for line in lines_of(run, function):
            if line["target"].split("::")[0] not in ("access_point", function):
                continue
            counted += 1
            within = line["within"].keys()
            assert "requestId" in within, f"{function}: {line}"
            operation = line["within"].get("operation", "")
            about = ABOUT.get(operation, set())
            assert about <= within, f"{function} does not say what this is about: {line}"
            if line["message"] in ("oauth refused", "oauth failed"):
                assert line["error.code"] and line["error.cause"], line
            if "http.method" not in line:
                continue
            assert "request.id" in within, f"{function}: {line}"
            status = line["http.status"]
            # OAuth errors have their own line.
            if status >= 400 and not operation.startswith("oauth_"):
                # A wrongly filled-in form is shown again.
                is_shown_again = function in PAGES and line["message"] == "request answered"
                assert is_shown_again or line["error.cause"], line
                assert function != "api" or line["error.code"], line
            if function == "api" and status in (200, 201, 202, 307):
                assert "operation" in within and within & {"key_id", "client_id"}, line
    assert counted > len(asked)


def test_no_line_of_the_whole_run_tells_a_secret(run, function_logs, asked):
    text = function_logs.text()
    for secret in (*NEVER, run.sandbox_key, run.live_key, run.endpoint_secret, "secret-name"):
        assert secret not in text, secret
    # Keys, client secrets, codes, handles and tokens of every kind.
    assert not re.findall(r"\b(?:pk|cs|ac|ar|at|rt)_(?:test|live)_[\w-]{20,}", text)
    assert function_logs.has_requests_of("api")
