"""Packages from npm, with the versions of the lock file."""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[1]


def install(folder: Path, source: str = "node") -> Path:
    """Installs the packages into a folder, beside the programs that need them; skips the test if npm is missing."""
    if shutil.which("npm") is None:
        pytest.skip("!!! WHAT COMES FROM NPM IS SKIPPED: there is no npm !!!")
    folder.mkdir(exist_ok=True)
    for file in (SOURCES / source).iterdir():
        if file.is_file():
            shutil.copy(file, folder / file.name)
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        why = " ".join(line.removeprefix("npm error").strip() for line in done.stderr.splitlines() if line.startswith("npm error"))
        pytest.skip(f"!!! WHAT COMES FROM NPM IS SKIPPED: it cannot be installed: {why[:400]} !!!")
    return folder


def axe(folder: Path) -> Path:
    """axe-core, which checks pages."""
    return install(folder) / "node_modules" / "axe-core" / "axe.min.js"
