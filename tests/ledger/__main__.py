"""The ledger test: many documents while the tax authority refuses, is silent, late and down, and processes die at random.

In the end the authority's ledger and the reports of both access points must agree about every document: nothing is reported twice, nothing
is missing, and every outcome was published in one event.
"""

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import deaths
import hours
import httpx
import plan
from sides import Authority, OtherProgram, Side

import agreement
from conftest import DEFAULT
from kit import run as running
from kit.waiting import wait_for

SENDERS = 4


def given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="LEDGER_ARGS=… tests/run ledger", description=__doc__)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--down", type=float, default=20, help="for how many seconds the authority is down at least (default 20)")
    parser.add_argument("--kill", action=argparse.BooleanOptionalAction, default=True, help="whether processes die")
    parser.add_argument("--patience", type=float, default=1800, help="seconds until everything must be decided (default 1800)")
    return parser.parse_args()


def change(authority: Authority, rules: dict) -> None:
    """Changes the rules, also while the authority restarts."""

    def look() -> bool:
        try:
            authority.change(rules)
        except httpx.HTTPError:
            return False
        return True

    wait_for("the authority to take its rules", look, seconds=60, every=0.5)


def send_all(documents: list[plan.Planned], other_program: OtherProgram, authority: Authority, down: float, deadline: float) -> int:
    """Sends one half, and the other half while the authority is down; returns the number of requests."""

    def send(some: list[plan.Planned]) -> int:
        with ThreadPoolExecutor(SENDERS) as pool:
            return sum(pool.map(lambda each: plan.send(each, other_program, deadline), some))

    middle = len(documents) // 2
    requests = send(documents[:middle])
    change(authority, {"day": "down"})
    begun = time.monotonic()
    requests += send(documents[middle:])
    time.sleep(max(0.0, down - (time.monotonic() - begun)))
    change(authority, {"day": "up"})
    return requests


def main() -> int:
    options, described = given(), running.described(DEFAULT)
    sides = [Side(each) for each in described["access_points"].values()]
    authority, other_program = Authority(described["authority"]), OtherProgram(described)
    documents = plan.make(sides, options.documents, random.Random(options.seed))
    deaths.impatient(sides)
    before = authority.rules()
    change(authority, {"day": "up", "rules": plan.RULES})
    begun = time.monotonic()
    deadline = begun + options.patience
    killing = deaths.dying(sides, authority, random.Random(options.seed)) if options.kill else nullcontext(Counter())
    with hours.passing(sides):
        with killing as killed:
            requests = send_all(documents, other_program, authority, options.down, deadline)
        sent = time.monotonic() - begun
        reported = agreement.settled(sides, documents, deadline)
        found = list(agreement.troubles(sides, authority, documents, reported))
        found += [each for side in sides for each in agreement.untold(side, reported, deadline)]
    change(authority, before)
    for each in found[:50]:
        print(f"  {each}")
    reports = [report for each in reported for report in each.reports]
    kinds = Counter(f"{each['kind']}/{each['role']}" for each in reports)
    print(
        f"ledger: {len(documents)} documents, seed {options.seed}, {requests} requests; killed {dict(killed)}; sent after {sent:.0f} s, "
        f"decided after {time.monotonic() - begun:.0f} s: {len(reports)} reports {dict(kinds)}, "
        f"outcomes {dict(Counter(str(each['outcome']) for each in reports))}; {len(found)} disagreements"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
