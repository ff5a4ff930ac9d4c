"""The service under load: two access points in a network of their own, with the functions as they are deployed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local_aws.options import ROOT

STATE = ROOT / ".local" / "load"
PROFILE = "release"


@contextmanager
def running(parameters: dict[str, str]) -> Iterator[dict]:
    """Starts the service, and yields the content of its run file. With ACCESS_POINT_RUN it is a service that runs already."""
    if named := os.environ.get("ACCESS_POINT_RUN"):
        yield json.loads(Path(named).read_text())
        return
    run_file = STATE / "run.json"
    run_file.unlink(missing_ok=True)
    print(f"Starting two access points with the profile {PROFILE}. The first build takes long.", flush=True)
    command = [str(ROOT / "infra" / "local"), "--network", "--profile", PROFILE, "--port", "0", "--no-samples", "--no-open"]
    command += ["--state", str(STATE), *(word for name, value in parameters.items() for word in ("--parameter", f"{name}={value}"))]
    # In a group of its own: Ctrl-C goes to this program, which then stops the service.
    runner = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        while not run_file.exists():
            if runner.poll() is not None:
                raise SystemExit("the service did not start; its messages are above")
            time.sleep(0.2)
        yield json.loads(run_file.read_text())
    finally:
        os.killpg(runner.pid, signal.SIGTERM)
        runner.wait()
