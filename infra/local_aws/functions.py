"""AWS Lambda on one machine. An execution environment is a process that fetches its events over the Runtime API.

An environment handles one event at a time. Concurrent events get further environments, up to a limit; beyond it, events wait (AWS Lambda
developer guide, "Lambda Runtime API" and "Lambda execution environments").
"""

import asyncio
import json
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from local_aws import processes
from local_aws.clock import Clock
from local_aws.invocations import InvocationLog

INIT_SECONDS = 10
# Interval of the check whether a function is idle.
_LOOK_SECONDS = 0.1
# The service's limit for a request or response of a synchronous invocation.
PAYLOAD_BYTES = 6 * 1024 * 1024


@dataclass(frozen=True)
class Result:
    """The outcome of an invocation: the handler's answer, or an error object."""

    payload: bytes
    error: str | None = None


@dataclass(frozen=True)
class FunctionSpec:
    """The description of a function in the stack."""

    name: str
    binary: str
    arn: str
    timeout: int
    memory: int
    environment: dict[str, str]
    concurrency: int


@dataclass(eq=False)
class Call:
    payload: bytes
    outcome: asyncio.Future = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    # When it came, and when an environment took it (monotonic seconds).
    placed: float = field(default_factory=time.monotonic)
    begun: float | None = None

    def finish(self, result: Result) -> None:
        if not self.outcome.done():
            self.outcome.set_result(result)


def failure(kind: str, message: str) -> Result:
    return Result(json.dumps({"errorType": kind, "errorMessage": message}).encode(), kind)


class Environment:
    """One process of a function."""

    def __init__(self, function: "Function", number: int, first: Call):
        self.function, self.number = function, number
        self.call: Call | None = first
        self.delivered = False
        self.initialized = False
        self.dead = False
        self.process: asyncio.subprocess.Process | None = None
        self._wake = asyncio.Event()
        self._wake.set()
        self._timer: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Starts the process and waits until it ends."""
        spec, bootstrap = self.function.spec, self.function.bootstrap_of(self.number)
        self._limit(INIT_SECONDS, f"bootstrap did not ask for an event within {INIT_SECONDS} seconds")
        try:
            self.process = await processes.start([bootstrap], self.function.variables(self.number), self.function.log, bootstrap.parent)
            status = await self.process.wait()
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
        except OSError as error:
            how = str(error)
        self._limit(None)
        self.dead = True
        self._wake.set()
        call, self.call = self.call, None
        self.function.lost(self)
        if call is None:
            return
        if self.initialized and not self.delivered:
            self.function.place(call)  # the process ended before it received this event
        else:
            call.finish(failure("Runtime.ExitError", f"RequestId: {call.request_id} Error: {spec.name} ended: {how}"))

    async def next(self, connected: Callable[[], bool]) -> Call | None:
        """Waits for the next event; none when the process has ended."""
        self.initialized = True
        if self.call is None:
            self._limit(None)
            self.function.ready(self)
        await self._wake.wait()
        if self.dead or self.call is None or not connected():
            return None
        self.delivered, self.call.begun = True, time.monotonic()
        seconds = self.function.spec.timeout
        self._limit(seconds, f"{self.call.request_id} Task timed out after {seconds}.00 seconds")
        return self.call

    def give(self, call: Call) -> None:
        self.call, self.delivered = call, False
        self._wake.set()

    def answer(self, request_id: str, result: Result) -> bool:
        """Takes the handler's answer; false when it is not about the current event."""
        call = self.call
        if call is None or not self.delivered or call.request_id != request_id:
            return False
        self._limit(None)
        self.call = None
        self._wake.clear()
        call.finish(result)
        return True

    def _limit(self, seconds: float | None, message: str = "") -> None:
        """Ends the process after this time; None removes the limit."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._overdue, message)

    def _overdue(self, message: str) -> None:
        call, self.call = self.call, None
        self.dead = True
        if call is not None:
            call.finish(failure("Sandbox.Timedout", message))
        if self.process is not None:
            processes.signal_group(self.process, processes.signal.SIGKILL)


class Function:
    """A function and its environments.

    With `other`, the binary of another version, environments of even numbers run that one, and both take turns, as in a rolling update.
    """

    def __init__(
        self,
        spec: FunctionSpec,
        bootstrap: Path,
        log: Path,
        runtime_api: str,
        clock: Clock,
        other: Path | None = None,
        invocations: InvocationLog | None = None,
    ):
        self.spec, self.bootstrap, self.log, self._clock, self.other = spec, bootstrap, log, clock, other
        self._runtime_api, self._invocations = runtime_api, invocations or InvocationLog(None)
        # Events wait for a function that is not.
        self.is_compiled = True
        self.environments: dict[int, Environment] = {}
        self._idle: list[Environment] = []
        self._waiting: deque[Call] = deque()
        self._started = 0
        self._calls = 0
        self._tasks: set[asyncio.Task] = set()
        self._closing = False

    async def invoke(self, payload: bytes) -> Result:
        if len(payload) > PAYLOAD_BYTES:
            return failure("RequestTooLargeException", f"{len(payload)} bytes exceed {PAYLOAD_BYTES}")
        call = Call(payload)
        self.place(call)
        result = await call.outcome
        self._invocations.note(self.spec.binary, payload, call.placed, call.begun or time.monotonic(), result.error)
        return result

    async def at_rest(self, seconds: float) -> None:
        """Waits until no event is being handled, at most for this time."""
        until = time.monotonic() + seconds
        while any(each.call for each in self.environments.values()) and time.monotonic() < until:
            await asyncio.sleep(_LOOK_SECONDS)

    def arrived(self) -> None:
        """The binary is there: takes the events that waited for it."""
        self.is_compiled = True
        waiting, self._waiting = self._waiting, deque()
        for call in waiting:
            self.place(call)

    def place(self, call: Call) -> None:
        if not self.is_compiled:
            self._waiting.append(call)
            return
        self._calls += 1
        self._idle = [each for each in self._idle if not each.dead]
        preferred = [each for each in self._idle if self.other is None or each.number % 2 == self._calls % 2]
        may_start = len(self.environments) < self.spec.concurrency
        if preferred or (self._idle and not may_start):
            environment = (preferred or self._idle)[-1]
            self._idle.remove(environment)
            environment.give(call)
        elif may_start:
            self._start(call)
        else:
            self._waiting.append(call)

    def bootstrap_of(self, number: int) -> Path:
        """The binary of an environment."""
        return self.bootstrap if self.other is None or number % 2 else self.other

    def _start(self, call: Call) -> None:
        self._started += 1
        if self.other is not None and self._started % 2 != self._calls % 2:
            self._started += 1
        environment = Environment(self, self._started, call)
        self.environments[environment.number] = environment
        task = asyncio.create_task(environment.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def ready(self, environment: Environment) -> None:
        """An environment asks for work."""
        if self._waiting:
            environment.give(self._waiting.popleft())
        elif environment not in self._idle:
            self._idle.append(environment)

    def lost(self, environment: Environment) -> None:
        """An environment's process has ended."""
        self.environments.pop(environment.number, None)
        if environment in self._idle:
            self._idle.remove(environment)
        if self._waiting and not self._closing:
            self._start(self._waiting.popleft())

    def variables(self, number: int) -> dict[str, str]:
        """The process's environment: what Lambda sets, and the template's own variables."""
        return {
            **self.spec.environment,
            "AWS_LAMBDA_RUNTIME_API": f"{self._runtime_api}/runtime/{self.spec.binary}/{number}",
            "AWS_LAMBDA_FUNCTION_NAME": self.spec.name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(self.spec.memory),
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{self.spec.name}",
            "AWS_LAMBDA_LOG_STREAM_NAME": f"local/{number}",
            "AWS_EXECUTION_ENV": "AWS_Lambda_provided.al2023",
            "LAMBDA_TASK_ROOT": str(self.bootstrap_of(number).parent),
            "_HANDLER": "bootstrap",
            **self._clock.variables(),
        }

    def pids(self) -> list[int]:
        return [each.process.pid for each in self.environments.values() if each.process is not None and not each.dead]

    async def close(self) -> None:
        self._closing = True
        running = [each.process for each in self.environments.values() if each.process is not None]
        await asyncio.gather(*(processes.stop(process, 1.0) for process in running))
        await asyncio.gather(*self._tasks, return_exceptions=True)
