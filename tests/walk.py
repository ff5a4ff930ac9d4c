"""The walk of a stranger: a fresh clone, and the commands of its README.md up to the first invoice, in order and unchanged. Prints what
they print, and then the seconds of each. Fails when a command fails.

tests/run walk"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kit.documents import blocks, commands
from kit.run import REPOSITORY

# Settings of the one who starts the walk that a stranger does not have.
NOT_OF_A_STRANGER = ("ACCESS_POINT_", "CARGO_BUILD_", "CARGO_INCREMENTAL", "CARGO_PROFILE_", "CARGO_TARGET_", "PYTHONPATH", "VIRTUAL_ENV")
# How infra/local says that the samples were sent as they should, and that it is up.
AS_EXPECTED = "Everything was as expected."
READY = "Ready "
# Seconds for a service to stop.
PATIENCE = 60


class Failed(Exception):
    """A command that did not do what README.md says."""


def environment() -> dict[str, str]:
    """That of a stranger. The service is on this machine, whatever proxy there is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OF_A_STRANGER)}
    return kept | {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}


def terminal(folder: Path, script: str) -> subprocess.Popen:
    """A terminal in the clone that runs a script; what it prints is to be read."""
    return subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def shown(process: subprocess.Popen) -> Iterator[str]:
    """The lines of a terminal, which are printed as they come."""
    for line in process.stdout:
        print(f"    {line}", end="", flush=True)
        yield line


@contextmanager
def running(folder: Path, command: str) -> Iterator[None]:
    """A service that says when it is ready, until Ctrl-C stops it."""
    with terminal(folder, command) as process:
        try:
            lines = []
            for line in shown(process):
                lines.append(line.strip())
                if line.startswith(READY):
                    break
            else:
                raise Failed(f"{command} ended with exit status {process.wait()}")
            if AS_EXPECTED not in lines:
                raise Failed(f"{command} did not say: {AS_EXPECTED}")
            yield
        finally:
            stop(process)
    if process.returncode != 0:
        raise Failed(f"{command} was stopped, and ended with exit status {process.returncode}")


def stop(process: subprocess.Popen) -> None:
    """Presses Ctrl-C, which reaches every process of the terminal."""
    for sign in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=PATIENCE)
            return


def run(folder: Path, script: str) -> str:
    """What commands print, which must succeed."""
    with terminal(folder, script) as process:
        said = "".join(shown(process))
    if process.returncode != 0:
        raise Failed(f"{script}\nended with exit status {process.returncode}")
    return said


def walk(folder: Path) -> Iterator[str]:
    """Takes the steps; yields the name of each when it is done."""
    run(folder.parent, f"git clone --quiet '{REPOSITORY}' '{folder.name}'")
    yield "git clone"
    # The first block has the command that starts the service, and then the tests. The second one sends an invoice.
    start, invoice = blocks("README.md", folder)[:2]
    command = commands(start)[0]
    with running(folder, command):
        yield command.partition("#")[0].strip()
        said = run(folder, invoice)
        if not re.search(r"^HTTP/\S+ 201\b", said, flags=re.MULTILINE):
            raise Failed("the answer to the first invoice is not 201")
        yield "the first invoice"


def main() -> int:
    begun = last = time.monotonic()
    steps = []
    with tempfile.TemporaryDirectory(prefix="walk-", ignore_cleanup_errors=True) as folder:
        try:
            for step in walk(Path(folder) / "access-point"):
                now = time.monotonic()
                steps.append((step, now - last))
                last = now
        except Failed as failed:
            print(f"!!! {failed} !!!", file=sys.stderr)
            return 1
    print()
    for step, seconds in [*steps, ("from the clone to the first invoice", last - begun)]:
        print(f"{step:<36} {seconds:7.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
