"""The runner: from nothing to a service that has sent its sample documents."""

import asyncio
import fcntl
import json
import os
import signal
import socket
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from local_aws import build, emulator, samples, stack
from local_aws.console import Trouble, elapsed, fail, say, step
from local_aws.http_api import HttpApi, Throttle, bind
from local_aws.lambda_service import LambdaService
from local_aws.options import TEMPLATE, Options, parse
from local_aws.receiver import Receiver
from local_aws.streams import Stream
from local_aws.template import Template


def main() -> int:
    options = parse(sys.argv[1:])
    options.logs.mkdir(parents=True, exist_ok=True)
    lock = (options.state / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fail(f"another run uses {options.state}; stop it, or give this one a folder of its own with --state DIR")
        return 2
    try:
        return asyncio.run(until_signalled(options))
    except Trouble as trouble:
        fail(str(trouble))
        return 2
    finally:
        options.run_file.unlink(missing_ok=True)


async def until_signalled(options: Options) -> int:
    """Runs until done, or until the terminal or another process says stop."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(sign, task.cancel)
    try:
        async with AsyncExitStack() as owned:
            return await run(options, owned)
    except asyncio.CancelledError:
        say("\nstopped")
        return 130 if options.once else 0


async def run(options: Options, owned: AsyncExitStack) -> int:
    template = Template(TEMPLATE)
    bound, smp_bound = bind(options.port), bind(options.smp_port)
    owned.callback(bound.close)
    owned.callback(smp_bound.close)
    # What others are told of this access point, unless the command line says otherwise.
    parameters = {"SmpUrl": url_of(smp_bound), "As4Url": f"{url_of(bound)}/as4"} | options.parameters
    with step("building the functions with cargo-lambda (the first time takes minutes)"):
        built = await build.build(sorted(template.functions().values()), options.profile)

    with step("starting the local AWS services"):
        service = LambdaService()
        owned.push_async_callback(service.close)
        await service.listen()
        tables = build.place(built, build.TABLES, options.functions)
        aws = await emulator.start(options.state, options.logs, tables)
        owned.push_async_callback(aws.stop)

    with step("creating everything in template.yaml"):
        made = await asyncio.to_thread(stack.create, aws, template, parameters, f"{service.url}/event-source")
        api_url, smp_url = await connect(options, owned, template, made, service, aws, built, {"HttpApi": bound, "SmpApi": smp_bound})

    with step("seeding the demo data"):
        receiver = Receiver(options.state / "webhooks.jsonl")
        owned.push_async_callback(receiver.close)
        await receiver.listen()
        tool = build.place(built, build.TOOL, options.functions)
        demo = await seed(tool, made.environment(), receiver.url)
        receiver.secret = demo["webhook_endpoint"]["secret"]

    write_run_file(options, made, aws, service, (api_url, smp_url), demo, receiver)
    troubles: list[str] = []
    if options.samples:
        say("==> sending the sample documents")
        troubles = (await samples.send_all(api_url, demo, receiver)).troubles
    conclude(options, (api_url, smp_url), demo, troubles)
    if options.once:
        return 1 if troubles else 0
    await watch(aws)
    return 0


def url_of(bound: socket.socket) -> str:
    host, port = bound.getsockname()
    return f"http://{host}:{port}"


def fresh(log: Path) -> Path:
    log.unlink(missing_ok=True)
    return log


async def connect(
    options: Options,
    owned: AsyncExitStack,
    template: Template,
    made: stack.Stack,
    service: LambdaService,
    aws: emulator.Emulator,
    built: Path,
    sockets: dict[str, socket.socket],
) -> tuple[str, ...]:
    """Gives every function its binary and its event sources; returns the addresses of the HTTP APIs in the order of their sockets."""
    functions = {}
    for logical, spec in made.functions.items():
        bootstrap = build.place(built, spec.binary, options.functions)
        functions[logical] = service.add(spec, bootstrap, fresh(options.logs / f"{spec.binary}.log"))
        variables = "".join(f"{name}={value}\n" for name, value in sorted(spec.environment.items()))
        (options.functions / spec.binary / "env").write_text(variables)
    for mapping in made.streams:
        function = next(each for each in functions.values() if each.spec.arn == mapping["FunctionArn"])
        reader = asyncio.create_task(Stream(mapping, function, aws.client).run())
        reader.add_done_callback(stream_ended)
        owned.callback(reader.cancel)
    addresses = []
    for (logical, bound), log in zip(sockets.items(), ("http-api.log", "smp-api.log"), strict=True):
        routes = [(route, functions[route.function]) for route in template.routes(logical)]
        throttle = Throttle(template.number("ThrottleRate", options.parameters), template.number("ThrottleBurst", options.parameters))
        api = HttpApi(routes, "local", fresh(options.logs / log), throttle)
        owned.push_async_callback(api.close)
        addresses.append(await api.listen(bound))
    return tuple(addresses)


def stream_ended(reader: asyncio.Task) -> None:
    if not reader.cancelled() and (error := reader.exception()):
        fail(f"the reader of the table's stream has ended: {error!r}")


async def seed(tool: Path, environment: dict[str, str], webhook_url: str) -> dict:
    process = await asyncio.create_subprocess_exec(
        str(tool), "seed", "--webhook-url", webhook_url,
        env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, errors = await process.communicate()
    if process.returncode != 0:
        raise Trouble(f"the demo data could not be seeded:\n{errors.decode().strip()}")
    return json.loads(output)


def write_run_file(
    options: Options,
    made: stack.Stack,
    aws: emulator.Emulator,
    service: LambdaService,
    addresses: tuple[str, ...],
    demo: dict,
    receiver: Receiver,
) -> None:
    """Tells the tests and other tools where everything is; written whole, so that nobody reads half of it."""
    api_url, smp_url = addresses
    content = {
        "api_url": api_url,
        "smp_url": smp_url,
        "demo": demo,
        "receiver": {"url": receiver.url, "log": str(receiver.log)},
        "aws_endpoint": aws.endpoint,
        "endpoints": {"dynamodb": aws.tables_endpoint, "dynamodbstreams": aws.tables_endpoint},
        "invoke_url": service.url,
        "table": made.resources["Table"],
        "bucket": made.resources["Bucket"],
        "queues": {
            name.removesuffix("Url"): url for name, url in made.outputs.items() if name.endswith("QueueUrl") or "DeadLetters" in name
        },
        "parameters": options.parameters,
        "environment": made.environment(),
        "logs": str(options.logs),
        "functions": str(options.functions),
        "pids": {"runner": os.getpid(), "aws": aws.process.pid},
    }
    partial = options.run_file.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=2))
    partial.replace(options.run_file)


def conclude(options: Options, addresses: tuple[str, ...], demo: dict, troubles: list[str]) -> None:
    say()
    if troubles:
        say(f"{len(troubles)} thing(s) not as expected:")
        for trouble in troubles:
            say(f"  {trouble}")
        say(f"Logs: {options.logs}")
    elif options.samples:
        say("Everything was as expected.")
    say(f"Ready {elapsed():.1f} s after the start.")
    if options.once:
        return
    say()
    api_url, smp_url = addresses
    say(f"API            {api_url}/v1/invoices")
    say(f"SMP            {smp_url}")
    say(f"Sandbox key    {demo['api_keys']['sandbox']}")
    for taxpayer in demo["taxpayers"]:
        grant = f"grant {taxpayer['grant_id']}" if taxpayer.get("grant_id") else "no grant"
        say(f"Taxpayer       {taxpayer['taxpayer_id']}  {taxpayer['name']}  {taxpayer['participant_id']}  {grant}")
    say(f"Webhooks       {demo['webhook_endpoint']['url']}  {options.state / 'webhooks.jsonl'}")
    say(f"Details        {options.run_file}")
    say(f"Logs           {options.logs}")
    say("Ctrl-C stops everything.")


async def watch(aws: emulator.Emulator) -> None:
    """Stays up while the emulator does."""
    ended = await aws.wait()
    raise Trouble(f"the local AWS services ended by themselves: {ended}")


if __name__ == "__main__":
    sys.exit(main())
