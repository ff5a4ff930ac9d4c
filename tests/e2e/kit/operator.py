"""The command line of who operates the service."""

import json
import subprocess


def tool(run, *arguments: str) -> dict:
    """What a command prints for programs, in Sandbox."""
    program = run.functions / "access-point" / "bootstrap"
    command = [program, *arguments, "--mode", "sandbox", "--json"]
    done = subprocess.run(command, env=run.described["environment"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
