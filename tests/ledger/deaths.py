"""Kills processes at random moments: functions of both access points, and the authority."""

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sides import Authority, Side

from kit import processes
from kit.items import aws

# Other programs in the folder of the functions.
PROGRAMS = {"access-point", "as4-peer", "local-dynamodb"}
# The interval between deaths in seconds, and the share of the authority.
EVERY, AUTHORITY_SHARE = (0.5, 3.0), 0.15
# After this many seconds a queue redelivers a dead worker's message.
VISIBILITY_SECONDS = 35


def impatient(sides: list[Side]) -> None:
    """Shortens the visibility timeout of the queues."""
    for side in sides:
        sqs = aws(side.run, "sqs")
        for name, url in side.run.described["queues"].items():
            if name.endswith("Queue"):
                sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": str(VISIBILITY_SECONDS)})


@contextmanager
def dying(sides: list[Side], authority: Authority, chance: random.Random) -> Iterator[Counter]:
    """Kills processes in this context; yields the number of deaths by name."""
    killed, done = Counter(), threading.Event()

    def kill() -> None:
        while not done.wait(chance.uniform(*EVERY)):
            victim = _kill_authority(authority) if chance.random() < AUTHORITY_SHARE else _kill_function(sides, chance)
            if victim is not None:
                killed[victim] += 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def _kill_function(sides: list[Side], chance: random.Random) -> str | None:
    alive = []
    for side in sides:
        names = {each.name for each in side.run.functions.iterdir()} - PROGRAMS
        alive += processes.function_processes(side.run, *names)
    if not alive:
        return None
    victim = chance.choice(sorted(alive, key=lambda process: process.pid))
    return victim.function if processes.kill(victim) else None


def _kill_authority(authority: Authority) -> str | None:
    """Kills the authority of this run, not that of another."""
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
            if "local_aws.network.authority" in words and authority.folder in words:
                os.kill(int(entry.name), signal.SIGKILL)
                return "authority"
        except (OSError, ValueError):
            continue
    return None
