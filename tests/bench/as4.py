"""Measures the cost of the network side in one run on one machine: AS4 messages compared with their bare primitives and with phase4, the
memory of 100 MB, and the lookups of a batch. Each round measures everything; the result is the median of the rounds."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PEERS = Path(__file__).resolve().parents[1] / "peers"
sys.path.insert(0, str(PEERS))

import ours  # noqa: E402
import seats  # noqa: E402
from columns import Phase4  # noqa: E402
from kit.processes import peak_memory  # noqa: E402
from local_aws.network.pki import Pki  # noqa: E402

REPOSITORY = PEERS.parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
LARGEST = 100_000_000
BATCH = 1000


@dataclass
class Figure:
    """The value of each round, and the goal for the median."""

    goal: float
    unit: str
    at_least: bool = False
    seen: list[float] = field(default_factory=list)

    def reached(self) -> bool:
        median = statistics.median(self.seen)
        return median >= self.goal if self.at_least else median <= self.goal

    def told(self) -> str:
        median, least, most = (f"{each:.1f}".removesuffix(".0") for each in (statistics.median(self.seen), min(self.seen), max(self.seen)))
        spread = "" if least == most else f" ({least} to {most})"
        goal = f"goal at {'least' if self.at_least else 'most'} {self.goal}"
        return f"{median}{self.unit}{spread}, {goal}{'' if self.reached() else ': NOT REACHED'}"


class Figures:
    """All figures by name, in the order of their first measurement."""

    def __init__(self) -> None:
        self._all: dict[str, Figure] = {}

    def add(self, name: str, value: float, goal: float, unit: str, *, at_least: bool = False) -> None:
        self._all.setdefault(name, Figure(goal, unit, at_least)).seen.append(value)

    def conclude(self, rounds: int) -> list[str]:
        """Prints all figures; returns the names of those below their goals."""
        print(f"\nAS4 and lookups, the median of {rounds} round(s), the least and the most:")
        for name, figure in self._all.items():
            print(f"  {name}: {figure.told()}", flush=True)
        return [name for name, figure in self._all.items() if not figure.reached()]


def measure(messages: int, rounds: int) -> list[str]:
    """Prints every figure; returns those below their goals."""
    peer, converter = built()
    reference = os.environ.get("ACCESS_POINT_REFERENCE")
    run = Path(reference or "", "conformance/phase4/run")
    figures = Figures()
    lookups(figures)
    for number in range(1, rounds + 1):
        print(f"\nAS4, round {number} of {rounds}:", flush=True)
        beside_primitives(figures)
        with tempfile.TemporaryDirectory(prefix="as4-") as name:
            exchange(figures, Path(name), peer, converter, run if reference and run.exists() else None, messages)
    missed = figures.conclude(rounds)
    if not reference or not run.exists():
        print("!!! phase4 WAS NOT MEASURED: ACCESS_POINT_REFERENCE does not name a folder with conformance/phase4 !!!")
    return missed


def built() -> tuple[Path, Path]:
    """Builds the programs with the server profile, for this machine even if the environment names another target."""
    command = ["cargo", "build", "--profile", "server", "--locked", "--quiet", "--package", "as4-peer", "--package", "access-point"]
    command += ["--no-default-features", "--features", "access-point/cli,access-point/peppol", "--bin", "as4-peer", "--bin", "access-point"]
    subprocess.run(command, cwd=REPOSITORY, env=for_this_machine(), check=True)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "server"
    return folder / "as4-peer", folder / "access-point"


def for_this_machine() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}


def told_by(command: list[str], environment: dict[str, str], pattern: str) -> list[tuple[str, ...]]:
    """The counts that a test prints."""
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True)
    found = re.findall(pattern, done.stdout)
    if done.returncode != 0 or not found:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}")
    return found


def lookups(figures: Figures) -> None:
    """The number of lookups. It is the same in every round and every profile, so no optimized build is needed."""
    host = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout)[1]
    # With the flags of the tests, so that nothing is compiled twice.
    command = ["cargo", "test", "--workspace", "--locked", "--quiet", "--lib", "a_batch_to_one_buyer", "--", "--nocapture"]
    environment = os.environ | {"CARGO_BUILD_TARGET": host, "BATCH": str(BATCH)}
    ((documents, questions, _),) = told_by(command, environment, r"(\d+) documents to one buyer: (\d+) question.* to DNS, (\d+) to the SMP")
    figures.add(f"lookups of a batch of {documents} to one buyer", int(questions), 1, "")


def beside_primitives(figures: Figures) -> None:
    command = ["cargo", "test", "--release", "--locked", "--quiet", "--package", "access-point", "--no-default-features"]
    command += ["--features", "peppol", "--lib", "speed", "--", "--ignored", "--nocapture"]
    pattern = r"(\d+) bytes, .*: built in .*, (\d+) % of the primitives; received in .*, (\d+) %"
    for length, building, receiving in told_by(command, for_this_machine(), pattern):
        size = f"{int(length) // 1000} kB" if int(length) < 1_000_000 else f"{int(length) // 1_000_000} MB"
        for what, percent in (("building", building), ("receiving", receiving)):
            figures.add(f"{what} {size}, of the bare primitives", int(percent), 130, " %")
        print(f"  {size}: building {building} % of the bare primitives, receiving {receiving} %", flush=True)


def exchange(figures: Figures, work: Path, peer: Path, converter: Path, run: Path | None, messages: int) -> None:
    """Measures this product, then phase4 (`run`)."""
    keys = work / "pki"
    # No server is at this address: every program gets the folder of the lists.
    pki = Pki(keys, "http://127.0.0.1:9/crl")
    for seat in (seats.SENDER, seats.RECEIVER):
        pki.access_point(seat)
    sender, receiver = (ours.Ours(peer, keys, seat) for seat in (seats.SENDER, seats.RECEIVER))
    documents = ours.Documents(converter, peer, work / "documents")
    envelope = documents.envelope("10 kB", seats.SENDER)
    print("  a document of 10 kB, messages a second a core:", flush=True)
    with receiver.serve(work / "ours.jsonl", work / "ours.log") as server:
        command = sender.command(f"{server.base}/as4", seats.RECEIVER, envelope, 2 * messages)
        own = measured(command, server.process.pid, messages)
        tell("ours", own)
        memory(figures, documents, sender, server)
    if run is None:
        return
    java = Phase4(run, keys, work / "phase4", seats.RECEIVER)
    with java.serve() as server:
        command = [*java.sending(f"{server.base}/as4", seats.RECEIVER, envelope, seats.SENDER), "--repeat", str(2 * messages)]
        theirs = measured(command, server.process.pid, messages)
    tell("phase4", theirs)
    whole = zip(("sending", "receiving", "both"), (*theirs, sum(theirs)), (*own, sum(own)), strict=True)
    for what, other, us in whole:
        figures.add(f"messages a second a core, {what}, against phase4", other / us, 20, " times", at_least=True)


def measured(command: list, server: int, messages: int) -> tuple[float, float]:
    """CPU seconds of a message for its sender and for the server. The same number of messages runs before, unmeasured, since a virtual
    machine compiles frequent code first."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, bufsize=1) as sender:
        for told in range(1, 2 * messages + 1):
            line = sender.stdout.readline()
            answer = json.loads(line or "{}")
            if not (answer.get("outcome") == "receipt verified" or answer.get("receipt_verified")):
                raise SystemExit(f"message {told} was not taken: {line}")
            if told == messages:
                before = cpu(sender.pid), cpu(server)
            if told == 2 * messages:
                after = cpu(sender.pid), cpu(server)
        sender.stdout.read()
    # A clock with 100 ticks a second cannot measure a few messages.
    sent, received = (max(then - now, 1 / TICKS) / messages for now, then in zip(before, after, strict=True))
    return sent, received


def cpu(pid: int) -> float:
    """Seconds that a process spent so far, in all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def tell(who: str, costs: tuple[float, float]) -> None:
    sending, receiving = costs
    print(f"    {who}: {1 / sending:.0f} sent, {1 / receiving:.0f} received, {1 / (sending + receiving):.0f} sent and received", flush=True)


def memory(figures: Figures, documents: ours.Documents, sender: ours.Ours, server: ours.Server) -> None:
    """The most that either side ever had, after a message of the largest size."""
    envelope = documents.of_size(LARGEST)
    words = [str(word) for word in sender.command(f"{server.base}/as4", seats.RECEIVER, envelope, 2)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, bufsize=1) as sending:
        answer = json.loads(sending.stdout.readline() or "{}")
        if answer.get("outcome") != "receipt verified":
            raise SystemExit(f"the largest message was not taken: {answer}")
        # While it makes the second one: what its parent had would count in what is told of it at its end.
        peaks = {"sending": peak_memory(sending.pid), "receiving": peak_memory(server.process.pid)}
        sending.stdout.read()
    for what, most in peaks.items():
        times = most / LARGEST
        figures.add(f"peak memory, {what} {LARGEST // 1_000_000} MB, of the message", times, 3, " times")
        print(f"  {what} {LARGEST / 1e6:.0f} MB: peak memory {most / 1e6:.0f} MB, {times:.1f} times", flush=True)
