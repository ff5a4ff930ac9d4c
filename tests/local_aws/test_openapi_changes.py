"""The changes that the check of the OpenAPI document calls breaking, and those that it allows."""

import copy
import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("openapi_changes", ROOT / ".ci" / "openapi_changes.py")
openapi_changes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(openapi_changes)

DOCUMENT = json.loads((ROOT / "shared" / "openapi.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]


def changed(change) -> list[str]:
    new = copy.deepcopy(DOCUMENT)
    change(new)
    return openapi_changes.breaking(DOCUMENT, new)


def at(document: dict, *way: str):
    for name in way[:-1]:
        document = document[name]
    return document, way[-1]


def take(*way: str):
    def change(document: dict) -> None:
        parent, name = at(document, *way)
        del parent[name]

    return change


def put(value, *way: str):
    def change(document: dict) -> None:
        parent, name = at(document, *way)
        parent[name] = value

    return change


BODY, ANSWER = ("components", "schemas", "InvoiceBody"), ("components", "schemas", "DocumentResponse")
SEND = ("paths", "/invoices", "post")
LIST = ("paths", "/invoices", "get")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (take("paths", "/me"), "GET /me: is gone"),
        (take(*SEND), "POST /invoices: is gone"),
        (take("webhooks", "document.sent"), "event document.sent: is gone"),
        (take(*SEND, "responses", "202"), "POST /invoices: is not answered with 202 any more"),
        (take(*ANSWER, "properties", "status"), "POST /invoices 201.status: is gone"),
        (
            put(["string", "null"], *ANSWER, "properties", "amount_due", "type"),
            "POST /invoices 201.amount_due: is null or string, was string",
        ),
        (take(*ANSWER, "properties", "uuid", "format"), "POST /invoices 201.uuid: its format is none, was uuid"),
        (put("email", *BODY, "properties", "note", "format"), "POST /invoices body.note: its format is email, was none"),
        (put("integer", *ANSWER, "properties", "amount_due", "type"), "POST /invoices 201.amount_due: is integer, was string"),
        (put([], *ANSWER, "required"), "POST /invoices 201.document_id: may be absent"),
        (take("components", "schemas", "ErrorDetail", "properties", "code"), "error.detail.code: is gone"),
        (take(*BODY, "properties", "note"), "POST /invoices body.note: is gone"),
        (put([*SCHEMAS["InvoiceBody"]["required"], "note"], *BODY, "required"), "POST /invoices body.note: is required"),
        (put(3, *BODY, "properties", "note", "maxLength"), "POST /invoices body.note: maxLength is 3, was 5000"),
        (put("^a$", *BODY, "properties", "note", "pattern"), "POST /invoices body.note: has another pattern, ^a$"),
        (put("integer", *BODY, "properties", "note", "type"), "POST /invoices body.note: takes integer, took null or string"),
        (put(["a"], *BODY, "properties", "note", "enum"), "POST /invoices body.note: does not take any value any more"),
        (take(*SEND, "requestBody", "content", "application/json"), "POST /invoices body: there is no application/json any more"),
        (lambda document: document["paths"]["/invoices"]["get"]["parameters"].pop(), "is gone"),
        (
            lambda document: document["paths"]["/invoices"]["get"]["parameters"].append(
                {"in": "query", "name": "shard", "required": True, "schema": {"type": "string"}}
            ),
            "GET /invoices: the query parameter shard is required",
        ),
        (put([], *SEND, "security"), "POST /invoices: a credential that was taken is not"),
    ],
)
def test_what_breaks_programs_is_found(change, expected):
    found = changed(change)
    assert any(expected in each for each in found), found


@pytest.mark.parametrize(
    "change",
    [
        lambda document: None,
        put({"get": {"responses": {}}}, "paths", "/more"),
        put({"type": "string"}, *ANSWER, "properties", "more"),
        put({"type": "string"}, *BODY, "properties", "more"),
        put({"post": {}}, "webhooks", "document.more"),
        put(9_000, *BODY, "properties", "note", "maxLength"),
        put("email", *ANSWER, "properties", "amount_due", "format"),
        put("Said better.", *BODY, "properties", "note", "description"),
        take(*SEND, "responses", "402"),
        lambda document: document["components"]["schemas"]["Code"]["enum"].append("more"),
        lambda document: document["paths"]["/invoices"]["get"]["parameters"].append(
            {"in": "query", "name": "more", "schema": {"type": "string"}}
        ),
    ],
)
def test_what_adds_breaks_nothing(change):
    assert changed(change) == []


def test_a_value_that_is_not_taken_any_more_is_named():
    old = {"paths": {"/a": {"get": {"parameters": [{"in": "query", "name": "b", "schema": {"enum": ["x", "y"]}}]}}}}
    new = copy.deepcopy(old)
    new["paths"]["/a"]["get"]["parameters"][0]["schema"]["enum"] = ["x", "z"]
    assert openapi_changes.breaking(old, new) == ['GET /a b: does not take "y" any more']


def test_a_schema_that_holds_itself_has_an_end():
    tree = {"type": "object", "properties": {"inner": {"$ref": "#/components/schemas/Tree"}, "name": {"type": "string"}}}
    reference = {"$ref": "#/components/schemas/Tree"}
    answer = {"responses": {"200": {"content": {"application/json": {"schema": reference}}}}}
    old = {"paths": {"/a": {"get": answer}}, "components": {"schemas": {"Tree": tree}}}
    new = copy.deepcopy(old)
    del new["components"]["schemas"]["Tree"]["properties"]["name"]
    assert openapi_changes.breaking(old, new) == ["GET /a 200.name: is gone"]


ARCHIVE = ("paths", "/archives", "post", "parameters")


def required(names: list[str], is_required: bool, *way: str):
    def change(document: dict) -> None:
        parent, last = at(document, *way)
        for each in parent[last]:
            if each.get("name") in names:
                each["required"] = is_required

    return change


def judged(tmp_path, *changes) -> int:
    """The exit status of the check for the current document, after one with these differences."""
    old, new = copy.deepcopy(DOCUMENT), copy.deepcopy(DOCUMENT)
    required(["issued_from", "issued_to"], False, *ARCHIVE)(old)
    for change in changes:
        change(new)
    for name, document in (("old", old), ("new", new)):
        (tmp_path / name).write_text(json.dumps(document))
    return openapi_changes.main(str(tmp_path / "old"), str(tmp_path / "new"))


def test_what_the_service_always_refused_is_corrected_with_its_reason(tmp_path, capsys):
    assert judged(tmp_path) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(";")[0] for line in told] == [
        f"corrects: POST /archives: the query parameter {name} is required" for name in ("issued_from", "issued_to")
    ]
    assert all("refused every request without it" in line for line in told)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (required(["issued_from"], True, *LIST, "parameters"), "GET /invoices: the query parameter issued_from is required"),
        (required(["type"], True, "paths", "/imports", "post", "parameters"), "POST /imports: the query parameter type is required"),
        (put([], *ARCHIVE), "POST /archives: the query parameter issued_from is gone"),
        (take("paths", "/me"), "GET /me: is gone"),
    ],
)
def test_a_correction_lets_nothing_else_pass(tmp_path, capsys, change, expected):
    assert judged(tmp_path, change) == 1
    assert f"breaks: {expected}" in capsys.readouterr().out
