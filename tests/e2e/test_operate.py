"""The operator's redrive: lists parked items with their reasons, and reschedules them."""

import subprocess
import uuid

from kit.items import timestamp
from kit.waiting import wait_for


def redrive(run, *arguments: str) -> tuple[list[str], str]:
    """The output of the command: a line for each parked item, and the sum."""
    tool = run.functions / "access-point" / "bootstrap"
    done = subprocess.run([tool, "redrive", *arguments], env=run.described["environment"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    *parked, total = done.stdout.splitlines()
    return parked, total


def test_an_event_that_cannot_be_read_is_parked_listed_and_put_on_its_way_again(run, falcon, items):
    event_id = f"evt_{uuid.uuid4().hex}"
    key = {"pk": f"SANDBOX#TAXPAYER#{falcon.taxpayer_id}#EVENT#{event_id}", "sk": "EVENT"}
    items.table.put_item(Item=key | {"due_pk": "SANDBOX#DUE#0", "due_at": timestamp(3600), "relay": "due"})
    try:
        wait_for("the event to be parked", lambda: "parked" in items.table.get_item(Key=key)["Item"])
        parked, total = redrive(run, "--dry-run", "--mode", "sandbox", "--kind", "event")
        (line,) = (line for line in parked if event_id in line)
        assert "missing field" in line and total.endswith(" 0 on their way again")
        assert "parked" in items.table.get_item(Key=key)["Item"], "a dry run changes nothing"
        assert redrive(run, "--mode", "live") == ([], "0 parked, 0 on their way again")
        assert redrive(run, "--mode", "sandbox", "--kind", "event")[1] == "1 parked, 1 on their way again"
        item = items.table.get_item(Key=key)["Item"]
        assert "parked" not in item and item["due_at"] <= timestamp()
    finally:
        items.table.delete_item(Key=key)
