"""Measures the validator against the official judge and against its goals, on documents of 1 to 1000 lines.

Needs ACCESS_POINT_REFERENCE, the folder with the official artefacts and their judge. ACCESS_POINT_BIN names the command
line that is measured; without it one is built with the profile of the benchmarks, which optimises as that of releases does.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from kit.processes import peak_memory

ROOT = Path(__file__).resolve().parents[2]
RUNS = {1: 200, 10: 100, 100: 40, 1000: 10}  # runs of the official judge in each round
ROUNDS = 5
PROCESSES = 21  # whose first document is measured
GOAL_RATIO, GOAL_MEMORY, GOAL_WARM_UP = 60, 6, 2e-3
FINDINGS = (0, 2, 20, 100)  # approximate numbers of broken values in a document
OTHERS = "artefacts/pint-ae/billing/examples/invoice/Standard tax invoice.xml"


def measure() -> None:
    if "ACCESS_POINT_REFERENCE" not in os.environ:
        print(
            "\nThe validator against the judge: skipped, ACCESS_POINT_REFERENCE does not name the folder of official artefacts", flush=True
        )
    else:
        binary = executable()
        with tempfile.TemporaryDirectory() as folder:
            documents = {lines: invoice(binary, Path(folder), lines) for lines in RUNS}
            against_the_judge(binary, [(lines, "own", path) for lines, path in documents.items()])
            against_the_judge(binary, others(Path(folder)))
            warm_up(binary, documents)
            memory(binary, documents)
    print("\nValidation, parts and the bare pass, one core:", flush=True)
    subprocess.run(["cargo", "bench", "--package", "access-point", "--bench", "validation"], cwd=ROOT, check=True)


def executable() -> Path:
    if given := os.environ.get("ACCESS_POINT_BIN"):
        return Path(given)
    command = [
        "cargo",
        "build",
        "--profile",
        "bench",
        "--package",
        "access-point",
        # The validator needs no other features, and the build takes a minute.
        "--no-default-features",
        "--features",
        "cli",
        "--bin",
        "access-point",
        "--message-format",
        "json-render-diagnostics",
    ]
    print("\nBuilding the command line with the profile of the benchmarks.", flush=True)
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    built = [json.loads(line) for line in done.stdout.splitlines()]
    return Path(next(artefact["executable"] for artefact in built if artefact.get("executable")))


def against_the_judge(binary: Path, documents: list[tuple[int, str, Path]]) -> None:
    """Both measure their own time in turn: parse, schema and rules here, parse and rules only there. Both must return the same findings.

    Compared are the quickest rounds of both, which other processes disturbed least, and the rounds one by one.
    """
    print(f"\nA document from its bytes to its verdict, the quickest of {ROUNDS} medians; the judge's time is without its schema check:")
    heads = f"{'lines':>6} {'form':>8} {'fired':>5} {'bytes':>9} {'judge':>10} {'validator':>10} {'times faster':>13} {'a line':>9}"
    print(f"{heads}   each round", flush=True)
    judge = Path(os.environ["ACCESS_POINT_REFERENCE"]).resolve() / "conformance" / "oracle.py"
    for lines, form, path in documents:
        runs, rounds = RUNS[lines], []
        for _ in range(ROUNDS):
            theirs = answer([sys.executable, judge, "--time", str(runs), path])
            # More runs, since each is shorter: the machine's speed changes from second to second.
            ours = answer([binary, "validate", "--format", "json", "--time", str(25 * runs), path])
            if sorted(theirs["fired"]) != ours["fired"] or theirs["xsd"] or ours["xsd"]:
                raise SystemExit(f"a document that is measured is judged differently: {theirs} {ours}")
            rounds.append((theirs["median_s"], ours["median_s"]))
        fired = len(ours["fired"])
        theirs, ours = (min(times) for times in zip(*rounds, strict=True))
        size, ratio, line = path.stat().st_size, theirs / ours, 1e6 * ours / lines
        each = ", ".join(f"{theirs / ours:.0f}" for theirs, ours in rounds)
        times = f"{1e3 * theirs:>7.2f} ms {1e6 * ours:>7.1f} us {ratio:>9.0f} {met(ratio >= GOAL_RATIO)} {line:>6.2f} us"
        print(f"{lines:>6} {form:>8} {fired:>5} {size:>9} {times}   {each}", flush=True)


def timed(command: list) -> dict:
    """The line that the command prints about a valid document."""
    told = answer(command)
    if told["xsd"] or told["fired"]:
        raise SystemExit(f"a document that is measured is not valid: {told}")
    return told


def answer(command: list) -> dict:
    """The line that the command prints; its exit status says whether the document is valid."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command} ended with status {done.returncode}")
    return json.loads(done.stdout)


def warm_up(binary: Path, documents: dict[int, Path]) -> None:
    """The additional time of the first document of a process: the median of several processes."""
    print(f"\nThe first document of a process and the next, medians of {PROCESSES} processes:\n{'lines':>6} {'first':>11} {'next':>11}")
    for lines, path in documents.items():
        command = [binary, "validate", "--format", "json", "--time", "1", path]
        answers = [timed(command) for _ in range(PROCESSES)]
        first, following = (statistics.median(answer[name] for answer in answers) for name in ("first_s", "next_s"))
        print(f"{lines:>6} {1e6 * first:>8.0f} us {1e6 * following:>8.0f} us {met(first - following <= GOAL_WARM_UP)}", flush=True)


def memory(binary: Path, documents: dict[int, Path]) -> None:
    """How much a large document raises the peak memory of a process, compared with its size."""
    tiny, *_, big = documents.values()
    size = big.stat().st_size
    added = peak(binary, big, tiny) - peak(binary, tiny, tiny)
    share = added / size
    print(
        f"\nPeak memory: {added / 1e6:.1f} MB for a document of {size / 1e6:.1f} MB, {share:.1f} times {met(share <= GOAL_MEMORY)}",
        flush=True,
    )


def peak(binary: Path, path: Path, tiny: Path) -> int:
    """Peak memory of a process that has validated the file, measured while it waits for the next one, from a pipe."""
    pipe = path.with_name("pipe")
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    process = subprocess.Popen([binary, "validate", "--format", "json", path, pipe], stdout=subprocess.DEVNULL)
    with pipe.open("wb") as waiting:  # opens when the process opens it to read
        most = peak_memory(process.pid)
        waiting.write(tiny.read_bytes())
    if process.wait() != 0:
        raise SystemExit("a document that is measured is not valid")
    return most


def met(reached: bool) -> str:
    return "ok " if reached else "BAD"


def invoice(binary: Path, folder: Path, lines: int) -> Path:
    """The UBL of an invoice with this number of lines."""
    body = json.loads((ROOT / "events" / "invoices" / "minimal.json").read_text())
    body["line_items"] = [line(number) for number in range(1, lines + 1)]
    path = folder / f"{lines}.json"
    path.write_text(json.dumps(body))
    taxpayer = ROOT / "tests" / "conformance" / "taxpayers" / "falcon.json"
    command = [binary, "convert", "--operation", "invoice", "--taxpayer", taxpayer, "--today", "2026-11-20", "--out", folder, path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path.with_suffix(".xml")


def others(folder: Path) -> list[tuple[int, str, Path]]:
    """The official standard invoice with its line repeated: indented, with comments, periods, references and amounts in AED, or compact;
    each without findings and with some."""
    source = (Path(os.environ["ACCESS_POINT_REFERENCE"]) / OTHERS).read_text()
    documents = []
    for lines in RUNS:
        repeated = with_lines(source, lines)
        for form, text in (("indented", repeated), ("compact", compact(repeated))):
            for findings in FINDINGS:
                if broken := with_findings(text, findings):
                    path = folder / f"{lines}-{form}-{findings}.xml"
                    path.write_text(broken)
                    documents.append((lines, form, path))
    return documents


def with_lines(source: str, lines: int) -> str:
    """The official invoice with this number of lines of 10486 AED and matching totals."""
    begin, end = source.index("\t<cac:InvoiceLine>"), source.index("</Invoice>")
    head, one, tail = source[:begin], source[begin:end], source[end:]
    sum_of_lines = 10486 * lines
    net = sum_of_lines - Decimal("262.15") + Decimal("419.44")
    exact = net * 5 / 100
    tax = exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
    totals = {
        '<cbc:LineExtensionAmount currencyID="AED">10486<': f'<cbc:LineExtensionAmount currencyID="AED">{sum_of_lines}<',
        ">10643.29<": f">{net}<",
        ">532.16<": f">{tax}<",
        ">532.1645<": f">{exact}<",
        ">11175.45<": f">{net + tax}<",
        ">11175.5<": f">{net + tax + Decimal('0.05')}<",
    }
    for old, new in totals.items():
        head = head.replace(old, new)
    return head + "".join(one.replace("<cbc:ID>1<", f"<cbc:ID>{number}<", 1) for number in range(1, lines + 1)) + tail


def compact(text: str) -> str:
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))


def with_findings(text: str, count: int) -> str | None:
    """Breaks currencies or units at this number of places, spread over the document; None if it has fewer places."""
    places = [found.start() for found in re.finditer('currencyID="AED"|unitCode="H87"', text)]
    if count > len(places):
        return None
    for number in reversed(range(count)):
        place = places[number * len(places) // count]
        text = (
            text[:place] + text[place:].replace('"AED"', '"USD"', 1)
            if text[place] == "c"
            else text[:place] + text[place:].replace("H87", "pcs", 1)
        )
    return text


def line(number: int) -> dict:
    """A line as an ERP sends it: identifiers, an allowance, a charge, a discounted price."""
    return {
        "id": str(number),
        "quantity": str(number % 97 + 1),
        "unit_code": "H87",
        "purchase_order_line_reference": str(number),
        "allowances": [{"amount": "1.25", "reason": "Loyalty", "reason_code": "95"}],
        "charges": [{"base_amount": "100", "percentage": "2.5", "reason_code": "FC"}],
        "item": {
            "name": f"Item {number}",
            "description": "Steel & brass, galvanised",
            "seller_identifier": f"SKU-{number}",
            "type_code": "G",
            "classifications": [{"code": "74031100"}],
        },
        "vat": {"category_code": "S" if number % 7 else "Z"},
        "price": {"gross_price": f"{number % 1000 + 10}.75", "discount": "0.5"},
    }
