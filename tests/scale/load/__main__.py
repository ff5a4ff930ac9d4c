"""Runs the whole service on this machine under load, and says whether it lost or doubled anything and whether its memory grew.

Two access points run with the functions as they are deployed. Clients of one send documents to the other. A document has reached its end
when the endpoint has verified the webhooks that it was sent, that its status came, and that it is reported.
"""

import argparse
import asyncio
import signal
import sys
import time
from collections.abc import Coroutine
from pathlib import Path

import large
import ledger
import tables
import validation
from clients import Clients
from endpoint import Endpoint
from machine import Machine
from sides import Authority, Side

import service

MINUTE = 60.0
# Time between samples of CPU time and memory.
SAMPLE_SECONDS = 2.0


def given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/scale/run local", description=__doc__)
    parser.add_argument("minutes", type=float, nargs="?", default=10, help="for how long clients send (default 10)")
    load = parser.add_mutually_exclusive_group()
    load.add_argument("--clients", type=int, default=3, help="how many clients send, each one document after the other (default 3)")
    load.add_argument("--rate", type=float, help="documents a second, whether or not those before are answered")
    load.add_argument("--large", action="store_true", help="send the largest documents together, and print the memory of the functions")
    load.add_argument("--validate", action="store_true", help="compare the model with a run in which queues build up and drain")
    parser.add_argument("--write", action="store_true", help="write the results to local.md, large.md or local.json in tests/scale")
    return parser.parse_args()


async def sampled(machine: Machine, work: Coroutine) -> None:
    """Does the work, and samples the machine meanwhile."""
    task = asyncio.create_task(work)
    while not task.done():
        machine.sample()
        await asyncio.wait([task], timeout=SAMPLE_SECONDS)
    await task


async def ended(endpoint: Endpoint, clients: Clients) -> None:
    """Waits until every accepted document has reached its end, or nothing comes any more."""
    while clients.accepted().keys() - endpoint.ended.keys() and time.monotonic() < endpoint.last + ledger.PATIENCE:
        await asyncio.sleep(0.5)


async def run(options: argparse.Namespace, described: dict) -> int:
    sender, recipient = (Side(described["access_points"][name]) for name in ("a", "b"))
    endpoint = Endpoint(sender.webhooks.secret)
    await endpoint.listen()
    endpoint.take_over(sender)
    machine = Machine(described["pids"]["runner"], [Path(side.run.functions) for side in (sender, recipient)])
    clients = Clients(sender, recipient, f"LOAD-{time.strftime('%H%M%S')}")
    seconds, rate = options.minutes * MINUTE, options.rate
    work = clients.fixed_rate(rate, round(rate * seconds)) if rate else clients.closed_loops(options.clients, seconds)
    begun, load_before = time.monotonic(), tables.load_average()
    machine.begin()
    await sampled(machine, work)
    used, sent_until = machine.sample(), time.monotonic()
    await sampled(machine, ended(endpoint, clients))
    used_by_all = machine.sample()
    lost, wrong = await asyncio.to_thread(
        ledger.troubles, sender, recipient, Authority(described["authority"]), clients.accepted(), endpoint
    )
    await endpoint.close()
    machine.keep(service.STATE / "memory.csv")
    results = tables.Results(
        options, begun, sent_until, clients.sent, endpoint, machine, used, used_by_all, lost, wrong, (load_before, tables.load_average())
    )
    text = results.text()
    print(text)
    if options.write:
        tables.RESULTS.write_text(text)
    return 1 if results.failures() else 0


def main() -> int:
    options = given()
    # The service is stopped also when this program is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parameters, work = {}, run
    if options.validate:
        parameters, work = validation.PARAMETERS, validation.run
    elif options.large:
        parameters, work = large.PARAMETERS, large.run
    with service.running(parameters) as described:
        return asyncio.run(work(options, described))


if __name__ == "__main__":
    sys.exit(main())
