"""The runner: starts the service and sends its sample documents."""

import asyncio
import fcntl
import shutil
import signal
import subprocess
import sys
from contextlib import AsyncExitStack

from local_aws import build, samples, service
from local_aws.console import Trouble, elapsed, fail, say, step
from local_aws.network import run as network
from local_aws.options import TEMPLATE, Options, parse
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
    """Runs until the work is done, or until a signal stops it."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(sign, task.cancel)
    try:
        async with AsyncExitStack() as owned:
            return await (network.run if options.network else run)(options, owned)
    except asyncio.CancelledError:
        say("\nstopped")
        return 130 if options.once else 0


async def run(options: Options, owned: AsyncExitStack) -> int:
    template = Template(TEMPLATE)
    sockets = service.Sockets.bind(options, owned)
    binaries = sorted(template.functions().values())
    later = build.TYPESETTER if build.typesetter_can_wait(options) else None
    owned.callback(shutil.rmtree, options.functions, ignore_errors=True)
    with step("building the functions with cargo-lambda (the first time takes minutes)"):
        now = [each for each in binaries if each != later]
        async with build.alone():
            build.place_all(await build.build(now, options.profile, without=later), now, options.functions)

    with step("starting the local AWS services"):
        services = await service.start(options, owned)

    with step("creating everything in template.yaml"):
        deployed = await service.deploy(options, owned, template, services, sockets)
        if later:
            services.functions.functions[later].is_compiled = False

    with step("seeding the demo data"):
        demo = await service.seed(options, owned, deployed)

    service.write_run_file(options, services, deployed, demo)
    troubles: list[str] = []
    if options.samples:
        say("==> sending the sample documents")
        troubles = (await samples.send_all(deployed.api_url, demo.data, demo.receiver)).troubles
    conclude(options, deployed, demo.data, troubles)
    if later and options.once:
        say("The typesetter is not compiled yet: the next start compiles it in the background.")
    if options.once:
        return 1 if troubles else 0
    if later:
        finishing = asyncio.create_task(build_typesetter(options, services, binaries))
        owned.callback(finishing.cancel)
    await service.watch(services)
    return 0


async def build_typesetter(options: Options, services: service.Services, binaries: list[str]) -> None:
    """Builds what the start did not wait for."""
    say("==> compiling the typesetter in the background: until then, a PDF waits")
    try:
        async with build.alone():
            built = await build.build(binaries, options.profile, behind=True)
            build.place_all(built, [build.TYPESETTER], options.functions)
    except Trouble as trouble:
        fail(f"there are no PDFs: {trouble}")
        return
    services.functions.functions[build.TYPESETTER].arrived()
    say("    the typesetter is compiled")


def conclude(options: Options, deployed: service.Deployed, demo: dict, troubles: list[str]) -> None:
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
    say(f"API            {deployed.api_url}/v1/invoices")
    say(f"Documentation  {deployed.api_url}/docs")
    portal = f"{deployed.api_url}/sandbox"
    say(f"Portal         {portal}  sign in as {demo['owner']}, or create an organization of your own; links are printed here")
    say(f"Account        {portal}/account  of each business below, which signs in by a link to its address")
    say(f"SMP            {deployed.smp_url}")
    say(f"Sandbox key    {demo['api_keys']['sandbox']}")
    for taxpayer in demo["taxpayers"]:
        grant = f"grant {taxpayer['grant_id']}" if taxpayer.get("grant_id") else "no grant"
        say(f"Taxpayer       {taxpayer['taxpayer_id']}  {taxpayer['name']}  {taxpayer['participant_id']}  {grant}  {taxpayer['email']}")
    say(f"Webhooks       {demo['webhook_endpoint']['url']}  {options.state / 'webhooks.jsonl'}")
    say(f"Mails          {options.state / 'mails.jsonl'}; links to sign in are printed here")
    say(f"Details        {options.run_file}")
    say(f"Logs           {options.logs}")
    say("Ctrl-C stops everything.")
    if options.open:
        # In a session of its own: a browser for terminals finds none, and the service does not wait for it.
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.Popen([sys.executable, "-m", "webbrowser", portal], start_new_session=True, **quiet)


if __name__ == "__main__":
    sys.exit(main())
