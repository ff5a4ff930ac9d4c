"""The simulated SML registers, refuses like the real one, and DNS follows it."""

import pytest
from defusedxml.ElementTree import fromstring
from dnslib import QTYPE, RCODE, DNSRecord

from local_aws.network import sml
from local_aws.network.locator import SCHEME, ZONE, Locator, Refused, dns_name
from local_aws.network.names import answer
from local_aws.network.sml import IDENTIFIERS, LOCATOR, PARTICIPANTS, PUBLISHERS, SOAP

ONE, OTHER = "SMP-1", "SMP-2"
FALCON = "0235:1001234501"


@pytest.fixture
def locator():
    made = Locator()
    made.create_publisher(ONE, "http://one.test/smp")
    made.create_publisher(OTHER, "http://other.test/smp")
    return made


def envelope(content: str) -> bytes:
    return f'<s:Envelope xmlns:s="{SOAP}"><s:Body>{content}</s:Body></s:Envelope>'.encode()


def about(element: str, smp_id: str, participant: str = FALCON, key: str = "", scheme: str = SCHEME) -> bytes:
    migration = f"<MigrationKey>{key}</MigrationKey>" if key else ""
    return envelope(
        f'<{element} xmlns="{LOCATOR}" xmlns:i="{IDENTIFIERS}"><ServiceMetadataPublisherID>{smp_id}</ServiceMetadataPublisherID>'
        f'<i:ParticipantIdentifier scheme="{scheme}">{participant}</i:ParticipantIdentifier>{migration}</{element}>'
    )


def publisher(element: str, smp_id: str, address: str = "http://three.test/smp/") -> bytes:
    return envelope(
        f'<{element} xmlns="{LOCATOR}"><PublisherEndpoint><LogicalAddress>{address}</LogicalAddress>'
        f"<PhysicalAddress>127.0.0.1</PhysicalAddress></PublisherEndpoint>"
        f"<ServiceMetadataPublisherID>{smp_id}</ServiceMetadataPublisherID></{element}>"
    )


def naptr(locator: Locator, participant: str = FALCON, kind: str = "NAPTR", name: str = "") -> DNSRecord:
    return DNSRecord.parse(answer(DNSRecord.question(name or dns_name(participant), kind).pack(), locator))


def rules(record: DNSRecord) -> list[bytes]:
    return [each.rdata.regexp for each in record.rr]


def test_names_are_those_of_the_specification():
    name = "fqkzxddxq72l2t6oc4himrezyxut6b2qc3ywzjpjakkhax3aelia"
    assert dns_name("0235:1234567890") == f"{name}.iso6523-actorid-upis.{ZONE}."
    assert dns_name("0242:000306-MLS") == dns_name("0242:000306-mls")


def test_who_is_registered_is_in_dns_until_he_is_not(locator):
    assert naptr(locator).header.rcode == RCODE.NXDOMAIN
    assert sml.perform(PARTICIPANTS, locator, about("CreateParticipantIdentifier", ONE)) == ""
    found = naptr(locator)
    (record,) = found.rr
    assert (record.rtype, record.rdata.flags, record.rdata.service) == (QTYPE.NAPTR, b"U", b"Meta:SMP")
    assert rules(found) == [b"!.*!http://one.test/smp!"]
    sml.perform(PARTICIPANTS, locator, about("DeleteParticipantIdentifier", ONE))
    assert naptr(locator).header.rcode == RCODE.NXDOMAIN


def test_a_name_has_no_records_of_another_type_and_other_zones_are_refused(locator):
    locator.create(ONE, FALCON)
    other_type = naptr(locator, kind="A")
    assert (other_type.header.rcode, other_type.rr) == (RCODE.NOERROR, [])
    assert naptr(locator, name="example.com.").header.rcode == RCODE.REFUSED


def test_what_is_no_question_gets_no_answer(locator):
    assert answer(b"", locator) is None
    assert answer(b"\xff" * 40, locator) is None
    assert answer(naptr(locator).pack(), locator) is None


def test_an_smp_is_created_read_moved_and_deleted_with_its_participants(locator):
    sml.perform(PUBLISHERS, locator, publisher("CreateServiceMetadataPublisherService", "SMP-3"))
    sml.perform(PARTICIPANTS, locator, about("CreateParticipantIdentifier", "SMP-3"))
    read = sml.perform(PUBLISHERS, locator, publisher("ReadServiceMetadataPublisherService", "SMP-3"))
    assert fromstring(read).find(f".//{{{LOCATOR}}}LogicalAddress").text == "http://three.test/smp"
    sml.perform(PUBLISHERS, locator, publisher("UpdateServiceMetadataPublisherService", "SMP-3", "http://moved.test"))
    assert rules(naptr(locator)) == [b"!.*!http://moved.test!"]
    deletion = envelope(f'<ServiceMetadataPublisherID xmlns="{LOCATOR}">SMP-3</ServiceMetadataPublisherID>')
    sml.perform(PUBLISHERS, locator, deletion)
    assert naptr(locator).header.rcode == RCODE.NXDOMAIN


def test_a_participant_moves_with_the_key_that_its_smp_gave(locator):
    locator.create(ONE, FALCON)
    sml.perform(PARTICIPANTS, locator, about("PrepareMigrationRecord", ONE, key="Xy12_zzz"))
    with pytest.raises(Refused, match="ERR-110"):
        sml.perform(PARTICIPANTS, locator, about("CompleteMigrationRecord", OTHER, key="guessed"))
    sml.perform(PARTICIPANTS, locator, about("CompleteMigrationRecord", OTHER, key="Xy12_zzz"))
    assert rules(naptr(locator)) == [b"!.*!http://other.test/smp!"]
    with pytest.raises(Refused, match="ERR-110"):
        sml.perform(PARTICIPANTS, locator, about("CompleteMigrationRecord", ONE, key="Xy12_zzz"))


@pytest.mark.parametrize(
    ("request_body", "kind", "code"),
    [
        (about("CreateParticipantIdentifier", "SMP-9"), "NotFoundFault", "ERR-100"),
        (about("CreateParticipantIdentifier", OTHER), "BadRequestFault", "ERR-106"),
        (about("CreateParticipantIdentifier", ONE, FALCON.upper()), "BadRequestFault", "already exist"),
        (about("CreateParticipantIdentifier", ONE, "0235:1", scheme="other"), "BadRequestFault", "ERR-106"),
        (about("CreateParticipantIdentifier", "", "0235:1"), "BadRequestFault", "'null' or empty"),
        (about("DeleteParticipantIdentifier", ONE, "0235:1"), "NotFoundFault", "ERR-110"),
        (about("DeleteParticipantIdentifier", OTHER), "UnauthorizedFault", "ERR-101"),
        (about("PrepareMigrationRecord", ONE), "BadRequestFault", "MigrationKey"),
        (about("PrepareMigrationRecord", OTHER, key="k"), "UnauthorizedFault", "ERR-101"),
        (about("Surprise", ONE), "BadRequestFault", "not one of this service"),
        (b"<x/>", "BadRequestFault", "not a SOAP envelope"),
        (b"no XML", "BadRequestFault", "not a SOAP envelope"),
        (b'<!DOCTYPE s [<!ENTITY e "x">]>' + about("CreateParticipantIdentifier", ONE), "BadRequestFault", "not a SOAP envelope"),
    ],
)
def test_faults_are_those_of_the_real_one(locator, request_body, kind, code):
    locator.create(ONE, FALCON)
    with pytest.raises(Refused) as refused:
        sml.perform(PARTICIPANTS, locator, request_body)
    assert refused.value.kind == kind
    assert code in refused.value.message
    body = fromstring(sml.fault(refused.value))
    assert body.find(f".//{{{LOCATOR}}}{kind}/{{{LOCATOR}}}FaultMessage").text == refused.value.message
    assert body.find(".//faultcode").text == "soap:Server"
    assert list(locator.participants.items()) == [(FALCON, ONE)]
