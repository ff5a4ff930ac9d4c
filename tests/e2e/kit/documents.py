"""The commands in the documents, and a terminal that runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from kit.run import REPOSITORY

GUIDES = "shared/templates/docs/guides"


def documents() -> list[str]:
    """Every document with commands, by its path in the repository."""
    folders = [REPOSITORY, *(REPOSITORY / name for name in ("infra", "shared", "tests", "events", ".github", GUIDES))]
    files = [file for folder in folders for file in sorted(folder.glob("*.md")) if blocks(str(file.relative_to(REPOSITORY)))]
    return [str(file.relative_to(REPOSITORY)) for file in files]


def blocks(document: str, checkout: Path = REPOSITORY) -> list[str]:
    """The blocks of commands of a document."""
    text = (checkout / document).read_text()
    return re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def block(document: str, begins: str) -> str:
    """The block with this beginning."""
    found = [each for each in blocks(document) if each.startswith(begins)]
    assert len(found) == 1, f"{document}: {len(found)} blocks begin with {begins!r}"
    return found[0]


def commands(block: str) -> list[str]:
    """The commands of a block; a backslash continues a line."""
    return [line for line in block.replace("\\\n", " ").splitlines() if line.strip()]


class Terminal:
    """A shell in a folder that looks like a checkout in which `infra/local` runs."""

    def __init__(self, run, run_file: Path, folder: Path):
        self.folder = folder
        program = run.functions / "access-point" / "bootstrap"
        links = {
            "events": REPOSITORY / "events",
            "bin/access-point": program,
            "infra": REPOSITORY / "infra",
            ".local/venv": Path(sys.prefix),
            ".local/run.json": run_file,
            ".local/network/run.json": run_file,
            ".local/webhooks.jsonl": run.receiver_log,
        }
        links |= {f".local/{home}/bin/access-point": program for home in ("access-point", "integrator", "operator")}
        for name, target in links.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(target)
        # An HTTP error ends a script; the service runs on this machine.
        (folder / ".curlrc").write_text('fail-with-body\nnoproxy = "*"\n')
        home = {"HOME": str(folder), "CURL_HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), "ACCESS_POINT_RUN": str(run_file)}
        # The location of rustup's compilers does not depend on the reader's home.
        home["RUSTUP_HOME"] = os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup"))
        self.environment = os.environ | home | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}

    def type(self, script: str, **more: str) -> str:
        """Runs the commands, which must succeed; returns their output."""
        command = ["bash", "-euo", "pipefail", "-c", script]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment | more, capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout
