"""C# programs, compiled by Mono's compiler from Debian against .NET from PyPI.

No package registry has the .NET SDK. Newer compilers and runtimes accept everything that these old ones (C# 7, .NET Core 3.1) accept.
"""

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path

import pytest


def program(folder: Path, *sources: Path) -> list[str]:
    """Compiles a program into a folder, and returns the command that runs it; skips the test if a tool is missing."""
    if shutil.which("mcs") is None:
        pytest.skip("!!! WHAT IS IN C# IS SKIPPED: there is no mcs !!!")
    runtime = brought_by("dotnetcore2", "dotnetcore2").parent / "bin"
    version = next((runtime / "shared" / "Microsoft.NETCore.App").iterdir())
    compiled = folder / sources[0].with_suffix(".dll").name
    references = [f"-r:{library}" for library in version.glob("System*.dll")]
    command = ["mcs", "-nostdlib", "-noconfig", *references, f"-out:{compiled}", *map(str, sources)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    # Without ICU, which a machine may not have.
    options = {
        "framework": {"name": "Microsoft.NETCore.App", "version": version.name},
        "configProperties": {"System.Globalization.Invariant": True},
    }
    compiled.with_suffix(".runtimeconfig.json").write_text(json.dumps({"runtimeOptions": options}))
    return ["env", f"LD_LIBRARY_PATH={openssl(folder)}", str(runtime / "dotnet"), str(compiled)]


def openssl(folder: Path) -> str:
    """The folder with OpenSSL 1.1, which this .NET needs for hashes. A package of PyPI contains it under another name."""
    brought = brought_by("psycopg2", "psycopg2-binary, which brings OpenSSL 1.1,").parent.parent / "psycopg2_binary.libs"
    for library in ("libssl", "libcrypto"):
        (found,) = brought.glob(f"{library}-*.so.1.1")
        (folder / f"{library}.so.1.1").symlink_to(found)
    return f"{folder}:{brought}"


def brought_by(module: str, called: str) -> Path:
    """The folder of a package of PyPI."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        pytest.skip(f"!!! WHAT IS IN C# IS SKIPPED: there is no {called} for this machine !!!")
    return Path(spec.origin)
