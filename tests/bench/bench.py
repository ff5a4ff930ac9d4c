"""Measures and prints the costs of the service on this machine.

conversion  JSON to UBL for 1, 10, 100 and 1000 lines (the crate's own benchmark)
rendering   UBL to a page of HTML in both languages, likewise
pdf         UBL to PDF/A-3 in both languages, likewise; the typesetter takes ten minutes to build the first time
validator   a document's check, against the official judge, a bare pass over its bytes and the goals for time and memory;
            the judge and its files are where ACCESS_POINT_REFERENCE says
taxdata     a document's report to the tax authority, made and checked, against the document's own check
sends       CPU time of a Sandbox send beside the AWS calls in it made bare, by one thread over a table in another; then own CPU
            time of the api function for one, from /proc, and the latency that a client sees: against a service that is started
            for it with release binaries, or the one that ACCESS_POINT_RUN names
imports     how long 10,000 documents of one line in one file take to be accepted, and to be sent after that: the whole service on
            this machine, its emulators included
fairness    p99 of an organization's webhook deliveries, alone and beside 10,000 to 50 endpoints that accept and never
            answer: real receivers on loopback, the table in process, SQS and Lambda as a model with the template's numbers
receivers   messages a second to one access point that answers after 0.5 and 3 seconds, and to one beside another that dies:
            executions as SQS feeds them, access points as a model, the table in process
deliveries  what a signed delivery costs: CPU time of the engine with its calls to the table, and its own beside them; memory while
            100,000 events are drained and 10,000; p99 of 48 endpoints beside one that never answers and one that is slow
retirement  own CPU time for the items of one document that leave the table for the bucket, and how many documents a second this allows;
            the table and the bucket in another thread
cold        each function from the start of its process to its first poll of a stand-in of the Runtime API, beside one that
            does nothing, and the size of its binary; then what the first TLS handshake of an AWS client costs beyond that
as4         the network's side, in rounds, and exit status 1 where a median is below its goal: building and receiving a message of 10 kB,
            1 MB and 10 MB beside the bare primitives, messages a second a core, sent and received, against phase4
            (ACCESS_POINT_REFERENCE says where it is), the memory of 100 MB, the lookups of 1,000 documents to one buyer; the first
            build for it takes ten minutes
build       CPU time of a release of all functions and the command line: from nothing, and after a change in shared/
first       time of infra/local from a fresh clone to its report
structure   lines of code, tests, template and README, long files and circles between files, beside the goals

With --write each part's section of tests/bench/FIGURES.md is replaced by what it printed.
"""

import argparse
import gzip
import http.client
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "infra"))

import as4  # noqa: E402
import cold  # noqa: E402
import figures  # noqa: E402
import structure  # noqa: E402
import validator  # noqa: E402
from kit import bodies, processes, run  # noqa: E402
from kit.client import Client  # noqa: E402

STATE = run.REPOSITORY / ".local" / "bench"


def rendering(_: argparse.Namespace) -> None:
    print("\nUBL to HTML:", flush=True)
    subprocess.run(["cargo", "bench", "--package", "access-point", "--bench", "rendering"], cwd=run.REPOSITORY, check=True)


def pdf(_: argparse.Namespace) -> None:
    print("\nUBL to PDF; goals: 60 ms for one line, 1,500 ms for 1,000 lines:", flush=True)
    command = ["cargo", "bench", "--package", "access-point", "--features", "pdf", "--bench", "pdf"]
    subprocess.run(command, cwd=run.REPOSITORY, check=True)


def conversion(_: argparse.Namespace) -> None:
    print("\nConversion, JSON to UBL, one core:", flush=True)
    command = ["cargo", "bench", "--package", "access-point", "--bench", "conversion"]
    subprocess.run(command, cwd=run.REPOSITORY, check=True)


def validation(_: argparse.Namespace) -> None:
    validator.measure()


def reports(_: argparse.Namespace) -> None:
    print("\nTax Data Documents, one core:", flush=True)
    # Without the service the build takes two minutes.
    command = ["cargo", "bench", "--package", "access-point", "--no-default-features", "--bench", "taxdata"]
    subprocess.run(command, cwd=run.REPOSITORY, check=True)


def sends(asked: argparse.Namespace) -> None:
    beside_its_calls(asked.profile)
    if "ACCESS_POINT_RUN" in os.environ:
        measure_sends(asked.sends)
        return
    with service(asked.profile):
        measure_sends(asked.sends)


def retirement(asked: argparse.Namespace) -> None:
    print("\nItems of closed documents that leave the table for the bucket:", flush=True)
    measurement("service::tests::retirement::the_cpu_time_of_retirement", asked.profile)


def beside_its_calls(profile: str) -> None:
    print("\nA Sandbox send beside the AWS calls in it, made bare with the same SDK:", flush=True)
    measurement("api::tests::bare::a_send_beside_its_calls", profile)


def measurement(test: str, profile: str) -> None:
    """Runs a test that prints what it measures."""
    command = ["cargo", "test", "--quiet", "--profile", profile, "--package", "access-point", "--lib", "--"]
    subprocess.run([*command, test, "--exact", "--ignored", "--nocapture"], cwd=run.REPOSITORY, check=True)


@contextmanager
def service(profile: str) -> Iterator[None]:
    """Runs the whole service in its own folder during the measurement."""
    run_file = STATE / "run.json"
    run_file.unlink(missing_ok=True)
    print(f"\nStarting the service with the profile {profile}; building it takes minutes the first time.", flush=True)
    command = ["infra/local", "--port", "0", "--no-samples", "--state", str(STATE), "--profile", profile]
    # The function is measured, not the throttle of the HTTP API.
    for name in ("ThrottleRate", "ThrottleBurst", "As4ThrottleRate", "PageThrottleRate"):
        command += ["--parameter", f"{name}=10000"]
    # In its own group: Ctrl-C goes to this program, which then stops the service.
    runner = subprocess.Popen(command, cwd=run.REPOSITORY, start_new_session=True)
    try:
        while not run_file.exists():
            if runner.poll() is not None:
                raise SystemExit("the service did not start; its messages are above")
            time.sleep(0.2)
        os.environ["ACCESS_POINT_RUN"] = str(run_file)
        yield
    finally:
        os.killpg(runner.pid, signal.SIGTERM)
        runner.wait()


def measure_sends(count: int) -> None:
    running = run.load()
    address = urllib.parse.urlsplit(running.api_url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    headers = {
        "authorization": f"Api-Key {running.sandbox_key}",
        "x-ae-taxpayer-id": running.taxpayer("Falcon").taxpayer_id,
        "content-type": "application/json",
    }

    def send() -> float:
        """Sends one invoice with a new key; returns the seconds until its answer."""
        body = json.dumps(bodies.invoice())
        started = time.perf_counter()
        connection.request("POST", address.path + "/v1/invoices", body, headers | {"idempotency-key": bodies.unique("bench")})
        answer = connection.getresponse()
        text = answer.read()
        taken = time.perf_counter() - started
        if answer.status != 201:
            raise SystemExit(f"a send was answered {answer.status}: {text.decode(errors='replace')}")
        return taken

    for _ in range(20):
        send()
    before = cpu_times(running)
    taken = sorted(send() for _ in range(count))
    after = cpu_times(running)
    if before.keys() - after.keys():
        raise SystemExit("an api process ended while it was measured: measure again")
    spent = sum(seconds - before.get(process, 0.0) for process, seconds in after.items())

    binary = running.functions / "api" / "bootstrap"
    size = binary.stat().st_size / 1e6
    print(f"\nSandbox send of one line with an idempotency key, {count} in a row, 1 client, binary of {size:.1f} MB:")
    print(f"  own CPU time of the api function: {1000 * spent / count:.2f} ms a send (/proc, {len(after)} process(es))")
    percentiles = statistics.quantiles(taken, n=100, method="inclusive")
    figures = {"p50": percentiles[49], "p90": percentiles[89], "p99": percentiles[98], "max": taken[-1]}
    shown = ", ".join(f"{name} {1000 * seconds:.1f} ms" for name, seconds in figures.items())
    print(f"  latency through the local emulators, which are functional and say nothing about AWS: {shown}", flush=True)


def cpu_times(running: run.Run) -> dict[processes.Process, float]:
    return {process: processes.cpu_seconds(process.pid) for process in processes.function_processes(running, "api")}


def imports(asked: argparse.Namespace) -> None:
    if "ACCESS_POINT_RUN" in os.environ:
        measure_import(asked.documents)
        return
    with service(asked.profile):
        measure_import(asked.documents)


def measure_import(documents: int) -> None:
    running = run.load()
    client = run_client(running)
    lines = "".join(json.dumps(bodies.invoice()) + "\n" for _ in range(documents)).encode()
    packed = gzip.compress(lines)
    started = time.monotonic()
    answer = client.request("POST", "/imports", headers={"content-type": "application/gzip"}, content=packed)
    if answer.status_code != 202:
        raise SystemExit(f"an import was answered {answer.status_code}: {answer.text}")
    taken, path = time.monotonic() - started, f"/imports/{answer.json()['import_id']}"
    stands = answer.json()
    while stands["status"] != "completed":
        time.sleep(0.25)
        stands = client.request("GET", path).json()
    accepted = time.monotonic() - started
    if stands["accepted"] != documents:
        raise SystemExit(f"not every document was accepted: {stands}")
    size, sent = len(lines) / 1e6, len(packed) / 1e6
    print(f"\nImport of {documents} documents of one line, {size:.1f} MB, {sent:.2f} compressed, on {os.cpu_count()} cores:")
    print(f"  the file was taken after {taken:.2f} s, every document accepted after {accepted:.1f} s", flush=True)
    started = time.monotonic()
    while client.request("GET", "/invoices?status=accepted&limit=1").json()["items"]:
        time.sleep(0.5)
    print(f"  and sent {time.monotonic() - started:.1f} s after that, by all stages through the emulators", flush=True)


def run_client(running: run.Run) -> Client:
    return Client(running.api_url, running.sandbox_key, running.taxpayer("Falcon").taxpayer_id)


def fairness(_: argparse.Namespace) -> None:
    print("\nDeliveries beside endpoints that never answer (eleven minutes, once it is built):", flush=True)
    # Optimized: otherwise the SDK alone keeps two cores busy.
    measurement("service::deliver::fairness::fairness", "release")


def receivers(_: argparse.Namespace) -> None:
    print("\nMessages to access points (three minutes, once it is built):", flush=True)
    # The executions sleep, so that an unoptimized build is as good.
    measurement("service::network::receivers::throughput::messages_a_second", "dev")


def deliveries(asked: argparse.Namespace) -> None:
    print("\nDeliveries, one core (a quarter of an hour, once it is built):", flush=True)
    tests = ["engine::a_delivery_beside_its_calls", "drain::a_hundred_thousand_events"]
    for test in [*tests, "neighbours::beside_one_that_is_dead_and_one_that_is_slow"]:
        measurement(f"service::deliver::bench::{test}", asked.profile)


def cold_starts(asked: argparse.Namespace) -> None:
    cold.measure(run.REPOSITORY, asked.profile, asked.starts)
    print("\nThe first call of AWS after a cold start, without TLS and with it (the client's part, on loopback):", flush=True)
    measurement("lambda::deployment::tests::the_first_handshake", asked.profile)


def exchange(asked: argparse.Namespace) -> list[str]:
    return as4.measure(asked.messages, asked.rounds)


def build(asked: argparse.Namespace) -> None:
    target = STATE / "target"
    shutil.rmtree(target, ignore_errors=True)
    command = ["cargo", "build", "--locked", "--profile", asked.profile, "--target-dir", str(target)]
    for name in [*sorted(cold.environments(run.REPOSITORY)), "access-point"]:
        command += ["--bin", name]
    environment = os.environ | {"CARGO_INCREMENTAL": "0"}
    source = run.REPOSITORY / "shared" / "src" / "lib.rs"
    print(f"\nCPU time of a build of all functions and the command line, profile {asked.profile}:", flush=True)
    for what in ("from nothing", "after a change in shared/"):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, cwd=run.REPOSITORY, env=environment, check=True)
        after, taken = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - started
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"  {what}: {spent:.0f} s of CPU, {taken:.0f} s on {os.cpu_count()} cores", flush=True)
        # Cargo treats a newer file as changed.
        source.touch()
    shutil.rmtree(target, ignore_errors=True)


def first(_: argparse.Namespace) -> None:
    clone = STATE / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    STATE.mkdir(parents=True, exist_ok=True)
    print("\nThe first command in a fresh clone:", flush=True)
    # No earlier build may be used.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CARGO_TARGET")}
    started = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", str(run.REPOSITORY), str(clone)], check=True)
    done = subprocess.run(["infra/local", "--once", "--port", "0"], cwd=clone, env=environment)
    taken = time.monotonic() - started
    shutil.rmtree(clone, ignore_errors=True)
    if done.returncode != 0:
        raise SystemExit(f"infra/local --once ended with status {done.returncode}")
    print(f"  from clone to report: {taken:.0f} s on {os.cpu_count()} cores (what pip and cargo have in their caches is not fetched again)")


def main() -> None:
    parts = {
        "conversion": conversion,
        "rendering": rendering,
        "pdf": pdf,
        "validator": validation,
        "taxdata": reports,
        "sends": sends,
        "retirement": retirement,
        "imports": imports,
        "fairness": fairness,
        "receivers": receivers,
        "deliveries": deliveries,
        "cold": cold_starts,
        "as4": exchange,
        "build": build,
        "first": first,
        "structure": lambda _: structure.measure(),
    }
    parser = argparse.ArgumentParser(prog="tests/bench/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(parts)}; all when none is named")
    parser.add_argument("--sends", type=int, default=500, metavar="N", help="how many sends to measure (500)")
    parser.add_argument("--documents", type=int, default=10_000, metavar="N", help="how many documents to import (10,000)")
    parser.add_argument("--messages", type=int, default=500, metavar="N", help="how many AS4 messages to measure, after as many (500)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often to measure all of AS4 (5)")
    parser.add_argument("--starts", type=int, default=20, metavar="N", help="how many cold starts of each function to measure (20)")
    parser.add_argument("--profile", default="release", help="cargo profile of the functions that are measured (release)")
    parser.add_argument("--write", action="store_true", help="keep what each part prints in tests/bench/FIGURES.md")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(parts):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; the parts are {', '.join(parts)}")
    if asked.write:
        options = [word for word in sys.argv[1:] if word != "--write" and word not in asked.parts]
        raise SystemExit(max(figures.write(name, options) for name in asked.parts or parts))
    # A part with goals returns those that it missed; the other parts still run.
    if missed := [each for name in asked.parts or parts for each in parts[name](asked) or ()]:
        raise SystemExit(f"goals missed: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
