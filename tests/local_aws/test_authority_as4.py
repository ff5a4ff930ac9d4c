"""The tax authority as a process: it receives reports by AS4 with real signatures, and sends its statuses to the results of lookups."""

import asyncio
import os
import signal
import subprocess
import time
import uuid
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest
from defusedxml.ElementTree import fromstring, tostring

from local_aws import build
from local_aws.network import letters, lookup
from local_aws.network.authority import faults
from local_aws.network.authority.taxdata import TAX_DATA as TAX_DATA_SPACE
from local_aws.network.corner_5 import TaxAuthority
from local_aws.network.peer import Peer
from local_aws.network.publisher import STATUSES, TAX_DATA, Endpoint
from local_aws.network.reporting import entries
from local_aws.network.stand_ins import StandIns
from local_aws.options import ROOT

# The official examples are reports of the provider 000000 to the authority 000773.
SEAT, AUTHORITY_SEAT, SMP = "PAE000000", "PAE000773", "PAE000901"
SELLER, BUYER = "0235:1987654321", "0235:1345678901"
SECONDS = 20
INVOICES = ROOT / "events" / "invoices"
FALCON = ROOT / "tests" / "conformance" / "taxpayers" / "falcon.json"
SAMPLES = ("minimal", "foreign-currency", "exports-predefined-endpoint")


def tax_data(number: str, kind: str = "S", role: str = "01", header: str = "", title: str = "urn:peppol:taxdata:ae-1") -> str:
    """A valid report, unless its specification has another title."""
    scheme, _, party = (SELLER if role == "01" else BUYER).partition(":")
    transport = f"<pxs:TransportHeaderID>{header}</pxs:TransportHeaderID>" if header else ""
    return f"""<pxs:TaxData xmlns:pxs="urn:peppol:schema:taxdata:1.0"
      xmlns:cbc="{letters.UBL}:CommonBasicComponents-2" xmlns:cac="{letters.UBL}:CommonAggregateComponents-2"
      xmlns:cec="{letters.UBL}:CommonExtensionComponents-2">
      <cbc:CustomizationID>{title}</cbc:CustomizationID><cbc:ProfileID>urn:peppol:taxreporting</cbc:ProfileID>
      <cbc:IssueDate>2026-11-22</cbc:IssueDate><cbc:IssueTime>08:00:00Z</cbc:IssueTime>
      <pxs:DocumentTypeCode>{kind}</pxs:DocumentTypeCode><pxs:DocumentScope>D</pxs:DocumentScope><pxs:ReporterRole>{role}</pxs:ReporterRole>
      <pxs:ReportingParty><cbc:EndpointID schemeID="{scheme}">{party}</cbc:EndpointID></pxs:ReportingParty>
      <pxs:ReceivingParty><cbc:EndpointID schemeID="0242">000773</cbc:EndpointID></pxs:ReceivingParty>
      <pxs:ReportersRepresentative><cac:PartyIdentification><cbc:ID schemeID="0242">000000</cbc:ID></cac:PartyIdentification>
      </pxs:ReportersRepresentative>
      <pxs:ReportedTransaction>{transport}<pxs:ReportedDocument>
        <cbc:CustomizationID>urn:peppol:pint:billing-1@ae-1</cbc:CustomizationID><cbc:ProfileID>urn:peppol:bis:billing</cbc:ProfileID>
        <cbc:ID>{number}</cbc:ID><cbc:UUID>f12f329f-6430-4399-b661-7c5cd9c3a9e6</cbc:UUID><cbc:IssueDate>2026-11-22</cbc:IssueDate>
        <pxs:DocumentTypeCode>380</pxs:DocumentTypeCode><cbc:DocumentCurrencyCode>AED</cbc:DocumentCurrencyCode>
        <cac:AccountingSupplierParty>{_taxed("198765432102003")}</cac:AccountingSupplierParty>
        <cac:AccountingCustomerParty>{_taxed("134567890123003")}</cac:AccountingCustomerParty>
        <cac:TaxTotal><cbc:TaxAmount currencyID="AED">5.00</cbc:TaxAmount></cac:TaxTotal>
        <pxs:MonetaryTotal><cbc:TaxExclusiveAmount currencyID="AED">100.00</cbc:TaxExclusiveAmount></pxs:MonetaryTotal>
      </pxs:ReportedDocument><pxs:SourceDocument><cec:ExtensionContent><Invoice xmlns="{letters.UBL}:Invoice-2"/></cec:ExtensionContent>
      </pxs:SourceDocument></pxs:ReportedTransaction></pxs:TaxData>"""


def _taxed(trn: str) -> str:
    scheme = "<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>"
    return f"<cac:Party><cac:PartyTaxScheme><cbc:CompanyID>{trn}</cbc:CompanyID>{scheme}</cac:PartyTaxScheme></cac:Party>"


@dataclass
class World:
    """A network with an authority, and a provider that reports."""

    network: StandIns
    authority: TaxAuthority
    provider: Peer
    session: aiohttp.ClientSession

    def envelope(self, document: str, role: str = "01", sender: str = "") -> str:
        """The envelope of a report, by default of the party with this role."""
        program, sender = str(self.authority.programs / "as4-peer" / "bootstrap"), sender or (SELLER if role == "01" else BUYER)
        file = self.authority.folder / f"{uuid.uuid4()}.xml"
        file.write_text(document)
        command = [program, "wrap", "tdd", sender, self.authority.spid, str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    async def send(self, envelope: str) -> str:
        way = await lookup.find(self.authority.spid, self.network.names.address, "TaxData")
        return await self.provider.deliver(way, envelope, f"{uuid.uuid4()}@test.example")

    async def report(self, document: str, role: str = "01", sender: str = "") -> str:
        """Sends a report, and returns its identifier."""
        envelope = self.envelope(document, role, sender)
        answer = await self.send(envelope)
        assert answer.startswith("receipt verified"), answer
        return letters.instance_of(envelope)

    async def rules(self, content: dict) -> int:
        async with self.session.put(f"{self.authority.url}/rules", json=content) as answer:
            return answer.status

    async def entry(self, instance_id: str, fine=lambda _: True) -> dict:
        """Waits for the ledger's entry of a report in a wanted state."""
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                found = entries(await self.authority.ledger()).get(instance_id)
            except aiohttp.ClientError:
                found = None
            if found and fine(found):
                return found
            assert time.monotonic() < deadline, found
            await asyncio.sleep(0.05)

    async def answered(self, instance_id: str) -> dict:
        return await self.entry(instance_id, lambda found: found["answered_at"] is not None)

    def statuses(self) -> list[str]:
        """The identifiers of the statuses that arrived at the provider."""
        return [each["instance_id"] for each in self.provider.messages_of(self.authority.spid) if not each["again"]]


@asynccontextmanager
async def world(keys: Path, folder: Path, programs: Path, arguments: tuple[str, ...] = ()):
    async with AsyncExitStack() as owned:
        network = await StandIns.make(keys)
        owned.push_async_callback(network.close)
        network.publish(SMP)
        seats = {seat: network.pki.access_point(seat) for seat in (SEAT, AUTHORITY_SEAT)}
        await network.listen()
        provider = Peer(build.placed("as4-peer", programs), keys, SEAT, SELLER, folder / "provider.log")
        await provider.serve(owned)
        authority = TaxAuthority(
            AUTHORITY_SEAT, folder / "authority", keys, network.names.address, programs, folder / "authority.log", list(arguments)
        )
        await authority.serve(owned)
        publisher = network.publishers[SMP]
        publisher.add(authority.spid, Endpoint(f"{authority.url}/as4", seats[AUTHORITY_SEAT].certificate), [*TAX_DATA, *STATUSES])
        publisher.add(provider.spid, Endpoint(provider.as4_url, seats[SEAT].certificate), STATUSES)
        network.locator.create(SMP, authority.spid)
        session = await owned.enter_async_context(aiohttp.ClientSession())
        yield World(network, authority, provider, session)


def joined(made: World) -> None:
    """Adds the provider to DNS: from now on it can get answers."""
    made.network.locator.create(SMP, made.provider.spid)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return tmp_path_factory.mktemp("keys")


def test_a_report_is_taken_judged_answered_and_kept(keys, tmp_path, programs):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            header = str(uuid.uuid4())
            first = await made.report(tax_data("INV-1", header=header))
            found = await made.answered(first)
            assert (found["verdict"], found["code"], found["reasons"]) == ("ACCEPTED", "AP", [])
            assert (found["kind"], found["role"], found["scope"], found["number"]) == ("S", "01", "D", "INV-1")
            assert (found["provider"], found["reporting_party"], found["transport_header_id"]) == ("0242:000000", SELLER, header)
            assert made.statuses() == [found["mls_instance_id"]]

            other = await made.answered(await made.report(tax_data("INV-1", role="02", header=header), "02"))
            assert other["verdict"] == "ACCEPTED"
            twice = await made.answered(await made.report(tax_data("INV-1", header=header)))
            assert (twice["verdict"], twice["code"]) == ("REFUSED", "RE")
            assert "submitted before" in twice["reasons"][0]
            broken = await made.answered(await made.report(tax_data("INV-2", title="urn:peppol:taxdata:ae-2")))
            assert (broken["verdict"], "[ibr-tdd-01]" in broken["reasons"][0]) == ("REFUSED", True)
            assert len(made.statuses()) == 4

            async with made.session.get(f"{made.authority.url}/messages/{first}") as answer:
                assert letters.instance_of(await answer.text()) == first
            async with made.session.get(f"{made.authority.url}/messages/other") as answer:
                assert answer.status == 404
            async with made.session.get(f"{made.authority.url}/ledger", headers={"accept": "text/plain"}) as answer:
                lines = (await answer.text()).splitlines()
                assert (len(lines), answer.content_type) == (5, "text/plain")

    asyncio.run(steps())


def test_an_envelope_that_comes_again_is_one_report(keys, tmp_path, programs):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            envelope = made.envelope(tax_data("INV-1"))
            for _ in range(2):
                assert (await made.send(envelope)).startswith("receipt verified")
            await made.answered(letters.instance_of(envelope))
            assert (await made.authority.ledger())["reports"] == 1
            assert len(made.statuses()) == 1

    asyncio.run(steps())


def test_it_does_what_its_rules_say(keys, tmp_path, programs):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            refused = await made.answered(await made.report(tax_data("REFUSE-1")))
            assert (refused["code"], refused["reasons"]) == ("RE", ["The document is not believed."])
            assert (await made.answered(await made.report(tax_data("REFUSE-1", kind="R"))))["code"] == "AP"
            assert (await made.answered(await made.report(tax_data("UNCONFIRMED-1"))))["code"] == "AB"
            silent = await made.entry(await made.report(tax_data("SILENT-1")))
            assert (silent["verdict"], silent["code"], silent["mls_instance_id"]) == (None, None, None)

            judge = faults.product(programs / "access-point" / "bootstrap")
            sent = [file.read_bytes() for file in (made.authority.folder / "answers").iterdir()]
            assert len(sent) == 3
            for envelope in sent:
                (status,) = fromstring(envelope).iter(f"{{{letters.UBL}:ApplicationResponse-2}}ApplicationResponse")
                assert await judge(tostring(status)) == [], "a status as MLS 1.1 has it"

            assert await made.rules({"rules": [{"number": "LATE-.*", "after_seconds": 1}]}) == 200
            begun = time.monotonic()
            late = await made.report(tax_data("LATE-1"))
            assert (await made.entry(late))["answered_at"] is None
            await made.answered(late)
            assert time.monotonic() - begun >= 1
            assert await made.rules({"rules": "none"}) == 400

    asyncio.run(steps())


@pytest.mark.parametrize("day", ["down", "busy"])
def test_it_cannot_be_reached_until_it_is_told(keys, tmp_path, programs, day):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            assert await made.rules({"day": day}) == 200
            envelope = made.envelope(tax_data("INV-1"))
            assert not (await made.send(envelope)).startswith("receipt verified")
            assert (await made.authority.ledger())["reports"] == 0
            await made.rules({"day": "up"})
            assert (await made.send(envelope)).startswith("receipt verified")
            await made.answered(letters.instance_of(envelope))

    asyncio.run(steps())


def test_a_killed_authority_goes_on_with_what_it_had(keys, tmp_path, programs):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            await made.rules({"rules": [{"number": "REFUSE-.*", "answer": "refuse", "reason": "No."}]})
            # No answer is possible yet: the provider is not in DNS.
            envelopes = [made.envelope(tax_data(number)) for number in ("INV-1", "REFUSE-1")]
            for envelope in envelopes:
                assert (await made.send(envelope)).startswith("receipt verified")
            ids = [letters.instance_of(envelope) for envelope in envelopes]
            before = [await made.entry(each) for each in ids]
            assert [each["answered_at"] for each in before] == [None, None]
            killed, url = made.authority.pid, made.authority.url
            os.kill(killed, signal.SIGKILL)
            joined(made)
            after = [await made.answered(each) for each in ids]
            assert (made.authority.pid != killed, made.authority.url) == (True, url)
            assert [each | {"answered_at": None} for each in after] == before
            assert sorted(made.statuses()) == sorted(each["mls_instance_id"] for each in before)
            # The changed rules and the earlier entries are still there.
            assert (await made.answered(await made.report(tax_data("REFUSE-2"))))["reasons"] == ["No."]
            assert (await made.send(envelopes[0])).startswith("receipt verified")
            assert (await made.authority.ledger())["reports"] == 3

    asyncio.run(steps())


def test_what_the_product_reports_of_its_samples_is_accepted(keys, tmp_path, programs):
    """By both sides: the authority sees the same document from both."""

    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            for sample in SAMPLES:
                document = run(programs, "convert", "--operation", "invoice", "--taxpayer", str(FALCON), str(INVOICES / f"{sample}.json"))
                (tmp_path / "invoice.xml").write_text(document)
                ids, header = [], str(uuid.uuid4())
                for role in ("01", "02"):
                    named = ["--authority", "000773", "--representative", "000000", "--transport-id", header]
                    report = run(programs, "taxdata", "--kind", "S", "--role", role, *named, str(tmp_path / "invoice.xml"))
                    party = fromstring(report).find(f".//{{{TAX_DATA_SPACE}}}ReportingParty")[0].text
                    ids.append(await made.report(report, role, f"0235:{party}"))
                for each in ids:
                    found = await made.answered(each)
                    assert (found["verdict"], found["reasons"]) == ("ACCEPTED", []), sample

    asyncio.run(steps())


def run(programs: Path, *arguments: str) -> str:
    """The output of a command of the product."""
    command = [str(programs / "access-point" / "bootstrap"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["standard-invoice-tdd", "commercial-invoice-tdd"])
def test_official_examples_are_accepted(keys, tmp_path, programs, reference, name):
    async def steps():
        async with world(keys, tmp_path, programs) as made:
            joined(made)
            document = (reference / "artefacts" / "tdd" / "examples" / f"{name}.xml").read_text()
            found = await made.answered(await made.report(document))
            assert (found["verdict"], found["reasons"]) == ("ACCEPTED", [])

    asyncio.run(steps())


def test_the_official_artefacts_may_judge(keys, tmp_path, programs, reference):
    async def steps():
        async with world(keys, tmp_path, programs, ("--oracle",)) as made:
            joined(made)
            assert (await made.answered(await made.report(tax_data("INV-1"))))["code"] == "AP"
            broken = await made.answered(await made.report(tax_data("INV-2", title="urn:peppol:taxdata:ae-2")))
            assert broken["reasons"] == ["[ibr-tdd-01]"]

    asyncio.run(steps())


def test_both_judges_find_the_same_rules(programs, reference):
    """On all official files of Tax Data Documents."""

    async def steps():
        ours, official = faults.product(programs / "access-point" / "bootstrap"), faults.official(reference)
        files = sorted((reference / "artefacts" / "tdd" / "phax-testfiles").rglob("*.xml"))
        assert len(files) > 50
        for file in files:
            found = [sorted(rules_of(await judge(file.read_bytes()))) for judge in (ours, official)]
            assert found[0] == found[1], file.name

    asyncio.run(steps())


def rules_of(found: list[faults.Fault]) -> list[str]:
    """The rule ids; schema errors are one id."""
    return ["schema" if fault.code == "SV" else fault.why.partition("]")[0][1:] for fault in found]
