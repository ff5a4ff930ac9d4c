"""Child processes that end with the runner."""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    """Runs in the child: the kernel kills it when the runner is killed (prctl(2))."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


async def start(command: Sequence[str | Path], environment: Mapping[str, str], log: Path, folder: Path) -> asyncio.subprocess.Process:
    """Starts a command in its own process group; appends both outputs to `log`."""
    with log.open("ab") as output:
        return await asyncio.create_subprocess_exec(
            *map(str, command),
            env=dict(environment),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )


async def stop(process: asyncio.subprocess.Process, patience: float = 3.0) -> None:
    """Asks a process group to end, then kills it."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        signal_group(process, sign)
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            continue
        break
    signal_group(process, signal.SIGKILL)  # children that ignored the first signal


def signal_group(process: asyncio.subprocess.Process, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, sign)
