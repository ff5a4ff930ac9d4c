"""Cold starts: from the start of a process to its first poll for an event.

A simulated Lambda Runtime API receives the first poll, and a simulated Secrets Manager the requests before it. The functions take turns
with an empty one, so that the load of the machine slows all of them alike.
"""

import json
import os
import socket
import statistics
import subprocess
import threading
import time
from pathlib import Path

from local_aws.template import Template

EMPTY = "empty"
# The goals: the time of a function beyond the empty one, and its size.
MORE_MILLISECONDS = 4.0
MEGABYTES = 9.0

_ARN = "arn:aws:secretsmanager:me-central-1:000000000000:secret"
# The secrets that a function reads before its first poll; the others contain arbitrary text.
_SECRETS = {f"{_ARN}:BillingSigning": json.dumps({"secrets": ["whsec_" + "A" * 32]})}
# Without these some functions do not start.
_PARAMETERS = {"PortalUrl": "https://portal.example", "BaseUrl": "https://portal.example/v1"}


def environments(repository: Path) -> dict[str, dict[str, str]]:
    """The environment of each function from the template, connected only to AWS."""

    def resource(name: str) -> str:
        if name.endswith("Queue"):
            return f"https://sqs.me-central-1.amazonaws.com/000000000000/{name}"
        return name.lower() if name in ("Bucket", "Table") else f"{_ARN}:{name}"

    return Template(repository / "template.yaml").environments(_PARAMETERS, resource)


class StandIn:
    """Answers requests to Secrets Manager, and records the time of the first poll, which it never answers."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._polled = threading.Event()
        self._at = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            received = b""
            while part := connection.recv(65536):
                now = time.perf_counter_ns()
                received += part
                head, end, body = received.partition(b"\r\n\r\n")
                if not end:
                    continue
                if head.startswith(b"GET ") and b"/invocation/next" in head.split(b"\r\n", 1)[0]:
                    self._at = now
                    self._polled.set()
                    continue
                length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
                if len(body) < length:
                    continue
                received = b""
                arn = json.loads(body)["SecretId"]
                answer = json.dumps({"ARN": arn, "Name": arn, "SecretString": _SECRETS.get(arn, "s" * 64)}).encode()
                head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: %d\r\n\r\n"
                connection.sendall(head % len(answer) + answer)

    def start(self, binary: Path, variables: dict[str, str]) -> float:
        """Milliseconds from the start of `binary`, with the function's own variables, to its first poll."""
        self._polled.clear()
        environment = variables | {
            "PATH": os.defpath,
            "AWS_LAMBDA_RUNTIME_API": self.address,
            "AWS_LAMBDA_FUNCTION_NAME": binary.name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_LOG_GROUP_NAME": "g",
            "AWS_LAMBDA_LOG_STREAM_NAME": "s",
            "AWS_REGION": "me-central-1",
            "AWS_ACCESS_KEY_ID": "k",
            "AWS_SECRET_ACCESS_KEY": "s",
            "AWS_ENDPOINT_URL_SECRETS_MANAGER": f"http://{self.address}",
        }
        started = time.perf_counter_ns()
        process = subprocess.Popen([binary], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            if not self._polled.wait(10):
                process.kill()
                raise SystemExit(f"{binary.name} never asked for an event: {process.stdout.read().decode(errors='replace')}")
            return (self._at - started) / 1e6
        finally:
            process.kill()
            process.communicate()


def measure(repository: Path, profile: str, rounds: int) -> None:
    print(f"\nCold starts, profile {profile}, {rounds} of each in turns; building takes minutes the first time.", flush=True)
    functions = environments(repository)
    names = [EMPTY, *sorted(functions)]
    command = ["cargo", "build", "--locked", "--profile", profile, "--message-format", "json-render-diagnostics"]
    for name in names:
        command += ["--bin", name]
    built = subprocess.run(command, cwd=repository, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in built.splitlines()]
    binaries = {each["target"]["name"]: Path(each["executable"]) for each in messages if each.get("executable")}
    stand_in = StandIn()
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in names:
            milliseconds = stand_in.start(binaries[name], functions.get(name, {}))
            # The first round only reads the binaries into memory.
            if number:
                taken[name].append(milliseconds)
    least = min(taken[EMPTY])
    print("  function    size MB   least ms  median ms   least beyond the empty function")
    for name in names:
        size = binaries[name].stat().st_size / 1e6
        more = min(taken[name]) - least
        missed = [] if name == EMPTY else ["time"] * (more > MORE_MILLISECONDS) + ["size"] * (size > MEGABYTES)
        verdict = f"  MISSED: {' and '.join(missed)}" if missed else ""
        print(f"  {name:<10} {size:8.1f} {min(taken[name]):10.1f} {statistics.median(taken[name]):10.1f} {more:10.1f}{verdict}")
    print(f"  goals: at most {MORE_MILLISECONDS} ms more than the empty function, at most {MEGABYTES} MB", flush=True)
