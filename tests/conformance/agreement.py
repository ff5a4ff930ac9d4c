"""Compares the product's validator with the official judge over many mutants of documents.

    tests/conformance/agreement.py --mutants 100000 --seed 1

Same rule set, same schema verdict (valid or not, and the line of the first error), same rule ids
with the same number of times each; a file that is not XML is refused by both. Of a document that
we judged no further, after 10,000 findings, what we found must be among what the judge found. Every
official rule must fire at least once, save those that unreachable.json lists with their proof.

Each disagreement is kept in .local/agreement: the mutant, the smallest form of it in which the two
still disagree, and both verdicts. Exit status 0 when there is none and every rule fired, else 1.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import product
import reduction
from mutants import Mutator
from referee import Referee, Verdict

KEPT = product.ROOT / ".local" / "agreement"
UNREACHABLE = product.HERE / "unreachable.json"
BATCH = 250
SHARES = {"pint-billing": 5, "pint-selfbilling": 2, "tdd": 2, "mls": 1, "tsr": 1, "eusr": 1, "generated": 4}
GENERATED = 200
RECHECKED = 20  # maximum number of disagreements that a new judge checks again
REDUCED = 2  # disagreements of one kind that each worker reduces
REDUCE_SECONDS = 60  # time to reduce one of them


@dataclass
class Case:
    """A document on which the two disagree."""

    name: str
    data: bytes
    ours: Verdict
    theirs: Verdict
    done: list = field(default_factory=list)  # the changes of the source, in words
    smallest: bytes = b""

    @property
    def kind(self):
        """Cases of one kind probably have one cause."""
        return difference(self.ours, self.theirs)


def difference(ours, theirs):
    """A short text about the difference; empty when both agree."""
    if agree(ours, theirs):
        return ""
    if bool(ours.error) != bool(theirs.error):
        return f"refused by {'us' if ours.error else 'the judge'} alone"
    if ours.set != theirs.set:
        return f"set {ours.set} for {theirs.set}"
    missing = sorted(theirs.fired - ours.fired) if ours.complete else []
    found = [f"missing {rule}" for rule in missing] + [f"extra {rule}" for rule in sorted(ours.fired - theirs.fired)]
    if (ours.line is None) != (theirs.line is None):
        found.append(f"schema {'error missing' if ours.line is None else 'error extra'}")
    elif ours.line != theirs.line:
        found.append("schema error at another line")
    return f"{theirs.set}: {', '.join(found)}"


def agree(ours, theirs):
    """Whether both agree, as far as the product checked."""
    if ours.complete or ours.error or theirs.error:
        return ours.judged == theirs.judged
    return (ours.set, ours.line) == (theirs.set, theirs.line) and ours.fired <= theirs.fired


class Product:
    """The product's validator, as a command that reads a list of files."""

    def __init__(self, command):
        self.command = shlex.split(command)

    def judge(self, documents, folder):
        """Verdicts in the order of the documents."""
        paths = []
        for number, document in enumerate(documents):
            paths.append(folder / f"{number}.xml")
            paths[-1].write_bytes(document)
        names = folder / "names"
        names.write_text("".join(f"{path}\n" for path in paths))
        done = subprocess.run([*self.command, "--list", names], capture_output=True, text=True)
        found = {}
        for line in done.stdout.split("\n")[:-1]:
            answer = json.loads(line)
            found[answer["file"]] = read(answer)
        silent = Verdict(set="no answer", detail=done.stderr[-2000:])
        return [found.get(str(path), silent) for path in paths]


def read(answer):
    """The verdict in a line of the product's output."""
    if answer.get("error"):
        return Verdict(error=str(answer["error"]))
    first = next(iter(answer["xsd"]), None)
    line = int(first.split(":")[0]) if first else None
    return Verdict(set=answer["set"], line=line, fired=Counter(answer["fired"]), detail=first or "", complete=answer["complete"])


@dataclass
class Tally:
    """The result of a batch, or of all."""

    compared: int = 0
    mutants: int = 0
    refused: int = 0
    valid: int = 0
    seconds_judge: float = 0.0
    seconds_ours: float = 0.0
    fired: defaultdict = field(default_factory=lambda: defaultdict(Counter))
    cases: list = field(default_factory=list)
    kinds: Counter = field(default_factory=Counter)

    def add(self, other):
        for name in ("compared", "mutants", "refused", "valid", "seconds_judge", "seconds_ours"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for which, fired in other.fired.items():
            self.fired[which] += fired
        self.cases += other.cases
        self.kinds += other.kinds


class Worker:
    """Creates, judges and compares mutants; one worker in each process."""

    def __init__(self, reference, command, seed, reduce_seconds, sources, sets=()):
        self.referee = Referee(reference)
        self.product = Product(command) if command else None
        self.seed = seed
        self.reduce_seconds = reduce_seconds
        self.mutator = Mutator(reference / "artefacts", *read_sources(self.referee, reference, sources, sets))
        if sets:
            self.mutator.targets = {key: target for key, target in self.mutator.targets.items() if key[0] in sets}
        self.reduced = Counter()

    def files(self, paths):
        """Compares unchanged files."""
        return self.compare([(str(path), path.read_bytes(), None) for path in paths])

    def mutants(self, numbers):
        plans = [self.mutator.plan(self.seed, number) for number in numbers]
        return self.compare(
            [(f"{self.seed}-{number}", self.mutator.make(plan)[0], plan) for number, plan in zip(numbers, plans, strict=True)]
        )

    def compare(self, documents):
        tally = Tally()
        started = time.perf_counter()
        theirs = [self.referee.judge(data) for _, data, _ in documents]
        tally.seconds_judge = time.perf_counter() - started
        started = time.perf_counter()
        ours = self.judge([data for _, data, _ in documents]) if self.product else theirs
        tally.seconds_ours = time.perf_counter() - started
        for (name, data, plan), our, their in zip(documents, ours, theirs, strict=True):
            if unknown(their) and our.set not in SHARES:
                continue  # the judge does not support this kind
            tally.compared += 1
            tally.mutants += plan is not None
            tally.refused += bool(their.error)
            tally.valid += their.judged == (False, their.set, None, Counter())
            tally.fired[their.set] += their.fired
            if difference(our, their):
                their = self.referee.judge_afresh(data)
            if difference(our, their):
                tally.cases.append(self.reduce(Case(name, data, our, their), plan))
        tally.kinds = Counter(case.kind for case in tally.cases)
        return tally

    def judge(self, documents):
        with tempfile.TemporaryDirectory() as folder:
            return self.product.judge(documents, pathlib.Path(folder))

    def differs(self, data):
        """The difference between both sides about the document."""
        return difference(self.judge([data])[0], self.referee.judge_afresh(data))

    def reduce(self, case, plan):
        """Adds the changes of the source and the smallest form, for the first few cases of a kind."""
        if plan:
            case.done = [plan.source, *self.mutator.make(plan)[1]]
        self.reduced[case.kind] += 1
        if self.reduced[case.kind] > REDUCED:
            return case
        until = time.monotonic() + self.reduce_seconds
        if plan:
            plan = reduction.fewest_steps(plan, lambda tried: self.differs(self.mutator.make(tried)[0]) == case.kind, until)
            case.smallest, case.done = self.mutator.make(plan)
            case.done.insert(0, plan.source)
        case.smallest = reduction.smallest_document(case.smallest or case.data, lambda data: self.differs(data) == case.kind, until)
        return case


def unknown(verdict):
    """Whether the judge refused the document's kind, not its XML."""
    return verdict.error.startswith("KeyError")


def read_sources(referee, reference, generated, sets=()):
    """Source documents by name, and groups of names to change, with the share of each."""
    sources, groups = {}, defaultdict(list)
    for path in artefacts(reference):
        data = path.read_bytes()
        verdict = referee.judge(data)
        if not verdict.error:
            name = os.path.relpath(path, reference / "artefacts")
            sources[name] = data
            groups[verdict.set].append(name)
    for path in generated:
        sources[path.name] = path.read_bytes()
        groups["generated"].append(path.name)
    return sources, [(SHARES[group], names) for group, names in groups.items() if not sets or group in sets]


def artefacts(reference):
    """Every test file of the reference: documents and Peppol's own reports."""
    folders = (reference / "artefacts", reference / "reporting")
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".xml", ".txt"))


def generate(folder):
    """Documents of the product's generator, if it is built. The seed is fixed, since few documents of another seed might miss a field."""
    try:
        binary = product.binary("ACCESS_POINT_GENERATE", "generate")
    except AssertionError as error:
        print(f"without generated documents: {error}", flush=True)
        return []
    subprocess.run([binary, "--count", str(GENERATED), "--seed", "1", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    return sorted(pathlib.Path(folder).glob("*.xml"))


def start(*arguments):
    global worker
    worker = Worker(*arguments)


def work(job):
    name, argument = job
    return getattr(worker, name)(argument)


def alone(case):
    """The job that compares the document of a case once more, by itself."""
    seed, _, number = case.name.rpartition("-")
    return ("mutants", [int(number)]) if seed and number.isdigit() else ("files", [pathlib.Path(case.name)])


def run(
    reference, command, mutants, seed, jobs, report=lambda done, tally, seconds: None, *, only=None, reduce_seconds=REDUCE_SECONDS, sets=()
):
    """The tally and the time of all files of the reference and of the mutants (of these sets), or of one mutant."""
    total, started = Tally(), time.perf_counter()
    files = artefacts(reference)
    batches = [("files", files[n : n + BATCH]) for n in range(0, len(files), BATCH)]
    batches += [("mutants", range(n, min(n + BATCH, mutants))) for n in range(0, mutants, BATCH)]
    if only is not None:
        batches = [("mutants", [only])]
    with tempfile.TemporaryDirectory() as folder:
        arguments = (reference, command, seed, reduce_seconds, generate(folder), sets)
        # Spawned, because Saxon does not work in a forked process.
        with multiprocessing.get_context("spawn").Pool(jobs, start, arguments) as pool:
            for done, tally in enumerate(pool.imap_unordered(work, batches), 1):
                total.add(tally)
                report(done / len(batches), total, time.perf_counter() - started)
        # After a failed expression, a judge's process can give another verdict than a new one. The new one decides.
        for case in total.cases[:RECHECKED]:
            with multiprocessing.get_context("spawn").Pool(1, start, arguments) as pool:
                if not pool.apply(work, (alone(case),)).cases:
                    total.cases.remove(case)
                    total.kinds -= Counter([case.kind])
    return total, time.perf_counter() - started


def keep(cases):
    """Writes the cases to files, grouped by kind, smallest forms first."""
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    numbers = {kind: number for number, (kind, _) in enumerate(Counter(case.kind for case in cases).most_common(), 1)}
    seen = Counter()
    for case in sorted(cases, key=lambda case: (not case.smallest, len(case.smallest or case.data))):
        seen[case.kind] += 1
        stem = f"{numbers[case.kind]:03}-{seen[case.kind]:03}"
        (KEPT / f"{stem}.xml").write_bytes(case.data)
        if case.smallest:
            (KEPT / f"{stem}-smallest.xml").write_bytes(case.smallest)
        verdicts = {
            side: [v.error, v.set, v.detail, sorted(v.fired.elements())] for side, v in (("ours", case.ours), ("official", case.theirs))
        }
        facts = {"name": case.name, "difference": case.kind, "done": case.done, **verdicts}
        (KEPT / f"{stem}.json").write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


def never_fired(reference, fired):
    """Rules that never fired and are not listed, and listed rules that fired."""
    module = Referee(reference)
    listed = {(which, row["id"]): row for row in json.loads(UNREACHABLE.read_text()) for which in row["sets"]}
    faults = [
        f"{which} {rule} never fired and is not in {UNREACHABLE.name}"
        for which, rules in module.rules().items()
        for rule in sorted(rules - set(fired[which]))
        if (which, rule) not in listed
    ]
    for (which, rule), row in listed.items():
        if rule in fired[which]:
            faults.append(f"{which} {rule} fired, yet {UNREACHABLE.name} says it cannot")
        if module.tests(which).get(rule) != row["test"]:
            faults.append(f"{which} {rule} has the test {module.tests(which).get(rule)!r}, not {row['test']!r} as {UNREACHABLE.name} says")
    return faults


def summary(reference, tally, seconds):
    """The summary lines."""
    rules = Referee(reference).rules()
    theirs, ours = (1000 * spent / tally.compared for spent in (tally.seconds_judge, tally.seconds_ours))
    yield f"{tally.compared} documents compared, {tally.mutants} of them mutants"
    yield f"  in {seconds:.0f} s, {tally.compared / seconds:.0f} a second"
    yield f"  one core for one document: the judge {theirs:.2f} ms, we {ours:.2f} ms with file and process"
    yield f"  {tally.valid} valid, {tally.refused} not XML, the rest with findings"
    yield "  rules fired: " + ", ".join(f"{which} {len(tally.fired[which])} of {len(rules[which])}" for which in rules)
    yield f"  disagreements: {sum(tally.kinds.values())}"
    for kind, count in tally.kinds.most_common():
        yield f"    {count:6} {kind[:200]}"
    if tally.kinds:
        yield f"  kept in {KEPT}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    # Some mutants become documents of a kind that the judge does not support.
    parser.add_argument("--mutants", type=int, default=100_600, metavar="N", help="how many mutants to make (100600)")
    parser.add_argument("--seed", default="1", help="the same seed makes the same mutants (1)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this mutant of the seed alone")
    parser.add_argument("--sets", type=lambda text: tuple(text.split(",")), default=(), help="mutants of these alone, such as tsr,eusr")
    parser.add_argument(
        "--reduce-seconds",
        type=float,
        default=REDUCE_SECONDS,
        metavar="S",
        help=f"how long at most one disagreement is made smaller ({REDUCE_SECONDS})",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J", help="worker processes (one a core)")
    parser.add_argument(
        "--command", metavar="TEXT", help="our validator (ACCESS_POINT_BIN validate --format json); empty for the judge alone"
    )
    asked = parser.parse_args()
    if not os.environ.get("ACCESS_POINT_REFERENCE"):
        raise SystemExit("ACCESS_POINT_REFERENCE is not set: the official artefacts are not part of this repository")
    reference = pathlib.Path(os.environ["ACCESS_POINT_REFERENCE"]).resolve()
    command = default_command() if asked.command is None else asked.command

    def report(done, tally, seconds):
        print(
            f"\r{100 * done:5.1f} %  {tally.compared} compared, {sum(tally.kinds.values())} disagreements, {seconds:.0f} s",
            end="",
            file=sys.stderr,
            flush=True,
        )

    tally, seconds = run(
        reference,
        command,
        asked.mutants,
        asked.seed,
        asked.jobs,
        report,
        only=asked.only,
        reduce_seconds=asked.reduce_seconds,
        sets=asked.sets,
    )
    print(file=sys.stderr)
    if tally.cases:
        keep(tally.cases)
    faults = never_fired(reference, tally.fired) if asked.only is None and not asked.sets else []
    print("\n".join([*summary(reference, tally, seconds), *(f"  {fault}" for fault in faults)]))
    return 1 if tally.cases or faults else 0


def default_command():
    return f"{shlex.quote(str(product.binary('ACCESS_POINT_BIN', 'access-point')))} validate --format json"


if __name__ == "__main__":
    sys.exit(main())
