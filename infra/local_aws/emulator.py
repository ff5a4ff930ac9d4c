"""The AWS services, on loopback, in memory.

ministack emulates all of them. The table's items are kept in dynoxide instead: ministack compares the condition of a query with every item
of the partition, and a taxpayer's partition contains all its documents.
"""

import asyncio
import os
import shutil
import socket
import sqlite3
import sys
import tempfile
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
# Placeholders: nothing leaves the machine.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION}


class Emulator:
    """The running emulator and its clients."""

    def __init__(
        self, process: asyncio.subprocess.Process, tables: asyncio.subprocess.Process, port: int, tables_port: int, database: Path
    ):
        self.process, self.tables, self.database = process, tables, database
        self.tables_endpoint = f"http://127.0.0.1:{tables_port}"
        self.endpoint = f"http://127.0.0.1:{port}"

    def endpoints(self) -> dict[str, str]:
        """The endpoints as environment variables of the SDKs."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ENDPOINT_URL_DYNAMODB": self.tables_endpoint,
            "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.tables_endpoint,
        }

    def client(self, service: str, described: bool = False) -> Any:
        """A client. With `described`, the client of the table that CloudFormation created, instead of the one that holds the items."""
        elsewhere = service in ("dynamodb", "dynamodbstreams") and not described
        return boto3.client(
            service,
            endpoint_url=self.tables_endpoint if elsewhere else self.endpoint,
            region_name=REGION,
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
            # dynoxide's shard ids are shorter than the SDK's model of streams allows.
            config=Config(
                retries={"max_attempts": 2}, read_timeout=60, s3={"addressing_style": "path"}, parameter_validation=not elsewhere
            ),
        )

    async def stop(self) -> None:
        await asyncio.gather(processes.stop(self.process), processes.stop(self.tables))
        shutil.rmtree(self.database.parent, ignore_errors=True)

    def order_stream(self) -> None:
        """Creates an index on the stream's records: without it, dynoxide scans all of them at every write and every read."""
        with sqlite3.connect(self.database, timeout=10) as connection:
            connection.execute("CREATE INDEX in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))")
            connection.execute("CREATE INDEX in_shard_order ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER))")
        connection.close()

    async def wait(self) -> str:
        """Waits until one of the processes ends by itself; returns its name."""
        waiting = {asyncio.create_task(each.wait()): name for each, name in ((self.process, "ministack"), (self.tables, "the table"))}
        done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        return waiting[done.pop()]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def start(state: Path, logs: Path, tables_program: Path) -> Emulator:
    """Starts the emulator without the caller's environment, and waits until it answers."""
    port, tables_port = free_port(), free_port()
    log = logs / "aws.log"
    log.unlink(missing_ok=True)
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
        # The emulator checks the signatures of presigned URLs, such as that of an archive, and no others.
        **CREDENTIALS,
    }
    program = Path(sys.executable).with_name("ministack")
    process = await processes.start([program], environment, log, scratch)
    # In memory if the system has such a folder: otherwise every write waits for the disk.
    memory = Path("/dev/shm")
    database = Path(tempfile.mkdtemp(prefix="access-point-", dir=memory if memory.is_dir() else scratch)) / "table.db"
    tables = await processes.start([tables_program, str(tables_port), str(database)], {}, log, scratch)
    emulator = Emulator(process, tables, port, tables_port, database)
    for _ in range(START_SECONDS * 20):
        if process.returncode is not None or tables.returncode is not None:
            break
        if await asyncio.to_thread(_answers, f"{emulator.endpoint}/_ministack/health") and await asyncio.to_thread(
            _answers, emulator.tables_endpoint
        ):
            return emulator
        await asyncio.sleep(0.05)
    await emulator.stop()
    raise Trouble(f"the local AWS services did not start; see {log}")


def _answers(url: str) -> bool:
    """Whether a server answers, even with an error."""
    try:
        with urllib.request.urlopen(url, timeout=1):
            return True
    except urllib.error.HTTPError:
        return True
    except (urllib.error.URLError, OSError):
        return False
