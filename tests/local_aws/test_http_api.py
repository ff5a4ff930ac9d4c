"""The HTTP API answers errors itself and forwards all other requests, like API Gateway."""

import asyncio
import base64
import gzip
import json
from contextlib import asynccontextmanager

import pytest

from local_aws.functions import PAYLOAD_BYTES, Result, failure
from local_aws.http_api import BODY_BYTES, HEAD_BYTES, HttpApi, Throttle, bind, event_of
from local_aws.template import Route

ROUTES = [Route("ANY", "/v1/{proxy+}", "Api"), Route("ANY", "/api/{proxy+}", "Api"), Route("POST", "/as4", "Inbound")]


class Function:
    """Answers 200 with the received event, or fails."""

    def __init__(self, error: str | None = None):
        self.error = error
        self.events: list[dict] = []

    async def invoke(self, payload: bytes) -> Result:
        if len(payload) > PAYLOAD_BYTES:
            return failure("RequestTooLargeException", "too large")
        if self.error:
            return failure(self.error, "")
        self.events.append(json.loads(payload))
        return Result(json.dumps({"statusCode": 200, "headers": {"content-type": "application/json"}, "body": "{}"}).encode())


@asynccontextmanager
async def front(folder, function: Function, throttle: Throttle, other: Throttle | None = None):
    bound = bind(0)
    routes = [(route, function, other if other and route.path == "/as4" else throttle) for route in ROUTES]
    api = HttpApi(routes, "local", folder / "http-api.log")
    try:
        await api.listen(bound)
        yield bound.getsockname()[1]
    finally:
        await api.close()
        bound.close()


async def exchange(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    status, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    writer.close()
    return int(status.split()[1]), headers, body


def ask(folder, request: bytes, function: Function | None = None, times: int = 1, throttle: Throttle | None = None):
    """The last answer, and the events that reached the function."""
    function = function or Function()

    async def run():
        async with front(folder, function, throttle or Throttle(1000, 1000)) as port:
            for _ in range(times):
                answer = await exchange(port, request)
            return answer

    return *asyncio.run(run()), function.events


def post(path: str = "/v1/invoices", headers: str = "", body: bytes = b"") -> bytes:
    return f"POST {path} HTTP/1.1\r\nhost: x\r\n{headers}content-length: {len(body)}\r\n\r\n".encode() + body


def is_gateways(answer, status: int, message: str) -> bool:
    got, headers, body, events = answer
    assert (got, json.loads(body)) == (status, {"message": message})
    assert headers["content-type"].split(";")[0] == "application/json"
    assert not events, "the function was asked"
    return True


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/", "/v2/invoices", "/invoices", "/api", "/%0a", "/a%0ab"])
def test_a_path_without_a_route_is_the_gateways_own_404(tmp_path, path):
    assert is_gateways(ask(tmp_path, f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode()), 404, "Not Found")


@pytest.mark.parametrize("path", ["/v1/invoices/%0a", "/v1/%00", "/v1/a%2Fb", "/api/v1/x%20y", "/v1/%ff", "/v1//", "/v1/../x"])
def test_any_path_below_a_route_reaches_the_function_as_it_was_sent(tmp_path, path):
    status, _, _, [event] = ask(tmp_path, f"GET {path}?a=1&a=2&b=%2B+ HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    assert (status, event["rawPath"], event["rawQueryString"]) == (200, path, "a=1&a=2&b=%2B+")
    assert event["queryStringParameters"] == {"a": "1,2", "b": "+ "}


def test_repeated_headers_are_joined_by_commas_and_cookies_stand_apart(tmp_path):
    headers = "Idempotency-Key: a\r\nidempotency-key: b\r\ncookie: x=1; y=2\r\ncookie: z=3\r\n"
    *_, [event] = ask(tmp_path, post(headers=headers))
    assert event["headers"]["idempotency-key"] == "a,b"
    assert event["cookies"] == ["x=1", "y=2", "z=3"] and "cookie" not in event["headers"]


@pytest.mark.parametrize("body", [gzip.compress(b"{}"), b"\x1f\x8bno gzip at all", b"{}"], ids=["gzip", "broken gzip", "plain"])
def test_a_body_that_is_announced_as_compressed_comes_as_it_is(tmp_path, body):
    headers = "content-type: application/json\r\ncontent-encoding: gzip\r\n"
    status, _, _, [event] = ask(tmp_path, post(headers=headers, body=body))
    assert (status, event["headers"]["content-encoding"]) == (200, "gzip")


def test_a_message_of_another_access_point_comes_byte_for_byte_in_base64(tmp_path):
    message = b"--b\r\n\r\n" + bytes(range(256)) + b"\r\n--b--\r\n"
    status, _, _, [event] = ask(tmp_path, post("/as4", 'content-type: multipart/related; boundary="b"\r\n', message))
    assert (status, event["rawPath"], event["isBase64Encoded"]) == (200, "/as4", True)
    assert base64.b64decode(event["body"]) == message
    assert is_gateways(ask(tmp_path, b"GET /as4 HTTP/1.1\r\nhost: x\r\n\r\n"), 404, "Not Found")


def test_text_takes_more_bytes_in_the_event_only_where_json_must_escape_it(tmp_path):
    class Sized(Function):
        async def invoke(self, payload: bytes) -> Result:
            self.size = len(payload)
            return await super().invoke(payload)

    sizes = {}
    for content in ("a", "é", "中", "\U0001f600", '"', "\\", "\n", "\x01"):
        function = Sized()
        body = (content * 1000).encode()
        status, *_ = ask(tmp_path, post(headers="content-type: application/json\r\n", body=body), function)
        assert status == 200 and function.events[0]["body"] == content * 1000
        sizes[content] = function.size - len(body)
    plain = sizes["a"]
    # The Content-Length may differ by a digit.
    assert all(abs(sizes[same] - plain) <= 1 for same in ("é", "中", "\U0001f600"))
    assert all(abs(sizes[twice] - plain - 1000) <= 1 for twice in ('"', "\\", "\n"))
    assert abs(sizes["\x01"] - plain - 5000) <= 1


@pytest.mark.parametrize("body", [b"x" * (BODY_BYTES + 1), b'"' * (PAYLOAD_BYTES // 2 + 1)], ids=["the gateway's", "Lambda's"])
def test_a_body_beyond_the_platforms_limits_is_413(tmp_path, body):
    request = post(headers="content-type: application/json\r\n", body=body)
    assert is_gateways(ask(tmp_path, request), 413, "Request Entity Too Large")


EXPECTS = "POST /v1/invoices HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n"


def test_who_waits_for_100_continue_gets_it_before_the_body_and_the_function_hears_nothing_of_that(tmp_path):
    async def run():
        function = Function()
        async with front(tmp_path, function, Throttle(1000, 1000)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(EXPECTS.format(2).encode())
            interim = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
            writer.write(b"{}")
            return interim, await asyncio.wait_for(reader.readuntil(b"\r\n"), 5), function.events

    interim, status, [event] = asyncio.run(run())
    assert (interim, status) == (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n")
    assert event["body"] == "{}" and "expect" not in event["headers"]


def test_who_says_that_its_body_is_too_large_is_not_told_to_go_on(tmp_path):
    async def run():
        async with front(tmp_path, Function(), Throttle(1000, 1000)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(EXPECTS.format(BODY_BYTES + 1).encode() + b"x" * (BODY_BYTES + 1))
            return await asyncio.wait_for(reader.readuntil(b"\r\n"), 5)

    assert asyncio.run(run()) == b"HTTP/1.1 413 Request Entity Too Large\r\n"


def test_a_head_beyond_the_gateways_limit_is_431(tmp_path):
    status, *_ = ask(tmp_path, post(headers=f"x-long: {'a' * (HEAD_BYTES - 200)}\r\n"))
    assert status == 200
    for request in (post(headers=f"x-long: {'a' * HEAD_BYTES}\r\n"), post(path="/v1/" + "a" * HEAD_BYTES)):
        assert is_gateways(ask(tmp_path, request), 431, "Request Header Fields Too Large")


def test_what_is_no_http_is_the_gateways_own_400(tmp_path):
    for request in (b"NONSENSE\r\n\r\n", b"GET /v1/x HTTP/1.1\r\nbad header\r\n\r\n"):
        assert is_gateways(ask(tmp_path, request), 400, "Bad Request")


def test_more_requests_than_are_admitted_are_429(tmp_path):
    function = Function()
    throttle = Throttle(rate=0.001, burst=2)
    status, headers, body, events = ask(tmp_path, post(), function, times=3, throttle=throttle)
    assert (status, json.loads(body), len(events)) == (429, {"message": "Too Many Requests"}, 2)
    assert "retry-after" not in headers and "x-request-id" not in headers


def test_a_flood_of_one_class_of_requests_leaves_the_others_alone(tmp_path):
    async def run():
        async with front(tmp_path, Function(), Throttle(rate=0.001, burst=1), Throttle(1000, 1000)) as port:
            statuses = [(await exchange(port, post()))[0] for _ in range(3)]
            return statuses, (await exchange(port, post("/as4")))[0]

    assert asyncio.run(run()) == ([200, 429, 429], 200)


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [("Sandbox.Timedout", 503, "Service Unavailable"), ("Runtime.ExitError", 500, "Internal Server Error")],
)
def test_a_function_that_fails_or_takes_too_long_is_told_in_the_gateways_shape(tmp_path, error, status, message):
    assert is_gateways(ask(tmp_path, post(), Function(error)), status, message)


def test_no_header_of_the_hop_itself_reaches_the_function(tmp_path):
    *_, [event] = ask(tmp_path, post(headers="te: trailers\r\nkeep-alive: 5\r\nx-own: y\r\n"))
    assert "x-own" in event["headers"] and not {"te", "keep-alive", "connection"} & set(event["headers"])
    assert event["version"] == "2.0" and callable(event_of)
