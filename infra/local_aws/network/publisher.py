"""An SMP that publishes its registrations: ServiceGroup and SignedServiceMetadata (Peppol SMP 1.4)."""

import asyncio
import base64
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote
from xml.sax.saxutils import escape

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from local_aws.network.locator import SCHEME
from local_aws.network.pki import Seat

SMP = "http://busdox.org/serviceMetadata/publishing/1.0/"
IDENTIFIERS = "http://busdox.org/transport/identifiers/1.0/"
ADDRESSING = "http://www.w3.org/2005/08/addressing"
SIGNATURE = "http://www.w3.org/2000/09/xmldsig#"
CANONICAL = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
TRANSPORT = "peppol-transport-as4-v2_0"


@dataclass(frozen=True)
class Service:
    """A document type with its process, both with their schemes."""

    document_type: str
    process: str


def _pint(root: str, process: str, customization: str) -> Service:
    namespace = f"urn:oasis:names:specification:ubl:schema:xsd:{root}-2"
    document_type = f"peppol-doctype-wildcard::{namespace}::{root}##urn:peppol:pint:{customization}@ae-1*::2.1"
    return Service(document_type, f"cenbii-procid-ubl::urn:peppol:bis:{process}")


# What a taxpayer of the UAE receives (PINT-AE 1.0.4).
DOCUMENTS = [
    _pint(root, process, customization)
    for process, customization in (("billing", "billing-1"), ("selfbilling", "selfbilling-1"))
    for root in ("Invoice", "CreditNote")
]
# What an access point itself receives (Peppol MLS 1.1).
STATUSES = [
    Service(
        "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"
        "::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1",
        "cenbii-procid-ubl::urn:peppol:edec:mls",
    )
]
# What a tax authority receives (PINT-AE TDD 1.0.4).
TAX_DATA = [
    Service(
        "busdox-docid-qns::urn:peppol:schema:taxdata:1.0::TaxData##urn:peppol:taxdata:ae-1::1.0",
        "cenbii-procid-ubl::urn:peppol:taxreporting",
    )
]

# What OpenPeppol receives of service providers (TSR 1.0, EUSR 1.1).
STATISTICS = [
    Service(f"busdox-docid-qns::urn:fdc:peppol:{document_type}", "cenbii-procid-ubl::urn:fdc:peppol.eu:edec:bis:reporting:1.0")
    for document_type in (
        "transaction-statistics-report:1.0::TransactionStatisticsReport"
        "##urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0::1.0",
        "end-user-statistics-report:1.1::EndUserStatisticsReport##urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1::1.1",
    )
]


# Delay of a slow and of a silent SMP. Senders do not wait that long for a silent one.
SLOW_SECONDS = 3
SILENT_SECONDS = 12


class Day(StrEnum):
    """How an SMP behaves."""

    UP = "up"
    # Answers 503.
    DOWN = "down"
    # Answers 500.
    BROKEN = "broken"
    # Answers with an HTML page.
    PAGE = "page"
    # Answers late.
    SLOW = "slow"
    # Answers later than senders wait.
    SILENT = "silent"
    # Answers about another participant.
    OTHER_PARTICIPANT = "other-participant"
    # Answers about another document type.
    OTHER_DOCUMENT = "other-document"
    # Signs with a certificate of another network.
    FOREIGN = "foreign"
    # Signs with an expired certificate.
    EXPIRED = "expired"
    # Does not sign.
    UNSIGNED = "unsigned"
    # Changes the metadata after signing.
    SPOILT = "spoilt"


@dataclass(frozen=True)
class Endpoint:
    """An access point."""

    address: str
    certificate: x509.Certificate


class Publisher:
    """Writes its documents in canonical form (Canonical XML 1.0), so that no canonicalization is needed before signing."""

    def __init__(self, seat: Seat, base_url: str, foreign: Seat, expired: Seat):
        self._seats, self._seat, self._base_url = {Day.FOREIGN: foreign, Day.EXPIRED: expired}, seat, base_url
        self._participants: dict[str, tuple[Endpoint, list[Service]]] = {}
        self._day = Day.UP
        # Days of single participants.
        self._days: dict[str, Day] = {}
        # Number of requests for each participant.
        self._asked: Counter[str] = Counter()

    def add(self, participant: str, endpoint: Endpoint, services: list[Service]) -> None:
        self._participants[participant.lower()] = (endpoint, services)

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_put("/day", self._change)
        made.router.add_put("/{participant}", self._register)
        made.router.add_get("/asked/{participant}", self._show)
        made.router.add_get("/{participant}", self._group)
        made.router.add_get("/{participant}/services/{document_type}", self._metadata)
        return made

    async def _change(self, request: web.Request) -> web.Response:
        """Sets the day of the SMP, or of one participant."""
        asked = await request.json()
        try:
            day = Day(asked["day"])
        except (ValueError, KeyError):
            raise web.HTTPBadRequest(text=f'{{"day": …, "participant": …}}: the day is one of {", ".join(Day)}') from None
        if participant := asked.get("participant"):
            self._days[participant.lower()] = day
        else:
            self._day = day
        return web.Response(status=204)

    async def _register(self, request: web.Request) -> web.Response:
        """Registers a participant of an access point that was added later."""
        told = await request.json()
        endpoint = Endpoint(told["address"], x509.load_pem_x509_certificate(told["certificate"].encode()))
        _, _, participant = request.match_info["participant"].partition("::")
        self.add(participant, endpoint, [Service(*each) for each in told["services"]])
        return web.Response(status=204)

    async def _show(self, request: web.Request) -> web.Response:
        return web.json_response({"asked": self._asked[request.match_info["participant"].lower()]})

    async def _known(self, request: web.Request) -> tuple[Day, str, Endpoint, list[Service]]:
        scheme, _, participant = request.match_info["participant"].partition("::")
        self._asked[participant.lower()] += 1
        day = self._day if self._day is not Day.UP else self._days.get(participant.lower(), Day.UP)
        match day:
            case Day.DOWN:
                raise web.HTTPServiceUnavailable
            case Day.BROKEN:
                raise web.HTTPInternalServerError
            case Day.PAGE:
                raise web.HTTPOk(text="<!DOCTYPE html><html><body>Welcome to our SMP", content_type="text/html")
            case Day.SLOW:
                await asyncio.sleep(SLOW_SECONDS)
            case Day.SILENT:
                await asyncio.sleep(SILENT_SECONDS)
        found = self._participants.get(participant.lower())
        if scheme.lower() != SCHEME or found is None:
            raise web.HTTPNotFound
        return day, participant, *found

    async def _group(self, request: web.Request) -> web.Response:
        _, participant, _, services = await self._known(request)
        path = quote(f"{SCHEME}::{participant}", safe="")
        addresses = [f"{self._base_url}/{path}/services/{quote(each.document_type, safe='')}" for each in services]
        references = "".join(f'<ServiceMetadataReference href="{each}"></ServiceMetadataReference>' for each in addresses)
        return _xml(
            f'<ServiceGroup xmlns="{SMP}" xmlns:id="{IDENTIFIERS}">{_identifier("Participant", SCHEME, participant)}'
            f"<ServiceMetadataReferenceCollection>{references}</ServiceMetadataReferenceCollection></ServiceGroup>"
        )

    async def _metadata(self, request: web.Request) -> web.Response:
        day, participant, endpoint, services = await self._known(request)
        asked = request.match_info["document_type"]
        service = next((each for each in services if each.document_type == asked), None)
        if service is None:
            raise web.HTTPNotFound
        match day:
            case Day.OTHER_PARTICIPANT:
                participant = f"{participant[:-1]}X"
            case Day.OTHER_DOCUMENT:
                service = next(each for each in services if each is not service)
        return _xml(_as_on(day, self.signed(_information(participant, endpoint, service), self._seats.get(day))))

    def signed(self, metadata: str, seat: Seat | None = None) -> str:
        """SignedServiceMetadata with an enveloped signature (XML Signature, section 6.6.4), by its own key or that of `seat`."""
        seat = seat or self._seat
        root = f'<SignedServiceMetadata xmlns="{SMP}" xmlns:id="{IDENTIFIERS}" xmlns:wsa="{ADDRESSING}">'
        digest = _base64(hashlib.sha256(f"{root}{metadata}</SignedServiceMetadata>".encode()).digest())
        content = (
            f'<ds:CanonicalizationMethod Algorithm="{CANONICAL}"></ds:CanonicalizationMethod>'
            '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></ds:SignatureMethod>'
            f'<ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="{SIGNATURE}enveloped-signature"></ds:Transform></ds:Transforms>'
            '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>'
            f"<ds:DigestValue>{digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>"
        )
        # Inclusive canonicalization: the namespaces in scope belong to SignedInfo, in order of prefix.
        inherited = f'xmlns="{SMP}" xmlns:ds="{SIGNATURE}" xmlns:id="{IDENTIFIERS}" xmlns:wsa="{ADDRESSING}"'
        value = _base64(seat.key.sign(f"<ds:SignedInfo {inherited}>{content}".encode(), PKCS1v15(), SHA256()))
        subject = escape(seat.certificate.subject.rfc4514_string())
        certificate = _base64(seat.certificate.public_bytes(Encoding.DER))
        return (
            f'{root}{metadata}<ds:Signature xmlns:ds="{SIGNATURE}"><ds:SignedInfo>{content}'
            f"<ds:SignatureValue>{value}</ds:SignatureValue><ds:KeyInfo><ds:X509Data>"
            f"<ds:X509SubjectName>{subject}</ds:X509SubjectName><ds:X509Certificate>{certificate}</ds:X509Certificate>"
            "</ds:X509Data></ds:KeyInfo></ds:Signature></SignedServiceMetadata>"
        )


def _as_on(day: Day, document: str) -> str:
    match day:
        case Day.UNSIGNED:
            return re.sub("<ds:Signature .*</ds:Signature>", "", document)
        case Day.SPOILT:
            return document.replace("<ServiceDescription>", "<ServiceDescription>Another ", 1)
    return document


def _information(participant: str, endpoint: Endpoint, service: Service) -> str:
    certificate = _base64(endpoint.certificate.public_bytes(Encoding.DER))
    return (
        f"<ServiceMetadata><ServiceInformation>{_identifier('Participant', SCHEME, participant)}"
        f"{_identifier('Document', *service.document_type.split('::', 1))}"
        f"<ProcessList><Process>{_identifier('Process', *service.process.split('::', 1))}"
        f'<ServiceEndpointList><Endpoint transportProfile="{TRANSPORT}">'
        f"<wsa:EndpointReference><wsa:Address>{escape(endpoint.address)}</wsa:Address></wsa:EndpointReference>"
        "<RequireBusinessLevelSignature>false</RequireBusinessLevelSignature>"
        f"<Certificate>{certificate}</Certificate><ServiceDescription>Local access point</ServiceDescription>"
        "<TechnicalContactUrl>mailto:ap@example.com</TechnicalContactUrl>"
        "</Endpoint></ServiceEndpointList></Process></ProcessList></ServiceInformation></ServiceMetadata>"
    )


def _identifier(what: str, scheme: str, value: str) -> str:
    return f'<id:{what}Identifier scheme="{escape(scheme)}">{escape(value)}</id:{what}Identifier>'


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _xml(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/xml")
