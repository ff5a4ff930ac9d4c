"""Two starts in one checkout build one after the other."""

import asyncio
import subprocess
import sys

import pytest

from local_aws import build
from local_aws.options import ROOT, parse

# A start in another process that builds for half a second.
OTHER = """
import asyncio, pathlib, sys
from local_aws import build

async def run(folder):
    async with build.alone(pathlib.Path(folder)):
        print("builds", flush=True)
        await asyncio.sleep(0.5)
        (pathlib.Path(folder) / "built").write_text("whole")

asyncio.run(run(sys.argv[1]))
"""


def other(folder) -> subprocess.Popen:
    environment = {"PYTHONPATH": str(ROOT / "infra")}
    return subprocess.Popen([sys.executable, "-c", OTHER, folder], env=environment, stdout=subprocess.PIPE, text=True)


def test_a_start_waits_until_the_other_one_has_built_and_taken_its_binaries(tmp_path, capsys):
    async def second():
        async with build.alone(tmp_path):
            return (tmp_path / "built").exists()

    with other(tmp_path) as first:
        assert first.stdout.readline() == "builds\n"
        assert asyncio.run(second()), "both built at once"
    assert "waits for another start that builds in this checkout" in capsys.readouterr().out


def test_a_start_that_is_killed_while_it_builds_releases_the_lock(tmp_path):
    async def second():
        async with asyncio.timeout(5), build.alone(tmp_path):
            return (tmp_path / "built").exists()

    with other(tmp_path) as first:
        first.stdout.readline()
        first.kill()
    assert not asyncio.run(second())


@pytest.mark.parametrize(
    ("arguments", "compiled", "waits"),
    [
        ([], None, True),
        (["--once"], None, True),
        ([], "debug/deps/libtypst-0a.rlib", False),
        ([], "x86_64-unknown-linux-gnu/debug/deps/libtypst-0a.rlib", False),
        ([], "debug/deps/libtypst_syntax-0a.rlib", True),
        # Tests and benchmarks begin with everything, and so does a deployment.
        (["--no-samples"], None, False),
        (["--network"], None, False),
        (["--profile", "release"], None, False),
    ],
)
def test_a_first_start_does_not_wait_for_the_typesetter(tmp_path, monkeypatch, arguments, compiled, waits):
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path))
    if compiled:
        (tmp_path / compiled).parent.mkdir(parents=True)
        (tmp_path / compiled).touch()
    assert build.typesetter_can_wait(parse(arguments)) is waits


def test_a_start_that_waits_for_the_lock_can_be_stopped(tmp_path):
    async def waits():
        async with build.alone(tmp_path):
            raise AssertionError("both build at once")

    async def stopped():
        task = asyncio.create_task(waits())
        await asyncio.sleep(0.1)
        task.cancel()
        return await asyncio.gather(task, return_exceptions=True)

    with other(tmp_path) as first:
        first.stdout.readline()
        [outcome] = asyncio.run(stopped())
        assert isinstance(outcome, asyncio.CancelledError)
