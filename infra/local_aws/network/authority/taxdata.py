"""Reads a Tax Data Document out of its envelope (PINT-AE TDD 1.0.4)."""

from dataclasses import asdict, dataclass
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

ENVELOPE = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"
TAX_DATA = "urn:peppol:schema:taxdata:1.0"
_SPACES = {
    "s": ENVELOPE,
    "pxs": TAX_DATA,
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cec": "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2",
}
_TIN_DIGITS = 10
_HEADER = "s:StandardBusinessDocumentHeader"
_REPORTED = "pxs:ReportedTransaction/pxs:ReportedDocument"


class Unreadable(Exception):
    """The envelope contains no Tax Data Document, so the authority can neither judge nor answer it."""


@dataclass(frozen=True)
class Document:
    """The reported data of a business document, which must be equal in the reports of both sides."""

    number: str
    uuid: str
    type: str
    issued: str
    seller: str


@dataclass(frozen=True)
class TaxData:
    """A report about one business document; fields that the report does not contain are empty."""

    kind: str
    scope: str
    role: str
    # Participants, scheme and value.
    reporting_party: str
    receiving_party: str
    representative: str
    transport_header_id: str
    # None only for a document that failed validation.
    document: Document | None
    # The business document's number. A report of a failed document may have it without the document's data.
    number: str
    # Those of the envelope.
    sender: str
    receiver: str

    @property
    def transaction(self) -> str:
        """The key that all reports about one document share: its envelope's identifier, or the document's own identity if it was not
        sent."""
        if self.transport_header_id or self.document is None:
            return self.transport_header_id or self.number
        return f"{self.document.seller}/{self.document.type}/{self.document.number}"

    def as_json(self) -> dict:
        return asdict(self)

    @classmethod
    def of_json(cls, content: dict) -> "TaxData":
        document = content["document"]
        return cls(**content | {"document": document and Document(**document)})


def read(envelope: bytes) -> tuple[TaxData, Element]:
    """The report of an envelope, and its XML element."""
    try:
        root = fromstring(envelope)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Unreadable(f"the envelope is not XML: {error}") from None
    tax_data = root.find(f"{{{TAX_DATA}}}TaxData")
    if tax_data is None:
        raise Unreadable("the envelope holds no TaxData")
    reported = tax_data.find(_REPORTED, _SPACES)
    source = tax_data.find("pxs:ReportedTransaction/pxs:SourceDocument/cec:ExtensionContent/*", _SPACES)
    document = None if reported is None else _document(reported)
    failed = _text(source, "cbc:ID") if source is not None else ""
    read = TaxData(
        kind=_text(tax_data, "pxs:DocumentTypeCode"),
        scope=_text(tax_data, "pxs:DocumentScope"),
        role=_text(tax_data, "pxs:ReporterRole"),
        reporting_party=_party(tax_data, "pxs:ReportingParty/cbc:EndpointID"),
        receiving_party=_party(tax_data, "pxs:ReceivingParty/cbc:EndpointID"),
        representative=_party(tax_data, "pxs:ReportersRepresentative/cac:PartyIdentification/cbc:ID"),
        transport_header_id=_text(tax_data, "pxs:ReportedTransaction/pxs:TransportHeaderID"),
        document=document,
        number=document.number if document else failed,
        sender=_text(root, f"{_HEADER}/s:Sender/s:Identifier"),
        receiver=_text(root, f"{_HEADER}/s:Receiver/s:Identifier"),
    )
    return read, tax_data


def _document(reported: Element) -> Document:
    seller = _text(reported, "cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID")
    return Document(
        number=_text(reported, "cbc:ID"),
        uuid=_text(reported, "cbc:UUID"),
        type=_text(reported, "pxs:DocumentTypeCode"),
        issued=_text(reported, "cbc:IssueDate"),
        # A TRN begins with the TIN.
        seller=seller[:_TIN_DIGITS],
    )


def _text(within: Element, path: str) -> str:
    return (within.findtext(path, "", _SPACES) or "").strip()


def _party(within: Element, path: str) -> str:
    found = within.find(path, _SPACES)
    return "" if found is None else f"{found.get('schemeID', '')}:{(found.text or '').strip()}"
