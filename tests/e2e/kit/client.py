"""A small client of the API, like an integrator's."""

import json
from dataclasses import dataclass, field, replace

import httpx

PATHS = {
    "invoice": "/invoices",
    "credit_note": "/credit-notes",
    "self_billed_invoice": "/self-billing/invoices",
    "self_billed_credit_note": "/self-billing/credit-notes",
}

Body = dict | list | str | bytes


def http(timeout: float = 40) -> httpx.Client:
    """A client with as many connections as the race test needs."""
    return httpx.Client(timeout=timeout, trust_env=False, limits=httpx.Limits(max_connections=80))


def encode(body: Body) -> bytes:
    if isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    return json.dumps(body, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Client:
    """Acts for one taxpayer with one API key. `headers` may add, replace or (None) drop one."""

    base_url: str
    key: str | None
    taxpayer_id: str | None
    grant_id: str | None = None
    prefix: str = "/v1"
    session: httpx.Client = field(default_factory=http, repr=False, compare=False)

    def but(self, **changes) -> "Client":
        """A changed copy of this client, on the same connections."""
        return replace(self, **changes)

    def request(self, method: str, path: str, *, headers: dict | None = None, content: bytes | None = None, **more) -> httpx.Response:
        sent = {
            "authorization": self.key and f"Api-Key {self.key}",
            "x-ae-taxpayer-id": self.taxpayer_id,
            "x-ae-grant-id": self.grant_id,
            "content-type": "application/json" if content is not None else None,
        }
        for name, value in (headers or {}).items():
            sent[name.lower()] = value
        sent = {name: value for name, value in sent.items() if value is not None}
        return self.session.request(method, self.base_url + self.prefix + path, headers=sent, content=content, **more)

    def send(
        self,
        body: Body,
        operation: str = "invoice",
        *,
        key: str | None = None,
        prefer: str | None = None,
        headers: dict | None = None,
    ) -> httpx.Response:
        extra = {"idempotency-key": key, "prefer": prefer, **(headers or {})}
        return self.request("POST", PATHS[operation], headers=extra, content=encode(body))

    def validate(self, body: Body, *, headers: dict | None = None) -> httpx.Response:
        return self.request("POST", "/invoices/validate", headers=headers, content=encode(body))

    def list(self, **query) -> httpx.Response:
        return self.request("GET", "/invoices", params=query)

    def get(self, document_id: str) -> httpx.Response:
        return self.request("GET", f"/invoices/{document_id}")

    def ubl(self, document_id: str) -> httpx.Response:
        return self.request("GET", f"/invoices/{document_id}/ubl")


def sent(response: httpx.Response) -> dict:
    """The document of a successful direct send."""
    assert response.status_code == 201, f"{response.status_code}: {response.text}"
    return response.json()


def detail(response: httpx.Response, status: int, code: str) -> dict:
    """The detail of an error, in the common shape."""
    assert response.status_code == status, f"{response.status_code}, not {status}: {response.text}"
    assert response.headers["content-type"].split(";")[0] == "application/json"
    answer = response.json()
    assert set(answer) == {"detail"}, answer
    told = answer["detail"]
    more = {"complete"} if told.get("code") == "validation_failed" else {"document_id"} & set(told)
    assert set(told) == {"code", "message", "request_id", "doc_url", "errors"} | more, told
    assert told.get("document_id", "doc_").startswith("doc_"), told
    assert told["code"] == code, told
    assert told["doc_url"].endswith(f"/docs/errors#{code}"), told
    assert told["message"] and told["request_id"] == response.headers["x-request-id"]
    return told


def findings(response: httpx.Response) -> list[dict]:
    """All findings of a refused send or a negative validation."""
    if response.request.url.path.endswith("/validate"):
        assert response.status_code == 200, response.text
        judged = response.json()
        assert not judged["valid"], judged
        errors = judged["errors"]
    else:
        errors = detail(response, 422, "validation_failed")["errors"]
    assert errors and all({"pointer", "rule", "severity", "message"} <= set(error) for error in errors), errors
    return errors


def refused_at(response: httpx.Response, pointer: str, *mentions: str) -> dict:
    """The finding with this pointer, whose message contains each of `mentions`."""
    errors = findings(response)
    here = [error for error in errors if error["pointer"] == pointer and error["severity"] == "error"]
    assert here, f"nothing at {pointer}: {errors}"
    for finding in here:
        if all(mention.lower() in finding["message"].lower() for mention in mentions):
            return finding
    raise AssertionError(f"no message at {pointer} says {mentions}: {here}")
