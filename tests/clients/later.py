"""A proxy that adds a field to every object of an answer, as a later version may; current clients must ignore it."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx


def with_more(value: object) -> object:
    if isinstance(value, list):
        return [with_more(each) for each in value]
    if isinstance(value, dict):
        # `metadata` holds the caller's own pairs, which the service never extends.
        return {name: each if name == "metadata" else with_more(each) for name, each in value.items()} | {"added_later": {"of": ["any", 1]}}
    return value


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.pass_on()

    def do_POST(self):
        self.pass_on()

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection", "accept-encoding")}
        url = self.server.service + self.path
        answer = httpx.request(self.command, url, headers=headers, content=body, trust_env=False, timeout=40)
        is_json = answer.headers["content-type"] == "application/json"
        content = json.dumps(with_more(answer.json())).encode() if is_json else answer.content
        self.send_response(answer.status_code)
        self.send_header("content-type", answer.headers["content-type"])
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Later(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, service: str):
        super().__init__(("127.0.0.1", 0), Handler)
        self.service = service
        self.url = f"http://127.0.0.1:{self.server_port}"
        Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *raised):
        self.shutdown()
        super().__exit__(*raised)
