"""Functions of the local runner: their clock, and their priorities."""

import asyncio
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from local_aws import clock
from local_aws.clock import Clock
from local_aws.console import Trouble
from local_aws.functions import Call, Environment, Function, FunctionSpec
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


def test_events_for_a_function_that_is_still_compiled_wait_for_it(tmp_path):
    bootstrap = tmp_path / "bootstrap"

    async def waits():
        function = LambdaService(Clock(None)).add(SPEC, bootstrap, tmp_path / "log")
        function.is_compiled = False
        early = asyncio.create_task(function.invoke(b"{}"))
        await asyncio.sleep(0.1)
        assert not early.done() and not function.environments
        bootstrap.write_text("#!/bin/sh\nexit 3\n")
        bootstrap.chmod(0o755)
        function.arrived()
        return await asyncio.wait_for(early, 5)

    result = asyncio.run(waits())
    assert result.error == "Runtime.ExitError" and b"exit status 3" in result.payload, "it ran"


def test_two_versions_of_a_function_take_turns(tmp_path, monkeypatch):
    async def idle(environment):
        await asyncio.Event().wait()

    async def turns():
        monkeypatch.setattr(Environment, "run", idle)
        function = Function(replace(SPEC, concurrency=10), tmp_path / "new", tmp_path / "log", "api", Clock(None), tmp_path / "old")
        served = []
        for _ in range(6):
            call = Call(b"")
            function.place(call)
            (environment,) = [each for each in function.environments.values() if each.call is call]
            served.append(function.bootstrap_of(environment.number).name)
            environment.call = None
            function.ready(environment)
        assert served == ["new", "old"] * 3 and len(function.environments) == 2

    asyncio.run(turns())
