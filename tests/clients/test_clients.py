"""Clients generated from the OpenAPI document by several generators: each compiles, sends, lists, follows pages, reads, and handles
errors."""

import json

import pytest
from generated import CLIENTS

from kit import bodies


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda generate: generate.__name__)
def client(request):
    return request.param()


def test_a_client_sends_lists_and_handles_errors(client, run, falcon, api_url):
    number = bodies.unique("CLIENT")
    environment = {"API": api_url, "KEY": run.sandbox_key, "TAXPAYER": falcon.taxpayer_id, "NUMBER": number, "NO_PROXY": "127.0.0.1"}
    told = json.loads(client.run(environment))
    assert told == {
        "first": told["first"],
        "again": told["first"],
        "second": told["second"],
        # Pages of one document, the newest first.
        "pages": [[told["second"]], [told["first"]]],
        "read": {
            "status": "sent",
            "total": "945.00",
            "due": "2030-01-31",
            "customer": "Oasis Supplies FZE",
            "metadata": {"order": "4711"},
            "reporting": None,
        },
        "pdf": "%PDF",
        "invalid": {
            "status": 422,
            "code": "validation_failed",
            "complete": True,
            "errors": [{"pointer": "/currency", "rule": "AP-JSON-code", "severity": "error"}],
        },
        "unknown": {"status": 404, "code": "not_found", "complete": None, "errors": []},
    }
    kept = falcon.list(source_id=number).json()["items"]
    assert [(each["document_id"], each["number"]) for each in kept] == [(told["second"], f"{number}-2"), (told["first"], f"{number}-1")]


def test_a_generator_warns_of_nothing_new(client):
    assert [each for each in client.warnings if not any(known in each for known in client.known)] == []
