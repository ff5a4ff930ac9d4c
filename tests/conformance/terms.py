"""Business terms of PINT-AE and their places in UBL 2.1.

This table is independent of the product: each term has its id, its place in an invoice and, if it differs, in a credit note. Places are
XPath over a copy of the document without namespaces (the XML Schema has checked those already), relative to the group of the term. A
repeated group is compared instance by instance.

A few `syntax` entries are elements that UBL requires around a term and that are no terms, such as the currencies of an exchange rate.
Amounts carry their currency. An element or attribute without an entry is reported as `unclaimed`, so that nothing is overlooked.
"""
import re
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from lxml import etree


@dataclass(frozen=True)
class Term:
    """One value: `kind` is text, number, or amount (a number with a currency)."""

    id: str
    invoice: str
    credit_note: str | None = None
    kind: str = "text"


@dataclass(frozen=True)
class Group:
    """A group of terms that repeats, or that only shortens paths (`id` empty)."""

    id: str
    invoice: str
    terms: tuple
    credit_note: str | None = None
    claims: tuple = ()  # values that the group's own predicate reads


def text(term, place, credit_note=None):
    return Term(term, place, credit_note)


def number(term, place, credit_note=None):
    return Term(term, place, credit_note, "number")


def amount(term, place, credit_note=None):
    return Term(term, place, credit_note, "amount")


def address(lines_and_country, place):
    """An address; the term ids in the order line 1, 2, 3, city, post code, subdivision, country."""
    leaves = ("StreetName", "AdditionalStreetName", "AddressLine/Line", "CityName", "PostalZone",
              "CountrySubentity", "Country/IdentificationCode")
    return tuple(text(term, f"{place}/{leaf}") for term, leaf in zip(lines_and_country, leaves, strict=True) if term)


def contact(name, telephone, mail):
    return (text(name, "Contact/Name"), text(telephone, "Contact/Telephone"), text(mail, "Contact/ElectronicMail"))


def legal(identifier, kind, authority, passport):
    place = "PartyLegalEntity/CompanyID"
    return (text(identifier, place), text(f"{identifier}-1", f"{place}/@schemeID"),
            text(kind, f"{place}/@schemeAgencyID"),
            text(authority, f"{place}[@schemeAgencyID='TL']/@schemeAgencyName"),
            text(passport, f"{place}[not(@schemeAgencyID='TL')]/@schemeAgencyName"))


HEADER = (
    text("IBT-024", "CustomizationID"),
    text("IBT-023", "ProfileID"),
    text("BTAE-02", "ProfileExecutionID"),
    text("IBT-001", "ID"),
    text("BTAE-07", "UUID"),
    text("IBT-002", "IssueDate"),
    text("IBT-168", "IssueTime"),
    text("IBT-009", "DueDate", "PaymentMeans/PaymentDueDate"),
    text("IBT-003", "InvoiceTypeCode", "CreditNoteTypeCode"),
    text("IBT-022", "Note"),
    text("IBT-007", "TaxPointDate"),
    text("IBT-005", "DocumentCurrencyCode"),
    text("IBT-006", "TaxCurrencyCode"),
    number("BTAE-04", "TaxExchangeRate/CalculationRate"),
    text("syntax: source of BTAE-04", "TaxExchangeRate/SourceCurrencyCode"),
    text("syntax: target of BTAE-04", "TaxExchangeRate/TargetCurrencyCode"),
    text("IBT-019", "AccountingCost"),
    text("IBT-010", "BuyerReference"),
    text("IBT-073", "InvoicePeriod/StartDate"),
    text("IBT-074", "InvoicePeriod/EndDate"),
    text("BTAE-06", "InvoicePeriod/DescriptionCode"),
    text("BTAE-03", "DiscrepancyResponse/ResponseCode"),
)

REFERENCES = (
    text("IBT-013", "OrderReference/ID"),
    text("IBT-014", "OrderReference/SalesOrderID"),
    Group("IBG-03", "BillingReference/InvoiceDocumentReference", (
        text("IBT-025", "ID"),
        text("IBT-026", "IssueDate"),
    )),
    text("IBT-016", "DespatchDocumentReference/ID"),
    text("IBT-015", "ReceiptDocumentReference/ID"),
    text("BTAE-21", "StatementDocumentReference/ID"),
    text("IBT-017", "OriginatorDocumentReference/ID"),
    text("IBT-012", "ContractDocumentReference/ID"),
    text("BTAE-05", "ContractDocumentReference/DocumentDescription"),
    Group("", "AdditionalDocumentReference[DocumentTypeCode='130']", (
        text("IBT-018", "ID"),
        text("IBT-018-1", "ID/@schemeID"),
    ), claims=("DocumentTypeCode",)),
    Group("", "AdditionalDocumentReference[DocumentTypeCode='aedtotal-incl-vat']", (
        text("BTAE-20", "DocumentDescription"),
        text("syntax: ID of BTAE-20", "ID"),
    ), claims=("DocumentTypeCode",)),
    Group("", "ProjectReference", (text("IBT-011", "ID"),),
          credit_note="AdditionalDocumentReference[DocumentTypeCode='50']", claims=("DocumentTypeCode",)),
    Group("IBG-24", "AdditionalDocumentReference[not(DocumentTypeCode)]", (
        text("IBT-122", "ID"),
        text("IBT-123", "DocumentDescription"),
        text("IBT-124", "Attachment/ExternalReference/URI"),
        text("IBT-125", "Attachment/EmbeddedDocumentBinaryObject"),
        text("IBT-125-1", "Attachment/EmbeddedDocumentBinaryObject/@mimeCode"),
        text("IBT-125-2", "Attachment/EmbeddedDocumentBinaryObject/@filename"),
    )),
)

SELLER = Group("", "AccountingSupplierParty/Party", (
    text("IBT-034", "EndpointID"),
    text("IBT-034-1", "EndpointID/@schemeID"),
    Group("IBT-029 of IBG-04", "PartyIdentification[not(ID/@schemeID='SEPA')]", (
        text("IBT-029", "ID"),
        text("IBT-029-1", "ID/@schemeID"),
    )),
    text("IBT-090", "PartyIdentification/ID[@schemeID='SEPA']"),
    text("syntax: scheme of IBT-090", "PartyIdentification/ID[@schemeID='SEPA']/@schemeID"),
    text("IBT-028", "PartyName/Name"),
    *address(("IBT-035", "IBT-036", "IBT-162", "IBT-037", "IBT-038", "IBT-039", "IBT-040"), "PostalAddress"),
    text("IBT-031", "PartyTaxScheme[TaxScheme/ID='VAT']/CompanyID"),
    text("IBT-031-1", "PartyTaxScheme/TaxScheme/ID[.='VAT']"),
    text("IBT-032", "PartyTaxScheme[not(TaxScheme/ID='VAT')]/CompanyID"),
    text("IBT-032-1", "PartyTaxScheme/TaxScheme/ID[not(.='VAT')]"),
    text("IBT-027", "PartyLegalEntity/RegistrationName"),
    *legal("IBT-030", "BTAE-15", "BTAE-12", "BTAE-18"),
    text("IBT-033", "PartyLegalEntity/CompanyLegalForm"),
    *contact("IBT-041", "IBT-042", "IBT-043"),
))

BUYER = Group("", "AccountingCustomerParty/Party", (
    text("IBT-049", "EndpointID"),
    text("IBT-049-1", "EndpointID/@schemeID"),
    text("IBT-046", "PartyIdentification/ID"),
    text("IBT-046-1", "PartyIdentification/ID/@schemeID"),
    text("IBT-045", "PartyName/Name"),
    *address(("IBT-050", "IBT-051", "IBT-163", "IBT-052", "IBT-053", "IBT-054", "IBT-055"), "PostalAddress"),
    text("IBT-048", "PartyTaxScheme/CompanyID"),
    text("IBT-048-1", "PartyTaxScheme/TaxScheme/ID"),
    text("IBT-044", "PartyLegalEntity/RegistrationName"),
    *legal("IBT-047", "BTAE-16", "BTAE-11", "BTAE-19"),
    *contact("IBT-056", "IBT-057", "IBT-058"),
))

OTHER_PARTIES = (
    Group("", "PayeeParty", (
        text("IBT-059", "PartyName/Name"),
        text("IBT-060", "PartyIdentification/ID"),
        text("IBT-060-1", "PartyIdentification/ID/@schemeID"),
        text("IBT-061", "PartyLegalEntity/CompanyID"),
        text("IBT-061-1", "PartyLegalEntity/CompanyID/@schemeID"),
    )),
    text("BTAE-01", "BuyerCustomerParty/Party/PartyIdentification/ID"),
    text("BTAE-14", "SellerSupplierParty/Party/PartyIdentification/ID"),
    Group("", "TaxRepresentativeParty", (
        text("IBT-062", "PartyName/Name"),
        text("IBT-063", "PartyTaxScheme/CompanyID"),
        text("IBT-063-1", "PartyTaxScheme/TaxScheme/ID"),
        *address(("IBT-064", "IBT-065", "IBT-164", "IBT-066", "IBT-067", "IBT-068", "IBT-069"), "PostalAddress"),
    )),
)

DELIVERY = Group("", "Delivery", (
    text("IBT-072", "ActualDeliveryDate"),
    text("IBT-071", "DeliveryLocation/ID"),
    text("IBT-071-1", "DeliveryLocation/ID/@schemeID"),
    *address(("IBT-075", "IBT-076", "IBT-165", "IBT-077", "IBT-078", "IBT-079", "IBT-080"), "DeliveryLocation/Address"),
    text("BTAE-23", "DeliveryParty/PartyIdentification/ID"),
    text("IBT-070", "DeliveryParty/PartyName/Name"),
    text("BTAE-22", "DeliveryTerms/ID"),
    text("syntax: scheme of BTAE-22", "DeliveryTerms/ID/@schemeID"),
))

PAYMENT = (
    Group("IBG-16", "PaymentMeans", (
        text("IBT-178", "ID"),
        text("IBT-081", "PaymentMeansCode"),
        text("IBT-082", "PaymentMeansCode/@name"),
        text("IBT-083", "PaymentID"),
        text("IBT-083-1", "PaymentID/@schemeID"),
        text("IBT-084", "PayeeFinancialAccount/ID"),
        text("IBT-084-1", "PayeeFinancialAccount/ID/@schemeID"),
        text("IBT-085", "PayeeFinancialAccount/Name"),
        text("IBT-086", "PayeeFinancialAccount/FinancialInstitutionBranch/ID"),
        *address(("IBT-169", "IBT-170", "IBT-174", "IBT-171", "IBT-172", "IBT-173", "IBT-175"),
                 "PayeeFinancialAccount/FinancialInstitutionBranch/Address"),
        text("IBT-087", "CardAccount/PrimaryAccountNumberID"),
        text("syntax: network of IBG-18", "CardAccount/NetworkID"),
        text("IBT-088", "CardAccount/HolderName"),
        text("IBT-089", "PaymentMandate/ID"),
        text("IBT-091", "PaymentMandate/PayerFinancialAccount/ID"),
    )),
    Group("IBG-33", "PaymentTerms", (
        text("IBT-187", "PaymentMeansID"),
        text("IBT-020", "Note"),
        amount("IBT-176", "Amount"),
        text("IBT-177", "InstallmentDueDate"),
    )),
    Group("IBG-35", "PrepaidPayment", (
        text("IBT-179", "ID"),
        amount("IBT-180", "PaidAmount"),
        text("IBT-181", "ReceivedDate"),
    )),
)


def document_allowance_charge(group, indicator, ids):
    """`ids`: amount, base, percentage, reason, reason code, category, rate, exemption code, exemption text."""
    return Group(group, f"AllowanceCharge[ChargeIndicator='{indicator}']", (
        amount(ids[0], "Amount"),
        amount(ids[1], "BaseAmount"),
        number(ids[2], "MultiplierFactorNumeric"),
        text(ids[3], "AllowanceChargeReason"),
        text(ids[4], "AllowanceChargeReasonCode"),
        text(ids[5], "TaxCategory/ID"),
        text(f"{ids[5]}-1", "TaxCategory/TaxScheme/ID"),
        number(ids[6], "TaxCategory/Percent"),
        text(ids[7], "TaxCategory/TaxExemptionReasonCode"),
        text(ids[8], "TaxCategory/TaxExemptionReason"),
    ), claims=("ChargeIndicator",))


def line_allowance_charge(group, indicator, ids):
    """`ids`: amount, base, percentage, reason, reason code."""
    return Group(group, f"AllowanceCharge[ChargeIndicator='{indicator}']", (
        amount(ids[0], "Amount"),
        amount(ids[1], "BaseAmount"),
        number(ids[2], "MultiplierFactorNumeric"),
        text(ids[3], "AllowanceChargeReason"),
        text(ids[4], "AllowanceChargeReasonCode"),
    ), claims=("ChargeIndicator",))


# The TaxTotal in the tax currency is the one without subtotals, after the document's own.
DOCUMENT_TAX = "TaxTotal[TaxAmount/@currencyID=/*/DocumentCurrencyCode]"
ACCOUNTING_TAX = "TaxTotal[not(TaxAmount/@currencyID=/*/DocumentCurrencyCode)]"

AMOUNTS = (
    document_allowance_charge("IBG-20", "false", ("IBT-092", "IBT-093", "IBT-094", "IBT-097", "IBT-098", "IBT-095",
                                                  "IBT-096", "IBT-196", "IBT-197")),
    document_allowance_charge("IBG-21", "true", ("IBT-099", "IBT-100", "IBT-101", "IBT-104", "IBT-105", "IBT-102",
                                                 "IBT-103", "IBT-198", "IBT-199")),
    amount("IBT-106", "LegalMonetaryTotal/LineExtensionAmount"),
    amount("IBT-107", "LegalMonetaryTotal/AllowanceTotalAmount"),
    amount("IBT-108", "LegalMonetaryTotal/ChargeTotalAmount"),
    amount("IBT-109", "LegalMonetaryTotal/TaxExclusiveAmount"),
    amount("IBT-110", f"{DOCUMENT_TAX}/TaxAmount"),
    amount("IBT-111", f"{ACCOUNTING_TAX}/TaxAmount"),
    text("IBT-200", "TaxTotal/TaxIncludedIndicator"),
    amount("IBT-112", "LegalMonetaryTotal/TaxInclusiveAmount"),
    amount("IBT-113", "LegalMonetaryTotal/PrepaidAmount"),
    amount("IBT-114", "LegalMonetaryTotal/PayableRoundingAmount"),
    amount("IBT-115", "LegalMonetaryTotal/PayableAmount"),
    Group("IBG-23", f"{DOCUMENT_TAX}/TaxSubtotal", (
        amount("IBT-116", "TaxableAmount"),
        amount("IBT-117", "TaxAmount"),
        text("IBT-118", "TaxCategory/ID"),
        text("IBT-118-1", "TaxCategory/TaxScheme/ID"),
        number("IBT-119", "TaxCategory/Percent"),
    )),
)

LINE = Group("IBG-25", "InvoiceLine", (
    text("IBT-126", "ID"),
    text("IBT-127", "Note"),
    number("IBT-129", "InvoicedQuantity", "CreditedQuantity"),
    text("IBT-130", "InvoicedQuantity/@unitCode", "CreditedQuantity/@unitCode"),
    amount("IBT-131", "LineExtensionAmount"),
    text("IBT-133", "AccountingCost"),
    text("IBT-134", "InvoicePeriod/StartDate"),
    text("IBT-135", "InvoicePeriod/EndDate"),
    text("IBT-132", "OrderLineReference/LineID"),
    text("IBT-183", "OrderLineReference/OrderReference/ID"),
    text("IBT-184", "DespatchLineReference/DocumentReference/ID"),
    text("syntax: line of IBT-184", "DespatchLineReference/LineID"),
    Group("", "DocumentReference[DocumentTypeCode='130']", (
        text("IBT-128", "ID"),
        text("IBT-128-1", "ID/@schemeID"),
    ), claims=("DocumentTypeCode",)),
    line_allowance_charge("IBG-27", "false", ("IBT-136", "IBT-137", "IBT-138", "IBT-139", "IBT-140")),
    line_allowance_charge("IBG-28", "true", ("IBT-141", "IBT-142", "IBT-143", "IBT-144", "IBT-145")),
    text("IBT-154", "Item/Description"),
    text("IBT-153", "Item/Name"),
    text("IBT-156", "Item/BuyersItemIdentification/ID"),
    text("IBT-155", "Item/SellersItemIdentification/ID"),
    text("IBT-157", "Item/StandardItemIdentification/ID"),
    text("IBT-157-1", "Item/StandardItemIdentification/ID/@schemeID"),
    text("BTAE-17", "Item/AdditionalItemIdentification/ID"),
    text("BTAE-17-1", "Item/AdditionalItemIdentification/ID/@schemeID"),
    text("BTAE-17-2", "Item/AdditionalItemIdentification/ID/@schemeVersionID"),
    text("IBT-159", "Item/OriginCountry/IdentificationCode"),
    text("BTAE-09", "Item/CommodityClassification/NatureCode"),
    text("BTAE-13", "Item/CommodityClassification/CommodityCode"),
    text("IBT-158", "Item/CommodityClassification/ItemClassificationCode"),
    text("IBT-158-1", "Item/CommodityClassification/ItemClassificationCode/@listID"),
    text("IBT-158-2", "Item/CommodityClassification/ItemClassificationCode/@listVersionID"),
    text("IBT-151", "Item/ClassifiedTaxCategory/ID"),
    text("IBT-167", "Item/ClassifiedTaxCategory/TaxScheme/ID"),
    number("IBT-152", "Item/ClassifiedTaxCategory/Percent"),
    text("IBT-186", "Item/ClassifiedTaxCategory/TaxExemptionReasonCode"),
    text("IBT-185", "Item/ClassifiedTaxCategory/TaxExemptionReason"),
    Group("IBG-32", "Item/AdditionalItemProperty", (
        text("IBT-160", "Name"),
        text("IBT-161", "Value"),
    )),
    text("BTAE-24", "Item/ItemInstance/LotIdentification/LotNumberID"),
    amount("IBT-146", "Price/PriceAmount"),
    number("IBT-149", "Price/BaseQuantity"),
    text("IBT-150", "Price/BaseQuantity/@unitCode"),
    Group("", "Price/AllowanceCharge", (
        amount("IBT-147", "Amount"),
        amount("IBT-148", "BaseAmount"),
    ), claims=("ChargeIndicator",)),
    amount("BTAE-10", "ItemPriceExtension/Amount"),
    amount("BTAE-08", "ItemPriceExtension/TaxTotal/TaxAmount"),
), credit_note="CreditNoteLine")

TABLE = (*HEADER, *REFERENCES, SELLER, BUYER, *OTHER_PARTIES, DELIVERY, *PAYMENT, *AMOUNTS, LINE)

SCHEMA_LOCATION = "{http://www.w3.org/2001/XMLSchema-instance}schemaLocation"


def flat(entries=TABLE):
    """Every entry with a value, including those inside groups."""
    for entry in entries:
        if isinstance(entry, Group):
            yield from flat(entry.terms)
        else:
            yield entry


def term_ids():
    """The ids of all business terms in the table, without the syntax entries."""
    return {entry.id for entry in flat() if not entry.id.startswith("syntax")}


@dataclass
class Reading:
    """The content of a document: values by key, the terms that occur, and the unclaimed places."""

    values: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=dict)
    terms: set = field(default_factory=set)
    unclaimed: dict = field(default_factory=dict)
    compared: int = 0


def read(path):
    """Reads the business terms of a UBL file."""
    root = etree.parse(str(path), etree.XMLParser(remove_comments=True, remove_pis=True)).getroot()
    for element in root.iter():
        element.tag = etree.QName(element).localname
    reading, claimed = Reading(), set()
    _take(TABLE, root, root.tag == "CreditNote", "", reading, claimed)
    for place, value, key in _leaves(root):
        if key not in claimed:
            reading.unclaimed.setdefault(place, []).append(value)
    return reading


def same(kind, one, other):
    """Whether two lists of values are equal: numbers as decimals, all else as text."""
    return [_comparable(kind, v) for v in one] == [_comparable(kind, v) for v in other]


def _comparable(kind, value):
    if kind == "text":
        return value
    digits, _, currency = value.partition(" ")
    try:
        return (Decimal(digits).normalize(), currency)
    except InvalidOperation:
        return value


def _take(entries, node, credit_note, prefix, reading, claimed):
    for entry in entries:
        place = (credit_note and entry.credit_note) or entry.invoice
        found = node.xpath(place)
        if isinstance(entry, Group):
            for index, child in enumerate(found, 1):
                inside = f"{prefix}{entry.id}[{index}] " if entry.id else prefix
                for claim in entry.claims:
                    claimed.update(_key(hit) for hit in child.xpath(claim))
                _take(entry.terms, child, credit_note, inside, reading, claimed)
        elif found:
            values = []
            for hit in found:
                claimed.add(_key(hit))
                value = _normal(hit if isinstance(hit, str) else hit.text)
                if entry.kind == "amount":
                    claimed.add((_key(hit), "currencyID"))
                    value = f"{value} {hit.get('currencyID')}"
                values.append(value)
            key = prefix + entry.id
            assert key not in reading.values, f"two places for {key}"
            reading.values[key], reading.kinds[key] = values, entry.kind
            if not entry.id.startswith("syntax"):
                reading.compared += len(values)
            reading.terms.add(entry.id)


def _key(hit):
    """Identity of an element, or of an attribute that XPath gave as text."""
    if isinstance(hit, str):
        return (_key(hit.getparent()), hit.attrname)
    return hit.getroottree().getpath(hit)


def _leaves(root):
    for element in root.iter():
        place = re.sub(r"\[\d+\]", "", root.getroottree().getpath(element))
        if len(element) == 0:
            yield place, _normal(element.text), _key(element)
        for name, value in element.attrib.items():
            if name != SCHEMA_LOCATION:
                yield f"{place}/@{name}", _normal(value), (_key(element), name)


def _normal(value):
    return " ".join((value or "").split())
