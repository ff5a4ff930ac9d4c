"""What Lighthouse says of a page."""

import json
import os
import shutil
import subprocess
from pathlib import Path

FLAGS = "--headless --no-sandbox --disable-gpu"
# What it says where the browser's recording of a page load has no beginning, which happens to it: nothing was measured.
NOT_RECORDED = "Please run Lighthouse again"
TRIES = 3


def scores(folder: Path, url: str, cookies: list[dict]) -> dict[str, int]:
    """How fast and how accessible a page is, of 100 each, to who has these cookies."""
    header = {"Cookie": "; ".join(f"{each['name']}={each['value']}" for each in cookies)}
    program = folder / "node_modules" / "lighthouse" / "cli" / "index.js"
    command = ["node", program, url, "--only-categories=performance,accessibility", f"--extra-headers={json.dumps(header)}"]
    command += [f"--chrome-flags={FLAGS}", "--output=json", "--output-path=stdout", "--quiet", "--no-enable-error-reporting"]
    environment = os.environ | {"CHROME_PATH": shutil.which("chromium")}
    for _ in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, env=environment)
        if done.returncode == 0 or NOT_RECORDED not in done.stderr:
            break
    assert done.returncode == 0, done.stderr[-500:]
    report = json.loads(done.stdout)
    assert report["finalDisplayedUrl"] == url, "it looked at another page"
    return {name: round(100 * category["score"]) for name, category in report["categories"].items()}
