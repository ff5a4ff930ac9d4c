"""The matrix of peers and messages, the expected results, and the table of actual results."""
import dataclasses
import traceback
from concurrent.futures import ThreadPoolExecutor

DOCUMENTS = ("invoice", "credit note", "self-billed", "MLS", "10 kB", "1 MB", "10 MB")
BAD_SEATS = ("revoked", "expired", "foreign CA")
SPOILT = ("unsigned", "unencrypted", "tampered")
ROWS = (*DOCUMENTS, "ping", "duplicate", "not serviced", *BAD_SEATS, *SPOILT)
# Messages that the service never sends: it sends no pings, repeats nothing with a receipt, has a valid certificate, and accepts bodies of
# at most 4 MiB.
BY_PEER = ("10 MB", "ping", "duplicate", *BAD_SEATS)
# The longest rows start first, so that they run in parallel with the others.
WEIGHT = {"10 MB": 0, "1 MB": 1}
WORKERS = 4
LEGEND = f"""Everything of ours is the service itself, but what it never sends ({", ".join(BY_PEER)}) and what as4_check judges: as4-peer.
receipt: signed by the receiver for this message, every digest as it was sent; and the receiver has kept the same bytes, once
unsigned: an error that nobody signed; not sent: the sender itself refuses its seat; holds: signature, digests and decrypted payload"""


@dataclasses.dataclass(frozen=True)
class No:
    """An empty cell, with the reason."""

    reason: str


@dataclasses.dataclass
class Column:
    """A direction: it runs each row (`run`), and has its expected result (`expected`, or the reason why there is none)."""

    name: str
    expected: dict
    run: object


@dataclasses.dataclass
class Skipped:
    """A direction that cannot run here, with the reason."""

    name: str
    reason: str


def run(columns):
    """Runs everything concurrently; returns {(row, column): result}."""
    cells = [(row, column) for column in columns for row in ROWS if not isinstance(column.expected[row], No)]
    cells.sort(key=lambda cell: WEIGHT.get(cell[0], 2))
    with ThreadPoolExecutor(WORKERS) as pool:
        return {(row, column.name): outcome for (row, column), outcome in zip(cells, pool.map(seen, cells), strict=True)}


def seen(cell):
    row, column = cell
    try:
        return column.run(row)
    except Exception as error:
        traceback.print_exc()
        return f"{type(error).__name__}: {error}"


def show_table(columns, outcomes):
    """Prints the table, the reasons for empty cells, and the unexpected results; returns the number of the latter."""
    notes, wrong, table = [], [], [("", *(column.name for column in columns))]
    for row in ROWS:
        shown = [row]
        for column in columns:
            expected = column.expected[row]
            if isinstance(expected, No):
                if expected.reason not in notes:
                    notes.append(expected.reason)
                shown.append(f"– [{notes.index(expected.reason) + 1}]")
                continue
            outcome = outcomes[row, column.name]
            if outcome != expected:
                wrong.append(f"{row}, {column.name}: expected {expected!r}, saw {outcome!r}")
                outcome = f"!!! {outcome[:40]}"
            shown.append(outcome)
        table.append(tuple(shown))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for at, line in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if at == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print(LEGEND)
    for number, reason in enumerate(notes, 1):
        print(f"[{number}] {reason}")
    for one in wrong:
        print(f"!!! {one}")
    return len(wrong)


def show_list(outcomes):
    """Prints (name, expected, result) of each; returns the number of unexpected results."""
    width = max(len(what) for what, *_ in outcomes)
    for what, expected, outcome in outcomes:
        mark = "" if outcome == expected else f"  !!! expected {expected}"
        print(f"{what.ljust(width)}  {outcome}{mark}")
    return sum(outcome != expected for _, expected, outcome in outcomes)
