"""The largest documents together: what memory the functions take when a queue brings ten of them at once.

The other access point answers late on purpose. So the first document keeps an execution busy, and the others come to the next one
together.
"""

import argparse
import asyncio
import json
import re
import time
from collections import defaultdict
from pathlib import Path

import httpx
import ledger
import tables
from clients import Clients
from endpoint import Endpoint
from machine import Machine
from sides import Authority, Side

from kit.processes import peak_memory
from local_aws.network import letters
from local_aws.options import ROOT

# The least that AWS allows: the messages of a queue come to few executions.
PARAMETERS = {"LiveStageConcurrency": "2"}
# One for each execution that waits, and a whole batch.
DOCUMENTS = 12
# The most lines that a document may have, each with so long a description that the body is a little below its limit of 4 MiB.
LINES = 1_000
DESCRIPTION = "Thermal transfer, 300 dpi. " * 130
# What the other access point waits before it answers, in seconds.
ANSWER = 8.0
RESULTS = Path(__file__).resolve().parents[1] / "large.md"
SAMPLE_SECONDS = 0.5


def body(number: str, recipient: dict) -> bytes:
    """An invoice of many lines."""
    invoice = json.loads(letters.invoice(number, recipient))
    [line] = invoice["line_items"]
    line["item"]["description"] = DESCRIPTION
    return json.dumps(invoice | {"line_items": [line] * LINES}).encode()


def stated(function: str) -> int:
    """The MemorySize (MB) of a function."""
    template = (ROOT / "template.yaml").read_text()
    of_it = template.partition(f"Binary: {function} }}")[2].partition("BuildMethod:")[0]
    # The first one of the template is that of all functions.
    found = re.search(r"MemorySize: (\d+)", of_it) or re.search(r"MemorySize: (\d+)", template)
    return int(found[1])


def peaks(machine: Machine) -> dict[str, float]:
    """The peak memory (MB) of a process of each function that has run."""
    found: dict[str, float] = defaultdict(float)
    for pid, name in machine.running():
        found[name] = max(found[name], peak_memory(pid) / tables.MEGABYTE)
    return found


def envelope_size(sender: Side, document_id: str) -> int:
    """The bytes of a document's envelope, for which a large one has an address."""
    response = sender.live.request("GET", f"/invoices/{document_id}/sbdh")
    if "location" in response.headers:
        response = httpx.get(response.headers["location"])
    return len(response.raise_for_status().content)


async def run(options: argparse.Namespace, described: dict) -> int:
    sender, recipient = (Side(described["access_points"][name]) for name in ("a", "b"))
    endpoint = Endpoint(sender.webhooks.secret)
    await endpoint.listen()
    endpoint.take_over(sender)
    httpx.put(f"{recipient.edge_url}/day", json={"day": "slow", "seconds": ANSWER, "from": sender.seat}).raise_for_status()
    machine = Machine(described["pids"]["runner"], [Path(side.run.functions) for side in (sender, recipient)])
    clients = Clients(sender, recipient, f"LARGE-{time.strftime('%H%M%S')}", queued=True, body=body)
    most: dict[str, float] = {}

    async def sampled() -> None:
        while True:
            machine.sample()
            for name, peak in peaks(machine).items():
                most[name] = max(most.get(name, 0.0), peak)
            await asyncio.sleep(SAMPLE_SECONDS)

    sampling = asyncio.create_task(sampled())
    await clients.fixed_rate(DOCUMENTS, DOCUMENTS)
    while clients.accepted().keys() - endpoint.ended.keys() and time.monotonic() < endpoint.last + ledger.PATIENCE:
        await asyncio.sleep(SAMPLE_SECONDS)
    sampling.cancel()
    accepted = clients.accepted()
    lost, wrong = await asyncio.to_thread(ledger.troubles, sender, recipient, Authority(described["authority"]), accepted, endpoint)
    await endpoint.close()
    size = max((envelope_size(sender, document_id) for document_id in accepted), default=0) / tables.MEGABYTE
    text = report(most, len(accepted), size, lost, wrong)
    print(text)
    if options.write:
        RESULTS.write_text(text)
    fits = all(peak <= stated(name) for name, peak in most.items())
    return 0 if fits and len(accepted) == DOCUMENTS and not lost and not wrong else 1


def report(most: dict[str, float], accepted: int, size: float, lost: list[str], wrong: list[str]) -> str:
    rows = [[f"`{name}`", stated(name), f"{peak:.0f}", f"{peak / stated(name):.0%}"] for name, peak in sorted(most.items())]
    troubles = "".join(f"- {each}\n" for each in [*lost, *wrong][: tables.MOST_SHOWN])
    return (
        "# The largest documents together\n\n"
        "Written by `tests/scale/run local --large --write`. The functions are compiled as they are deployed.\n\n"
        f"{accepted} of {DOCUMENTS} documents of {size:.1f} MB (in their envelopes) were accepted at once. At most two executions\n"
        f"of each stage worked on them. {len(lost)} were lost, and {len(wrong)} doubled or different.\n\n"
        + tables.table(["function", "memory (MB, `template.yaml`)", "peak of a process (MB)", "share"], rows)
        + troubles
    )
