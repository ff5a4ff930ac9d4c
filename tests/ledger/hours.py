"""Makes hours pass in seconds: moves the due times of waiting items to now.

By the schedule of the service, a message that failed four times waits for half an hour, and so does the open circuit breaker of an access
point. Only the due time of an item changes, and the end of an open breaker. Leased items and recently relayed ones stay unchanged.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from boto3.dynamodb.conditions import Attr
from botocore.exceptions import BotoCoreError, ClientError
from sides import Side

from kit.items import Items, timestamp

EVERY_SECONDS = 15.0
# Items due within this time are left alone.
SOON_SECONDS = 20
# The states that wait for another attempt, without those that wait a day for a verdict.
WAITING = ["due", "filing", "dispatching", "waiting", "answering"]


@contextmanager
def passing(sides: list[Side]) -> Iterator[None]:
    """Lets time pass in this context."""
    done = threading.Event()

    def run() -> None:
        tables = [Items(side.run) for side in sides]
        while not done.wait(EVERY_SECONDS):
            for side, items in zip(sides, tables, strict=True):
                try:
                    _hasten(items)
                    side.sweep()
                except (AssertionError, BotoCoreError, ClientError, httpx.HTTPError) as error:
                    # The sweeper may have been killed.
                    print(f"  no sweep of {side.name} this time: {str(error)[:100]}", flush=True)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _hasten(items: Items) -> None:
    live, soon, now = Attr("pk").begins_with("LIVE#"), timestamp(SOON_SECONDS), timestamp()
    free = Attr("lease").not_exists() & Attr("relay").not_exists() & Attr("parked").not_exists()
    for item in items.matching(live & free & Attr("due_at").gt(soon) & Attr("status").is_in(WAITING)):
        # Unless the item changes meanwhile.
        _update(items, item, "SET due_at = :now", {":now": now, ":seen": item["due_at"]}, "due_at = :seen AND attribute_not_exists(lease)")
    for gate in items.matching(live & Attr("sk").eq("GATE") & Attr("open_until").gt(now)):
        _update(items, gate, "SET open_until = :now", {":now": now, ":seen": gate["open_until"]}, "open_until = :seen")


def _update(items: Items, item: dict, update: str, values: dict, condition: str) -> None:
    key = {name: item[name] for name in ("pk", "sk")}
    try:
        items.table.update_item(Key=key, UpdateExpression=update, ExpressionAttributeValues=values, ConditionExpression=condition)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
