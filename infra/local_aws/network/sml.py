"""The SML's SOAP services (BDMSL 1.0: ManageServiceMetadata and ManageParticipantIdentifier), over the locator.

The real SML authenticates callers by client certificates. On loopback there is no TLS; the SMP id in the request identifies the caller.
"""

from collections.abc import Callable
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape

from aiohttp import web
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from local_aws.network.locator import SCHEME, Locator, Refused

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
LOCATOR = "http://busdox.org/serviceMetadata/locator/1.0/"
IDENTIFIERS = "http://busdox.org/transport/identifiers/1.0/"
REQUEST_BYTES = 64 * 1024

Operation = Callable[[Locator, Element], str]


def _text(within: Element, *path: str) -> str:
    """The text of a required element of a request."""
    element = within.find("/".join(path))
    text = (element.text or "").strip() if element is not None else ""
    if not text:
        raise Refused("BadRequestFault", f"[ERR-106] {path[-1].rpartition('}')[2]} cannot be 'null' or empty")
    return text


def _smp(request: Element) -> str:
    return _text(request, f"{{{LOCATOR}}}ServiceMetadataPublisherID")


def _participant(request: Element) -> str:
    name = f"{{{IDENTIFIERS}}}ParticipantIdentifier"
    value = _text(request, name)
    if request.find(name).get("scheme") != SCHEME:
        raise Refused("BadRequestFault", f"[ERR-106] The scheme of the participant identifier '{value}' is not {SCHEME}")
    return value


def _address(request: Element) -> str:
    endpoint = f"{{{LOCATOR}}}PublisherEndpoint"
    _text(request, endpoint, f"{{{LOCATOR}}}PhysicalAddress")
    return _text(request, endpoint, f"{{{LOCATOR}}}LogicalAddress").rstrip("/")


def _create_publisher(locator: Locator, request: Element) -> str:
    locator.create_publisher(_smp(request), _address(request))
    return ""


def _read_publisher(locator: Locator, request: Element) -> str:
    smp_id = _smp(request)
    if (address := locator.publishers.get(smp_id)) is None:
        raise Refused("NotFoundFault", f"[ERR-100] The SMP '{smp_id}' doesn't exist.")
    return (
        f'<ServiceMetadataPublisherService xmlns="{LOCATOR}"><PublisherEndpoint>'
        f"<LogicalAddress>{escape(address)}</LogicalAddress><PhysicalAddress>127.0.0.1</PhysicalAddress></PublisherEndpoint>"
        f"<ServiceMetadataPublisherID>{escape(smp_id)}</ServiceMetadataPublisherID></ServiceMetadataPublisherService>"
    )


def _update_publisher(locator: Locator, request: Element) -> str:
    locator.update_publisher(_smp(request), _address(request))
    return ""


def _delete_publisher(locator: Locator, request: Element) -> str:
    # In this request the element itself contains the identifier.
    smp_id = (request.text or "").strip()
    locator.delete_publisher(smp_id)
    return ""


def _create(locator: Locator, request: Element) -> str:
    locator.create(_smp(request), _participant(request))
    return ""


def _delete(locator: Locator, request: Element) -> str:
    locator.delete(_smp(request), _participant(request))
    return ""


def _migration(request: Element) -> tuple[str, str, str]:
    return _smp(request), _participant(request), _text(request, f"{{{LOCATOR}}}MigrationKey")


def _prepare(locator: Locator, request: Element) -> str:
    locator.prepare_to_migrate(*_migration(request))
    return ""


def _migrate(locator: Locator, request: Element) -> str:
    locator.migrate(*_migration(request))
    return ""


# The element in the body names the operation.
PUBLISHERS: dict[str, Operation] = {
    "CreateServiceMetadataPublisherService": _create_publisher,
    "ReadServiceMetadataPublisherService": _read_publisher,
    "UpdateServiceMetadataPublisherService": _update_publisher,
    "ServiceMetadataPublisherID": _delete_publisher,
}
PARTICIPANTS: dict[str, Operation] = {
    "CreateParticipantIdentifier": _create,
    "DeleteParticipantIdentifier": _delete,
    "PrepareMigrationRecord": _prepare,
    "CompleteMigrationRecord": _migrate,
}


def request_of(body: bytes) -> Element:
    """The content of the body of an envelope."""
    try:
        envelope = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        raise Refused("BadRequestFault", "[ERR-106] The request is not a SOAP envelope") from None
    request = envelope.find(f"{{{SOAP}}}Body/*")
    if envelope.tag != f"{{{SOAP}}}Envelope" or request is None:
        raise Refused("BadRequestFault", "[ERR-106] The request is not a SOAP envelope with a body")
    return request


def perform(operations: dict[str, Operation], locator: Locator, body: bytes) -> str:
    request = request_of(body)
    namespace, _, name = request.tag.rpartition("}")
    operation = operations.get(name) if namespace == f"{{{LOCATOR}" else None
    if operation is None:
        raise Refused("BadRequestFault", f"[ERR-106] The operation {request.tag} is not one of this service")
    return operation(locator, request)


def envelope(content: str) -> str:
    return f'<soap:Envelope xmlns:soap="{SOAP}"><soap:Body>{content}</soap:Body></soap:Envelope>'


def fault(refused: Refused) -> str:
    message = escape(refused.message)
    return envelope(
        f"<soap:Fault><faultcode>soap:Server</faultcode><faultstring>{message}</faultstring>"
        f'<detail><{refused.kind} xmlns="{LOCATOR}"><FaultMessage>{message}</FaultMessage></{refused.kind}></detail></soap:Fault>'
    )


def application(locator: Locator) -> web.Application:
    """Both services, at the paths of the real ones."""

    def service(operations: dict[str, Operation]):
        async def answer(request: web.Request) -> web.Response:
            try:
                status, content = 200, envelope(perform(operations, locator, await request.read()))
            except Refused as refused:
                # SOAP 1.1, section 6.2: a fault has the status 500.
                status, content = 500, fault(refused)
            return web.Response(status=status, text=content, content_type="text/xml")

        return answer

    made = web.Application(client_max_size=REQUEST_BYTES)
    made.router.add_post("/manageservicemetadata", service(PUBLISHERS))
    made.router.add_post("/manageparticipantidentifier", service(PARTICIPANTS))
    return made
