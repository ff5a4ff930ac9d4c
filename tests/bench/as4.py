"""AS4 against phase4 on the same machine in the same run: CPU time of a message of 10 kB on either side, and the memory of 100 MB."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PEERS = Path(__file__).resolve().parents[1] / "peers"
sys.path.insert(0, str(PEERS))

import ours  # noqa: E402
import pki  # noqa: E402
from columns import Phase4  # noqa: E402

REPOSITORY = PEERS.parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
# The goals: how often ours are as many messages, and what the largest costs of its own size.
TIMES, MEMORY = 20, 3
LARGEST = 100_000_000


def cpu(pid: int) -> float:
    """Seconds that a process spent so far, in all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measured(command: list, server: int, messages: int) -> tuple[float, float]:
    """CPU seconds of a message to its sender and to the server. As many go before those that are measured: a virtual machine compiles
    what it runs often."""
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
    return (after[0] - before[0]) / messages, (after[1] - before[1]) / messages


def built() -> tuple[Path, Path]:
    """The programs, as for a release; for this machine, whatever target the environment names."""
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--package", "as4-peer", "--package", "access-point"]
    command += ["--no-default-features", "--features", "access-point/peppol", "--bin", "as4-peer", "--bin", "access-point"]
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    subprocess.run(command, cwd=REPOSITORY, env=environment, check=True)
    release = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release"
    return release / "as4-peer", release / "access-point"


def measure(messages: int) -> None:
    peer, converter = built()
    reference = os.environ.get("ACCESS_POINT_REFERENCE")
    with tempfile.TemporaryDirectory(prefix="as4-") as name:
        work = Path(name)
        pki.make(work / "pki")
        sender, receiver = (ours.Ours(peer, work / "pki", seat) for seat in (pki.SENDER, pki.RECEIVER))
        documents = ours.Documents(converter, peer, work / "documents")
        envelope = documents.envelope("10 kB")
        print("\nAS4, a document of 10 kB, messages a second a core:", flush=True)
        with receiver.serve(work / "ours.jsonl", work / "ours.log") as server:
            own = measured(sender.command(f"{server.base}/as4", envelope, 2 * messages), server.process.pid, messages)
            tell("ours", own)
            memory(documents, sender, server)
        run = Path(reference or "", "conformance/phase4/run")
        if not reference or not run.exists():
            print("!!! phase4 WAS NOT MEASURED: ACCESS_POINT_REFERENCE does not name a folder with conformance/phase4 !!!")
            return
        java = Phase4(run, work / "pki", work / "phase4")
        with java.serve() as server:
            command = [*java.sending(f"{server.base}/as4", envelope), "--repeat", str(2 * messages)]
            theirs = measured(command, server.process.pid, messages)
        tell("phase4", theirs)
        ratios = [other / us for other, us in zip(theirs, own, strict=True)]
        print(f"  ratio: {ratios[0]:.1f} sending, {ratios[1]:.1f} receiving, {sum(theirs) / sum(own):.1f} both (goal at least {TIMES})")


def tell(who: str, costs: tuple[float, float]) -> None:
    sending, receiving = costs
    print(f"  {who}: {1 / sending:.0f} sent, {1 / receiving:.0f} received, {1 / (sending + receiving):.0f} sent and received", flush=True)


def memory(documents: ours.Documents, sender: ours.Ours, server: ours.Server) -> None:
    """The most that either side ever had, after a message of the largest size."""
    envelope = documents.of_size(LARGEST)
    words = [str(word) for word in sender.command(f"{server.base}/as4", envelope, 2)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, bufsize=1) as sending:
        answer = json.loads(sending.stdout.readline() or "{}")
        if answer.get("outcome") != "receipt verified":
            raise SystemExit(f"the largest message was not taken: {answer}")
        # While it makes the second one: what its parent had would count in what is told of it at its end.
        peaks = {"sending": peak(sending.pid), "receiving": peak(server.process.pid)}
        sending.stdout.read()
    for what, most in peaks.items():
        print(f"  {what} {LARGEST / 1e6:.0f} MB: peak memory {most / 1e6:.0f} MB, {most / LARGEST:.1f} times (goal at most {MEMORY})")


def peak(pid: int) -> int:
    """The most bytes that a process ever had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024
