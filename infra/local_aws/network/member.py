"""An access point of the local network, with one taxpayer."""

import asyncio
import json
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from local_aws import service
from local_aws.console import Trouble
from local_aws.network import tax_portal
from local_aws.network.locator import ZONE
from local_aws.network.openpeppol import PARTICIPANT
from local_aws.network.pki import Seat, spid
from local_aws.network.stand_ins import StandIns
from local_aws.options import Options
from local_aws.template import Template

REGISTRATION_SECONDS = 30


@dataclass(frozen=True)
class Wanted:
    """The settings of an access point: `name` is its folder, `tin` is the demo business that it serves."""

    name: str
    seat: str
    smp_id: str
    tin: str


@dataclass
class Member:
    wanted: Wanted
    options: Options
    sockets: service.Sockets
    seat: Seat
    edge_url: str
    services: service.Services
    deployed: service.Deployed = field(init=False)
    demo: service.Demo = field(init=False)
    run: dict = field(init=False)

    @property
    def name(self) -> str:
        return self.wanted.name

    @property
    def api_url(self) -> str:
        return self.deployed.api_url

    @property
    def taxpayer(self) -> dict:
        return self.demo.data["live"]["taxpayer"]

    @property
    def spid(self) -> str:
        return spid(self.wanted.seat)


def options_of(options: Options, wanted: Wanted, network: StandIns, edge_url: str, authority: str) -> Options:
    """Options with a separate folder, in the network, and with the network's report receivers unless the caller sets others."""
    given = {
        "Network": "local",
        "SmlZone": ZONE,
        "DnsServer": network.names.address,
        "SmlUrl": network.sml_url,
        "DirectoryUrl": network.directory_url,
        "NationalPortalUrl": network.tax_portal_url,
        "SmpId": wanted.smp_id,
        "As4Url": f"{edge_url}/as4",
    }
    told = {"TaxAuthority": authority.partition(":")[2], "StatisticsReceiver": PARTICIPANT}
    made = replace(options, state=options.state / wanted.name, parameters=told | options.parameters | given)
    made.logs.mkdir(parents=True, exist_ok=True)
    return made


async def join(member: Member, owned: AsyncExitStack, template: Template, network: StandIns) -> None:
    """Deploys an access point, stores its keys, announces its SMP, and onboards and registers its taxpayer."""
    member.deployed = await service.deploy(member.options, owned, template, member.services, member.sockets)
    secret = {
        "keys": [member.seat.secret()],
        "smp": network.pki.publisher(member.wanted.smp_id).secret(),
        "authorities": network.pki.authorities(),
    }
    client = member.services.aws.client("secretsmanager")
    arn = member.deployed.stack.outputs["NetworkKeysSecretArn"]
    await asyncio.to_thread(client.put_secret_value, SecretId=arn, SecretString=json.dumps(secret))
    arn = member.deployed.stack.outputs["NationalPortalSecretArn"]
    await asyncio.to_thread(client.put_secret_value, SecretId=arn, SecretString=tax_portal.TOKEN)
    await service.operate(member.options, member.deployed, "smp-register")
    member.demo = await service.seed(member.options, owned, member.deployed, "--live-tin", member.wanted.tin)
    owned.callback(member.options.run_file.unlink, missing_ok=True)
    member.run = service.write_run_file(member.options, member.services, member.deployed, member.demo)
    await registered(member, network)


async def registered(member: Member, network: StandIns) -> None:
    """Waits until the SML has the taxpayer and the access point itself."""
    wanted = {member.taxpayer["participant_id"], member.spid}
    deadline = time.monotonic() + REGISTRATION_SECONDS
    while missing := wanted - network.locator.participants.keys():
        if time.monotonic() > deadline:
            raise Trouble(f"the SML was not told of {', '.join(sorted(missing))}; see {member.options.logs / 'register.log'}")
        await asyncio.sleep(0.05)
