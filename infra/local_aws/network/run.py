"""Runs the local network: its servers, two access points of the product, and a third one of another program."""

import asyncio
import os
import shutil
from contextlib import AsyncExitStack
from dataclasses import replace

from local_aws import build, service
from local_aws.console import elapsed, say, step
from local_aws.http_api import url_of
from local_aws.network import member, reporting, walk
from local_aws.network.authority import faults
from local_aws.network.corner_5 import TaxAuthority
from local_aws.network.member import Member, Wanted
from local_aws.network.openpeppol import PARTICIPANT, OpenPeppol
from local_aws.network.peer import PROGRAM, Peer
from local_aws.network.pki import spid
from local_aws.network.publisher import DOCUMENTS, STATISTICS, STATUSES, TAX_DATA, Endpoint
from local_aws.network.stand_ins import StandIns
from local_aws.network.tax_portal import RULES
from local_aws.options import TEMPLATE, Options
from local_aws.template import Template

# Each serves a different demo business.
WANTED = (Wanted("a", "PAE000001", "PAE000901", "1001234501"), Wanted("b", "PAE000002", "PAE000902", "1001234502"))
# The third access point and its SMP.
PEER_SEAT = "PAE000003"
PEER_SMP = "PAE000903"
PEER_PARTICIPANT = "0235:1001234503"
# A participant of the third access point that also receives statuses.
PEER_STATUSES = f"{spid(PEER_SEAT)}-STATUSES"
# Unusable seats: one is revoked, one is expired, one is of an untrusted authority.
REVOKED_SEAT, EXPIRED_SEAT, FOREIGN_SEAT = "PAE000004", "PAE000005", "PAE000006"
REVOKED_SMP = "PAE000907"
# For access points of other vendors: tests/peers.
GUEST_SEATS = ("PAE000011", "PAE000012", "PAE000013")
# Further participants of the third access point. Each has its own edge, so that a fault affects only this participant.
NEIGHBOURS = tuple(f"0235:10012346{number:02}" for number in range(50))
# A participant that accepts only invoices, one whose access point is revoked, and one whose SMP does not answer.
INVOICES_ONLY = "0235:1001234504"
AT_REVOKED = "0235:1001234505"
UNANSWERED = "0235:1001234506"
DEAD_SMP = ("PAE000904", "http://127.0.0.1:9/smp")
# The tax authority with its SMP.
AUTHORITY_SEAT = "PAE000990"
AUTHORITY_SMP = "PAE000905"
# OpenPeppol with its SMP.
OPENPEPPOL_SEAT = "POP000991"
OPENPEPPOL_SMP = "POP000906"


async def run(options: Options, owned: AsyncExitStack) -> int:
    template = Template(TEMPLATE)
    # Only the first access point uses the ports of the caller.
    sockets = [service.Sockets.bind(each, owned) for each in (options, replace(options, port=0, smp_port=0))]
    with step("building the functions with cargo-lambda (the first time takes minutes)"):
        binaries = sorted({*template.functions().values(), PROGRAM})
        functions = [replace(options, state=options.state / wanted.name).functions for wanted in WANTED]
        for folder in functions:
            owned.callback(shutil.rmtree, folder, ignore_errors=True)
        async with build.alone():
            build.place_all(await build.build(binaries, options.profile), binaries, functions[0])
        build.place_all(functions[0], binaries, functions[1], linked=True)

    with step("starting the network: certificates, DNS, SML, SMPs, Directory"):
        network = await StandIns.make(options.state / "pki")
        owned.push_async_callback(network.close)
        seats = [network.pki.access_point(wanted.seat) for wanted in WANTED]
        edges = [
            network.edge(wanted.name, f"{url_of(each.api)}/as4", seat) for wanted, each, seat in zip(WANTED, sockets, seats, strict=True)
        ]
        network.publish(PEER_SMP)
        network.publish(AUTHORITY_SMP)
        network.publish(OPENPEPPOL_SMP)
        openpeppol = OpenPeppol(options.state / "openpeppol")
        openpeppol_url = network.show("openpeppol", openpeppol.application())
        authority_seat, openpeppol_seat = network.pki.access_point(AUTHORITY_SEAT), network.pki.access_point(OPENPEPPOL_SEAT)
        peer_seat, revoked = network.pki.access_point(PEER_SEAT), network.pki.access_point(REVOKED_SEAT)
        for each in (revoked, network.pki.publisher(REVOKED_SMP)):
            network.pki.revoke(each)
        network.pki.expired(EXPIRED_SEAT)
        network.pki.foreign(FOREIGN_SEAT)
        for seat in GUEST_SEATS:
            network.pki.access_point(seat)
        neighbours = {each: network.edge(each.rpartition(":")[2], "", peer_seat) for each in NEIGHBOURS}
        await network.listen()

    with step("starting the local AWS services of two access points"):
        folders = [
            member.options_of(options, wanted, network, edge, spid(AUTHORITY_SEAT)) for wanted, edge in zip(WANTED, edges, strict=True)
        ]
        started = await asyncio.gather(*(service.start(each, owned) for each in folders))
        program = build.placed(PROGRAM, folders[0].functions)
        peer = Peer(program, network.folder, PEER_SEAT, PEER_PARTICIPANT, options.logs / "peer.log")
        takes = [word for each in STATUSES for word in ("--takes", each.document_type)]
        await peer.serve(owned, INVOICES_ONLY, PEER_STATUSES, *NEIGHBOURS, options=takes)
        statistics = Peer(program, network.folder, OPENPEPPOL_SEAT, PARTICIPANT, options.logs / "openpeppol.log")
        await openpeppol.serve(owned, statistics, faults.product(build.placed(build.TOOL, folders[0].functions)))
        authority = TaxAuthority(
            AUTHORITY_SEAT,
            options.state / "authority",
            network.folder,
            network.names.address,
            folders[0].functions,
            options.logs / "authority.log",
            authority_arguments(options),
        )
        await authority.serve(owned)

    with step("creating everything in template.yaml twice, onboarding a taxpayer on each, registering both"):
        members = [
            Member(wanted, folder, bound, seat, edge, services)
            for wanted, folder, bound, seat, edge, services in zip(WANTED, folders, sockets, seats, edges, started, strict=True)
        ]
        await asyncio.gather(*(member.join(each, owned, template, network) for each in members))
        at_peer, at_revoked = (Endpoint(peer.as4_url, each.certificate) for each in (peer_seat, revoked))
        register_others(network, at_peer, at_revoked, peer.spid)
        register_neighbours(network, neighbours, at_peer)
        register_authority(network, authority, Endpoint(f"{authority.url}/as4", authority_seat.certificate))
        register_openpeppol(network, Endpoint(statistics.as4_url, openpeppol_seat.certificate))

    write_run_file(options, network, members, peer, authority, openpeppol_url, neighbours)
    troubles: list[str] = []
    if options.samples:
        say("==> sending documents")
        troubles = await walk.all_ways(network, peer, *members)
        troubles += await reporting.compare(authority, members)
    conclude(options, network, members, authority, troubles)
    if options.once:
        return 1 if troubles else 0
    await service.watch(*started)
    return 0


def authority_arguments(options: Options) -> list[str]:
    rules = ["--rules", str(options.authority_rules)] if options.authority_rules else []
    return rules + (["--oracle"] if options.oracle else [])


def register_authority(network: StandIns, authority: TaxAuthority, endpoint: Endpoint) -> None:
    """Registers the authority for Tax Data Documents, and for statuses like any provider."""
    network.publishers[AUTHORITY_SMP].add(authority.spid, endpoint, [*TAX_DATA, *STATUSES])
    network.locator.create(AUTHORITY_SMP, authority.spid)


def register_openpeppol(network: StandIns, endpoint: Endpoint) -> None:
    """Registers OpenPeppol for statistics only."""
    network.publishers[OPENPEPPOL_SMP].add(PARTICIPANT, endpoint, STATISTICS)
    network.locator.create(OPENPEPPOL_SMP, PARTICIPANT)


def register_others(network: StandIns, peer: Endpoint, revoked: Endpoint, peer_spid: str) -> None:
    """Registers the participants of the third access point, and the defective ones."""
    publisher = network.publishers[PEER_SMP]
    publisher.add(PEER_PARTICIPANT, peer, DOCUMENTS)
    publisher.add(INVOICES_ONLY, peer, DOCUMENTS[:1])
    publisher.add(AT_REVOKED, revoked, DOCUMENTS)
    publisher.add(peer_spid, peer, STATUSES)
    publisher.add(PEER_STATUSES, peer, STATUSES)
    for participant in (PEER_PARTICIPANT, INVOICES_ONLY, AT_REVOKED, peer_spid, PEER_STATUSES):
        network.locator.create(PEER_SMP, participant)
    network.locator.create_publisher(*DEAD_SMP)
    network.locator.create(DEAD_SMP[0], UNANSWERED)


def register_neighbours(network: StandIns, neighbours: dict[str, str], peer: Endpoint) -> None:
    """Registers the participants that have their own edges."""
    for participant, edge_url in neighbours.items():
        network.edges[participant.rpartition(":")[2]].behind = peer.address
        network.publishers[PEER_SMP].add(participant, replace(peer, address=f"{edge_url}/as4"), DOCUMENTS)
        network.locator.create(PEER_SMP, participant)


def write_run_file(
    options: Options,
    network: StandIns,
    members: list[Member],
    peer: Peer,
    authority: TaxAuthority,
    openpeppol_url: str,
    neighbours: dict[str, str],
) -> None:
    content = {
        "access_points": {
            each.name: each.run | {"seat": each.wanted.seat, "edge_url": each.edge_url, "spid": each.spid} for each in members
        },
        "peer": {
            "program": str(build.placed(PROGRAM, members[0].options.functions)),
            "seat": PEER_SEAT,
            "spid": peer.spid,
            "participant_id": peer.participant,
            "statuses": PEER_STATUSES,
            "as4_url": peer.as4_url,
            "log": str(peer.log),
        },
        "authority": {"spid": authority.spid, "seat": authority.seat, "url": authority.url, "folder": str(authority.folder)},
        "openpeppol": {"participant_id": PARTICIPANT, "url": openpeppol_url},
        "network": {
            "name_server": network.names.address,
            "sml_url": network.sml_url,
            "names_url": network.names_url,
            "smp_url": network.smp_url,
            "directory_url": network.directory_url,
            "tax_portal_url": network.tax_portal_url,
            "keys": str(network.folder),
            "peer_smp": PEER_SMP,
            "revoked_seat": REVOKED_SEAT,
            "neighbours": neighbours,
            "participants": {"invoices_only": INVOICES_ONLY, "at_revoked": AT_REVOKED, "unanswered": UNANSWERED},
        },
        "clock": options.clock and str(options.clock),
        "pids": {"runner": os.getpid()},
    }
    service.write_whole(options.run_file, content)


def conclude(options: Options, network: StandIns, members: list[Member], authority: TaxAuthority, troubles: list[str]) -> None:
    say()
    if troubles:
        say(f"{len(troubles)} thing(s) not as expected:")
        for trouble in troubles:
            say(f"  {trouble}")
    elif options.samples:
        say("Everything was as expected.")
    say(f"Ready {elapsed():.1f} s after the start.")
    if options.once:
        return
    say()
    say(f"Network        DNS {network.names.address}, SML {network.sml_url}, Directory {network.directory_url}, keys {network.folder}")
    say(f"Tax portal     {network.tax_portal_url}, businesses in {RULES}")
    say(f"Tax authority  {authority.spid}, {authority.url}/ledger and /rules, log {authority.log}")
    say(f"OpenPeppol     {PARTICIPANT}, {network.url}/openpeppol/reports")
    for each in members:
        say()
        say(f"Access point   {each.name}, seat {each.wanted.seat}, {each.spid}, messages to {each.edge_url}/as4")
        say(f"API            {each.api_url}/v1/invoices")
        say(f"SMP            {each.deployed.smp_url}, {each.wanted.smp_id} in the SML")
        say(f"Live key       {each.demo.data['api_keys']['live']}")
        say(f"Taxpayer       {each.taxpayer['taxpayer_id']}  {each.taxpayer['name']}  {each.taxpayer['participant_id']}")
        say(f"Webhooks       {each.demo.receiver.url}  {each.demo.receiver.log}")
        say(f"Logs           {each.options.logs}")
    say()
    say(f"Details        {options.run_file}")
    say("Ctrl-C stops everything.")
