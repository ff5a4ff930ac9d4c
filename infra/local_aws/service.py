"""One access point: the AWS services, the resources of template.yaml, and demo data."""

import asyncio
import json
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from local_aws import build, emulator, stack
from local_aws.billing import BillingProvider
from local_aws.clock import Clock
from local_aws.console import Trouble, fail
from local_aws.http_api import HttpApi, Throttle, bind, url_of
from local_aws.lambda_service import LambdaService
from local_aws.mailbox import Mailbox
from local_aws.options import Options
from local_aws.receiver import Receiver
from local_aws.streams import Stream
from local_aws.template import Template


@dataclass(frozen=True)
class Sockets:
    """The ports of the HTTP API and the SMP, which are bound first."""

    api: socket
    smp: socket

    @classmethod
    def bind(cls, options: Options, owned: AsyncExitStack) -> "Sockets":
        made = cls(bind(options.port), bind(options.smp_port))
        for each in (made.api, made.smp):
            owned.callback(each.close)
        return made

    def parameters(self) -> dict[str, str]:
        """Addresses for the template's parameters, unless the caller sets them."""
        api = url_of(self.api)
        return {"SmpUrl": url_of(self.smp), "As4Url": f"{api}/as4", "PortalUrl": api, "BaseUrl": f"{api}/v1"}


@dataclass(frozen=True)
class Services:
    """The empty AWS services."""

    functions: LambdaService
    aws: emulator.Emulator


@dataclass(frozen=True)
class Deployed:
    """The deployed stack, and the addresses of its HTTP APIs."""

    stack: stack.Stack
    parameters: dict[str, str]
    api_url: str
    smp_url: str
    billing: BillingProvider


@dataclass(frozen=True)
class Demo:
    """The demo data, and the receiver of its webhooks."""

    data: dict
    receiver: Receiver


async def start(options: Options, owned: AsyncExitStack) -> Services:
    functions = LambdaService(Clock(options.clock), fresh(options.logs / "invocations.log"))
    owned.push_async_callback(functions.close)
    await functions.listen()
    aws = await emulator.start(options.state, options.logs, build.placed(build.TABLES, options.functions))
    owned.push_async_callback(aws.stop)
    return Services(functions, aws)


async def deploy(options: Options, owned: AsyncExitStack, template: Template, services: Services, sockets: Sockets) -> Deployed:
    """Creates the stack, and gives every function its binary and its event sources."""
    hand_over = f"{services.functions.url}/event-source"
    billing = BillingProvider()
    owned.push_async_callback(billing.close)
    await billing.listen()
    parameters = sockets.parameters() | {"BillingUrl": billing.url} | options.parameters
    made = await asyncio.to_thread(stack.create, services.aws, template, parameters, hand_over)
    await asyncio.to_thread(billing.share_secrets, services.aws, made)
    billing.events_url = f"{url_of(sockets.api)}/v1/billing/events"
    mailbox = Mailbox(services.aws, options.state / "mails.jsonl")
    await asyncio.to_thread(mailbox.open, parameters.get("MailFrom", ""))
    collecting = asyncio.create_task(mailbox.collect())
    owned.callback(collecting.cancel)
    functions = {}
    for logical, spec in made.functions.items():
        bootstrap = build.placed(spec.binary, options.functions)
        other = build.placed(spec.binary, options.other_version) if options.other_version else None
        functions[logical] = services.functions.add(spec, bootstrap, fresh(options.logs / f"{spec.binary}.log"), other)
        variables = "".join(f"{name}={value}\n" for name, value in sorted(spec.environment.items()))
        bootstrap.parent.mkdir(parents=True, exist_ok=True)
        (bootstrap.parent / "env").write_text(variables)
    for mapping in made.streams:
        function = next(each for each in functions.values() if each.spec.arn == mapping["FunctionArn"])
        reader = asyncio.create_task(Stream(mapping, function, services.aws.client, services.aws.tables_endpoint).run())
        reader.add_done_callback(stream_ended)
        owned.callback(reader.cancel)
    addresses = []
    for logical, bound, log in (("HttpApi", sockets.api, "http-api.log"), ("SmpApi", sockets.smp, "smp-api.log")):
        own, others = template.throttles(logical, parameters)
        throttles, shared = {key: Throttle(*limits) for key, limits in own.items()}, Throttle(*others)
        routes = [(route, functions[route.function], throttles.get(route.key, shared)) for route in template.routes(logical)]
        api = HttpApi(routes, "local", fresh(options.logs / log))
        owned.push_async_callback(api.close)
        addresses.append(await api.listen(bound))
    return Deployed(made, parameters, *addresses, billing)


def fresh(log: Path) -> Path:
    log.unlink(missing_ok=True)
    return log


def stream_ended(reader: asyncio.Task) -> None:
    if not reader.cancelled() and (error := reader.exception()):
        fail(f"the reader of the table's stream has ended: {error!r}")


async def seed(options: Options, owned: AsyncExitStack, deployed: Deployed, *arguments: str) -> Demo:
    """Creates the demo data; `arguments` are passed to `access-point seed`."""
    receiver = Receiver(options.state / "webhooks.jsonl")
    owned.push_async_callback(receiver.close)
    await receiver.listen()
    data = json.loads(await operate(options, deployed, "seed", "--webhook-url", receiver.url, *arguments))
    receiver.secret = data["webhook_endpoint"]["secret"]
    return Demo(data, receiver)


async def operate(options: Options, deployed: Deployed, *arguments: str) -> str:
    """Runs an operator's command, `access-point …`; returns its output."""
    process = await asyncio.create_subprocess_exec(
        str(build.placed(build.TOOL, options.functions)), *arguments,
        env=deployed.stack.environment(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, errors = await process.communicate()
    if process.returncode != 0:
        raise Trouble(f"access-point {arguments[0]} failed:\n{errors.decode().strip()}")
    return output.decode()


def write_run_file(options: Options, services: Services, deployed: Deployed, demo: Demo) -> dict:
    """Writes addresses, ids and keys for the tests and other tools."""
    made, aws = deployed.stack, services.aws
    content = {
        "api_url": deployed.api_url,
        "smp_url": deployed.smp_url,
        "demo": demo.data,
        "receiver": {"url": demo.receiver.url, "log": str(demo.receiver.log)},
        "billing": {"url": deployed.billing.url, "signing_secret": deployed.billing.signing_secret},
        "aws_endpoint": aws.endpoint,
        "endpoints": {"dynamodb": aws.tables_endpoint, "dynamodbstreams": aws.tables_endpoint},
        "invoke_url": services.functions.url,
        "table": made.resources["Table"],
        "bucket": made.resources["Bucket"],
        "queues": {
            name.removesuffix("Url"): url for name, url in made.outputs.items() if name.endswith("QueueUrl") or "DeadLetters" in name
        },
        "parameters": deployed.parameters,
        "environment": made.environment(),
        "logs": str(options.logs),
        "functions": str(options.functions),
        "clock": options.clock and str(options.clock),
        "pids": {"runner": os.getpid(), "aws": aws.process.pid},
    }
    write_whole(options.run_file, content)
    return content


def write_whole(path: Path, content: dict) -> None:
    """Writes a file atomically."""
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=2))
    partial.replace(path)


async def watch(*all_services: Services) -> None:
    """Runs until one of the AWS services ends."""
    waiting = [asyncio.create_task(each.aws.wait()) for each in all_services]
    done, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    raise Trouble(f"the local AWS services ended by themselves: {done.pop().result()}")
