"""Section 7: errors have one shape and list everything at once; limits of section 8 that concern a whole request."""

import json

import pytest

from kit import bodies
from kit.client import PATHS, detail, findings, refused_at, sent

OPERATIONS = list(bodies.BUILDERS)
LIMIT = 4 * 1024 * 1024


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    "text",
    ["", "{", '{"invoice_number": 1,}', "{'invoice_number': 1}", '{"a": 01}', '{"a": NaN}', "{} {}", '{"a": "\ud800"}', "not json"],
    ids=str,
)
def test_malformed_json_is_refused(falcon, operation, text):
    """7, gaps: a body that is not JSON."""
    content = text.encode("utf-8", "surrogatepass")
    told = detail(falcon.send(content, operation), 400, "malformed_json")
    assert told["errors"] == [] or all(error["pointer"] == "" for error in told["errors"])


def test_malformed_json_is_told_with_its_place(falcon):
    """7, gaps: the message says where."""
    told = detail(falcon.send('{\n  "invoice_number": "1",\n  oops\n}'), 400, "malformed_json")
    assert "line 3" in told["message"], told


def test_bytes_that_are_no_utf8_are_refused(falcon):
    """4: bodies are JSON, which is UTF-8 (RFC 8259)."""
    detail(falcon.send(b'{"note": "caf\xe9"}'), 400, "malformed_json")


@pytest.mark.parametrize("text", ["[]", "null", '"x"', "5", "true"])
def test_json_that_is_no_object_is_refused(falcon, text):
    """2.5: the body is an object of named fields."""
    refused_at(falcon.send(text), "", "object")


@pytest.mark.parametrize("depth", [200, 20_000])
def test_deeply_nested_json_is_refused(falcon, depth):
    """7: a hostile body is an error of the caller, not of the service."""
    detail(falcon.send('{"note": ' + "[" * depth + "]" * depth + "}"), 400, "malformed_json")


def test_all_findings_come_at_once_with_their_pointers(falcon):
    """7 with 2.5: an integrator sees all errors in one answer."""
    body = bodies.invoice(
        currency="dirham", due_date="soon", transaction_type_code="1", colour="red",
        line_items=[bodies.line(), bodies.line(quantity="two", vat={"category_code": "Q"}, size=4)],
    )
    del body["customer"]
    pointers = {error["pointer"] for error in findings(falcon.send(body))}
    wanted = {
        "/currency", "/due_date", "/transaction_type_code", "/colour", "/customer",
        "/line_items/1/quantity", "/line_items/1/size",
    }
    assert wanted <= pointers, wanted - pointers


def test_findings_of_meaning_come_at_once_too(falcon):
    """7 with 2.5: checks across fields do not stop at the first."""
    body = bodies.invoice(
        transaction_type_code="10010001",
        totals={"total_amount_without_vat": "1", "total_vat_amount": "2", "total_amount_with_vat": "3"},
    )
    pointers = {error["pointer"] for error in findings(falcon.send(body))}
    assert {"/totals/total_amount_without_vat", "/totals/total_vat_amount", "/totals/total_amount_with_vat"} <= pointers
    for place in ("/beneficiary_identifier", "/invoice_period", "/delivery_address"):
        assert any(pointer.startswith(place) for pointer in pointers), (place, pointers)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda body: body | {"colour": "red"}, "/colour"),
        (lambda body: body | {"Currency": "AED"}, "/Currency"),
        (lambda body: body | {"line_items": [bodies.line(color="red")]}, "/line_items/0/color"),
        (lambda body: body | {"line_items": [bodies.line(price={"net_price": "1", "nett": "2"})]}, "/line_items/0/price/nett"),
        (lambda body: body | {"a/b~c": 1}, "/a~1b~0c"),
    ],
    ids=["header", "another case", "line", "price", "a name that needs escaping"],
)
def test_an_unknown_field_is_refused_by_name(falcon, operation, change, pointer):
    """2.5: fields are refused by name, so that no misspelt one is lost; pointers follow RFC 6901."""
    name = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    refused_at(falcon.send(change(bodies.BUILDERS[operation]()), operation), pointer, name)


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"customer": "Oasis"}, "/customer"),
        ({"customer": []}, "/customer"),
        ({"customer": bodies.stranger(name=5)}, "/customer/name"),
        ({"customer": bodies.stranger(address="Dubai")}, "/customer/address"),
        ({"delivery_address": "Dubai"}, "/delivery_address"),
        ({"payment_means": "cash"}, "/payment_means"),
        ({"invoice_period": "2026"}, "/invoice_period"),
        ({"note": ["x"]}, "/note"),
        ({"currency_exchange_rate": "abc", "currency": "USD"}, "/currency_exchange_rate"),
        ({"line_items": [bodies.line(quantity="1,5")]}, "/line_items/0/quantity"),
        ({"line_items": [bodies.line(quantity=True)]}, "/line_items/0/quantity"),
        ({"line_items": [bodies.line(quantity=None)]}, "/line_items/0/quantity"),
        ({"line_items": [bodies.line(item="Consulting")]}, "/line_items/0/item"),
        ({"line_items": [bodies.line(price="100")]}, "/line_items/0/price"),
        ({"line_items": [bodies.line(price={"net_price": "-1"})]}, "/line_items/0/price/net_price"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_type_is_refused_at_its_place(falcon, change, pointer):
    """2.5: each field has its type."""
    refused_at(falcon.send(bodies.invoice(**change)), pointer)


@pytest.mark.parametrize("field", ["quantity", "item", "vat", "price"])
def test_a_line_without_a_required_field_is_refused_at_its_place(falcon, field):
    """2.5 A, line_items, with PINT-AE: what every line needs."""
    broken = bodies.line()
    del broken[field]
    refused_at(falcon.send(bodies.invoice(line_items=[bodies.line(), broken])), f"/line_items/1/{field}", "required")


# The request as a whole


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json"])
def test_another_content_type_is_refused(falcon, content_type):
    """4: bodies are JSON."""
    response = falcon.send(bodies.invoice(), headers={"content-type": content_type})
    detail(response, 415, "unsupported_media_type")


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"])
def test_json_content_types_are_taken(falcon, content_type):
    """4: bodies are JSON; media types have no case and may have parameters (RFC 9110 8.3)."""
    sent(falcon.send(bodies.invoice(), headers={"content-type": content_type}))


def padded(size: int) -> bytes:
    content = json.dumps(bodies.invoice()).encode()
    return content + b" " * (size - len(content))


def test_a_body_of_the_limit_is_taken(falcon):
    """8: limits; the body's own limit is 4 MiB."""
    sent(falcon.send(padded(LIMIT)))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_body_over_the_limit_is_refused_and_the_limit_is_named(falcon, operation):
    """8: limits; the answer to an oversized body names the limit."""
    message = detail(falcon.send(padded(LIMIT + 1), operation), 413, "payload_too_large")["message"]
    assert "4 MiB" in message or str(LIMIT) in message.replace(",", "").replace("_", ""), message


def test_an_oversized_validation_is_refused(falcon):
    """8 and 4.2: the same limit."""
    detail(falcon.validate(padded(LIMIT + 1)), 413, "payload_too_large")


@pytest.mark.parametrize("path", list(PATHS.values()) + ["/invoices/validate"])
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_another_method_is_not_allowed(falcon, method, path):
    """4: the endpoints and their methods."""
    response = falcon.request(method, path)
    detail(response, 405, "method_not_allowed")
    assert "POST" in response.headers["allow"]


@pytest.mark.parametrize("path", ["/", "/invoice", "/invoices/", "/self-billing", "/Invoices", "/sandbox/invoices", "/invoices/doc_1/xml"])
def test_an_unknown_path_is_not_found(falcon, path):
    """4: the endpoints and their paths; do not add /sandbox to API paths (4.5)."""
    response = falcon.request("GET", path)
    if path == "/":
        gateways(response, 404, "Not Found")
    else:
        detail(response, 404, "not_found")


@pytest.mark.parametrize("prefix", ["/v1", "/v2/invoices", "/invoices", "/%0a"])
def test_what_api_gateway_answers_by_itself_has_its_own_shape(falcon, prefix):
    """4 and README: paths without a route never reach the service."""
    gateways(falcon.but(prefix=prefix).request("GET", ""), 404, "Not Found")


def gateways(response, status: int, message: str) -> None:
    """API Gateway's own answer, as the OpenAPI document shows it."""
    assert (response.status_code, response.json()) == (status, {"message": message})
    assert "x-request-id" not in response.headers


@pytest.mark.parametrize("name", ['"', "\\", "\n", "\x00", "é"], ids=["quotes", "backslashes", "line breaks", "control", "beyond ASCII"])
def test_the_limit_of_a_body_is_true_for_every_content(falcon, name):
    """8: a body that an event swells is refused in the service's own shape before the platform refuses it."""
    weight = {"\x00": 6, "é": 1}.get(name, 2)
    most = min(LIMIT // len(name.encode()), 6_000_000 // weight // len(name.encode()))
    detail(falcon.validate((name * most).encode()), 400, "malformed_json")
    detail(falcon.validate((name * (most + 1)).encode()), 413, "payload_too_large")
    if weight > 1:
        gateways(falcon.validate((name * LIMIT).encode()), 413, "Request Entity Too Large")


def test_a_body_that_is_announced_as_compressed_is_refused(falcon):
    """4: bodies are JSON without Content-Encoding."""
    for content in (b"\x1f\x8b broken", b"{}"):
        response = falcon.request("POST", "/invoices", content=content, headers={"content-encoding": "gzip"})
        detail(response, 415, "unsupported_media_type")


@pytest.mark.parametrize("path", ["/invoices/%0a", "/invoices/a%0ab/ubl"])
def test_a_line_break_in_a_path_is_answered_like_any_other_path(falcon, path):
    """7: one shape for every error below the base address."""
    detail(falcon.request("GET", path), 404, "not_found")


@pytest.mark.parametrize("path", [*PATHS.values(), *(f"{path}/validate" for path in PATHS.values())])
def test_a_query_that_an_operation_does_not_take_is_refused(falcon, path):
    """4: nothing that is asked for is ignored."""
    response = falcon.request("POST", f"{path}?dry=1", content=b"{}")
    assert "dry" in detail(response, 400, "invalid_request")["message"]
    for read in ("/invoices/doc_1?dry=1", "/invoices/doc_1/ubl?dry=1"):
        detail(falcon.request("GET", read), 400, "invalid_request")


def test_every_answer_has_a_request_id(falcon):
    """7: an id that leads to the cause."""
    answers = [falcon.send(bodies.invoice()), falcon.validate(bodies.invoice()), falcon.list(), falcon.get("doc_1"), falcon.send("{")]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert len(set(ids)) == len(ids)


def test_errors_do_not_tell_internals(falcon):
    """7: internal text goes to the log only."""
    for response in (falcon.send("{"), falcon.get("doc_1"), falcon.list(cursor="AAAA"), falcon.send(bodies.invoice(currency=5))):
        for inner in ("serde", "dynamodb", "panicked", "src/", "SANDBOX#", "aws"):
            assert inner not in response.text, response.text


def test_authentication_is_looked_at_before_the_body(falcon):
    """5.1: a stranger learns nothing by sending bodies."""
    detail(falcon.but(key="pk_test_unknown").send("{"), 401, "unauthorized")
    detail(falcon.but(key="pk_test_unknown").send(padded(LIMIT + 1)), 401, "unauthorized")
