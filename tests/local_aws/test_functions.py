"""Functions of the local runner: their clock, and their priorities."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from local_aws import clock
from local_aws.clock import Clock
from local_aws.console import Trouble
from local_aws.functions import Function, FunctionSpec
from local_aws.lambda_service import LambdaService

SPEC = FunctionSpec(name="made", binary="imports", arn="arn:made", timeout=3, memory=128, environment={"A": "b"}, concurrency=1)


def test_who_waits_for_a_function_goes_on_once_nothing_is_at_work_or_its_patience_is_over(tmp_path):
    async def waits():
        function = LambdaService(Clock(None)).add(SPEC, tmp_path / "bootstrap", tmp_path / "log")
        await asyncio.wait_for(function.at_rest(60), 1)
        at_work = function.environments[1] = SimpleNamespace(call="an event")
        await asyncio.wait_for(function.at_rest(0.2), 1)
        waiting = asyncio.create_task(function.at_rest(60))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        at_work.call = None
        await asyncio.wait_for(waiting, 1)

    asyncio.run(waits())


def test_a_clock_is_as_far_ahead_as_its_file_says_and_so_are_the_functions(tmp_path, monkeypatch):
    monkeypatch.setattr(clock, "library", lambda: tmp_path / "libfaketime.so")
    file = tmp_path / "clock"
    moved = Clock(file)
    assert abs(moved.now() - time.time()) < 5
    file.write_text("+900")
    assert abs(moved.now() - time.time() - 900) < 5
    variables = Function(SPEC, tmp_path / "bootstrap", tmp_path / "log", "api", moved).variables(1)
    assert (variables["LD_PRELOAD"], variables["FAKETIME_TIMESTAMP_FILE"]) == (str(tmp_path / "libfaketime.so"), str(file))
    assert "LD_PRELOAD" not in Function(SPEC, tmp_path / "bootstrap", tmp_path / "log", "api", Clock(None)).variables(1)


def test_a_clock_that_nothing_can_move_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(clock, "library", lambda: None)
    with pytest.raises(Trouble, match="libfaketime"):
        Clock(tmp_path / "clock")
