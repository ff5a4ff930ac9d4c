"""The tax authority of the local network, as a process: `python -m local_aws.network.authority --help`.

It prints `listening URL` once it accepts messages. Its folder holds all messages and answers; a new process continues with them.
"""

import argparse
import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import web

from local_aws.console import Trouble, say
from local_aws.http_api import bind, url_of
from local_aws.network.authority import faults, rules
from local_aws.network.authority.answers import Postman
from local_aws.network.authority.office import Office
from local_aws.network.authority.site import Site
from local_aws.network.edge import Edge
from local_aws.network.peer import Peer
from local_aws.network.pki import kept_seat, spid
from local_aws.network.publisher import TAX_DATA

REFERENCE = "ACCESS_POINT_REFERENCE"
RULES = Path(__file__).with_name("rules.toml")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="authority", description="Takes, judges, answers and keeps Tax Data Documents.")
    parser.add_argument("--folder", type=Path, required=True, help="where it keeps what it got")
    parser.add_argument("--keys", type=Path, required=True, help="the network's certificates, the own one among them")
    parser.add_argument("--seat", required=True, help="whose certificate it has; its digits are the SPID")
    parser.add_argument("--name-server", required=True, help="HOST:PORT of the network's DNS")
    parser.add_argument("--peer", type=Path, required=True, help="the program as4-peer")
    parser.add_argument("--tool", type=Path, required=True, help="the program access-point, which judges")
    parser.add_argument("--port", type=int, default=0, help="where it listens on loopback (default: a free one)")
    parser.add_argument("--rules", type=Path, default=RULES, help="how it behaves unless PUT /rules said otherwise; TOML or JSON")
    parser.add_argument("--oracle", action="store_true", help=f"let the official artefacts judge, which {REFERENCE} names")
    return parser.parse_args(arguments)


async def run(given: argparse.Namespace, owned: AsyncExitStack) -> None:
    given.folder.mkdir(parents=True, exist_ok=True)
    judge = faults.official(_reference()) if given.oracle else faults.product(given.tool)
    changed = given.folder / "rules.json"
    in_force = rules.read(changed if changed.exists() else given.rules)
    peer = Peer(given.peer, given.keys, given.seat, spid(given.seat), given.folder / "as4-peer.log")
    office = Office(given.folder, peer.spid, judge, Postman(peer, given.name_server), in_force)
    kept = ["--takes", TAX_DATA[0].document_type, "--out", str(office.inbox.path), "--keep", str(office.messages)]
    serving = await peer.serve(owned, options=kept)
    edge = Edge("authority", peer.as4_url, kept_seat(given.keys, given.seat))
    edge.day = in_force.day
    bound = bind(given.port)
    runner = web.AppRunner(Site(office, edge, changed).application(), access_log=None, shutdown_timeout=0.5)
    owned.push_async_callback(runner.cleanup)
    await runner.setup()
    await web.SockSite(runner, bound).start()
    say(f"listening {url_of(bound)}")
    await _first([office.work(), serving.wait()])
    raise Trouble(f"as4-peer ended by itself; see {peer.log}")


async def _first(works: list) -> None:
    """Waits until one of them ends, which is an error."""
    tasks = [asyncio.ensure_future(each) for each in works]
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    for task in done:
        task.result()


def _reference() -> Path:
    if not (folder := os.environ.get(REFERENCE)):
        raise Trouble(f"--oracle needs {REFERENCE}, the folder of the official artefacts")
    return Path(folder)


async def until_signalled(given: argparse.Namespace) -> int:
    task = asyncio.current_task()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
    try:
        async with AsyncExitStack() as owned:
            await run(given, owned)
    except asyncio.CancelledError:
        pass
    return 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(until_signalled(parse(sys.argv[1:]))))
    except (Trouble, rules.RulesError, OSError) as trouble:
        print(f"authority: {trouble}", file=sys.stderr, flush=True)
        sys.exit(2)
