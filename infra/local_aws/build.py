"""Builds the functions' own binaries through cargo-lambda."""

import asyncio
import fcntl
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from local_aws.console import Trouble, say
from local_aws.options import ROOT, Options

# The command-line tool, which seeds the demo data.
TOOL = "access-point"
# The local DynamoDB, a crate of its own under infra/.
TABLES = "local-dynamodb"
# The function with the typesetter, and the name of its library. A third of all crates are for it alone.
TYPESETTER, TYPESETTER_LIBRARY = "pdf", "libtypst-*.rlib"
# The build folder, with a folder for each profile. It belongs to the checkout: runs with another state folder share it.
BUILT = ROOT / ".local" / "lambda"
_LOOK_SECONDS = 0.2


@asynccontextmanager
async def alone(folder: Path = BUILT) -> AsyncIterator[None]:
    """Holds the build lock of the checkout. cargo-lambda moves binaries, so parallel builds would lose them."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        waits = False
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not waits:
                    waits = True
                    say("    waits for another start that builds in this checkout")
                await asyncio.sleep(_LOOK_SECONDS)
        yield


def typesetter_can_wait(options: Options) -> bool:
    """Whether a start need not wait for the typesetter: it was never compiled here, and no sample document needs it."""
    if options.network or not options.samples or options.profile != "dev":
        return False
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return not any(any(target.glob(f"{folder}debug/deps/{TYPESETTER_LIBRARY}")) for folder in ("", "*/"))


async def build(binaries: list[str], profile: str, *, without: str | None = None, behind: bool = False) -> Path:
    """Builds for this machine and returns the folder with NAME/bootstrap; cargo shows its own progress.

    Uses plain cargo without a target, so that the artefacts are those of `cargo build` and `cargo test`, and only crates are downloaded.
    `without` leaves out a package with all that it alone needs. `behind` leaves the cores to what runs meanwhile, and is silent.
    """
    folder = BUILT / profile
    command = ["cargo", "lambda", "build", "--compiler", "cargo", "--skip-target-check", "--locked"]
    command += ["--profile", profile, "--lambda-dir", str(folder)]
    if without:
        command += ["--workspace", "--exclude", without]
    if behind:
        command = ["nice", "-n", "10", *command, "--quiet"]
    for name in [*binaries, TOOL, TABLES]:
        command += ["--bin", name]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    # In the terminal's process group: Ctrl-C ends the build too.
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stdin=asyncio.subprocess.DEVNULL)
    try:
        status = await process.wait()
    except asyncio.CancelledError:
        if process.returncode is None:
            process.terminate()
            await process.wait()
        raise
    if status != 0:
        raise Trouble(f"the functions did not build (exit status {status}); the compiler's messages are above")
    return folder


def place_all(built: Path, names: Iterable[str], functions: Path, *, linked: bool = False) -> None:
    """Copies the binaries to a folder of this run, so that a later build does not disturb it.

    With `linked`, links to the folder of another access point of the same run instead of copying.
    """
    for name in [*names, TOOL, TABLES]:
        source, target = built / name / "bootstrap", placed(name, functions)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        (os.link if linked else shutil.copy2)(source, target)


def placed(name: str, functions: Path) -> Path:
    """The path of a copied binary."""
    return functions / name / "bootstrap"
