"""All functions behind one port: the Runtime API for their processes, and the operations that invoke them."""

import asyncio
import uuid
from pathlib import Path

from aiohttp import web

from local_aws.clock import Clock
from local_aws.functions import PAYLOAD_BYTES, Environment, Function, FunctionSpec, Result, failure
from local_aws.invocations import InvocationLog

# A function gives way to another one, for a limited time. On AWS an import and the stage after it run on separate machines. Here all
# functions share a few cores, and a user watches the progress of an import.
_FIRST = {"convert": "imports"}
_PATIENCE_SECONDS = 60


class LambdaService:
    """Its address is known before the functions are. Invocations are written to the log `invocations`, if it is given."""

    def __init__(self, clock: Clock, invocations: Path | None = None) -> None:
        self._clock, self._invocations = clock, InvocationLog(invocations)
        self.functions: dict[str, Function] = {}
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def listen(self) -> None:
        application = web.Application(client_max_size=4 * PAYLOAD_BYTES)
        runtime = "/runtime/{function}/{number}/2018-06-01/runtime"
        application.router.add_get(runtime + "/invocation/next", self._next)
        application.router.add_post(runtime + "/invocation/{request_id}/{outcome:response|error}", self._answer)
        application.router.add_post(runtime + "/init/error", self._init_error)
        application.router.add_post("/2015-03-31/functions/{function}/invocations", self._invoke)
        application.router.add_post("/event-source", self._event_source)
        application.router.add_get("/functions", self._describe)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    def add(self, spec: FunctionSpec, bootstrap: Path, log: Path, other: Path | None = None) -> Function:
        function = Function(spec, bootstrap, log, self.url, self._clock, other, self._invocations)
        self.functions[spec.binary] = function
        return function

    async def close(self) -> None:
        await asyncio.gather(*(function.close() for function in self.functions.values()))
        if self._runner is not None:
            await self._runner.cleanup()
        self._invocations.close()

    def _environment(self, request: web.Request) -> Environment:
        function = self.functions.get(request.match_info["function"])
        environment = function and function.environments.get(int(request.match_info["number"]))
        if not environment:
            raise web.HTTPGone(text="this execution environment has ended")
        return environment

    async def _next(self, request: web.Request) -> web.Response:
        environment = self._environment(request)
        call = await environment.next(lambda: request.transport is not None and not request.transport.is_closing())
        if call is None:
            raise web.HTTPGone(text="this execution environment has ended")
        spec, now = environment.function.spec, self._clock.now()
        return web.Response(
            body=call.payload,
            content_type="application/json",
            headers={
                "Lambda-Runtime-Aws-Request-Id": call.request_id,
                "Lambda-Runtime-Deadline-Ms": str(int((now + spec.timeout) * 1000)),
                "Lambda-Runtime-Invoked-Function-Arn": spec.arn,
                "Lambda-Runtime-Trace-Id": f"Root=1-{int(now):08x}-{uuid.uuid4().hex[:24]};Sampled=0",
            },
        )

    async def _answer(self, request: web.Request) -> web.Response:
        environment = self._environment(request)
        payload = await request.read()
        if request.match_info["outcome"] == "error":
            result = Result(payload, request.headers.get("Lambda-Runtime-Function-Error-Type", "Unhandled"))
        elif len(payload) > PAYLOAD_BYTES:
            result = failure("Function.ResponseSizeTooLarge", f"{len(payload)} bytes exceed {PAYLOAD_BYTES}")
        else:
            result = Result(payload)
        if not environment.answer(request.match_info["request_id"], result):
            return web.json_response({"errorType": "InvalidRequestID", "errorMessage": "Invalid request ID"}, status=400)
        return web.json_response({"status": "OK"}, status=202)

    async def _init_error(self, request: web.Request) -> web.Response:
        environment = self._environment(request)
        payload = await request.read()
        call, environment.call = environment.call, None
        if call is not None:
            call.finish(Result(payload, "Runtime.InitError"))
        return web.json_response({"status": "OK"}, status=202)

    def _named(self, name: str) -> Function:
        """Finds a function by its binary, its name or its ARN."""
        for function in self.functions.values():
            if name in (function.spec.binary, function.spec.name, function.spec.arn):
                return function
        raise web.HTTPNotFound(text=f"there is no function {name}")

    async def _invoke(self, request: web.Request) -> web.Response:
        """Lambda's own Invoke operation, for `cargo lambda invoke` and any AWS client."""
        result = await self._named(request.match_info["function"]).invoke(await request.read())
        headers = {"X-Amz-Function-Error": "Unhandled"} if result.error else {}
        return web.Response(body=result.payload, content_type="application/json", headers=headers)

    async def _event_source(self, request: web.Request) -> web.Response:
        """Called by the emulator's queues and schedules, which treat any status except 2xx as an error of the function."""
        function = self._named(request.headers.get("X-Amzn-Lambda-Function-Name", ""))
        if (first := self.functions.get(_FIRST.get(function.spec.binary, ""))) is not None:
            await first.at_rest(_PATIENCE_SECONDS)
        result = await function.invoke(await request.read())
        return web.Response(status=500 if result.error else 200, body=result.payload, content_type="application/json")

    async def _describe(self, _: web.Request) -> web.Response:
        return web.json_response({name: function.pids() for name, function in self.functions.items()})
