"""Compares the model with this machine: its constants are measured in a short run, and its forecast with a long one.

The other access point and the webhook endpoint answer late on purpose, so that the queues before them build up and drain while the cores
have time to spare.
"""

import argparse
import asyncio
import json
import subprocess
import time
from collections import defaultdict
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import httpx
import ledger
import tables
from clients import Clients
from endpoint import Endpoint
from machine import Machine
from sides import Authority, Side

import service
from kit.items import aws
from local_aws import streams
from local_aws.network.reporting import entries

# Two executions of each function at once take the messages of a queue: the least that AWS allows.
EXECUTIONS = 2
PARAMETERS = {"LiveStageConcurrency": str(EXECUTIONS), "LiveDeliveryConcurrency": str(EXECUTIONS)}
# Documents a second. All are queued: the service answers before it sends them.
RATE = 2.5
DOCUMENTS = 2000
# What the other access point and the endpoint wait before they answer, in seconds.
ANSWER, WEBHOOK = 9.5, 3.6
# Documents that are sent before anything is measured, and those whose invocations are measured.
WARMING, MEASURED = 80, 240
# ministack asks queues without messages again after so many seconds (its `_ESM_IDLE_WAKE_GAP_SECONDS`).
POLL = 0.05
SAMPLE_SECONDS = 1.0
# The functions that take from queues, with the queues of Live and their batches (template.yaml).
QUEUES = {
    "convert": ("ConvertLiveQueue", 10),
    "dispatch": ("DispatchLiveQueue", 10),
    "validate_inbound": ("JudgeLiveQueue", 1),
    "report": ("ReportLiveQueue", 10),
    "deliver": ("DeliverLiveQueue", 10),
}
# Executions at once that the runner allows the others (local_aws/stack.py), and one batch of the stream at a time.
OTHERS = {"api": (16, 1), "inbound": (4, 1), "relay": (1, 100)}
# What a function waits for outside on purpose. A batch waits once.
DELAYS = {"dispatch": ANSWER, "deliver": WEBHOOK}
JSON = Path(__file__).resolve().parents[1] / "local.json"


@dataclass
class Queues:
    """The most messages that waited in each queue."""

    side: Side
    deepest: dict[str, int] = field(default_factory=lambda: dict.fromkeys(QUEUES, 0))

    def __post_init__(self) -> None:
        self._sqs = aws(self.side.run, "sqs")

    def look(self) -> None:
        for function, (queue, _) in QUEUES.items():
            url = self.side.run.described["queues"][queue]
            told = self._sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])["Attributes"]
            self.deepest[function] = max(self.deepest[function], int(told["ApproximateNumberOfMessages"]))


def invocations(side: Side, begun: float, ended: float) -> dict[str, list[tuple[int, float]]]:
    """Records and seconds of each invocation of a function that ended between two times of the clock."""
    found = defaultdict(list)
    for line in (side.run.logs / "invocations.log").read_text().splitlines():
        entry = json.loads(line)
        if begun <= entry["time"] < ended and entry["error"] is None:
            found[entry["function"]].append((max(1, entry["records"]), entry["seconds"]))
    return found


def line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """The least squares line through records and seconds: seconds of a call, and of each record. Neither is negative."""
    count = len(points)
    mean_x, mean_y = (sum(column) / count for column in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0
    if slope <= 0.0:
        return mean_y, 0.0
    if mean_y < slope * mean_x:
        return 0.0, mean_y / mean_x
    return mean_y - slope * mean_x, slope


def timings(found: dict[str, list[tuple[int, float]]], documents: int) -> dict[str, dict]:
    """The constants of each function for the model."""
    made = {}
    for function, (executions, batch) in (OTHERS | {name: (EXECUTIONS, batch) for name, (_, batch) in QUEUES.items()}).items():
        points = [(records, max(0.0, seconds - DELAYS.get(function, 0.0))) for records, seconds in found[function]]
        call, each = line(points)
        if function == "relay":
            # A stage of the model stands for several records of the stream.
            each *= sum(records for records, _ in points) / (documents * relayed())
        made[function] = {"executions": executions, "call": round(call, 4), "seconds": round(each, 5), "batch": batch}
    return made


def relayed() -> int:
    """The stages of a queued document that the relay does."""
    stages = json.loads((JSON.parent / "costs.json").read_text())["lives"]["queued_1_line"]["stages"]
    return sum(stage["function"] == "relay" for stage in stages)


def quantiles(times: list[float]) -> list[float]:
    ordered = sorted(times)
    return [round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) for share in (0.5, 0.99)]


def seconds_between(one: str, other: str) -> float:
    return (datetime.fromisoformat(other) - datetime.fromisoformat(one)).total_seconds()


class Times(Endpoint):
    """An endpoint that also keeps when events happened, as they say themselves."""

    def __init__(self, secret: str, delay: float):
        super().__init__(secret, delay)
        self.happened: dict[str, dict[str, float]] = defaultdict(dict)

    def note(self, envelope: dict) -> None:
        super().note(envelope)
        at = datetime.fromisoformat(envelope["created_at"]).timestamp()
        self.happened[envelope["data"].get("document_id", "")][envelope["type"]] = at

    def until_status(self, documents: set[str]) -> list[float]:
        """Median and p99 of the time from the event that a document was sent to that of its status."""
        times = [self.happened[each] for each in documents]
        return quantiles([each["document.status"] - each["document.sent"] for each in times])


async def sampled(queues: Queues, machine: Machine, clients: Clients, endpoint: Endpoint, work: Coroutine) -> dict[str, float]:
    """Does the work, and samples the queues until every document has ended. Returns how many cores each group kept busy while it was
    sent."""
    machine.begin()
    begun, busy = time.monotonic(), {}
    sending = asyncio.create_task(work)
    while not sending.done() or clients.accepted().keys() - endpoint.ended.keys():
        if time.monotonic() > endpoint.last + ledger.PATIENCE:
            break
        await asyncio.gather(asyncio.to_thread(queues.look), asyncio.sleep(SAMPLE_SECONDS))
        if not sending.done():
            busy = {group: seconds / (time.monotonic() - begun) for group, seconds in machine.sample().items()}
    await sending
    return busy


async def run(options: argparse.Namespace, described: dict) -> int:
    sender, recipient = (Side(described["access_points"][name]) for name in ("a", "b"))
    endpoint = Times(sender.webhooks.secret, WEBHOOK)
    await endpoint.listen()
    endpoint.take_over(sender)
    # Only documents are late, not the authority's verdicts to the recipient.
    day = {"day": "slow", "seconds": ANSWER, "from": sender.seat}
    httpx.put(f"{recipient.edge_url}/day", json=day).raise_for_status()
    machine = Machine(described["pids"]["runner"], [Path(side.run.functions) for side in (sender, recipient)])
    ids: dict[str, str] = {}

    async def phase(prefix: str, documents: int) -> tuple[Clients, Queues, dict[str, float]]:
        print(f"{documents} documents at {RATE:g} a second: {prefix}", flush=True)
        clients, queues = Clients(sender, recipient, f"{prefix}-{time.strftime('%H%M%S')}", queued=True), Queues(sender)
        busy = await sampled(queues, machine, clients, endpoint, clients.fixed_rate(RATE, documents))
        ids.update(clients.accepted())
        return clients, queues, busy

    await phase("WARMING", WARMING)
    begun = time.time()
    clients, _, _ = await phase("CONSTANTS", MEASURED)
    functions = timings(invocations(sender, begun, time.time()), MEASURED)
    authority, numbers = Authority(described["authority"]), set(clients.accepted().values())
    verdicts = [seconds_between(each["received_at"], each["answered_at"]) for each in entries(authority.ledger()).values()
                if each["number"] in numbers and each["provider"] == sender.spid and each["answered_at"]]  # fmt: skip
    waits = {"status": endpoint.until_status(clients.accepted().keys() & endpoint.ended.keys()), "verdict": quantiles(verdicts)}
    started, load_before = time.monotonic(), tables.load_average()
    clients, queues, busy = await phase("FORECAST", DOCUMENTS)
    seconds = max(endpoint.ended.values()) - started
    lost, wrong = await asyncio.to_thread(ledger.troubles, sender, recipient, authority, ids, endpoint)
    await endpoint.close()
    machine.keep(service.STATE / "memory.csv")
    content = {
        "documents": DOCUMENTS, "rate": RATE, "queued": 1.0, "answer": ANSWER, "authority": 0.0, "webhook": WEBHOOK,
        **waits, "poll": POLL, "stream": streams.IDLE_SECONDS, "functions": functions,
        "measured": {"seconds": round(seconds, 1), "deepest": queues.deepest},
    }  # fmt: skip
    print("Busy cores while documents were sent:", ", ".join(f"{group} {cores:.2f}" for group, cores in busy.items()))
    print(f"The machine's load average was {load_before:.1f} before and {tables.load_average():.1f} after.")
    for each in [*lost, *wrong][: tables.MOST_SHOWN]:
        print(f"- {each}")
    return 1 if lost or wrong else compare(content, options.write)


def compare(content: dict, is_kept: bool) -> int:
    file = JSON if is_kept else JSON.parents[2] / ".local" / "load" / "local.json"
    file.write_text(json.dumps(content, indent=2) + "\n")
    command = ["cargo", "run", "--release", "--locked", "--quiet", "--package", "scale-model", "--", "--emulator", str(file)]
    return subprocess.run(command, cwd=JSON.parents[2]).returncode

