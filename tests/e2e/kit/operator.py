"""The operator's command line."""

import json
import subprocess


def tool(run, *arguments: str) -> dict:
    """The JSON output of a command, in Sandbox."""
    program = run.functions / "access-point" / "bootstrap"
    command = [program, *arguments, "--mode", "sandbox", "--json"]
    done = subprocess.run(command, env=run.described["environment"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
