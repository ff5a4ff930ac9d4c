"""ministack: the AWS services themselves, on loopback, in memory."""

import asyncio
import os
import socket
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from local_aws import processes
from local_aws.console import Trouble

REGION = "us-east-1"
START_SECONDS = 30
# Placeholders: the emulator accepts any, and nothing leaves the machine.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION}


class Emulator:
    """The running emulator and its clients."""

    def __init__(self, process: asyncio.subprocess.Process, port: int):
        self.process = process
        self.endpoint = f"http://127.0.0.1:{port}"

    def client(self, service: str) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name=REGION,
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
            config=Config(retries={"max_attempts": 2}, read_timeout=60, s3={"addressing_style": "path"}),
        )

    async def stop(self) -> None:
        await processes.stop(self.process)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def start(state: Path, log: Path) -> Emulator:
    """Starts the emulator with nothing of the caller's environment, and waits until it answers."""
    port = free_port()
    scratch = state / "emulator"
    scratch.mkdir(parents=True, exist_ok=True)
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "MINISTACK_HOST": "localhost",
        "MINISTACK_REGION": REGION,
        "IOT_MTLS_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
    }
    program = Path(sys.executable).with_name("ministack")
    process = await processes.start([program], environment, log, scratch)
    emulator = Emulator(process, port)
    for _ in range(START_SECONDS * 20):
        if process.returncode is not None:
            break
        if await asyncio.to_thread(_answers, emulator.endpoint):
            return emulator
        await asyncio.sleep(0.05)
    await emulator.stop()
    raise Trouble(f"the local AWS services did not start; see {log}")


def _answers(endpoint: str) -> bool:
    try:
        with urllib.request.urlopen(f"{endpoint}/_ministack/health", timeout=1) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False
