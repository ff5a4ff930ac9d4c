"""An access point of the local network, with one taxpayer."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from local_aws import service
from local_aws.network.locator import ZONE
from local_aws.network.pki import Seat, spid
from local_aws.network.publisher import DOCUMENTS, STATUSES, Endpoint
from local_aws.network.stand_ins import StandIns
from local_aws.options import Options
from local_aws.template import Template


@dataclass(frozen=True)
class Wanted:
    """What an access point is to be: `name` is its folder, `tin` the business of the demo data that it serves."""

    name: str
    seat: str
    smp_id: str
    tin: str


@dataclass
class Member:
    wanted: Wanted
    options: Options
    bound: socket.socket
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


def options_of(options: Options, wanted: Wanted, name_server: str) -> Options:
    network = {"Network": "local", "SmlZone": ZONE, "DnsServer": name_server}
    made = replace(options, state=options.state / wanted.name, parameters={**options.parameters, **network})
    made.logs.mkdir(parents=True, exist_ok=True)
    return made


async def join(member: Member, owned: AsyncExitStack, template: Template, network: StandIns) -> None:
    """Deploys an access point, gives it its keys and onboards its taxpayer."""
    member.deployed = await service.deploy(member.options, owned, template, member.services, member.bound)
    secret = {"keys": [member.seat.secret()], "authorities": network.pki.authorities()}
    client = member.services.aws.client("secretsmanager")
    arn = member.deployed.stack.outputs["NetworkKeysSecretArn"]
    await asyncio.to_thread(client.put_secret_value, SecretId=arn, SecretString=json.dumps(secret))
    member.demo = await service.seed(member.options, owned, member.deployed, "--live-tin", member.wanted.tin)
    member.run = service.write_run_file(member.options, member.services, member.deployed, member.demo)


def register(member: Member, network: StandIns) -> None:
    """Publishes the taxpayer and the access point itself, and has the SML know them."""
    smp_id = member.wanted.smp_id
    publisher, endpoint = network.publishers[smp_id], Endpoint(f"{member.edge_url}/as4", member.seat)
    for participant, services in ((member.taxpayer["participant_id"], DOCUMENTS), (member.spid, STATUSES)):
        publisher.add(participant, endpoint, services)
        network.locator.create(smp_id, participant)
