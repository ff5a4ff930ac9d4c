"""The command line, and the paths of the runner's files."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
LOCAL = ROOT / ".local"

# Parameters that differ on one machine: webhooks go to loopback without TLS, and each execution is a process.
LOCAL_PARAMETERS = {
    "Egress": "any",
    "MailFrom": "no-reply@portal.example",
    "MailIdentity": "portal.example",
    "LiveStageConcurrency": "2",
    "SandboxStageConcurrency": "4",
    "LiveDeliveryConcurrency": "2",
    "SandboxDeliveryConcurrency": "4",
    # Tests and benchmarks send more for one organization than usual on a day.
    "SandboxDailySends": "1000000",
}

DEFAULT_PORT = 8400


@dataclass(frozen=True)
class Options:
    port: int
    smp_port: int
    once: bool
    samples: bool
    parameters: dict[str, str]
    state: Path
    profile: str
    network: bool = False
    # The rules of the network's tax authority, and whether it validates with the official artefacts.
    authority_rules: Path | None = None
    oracle: bool = False
    # The file that sets the functions' clock ahead, if the clock is movable.
    clock: Path | None = None
    # The binaries of another version, which take turns with this one's.
    other_version: Path | None = None
    # Whether the portal opens in the browser.
    open: bool = False

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def functions(self) -> Path:
        """The folder of the binaries of this run, NAME/bootstrap. It is removed when the run ends, since it is large."""
        return self.state / "functions"

    @property
    def run_file(self) -> Path:
        return self.state / "run.json"


def parse(arguments: list[str]) -> Options:
    parser = argparse.ArgumentParser(
        prog="infra/local",
        description="Runs the access point on this machine: everything in template.yaml, on loopback.",
    )
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port of the HTTP API; 0 takes a free one (default {DEFAULT_PORT})")
    parser.add_argument("--smp-port", type=int, default=0, help="port of the SMP (default: a free one)")
    parser.add_argument("--once", action="store_true", help="stop after the report; exit 1 when anything was not as expected")
    parser.add_argument("--network", action="store_true", help="two access points in a network of their own, and documents between them")
    parser.add_argument(
        "--authority-rules", type=Path, metavar="FILE", help="with --network: what the tax authority answers (default authority/rules.toml)"
    )
    parser.add_argument(
        "--oracle", action="store_true", help="with --network: the tax authority judges by the official artefacts of ACCESS_POINT_REFERENCE"
    )
    parser.add_argument("--no-samples", dest="samples", action="store_false", help="send no sample documents; with --network none at all")
    parser.add_argument(
        "--parameter", action="append", default=[], metavar="NAME=VALUE", help="a parameter of template.yaml; may be repeated"
    )
    parser.add_argument(
        "--state", type=Path, metavar="DIR", help="folder of this run's logs and run.json (default .local, with --network .local/network)"
    )
    parser.add_argument(
        "--movable-clock", action="store_true", help="the functions' clock can be set ahead, as a file says (needs libfaketime)"
    )
    parser.add_argument(
        "--other-version",
        type=Path,
        metavar="DIR",
        help="folder of another version's binaries, NAME/bootstrap; both take turns",
    )
    parser.add_argument("--no-open", dest="open", action="store_false", help="on a terminal: do not open the portal in the browser")
    parser.add_argument("--profile", default="dev", help="cargo profile of the functions (default dev; release is slower to build)")
    given = parser.parse_args(arguments)
    parameters = dict(LOCAL_PARAMETERS)
    for pair in given.parameter:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            parser.error(f"--parameter {pair}: write NAME=VALUE")
        parameters[name] = value
    for name, port in (("--port", given.port), ("--smp-port", given.smp_port)):
        if not 0 <= port <= 65535:
            parser.error(f"{name} {port}: a port is a number from 0 to 65535")
    state = (given.state or (LOCAL / "network" if given.network else LOCAL)).resolve()
    return Options(
        given.port, given.smp_port, given.once, given.samples, parameters, state, given.profile,
        given.network, given.authority_rules and given.authority_rules.resolve(), given.oracle,
        state / "clock" if given.movable_clock else None, given.other_version and given.other_version.resolve(),
        given.open and sys.stdout.isatty(),
    )  # fmt: skip
