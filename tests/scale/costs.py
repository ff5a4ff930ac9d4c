"""Measures what documents cost at AWS, and prints it. See `tests/scale/run`."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COSTS = HERE / "costs.json"
OPERATE = ROOT / "infra" / "OPERATE.md"
BEGIN = "<!-- capacity: written by tests/scale/run costs --write -->\n"
END = "<!-- capacity: end -->\n"
RESULTS = HERE / "results.md"

# "Best practices for designing partition keys": the throughput of one partition in a second.
WRITE_UNITS, READ_UNITS = 1000, 3000
# The operator's guide leaves out partitions that take more documents a second.
MOST_SHOWN = 1000

LIVES = {
    "sent_1_line": "A document of one line, sent while the caller waits",
    "retired_1_line": "The same, until items of it are retired from the table",
    "sent_10_lines": "A document of ten lines",
    "sent_100_lines": "A document of a hundred lines",
    "queued_1_line": "A document of one line, accepted and sent later",
    "received_1_line": "A received document of one line",
    "received_retired_1_line": "The same, until items of it are retired from the table",
    "idle_minute": "A minute of schedules that find nothing due",
}
# The lives in the table of capacity.
CAPACITY = ("sent_1_line", "received_1_line")
COLUMNS = (
    ("write units", "write_units"),
    ("read units", "read_units"),
    ("PUTs", "puts"),
    ("bytes", "put_bytes"),
    ("GETs", "gets"),
    ("bytes", "got_bytes"),
    ("SQS", "sqs_requests"),
)
MOST_EXPENSIVE = 5


def measure(write: bool) -> None:
    """Runs the measurement, which fails when it differs from the file."""
    command = ["cargo", "test", "--workspace", "--locked", "--quiet", "--lib", "--", "service::tests::costs"]
    environment = os.environ | ({"UPDATE_COSTS": "1"} if write else {})
    environment.setdefault("RUST_MIN_STACK", "4194304")
    if subprocess.run(command, cwd=ROOT, env=environment).returncode:
        raise SystemExit(1)


def rate(partition: dict) -> int:
    """Documents a second until a partition of this kind is full."""
    rates = []
    for limit, units in ((WRITE_UNITS, partition["write_units"]), (READ_UNITS, partition["read_units"])):
        if units:
            rates.append(int(Decimal(limit) * partition["shards"] / Decimal(str(units))))
    return min(rates)


def hottest(life: dict) -> list[dict]:
    """The shared partitions, the first one to be full first."""
    return sorted(life["partitions"], key=lambda partition: (rate(partition), partition["partition"]))


def table(head: list[str], rows: list[list]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def show(costs: dict) -> None:
    """Prints each life: its stages, its most expensive calls, its partitions."""
    for name in LIVES:
        life = costs["lives"][name]
        print(f"\n## {LIVES[name]} (`{name}`)\n")
        head = ["stage", "function", *(title for title, _ in COLUMNS)]
        rows = [[stage["stage"], stage["function"], *(f"{stage[column]:,}" for _, column in COLUMNS)] for stage in life["stages"]]
        rows.append(["**sum**", "", *(f"{life['sum'][column]:,}" for _, column in COLUMNS)])
        print(table(head, rows))
        kept = life["kept"]
        print(
            f"It leaves {kept['items']} items of {kept['table_bytes']:,} bytes in the table, "
            f"and {kept['expiring_items']} of {kept['expiring_table_bytes']:,} that expire.\n"
        )
        print("The most expensive calls:\n")
        calls = [(call, stage["stage"]) for stage in life["stages"] for call in stage["calls"]]
        calls.sort(key=lambda call: (-int(call[0].split()[0]), -Decimal(call[0].split()[2])))
        for call, stage in calls[:MOST_EXPENSIVE]:
            print(f"- {stage}: {call}")
        print("\nPartitions that documents share:\n")
        print(capacity(life))
    print("\n## Budget of `sent_1_line`\n")
    limits = costs["budget"]["limits"]
    head = ["what", "measured", "ceiling", "goal"]
    print(table(head, [[limit[column] for column in head] for limit in limits]))


def capacity(life: dict, at_most: int | None = None) -> str:
    """The shared partitions and their rates."""
    rows = [
        [
            f"`{partition['partition']}`",
            partition["one_for_each"],
            partition["shards"],
            partition["write_units"],
            partition["read_units"],
            f"{rate(partition):,}",
        ]
        for partition in hottest(life)
        if at_most is None or rate(partition) <= at_most
    ]
    head = ["partition", "one for each", "shards", "write units", "read units", "documents a second"]
    return table(head, rows)


def section(costs: dict) -> str:
    """The table of capacity in the operator's guide."""
    parts = []
    for name in CAPACITY:
        parts.append(f"{LIVES[name]}, with its report, status and webhooks:\n\n{capacity(costs['lives'][name], MOST_SHOWN)}")
    return "\n" + "\n".join(parts) + "\n"


def write(costs: dict, check: bool) -> int:
    """Writes the section between its markers. Returns 1 if it differs and `check` forbids writing."""
    text = OPERATE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + section(costs) + END + after
    if not check:
        OPERATE.write_text(new)
    elif new != text:
        print("infra/OPERATE.md: its table of capacity is not that of tests/scale/costs.json; run tests/scale/run costs --write")
        return 1
    return 0


def results_are_outdated(costs: dict) -> int:
    """Returns 1 if the model's results are of other costs."""
    sums = costs["lives"]["sent_1_line"]["sum"]
    played = f"{sums['write_units']} write units, {sums['read_units']} read units and {sums['puts']} PUTs"
    if played in RESULTS.read_text():
        return 0
    print(f"tests/scale/results.md is not of {played} a document: run tests/scale/run model --write, and --ladder --write")
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/scale/run costs", description=__doc__)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="write costs.json and the table in infra/OPERATE.md anew")
    mode.add_argument("--show", action="store_true", help="print the tables of costs.json without measuring")
    mode.add_argument("--check", action="store_true", help="compare infra/OPERATE.md and results.md with costs.json")
    asked = parser.parse_args()
    if asked.check:
        costs = json.loads(COSTS.read_text())
        return write(costs, check=True) or results_are_outdated(costs)
    if not asked.show:
        measure(asked.write)
    costs = json.loads(COSTS.read_text())
    if asked.write:
        write(costs, check=False)
    show(costs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
