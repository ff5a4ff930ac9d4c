"""The HTTP API: API Gateway's routes, its payload format 2.0, its limits and its error answers.

Amazon API Gateway developer guide, "Working with AWS Lambda proxy integrations for HTTP APIs", "Quotas for configuring and running an HTTP
API" and "Throttle requests to your HTTP APIs".
"""

import base64
import binascii
import errno
import json
import socket
import time
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO
from urllib.parse import parse_qsl

import aiohttp
from aiohttp import HttpVersion11, web

from local_aws.console import Trouble
from local_aws.functions import Function
from local_aws.template import Route

BODY_BYTES = 10 * 1024 * 1024
# Request line and header values together.
HEAD_BYTES = 10_240
_TEXT = ("text/", "application/json", "application/javascript", "application/xml")
# Set or answered by the server itself, hop by hop (RFC 9110, sections 7.6.1 and 10.1.1).
_NOT_FORWARDED = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "content-length", "expect"}


def bind(port: int) -> socket.socket:
    """Binds the port first, so that a port in use is reported at once."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError as error:
        bound.close()
        why = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used ({error.strerror})"
        raise Trouble(f"port {port} {why}; choose another with --port N, or a free one with --port 0") from None
    return bound


def url_of(bound: socket.socket) -> str:
    host, port = bound.getsockname()
    return f"http://{host}:{port}"


class Throttle:
    """A token bucket with a rate in requests a second and a burst size."""

    def __init__(self, rate: float, burst: float):
        self._rate, self._burst = rate, burst
        self._tokens, self._filled = burst, time.monotonic()

    def admits(self) -> bool:
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class _Protocol(web.RequestHandler):
    """Answers invalid HTTP with the gateway's error shape."""

    __slots__ = ()

    def handle_error(self, request, status=500, exc=None, message=None) -> web.StreamResponse:
        known = {400: "Bad Request", 413: "Request Entity Too Large", 431: "Request Header Fields Too Large"}
        response = problem(status if status in known else 500, known.get(status, "Internal Server Error"))
        response.force_close()
        return response


class _Server(web.Server):
    """A server without a router, which does not decompress bodies."""

    def __call__(self) -> web.RequestHandler:
        return _Protocol(
            self,
            loop=self._loop,
            access_log=None,
            auto_decompress=False,
            # Above the gateway's own limits, which are checked below.
            max_line_size=8 * HEAD_BYTES,
            max_field_size=8 * HEAD_BYTES,
        )


class HttpApi:
    """Answers on one port as API Gateway does."""

    def __init__(self, routes: list[tuple[Route, Function, Throttle]], api_id: str, log: Path):
        self._routes, self._api_id = routes, api_id
        self._log: TextIO = log.open("a", buffering=1)
        self._runner: web.ServerRunner | None = None

    async def listen(self, bound: socket.socket) -> str:
        self._runner = web.ServerRunner(_Server(self._answer), shutdown_timeout=0.5)
        await self._runner.setup()
        try:
            await web.SockSite(self._runner, bound).start()
        except OSError:
            port = bound.getsockname()[1]
            raise Trouble(f"port {port} was taken meanwhile; choose another with --port N, or a free one with --port 0") from None
        return url_of(bound)

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        self._log.close()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        begun = time.monotonic()
        request_id = base64.b64encode(uuid.uuid4().bytes[:11]).decode()
        key, response = await self._route(request, request_id)
        response.headers["Apigw-Requestid"] = request_id
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "request_id": request_id,
            "method": request.method,
            "path": request.path,
            "route": key,
            "status": response.status,
            "milliseconds": round((time.monotonic() - begun) * 1000, 1),
        }
        self._log.write(json.dumps(entry) + "\n")
        return response

    async def _route(self, request: web.BaseRequest, request_id: str) -> tuple[str, web.Response]:
        if head_bytes(request) > HEAD_BYTES:
            return "-", problem(431, "Request Header Fields Too Large")
        for route, function, throttle in self._routes:
            parameters = route.match(request.method, request.raw_path.partition("?")[0])
            if parameters is not None:
                if not throttle.admits():
                    return route.key, problem(429, "Too Many Requests")
                return route.key, await self._invoke(request, request_id, route, parameters, function)
        return "-", problem(404, "Not Found")

    async def _invoke(
        self, request: web.BaseRequest, request_id: str, route: Route, parameters: dict[str, str], function: Function
    ) -> web.Response:
        await go_on(request)
        body = await read(request.content)
        if body is None:
            return problem(413, "Request Entity Too Large")
        event = event_of(request, body, route.key, parameters, request_id, self._api_id)
        # UTF-8 is not escaped, so the event grows only by the characters that JSON must escape.
        result = await function.invoke(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode())
        if result.error == "RequestTooLargeException":
            return problem(413, "Request Entity Too Large")
        if result.error == "Sandbox.Timedout":
            return problem(503, "Service Unavailable")
        if result.error:
            return problem(500, "Internal Server Error")
        try:
            return response_of(json.loads(result.payload))
        except (ValueError, TypeError, AttributeError, binascii.Error):
            return problem(500, "Internal Server Error")


def head_bytes(request: web.BaseRequest) -> int:
    """The size of request line and header values."""
    line = len(request.method) + len(request.raw_path) + len(" HTTP/1.1") + 1
    return line + sum(len(value) for _, value in request.raw_headers)


async def go_on(request: web.BaseRequest) -> None:
    """Answers `100 Continue` to a client that waits for it (RFC 9110, section 10.1.1), unless the announced body is too large."""
    expects = request.version == HttpVersion11 and request.headers.get("expect", "").lower() == "100-continue"
    if expects and (request.content_length or 0) <= BODY_BYTES:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        # The body of the response has not begun.
        request.writer.output_size = 0


async def read(content: aiohttp.StreamReader) -> bytes | None:
    """Reads a body; none when it is larger than the limit. A larger body is read to its end, so that the sender receives the answer."""
    body, size = bytearray(), 0
    async for chunk in content.iter_any():
        size += len(chunk)
        if size <= BODY_BYTES:
            body += chunk
        elif size > 4 * BODY_BYTES:
            break
    return bytes(body) if size <= BODY_BYTES else None


def problem(status: int, message: str) -> web.Response:
    """API Gateway's own errors."""
    return web.json_response({"message": message}, status=status)


def event_of(request: web.BaseRequest, body: bytes, route_key: str, parameters: Mapping[str, str], request_id: str, api_id: str) -> dict:
    """Converts a request to a payload of format 2.0; repeated headers and query names are joined by commas."""
    path, _, query = request.raw_path.partition("?")
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        name = name.lower()
        if name != "cookie" and name not in _NOT_FORWARDED - {"content-length"}:
            # aiohttp represents bytes that are not UTF-8 as lone surrogates, which JSON texts must not contain.
            value = value.encode(errors="surrogateescape").decode(errors="replace")
            headers[name] = f"{headers[name]},{value}" if name in headers else value
    peer = request.remote or "127.0.0.1"
    host = headers.get("host", "localhost")
    trace = f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]}"
    headers |= {"x-forwarded-for": peer, "x-forwarded-port": host.rpartition(":")[2], "x-forwarded-proto": "http", "x-amzn-trace-id": trace}
    queries: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        queries[name] = f"{queries[name]},{value}" if name in queries else value
    now = datetime.now(UTC)
    event = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": api_id,
            "domainName": host.partition(":")[0],
            "domainPrefix": api_id,
            "http": {
                "method": request.method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": peer,
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": request_id,
            "routeKey": route_key,
            "stage": "$default",
            "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000"),
            "timeEpoch": int(now.timestamp() * 1000),
        },
        "isBase64Encoded": False,
    }
    if parameters:
        event["pathParameters"] = dict(parameters)
    if queries:
        event["queryStringParameters"] = queries
    if cookies := [each.strip() for line in request.headers.getall("cookie", []) for each in line.split(";")]:
        event["cookies"] = cookies
    if body:
        event["body"], event["isBase64Encoded"] = encoded(body, headers.get("content-type", ""))
    return event


def encoded(body: bytes, content_type: str) -> tuple[str, bool]:
    """A body as text if its type is text and it is UTF-8, otherwise in Base64."""
    if content_type.lower().startswith(_TEXT):
        try:
            return body.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(body).decode(), True


def response_of(answer: object) -> web.Response:
    """Converts a function's answer to a response; an object without a status code is itself the body."""
    if not isinstance(answer, dict) or "statusCode" not in answer:
        return web.json_response(answer)
    body = (answer.get("body") or "").encode()
    if answer.get("isBase64Encoded"):
        body = base64.b64decode(body, validate=True)
    response = web.Response(status=int(answer["statusCode"]), body=body)
    response.headers.pop("Content-Type", None)
    for name, values in (answer.get("multiValueHeaders") or {}).items():
        for value in values:
            if name.lower() not in _NOT_FORWARDED:
                response.headers.add(name, value)
    for name, value in (answer.get("headers") or {}).items():
        if name.lower() not in _NOT_FORWARDED:
            response.headers[name] = str(value)
    for cookie in answer.get("cookies") or []:
        response.headers.add("Set-Cookie", cookie)
    response.headers.setdefault("Content-Type", "text/plain; charset=utf-8")
    return response
