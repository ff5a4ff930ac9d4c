"""What who operates the service does: what was given up is listed with its reason, and put on its way again."""

import os
import subprocess
import uuid

from kit.items import timestamp
from kit.run import REPOSITORY
from kit.waiting import wait_for


def redrive(run, *arguments: str) -> tuple[list[str], str]:
    """What the command prints: a line for each parked item, and the sum."""
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


def commands(readme: str, heading: str) -> str:
    """The first commands below a heading."""
    return readme.split(f"\n## {heading}\n")[1].split("```sh\n")[1].split("```")[0]


def test_the_readmes_commands_to_connect_a_taxpayer_run_as_they_are_written(run):
    readme = (REPOSITORY / "README.md").read_text()
    known, _, _ = commands(readme, "A first invoice in five minutes").partition("\n\n")
    run_file = os.environ.get("ACCESS_POINT_RUN", str(REPOSITORY / ".local" / "run.json"))
    script = known.replace(".local/run.json", run_file) + "\n" + commands(readme, "Connect a taxpayer")
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "client_" in done.stdout and run.api_url in done.stdout and "authorization_endpoint" in done.stdout
