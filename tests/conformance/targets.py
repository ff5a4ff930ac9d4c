"""For each PINT-AE rule, the changes of an official example that make it fire.

Random changes reach the common rules. These targets reach every rule, in both sets, with the first mutants of a run. The rules of the TDD
and the MLS have official bad files, one for each rule.

Paths are XPath from the root without prefixes: a name is an aggregate of UBL if there is one of that name, otherwise a basic element.
"""

import re
from dataclasses import dataclass

from lxml import etree

from pools import CAC, CBC

FOLDER = "pint-ae/billing/examples"
INVOICE = f"{FOLDER}/invoice/Standard.invoice.-.Extensive.xml"
CREDIT_NOTE = f"{FOLDER}/creditnote/Standard tax credit Note.xml"
MARGIN = f"{FOLDER}/invoice/Margin scheme.xml"

SELLER = "AccountingSupplierParty/Party"
BUYER = "AccountingCustomerParty/Party"
AGENT = "TaxRepresentativeParty"
PAYEE = "PayeeParty"
TOTALS = "LegalMonetaryTotal"
LINE = "InvoiceLine[1]"
EXEMPT, REVERSE, ZERO = "InvoiceLine[2]", "InvoiceLine[4]", "InvoiceLine[5]"
ALLOWANCE, CHARGE = "AllowanceCharge[1]", "AllowanceCharge[3]"
LINE_ALLOWANCE, LINE_CHARGE = f"{LINE}/AllowanceCharge[1]", f"{LINE}/AllowanceCharge[2]"
S, E, O, AE, Z = (f"TaxTotal/TaxSubtotal[{n}]" for n in range(1, 6))  # noqa: E741 (the letters are the categories)
VAT = "<TaxScheme><ID>VAT</ID></TaxScheme>"
OBJECT = "<DocumentReference><ID schemeID='{0}'>1</ID><DocumentTypeCode>130</DocumentTypeCode></DocumentReference>".format
DESPATCH = "<DespatchLineReference><LineID>1</LineID>{}</DespatchLineReference>".format
DESPATCHED = "<DocumentReference><ID>1</ID></DocumentReference>"
TAX_IN = "<TaxTotal><TaxAmount currencyID='{0}'>{1}</TaxAmount></TaxTotal>".format


@dataclass(frozen=True)
class Target:
    """Changes of a source, one after the other."""

    source: str
    changes: tuple

    def apply(self, document, structure):
        for change in self.changes:
            change(document.root, structure)


def find(root, structure, path):
    """The elements at the path; no element is an error of this table."""

    def prefixed(step):
        name = step.group()
        return f"cac:{name}" if f"{{{CAC}}}{name}" in structure.elements else f"cbc:{name}"

    found = root.xpath(re.sub(r"[A-Z][A-Za-z]+", prefixed, path) or ".", namespaces={"cac": CAC, "cbc": CBC})
    assert found, f"no {path} in the source"
    return found


def put(path, text):
    return lambda root, structure: setattr(find(root, structure, path)[0], "text", text)


def attr(path, name, value):
    def change(root, structure):
        element = find(root, structure, path)[0]
        element.attrib.pop(name, None)
        if value is not None:
            element.set(name, value)

    return change


def drop(*paths):
    def change(root, structure):
        for path in paths:
            for element in find(root, structure, path):
                element.getparent().remove(element)

    return change


def twice(path):
    def change(root, structure):
        element = find(root, structure, path)[0]
        element.addnext(etree.fromstring(etree.tostring(element, with_tail=False)))

    return change


def add(path, text, times=1):
    """Adds a child, written without prefixes, at its place in the schema."""

    def change(root, structure):
        parent = find(root, structure, path)[0]
        for _ in range(times):
            child = etree.fromstring(text)
            for element in child.iter():
                space = CAC if f"{{{CAC}}}{element.tag}" in structure.elements else CBC
                element.tag = f"{{{space}}}{element.tag}"
            parent.insert(structure.place(parent, child.tag), child)

    return change


def type_code(code):
    return put("InvoiceTypeCode", code)


def flags(text):
    return put("ProfileExecutionID", text)


def scheme(code):
    """A seller identifier of the scheme that is invalid in every check."""
    return (add(SELLER, f"<PartyIdentification><ID schemeID='{code}'>IT12345</ID></PartyIdentification>"),)


def passport(party):
    identifier = f"{party}/PartyLegalEntity/CompanyID"
    return attr(identifier, "schemeAgencyID", "PAS"), attr(identifier, "schemeAgencyName", "Q")


def category(path, code, percent=None):
    """The category and rate at the path."""
    change = put(f"{path}/TaxCategory/ID", code)
    return (change,) if percent is None else (change, put(f"{path}/TaxCategory/Percent", percent))


ON_INVOICE = {
    # Shared rules: identifiers
    **{
        rule: scheme(code)
        for rule, code in (
            ("ibr-068", "0088"),
            ("ibr-127", "0007"),
            ("ibr-069", "0192"),
            ("ibr-070", "0184"),
            ("ibr-113", "0208"),
            ("ibr-114", "0201"),
            ("ibr-115", "0210"),
            ("ibr-116", "0211"),
            ("ibr-120", "0151"),
        )
    },
    # Shared rules: allowances and charges
    "ibr-083": (put(f"{LINE}/Price/AllowanceCharge/ChargeIndicator", "true"),),
    "ibr-sr-30": (twice(f"{ALLOWANCE}/AllowanceChargeReason"),),
    "ibr-031": (drop(f"{ALLOWANCE}/Amount"),),
    "ibr-033": (drop(f"{ALLOWANCE}/AllowanceChargeReason", f"{ALLOWANCE}/AllowanceChargeReasonCode"),),
    "ibr-041": (drop(f"{LINE_ALLOWANCE}/Amount"),),
    "ibr-042": (drop(f"{LINE_ALLOWANCE}/AllowanceChargeReason", f"{LINE_ALLOWANCE}/AllowanceChargeReasonCode"),),
    "ibr-036": (drop(f"{CHARGE}/Amount"),),
    "ibr-sr-31": (twice(f"{CHARGE}/AllowanceChargeReason"),),
    "ibr-038": (drop(f"{CHARGE}/AllowanceChargeReason", f"{CHARGE}/AllowanceChargeReasonCode"),),
    "ibr-043": (drop(f"{LINE_CHARGE}/Amount"),),
    "ibr-044": (drop(f"{LINE_CHARGE}/AllowanceChargeReason", f"{LINE_CHARGE}/AllowanceChargeReasonCode"),),
    "ibr-082": (drop(f"{ALLOWANCE}/ChargeIndicator"),),
    "ibr-sr-61": (add(f"{ALLOWANCE}/TaxCategory", "<TaxExemptionReason>x</TaxExemptionReason>", times=2),),
    # Shared rules: parties and references
    "ibr-052": (put("AdditionalDocumentReference[1]/ID", " "),),
    "ibr-sr-33": (twice("AdditionalDocumentReference[1]/DocumentDescription"),),
    "ibr-080": (drop(f"{BUYER}/EndpointID"),),
    "ibr-063": (attr(f"{BUYER}/EndpointID", "schemeID", None),),
    "ibr-011": (drop(f"{BUYER}/PostalAddress/Country"),),
    "ibr-sr-54": (twice(f"{BUYER}/PostalAddress/AddressLine"),),
    "ibr-057": (drop("Delivery/DeliveryLocation/Address/Country"),),
    "ibr-sr-56": (twice("Delivery/DeliveryLocation/Address/AddressLine"),),
    "ibr-co-26": (drop(f"{SELLER}/PartyTaxScheme", f"{SELLER}/PartyLegalEntity/CompanyID"),),
    "ibr-081": (drop(f"{SELLER}/EndpointID"),),
    "ibr-sr-42": (twice(f"{SELLER}/PartyTaxScheme"), twice(f"{SELLER}/PartyTaxScheme")),
    "ibr-062": (attr(f"{SELLER}/EndpointID", "schemeID", None),),
    "ibr-009": (put(f"{SELLER}/PostalAddress/Country/IdentificationCode", ""),),
    "ibr-sr-53": (twice(f"{SELLER}/PostalAddress/AddressLine"),),
    "ibr-018": (put(f"{AGENT}/PartyName/Name", ""),),
    "ibr-019": (drop(f"{AGENT}/PostalAddress"),),
    "ibr-056": (drop(f"{AGENT}/PartyTaxScheme"),),
    "ibr-sr-22": (twice(f"{AGENT}/PartyName"),),
    "ibr-sr-23": (add(AGENT, f"<Party>{2 * f'<PartyTaxScheme><CompanyID>1</CompanyID>{VAT}</PartyTaxScheme>'}</Party>"),),
    "ibr-020": (put(f"{AGENT}/PostalAddress/Country/IdentificationCode", ""),),
    "ibr-sr-55": (twice(f"{AGENT}/PostalAddress/AddressLine"),),
    "ibr-017": (put(f"{PAYEE}/PartyName/Name", "Supplier Trade Name"),),
    "ibr-105": (twice(f"{PAYEE}/PartyIdentification"),),
    "ibr-106": (twice(f"{PAYEE}/PartyLegalEntity"),),
    "ibr-sr-19": (twice(f"{PAYEE}/PartyName"),),
    "ibr-055": (drop("BillingReference/InvoiceDocumentReference/ID"),),
    "ibr-sr-07": (drop("BillingReference/InvoiceDocumentReference"),),
    "ibr-sr-06": (twice("BillingReference/InvoiceDocumentReference"),),
    "ibr-sr-57": (drop(f"{AGENT}/PartyTaxScheme/CompanyID"),),
    "ibr-108": (twice("Delivery/DeliveryParty/PartyName"),),
    # Shared rules: totals
    **{
        rule: (drop(f"{TOTALS}/{name}"),)
        for rule, name in (
            ("ibr-012", "LineExtensionAmount"),
            ("ibr-013", "TaxExclusiveAmount"),
            ("ibr-014", "TaxInclusiveAmount"),
            ("ibr-015", "PayableAmount"),
        )
    },
    **{
        rule: (put(f"{TOTALS}/{name}", "1.000"),)
        for rule, name in (
            ("ibr-091", "PayableAmount"),
            ("ibr-121", "AllowanceTotalAmount"),
            ("ibr-122", "ChargeTotalAmount"),
            ("ibr-123", "TaxExclusiveAmount"),
            ("ibr-125", "TaxInclusiveAmount"),
        )
    },
    **{
        rule: (put(f"{TOTALS}/{name}", "1.01"),)
        for rule, name in (
            ("ibr-co-10", "LineExtensionAmount"),
            ("ibr-co-11", "AllowanceTotalAmount"),
            ("ibr-co-12", "ChargeTotalAmount"),
            ("ibr-co-13", "TaxExclusiveAmount"),
            ("ibr-co-15", "TaxInclusiveAmount"),
            ("ibr-co-16", "PayableAmount"),
        )
    },
    "ibr-124": (put("TaxTotal/TaxAmount", "115.700"),),
    "ibr-co-14": (put("TaxTotal/TaxAmount", "115.71"),),
    "ibr-sr-32": (add(f"{E}/TaxCategory", "<TaxExemptionReason>x</TaxExemptionReason>", times=2),),
    "ibr-093": (add("", "<PrepaidPayment><PaidAmount currencyID='AED'>1</PaidAmount></PrepaidPayment>"), drop(f"{TOTALS}/PrepaidAmount")),
    # Shared rules: the document
    **{
        rule: (put(name, text),)
        for rule, name, text in (
            ("ibr-sr-63", "CustomizationID", "urn:peppol:pint:billing-1@ae-1*"),
            ("ibr-002", "ID", " "),
            ("ibr-003", "IssueDate", ""),
            ("ibr-004", "InvoiceTypeCode", ""),
            ("ibr-005", "DocumentCurrencyCode", ""),
            ("ibr-006", f"{SELLER}/PartyLegalEntity/RegistrationName", ""),
            ("ibr-007", f"{BUYER}/PartyLegalEntity/RegistrationName", ""),
            ("ibr-073", "IssueDate", "2025-01-30Z"),
            ("ibr-119", "IssueTime", "25:00:00"),
        )
    },
    "ibr-001": (drop("CustomizationID"),),
    "ibr-008": (drop(f"{SELLER}/PostalAddress"),),
    "ibr-010": (drop(f"{BUYER}/PostalAddress"),),
    "ibr-016": (drop("InvoiceLine"),),
    "ibr-053": (add("", "<TaxCurrencyCode>USD</TaxCurrencyCode>"),),
    "ibr-066": (twice("PaymentMeans/CardAccount"),),
    "ibr-067": (twice("PaymentMeans/PaymentMandate"),),
    "ibr-071": (add("AdditionalDocumentReference[2]", "<DocumentTypeCode>130</DocumentTypeCode>"),),
    "ibr-072": (add("AdditionalDocumentReference[1]", "<DocumentTypeCode>130</DocumentTypeCode>"),),
    "ibr-076": (drop("ProfileID"),),
    "ibr-078": (
        add("", "<AdditionalDocumentReference><ID>1</ID><DocumentTypeCode>130</DocumentTypeCode></AdditionalDocumentReference>", times=2),
    ),
    "ibr-084": (add("", "<TaxCurrencyCode>USD</TaxCurrencyCode>"), add("", TAX_IN("USD", "-1"))),
    "ibr-090": (twice("ProjectReference"),),
    "ibr-094": (twice("ContractDocumentReference"),),
    "ibr-095": (twice("ReceiptDocumentReference"),),
    "ibr-096": (twice("DespatchDocumentReference"),),
    "ibr-097": (twice("InvoicePeriod"),),
    "ibr-098": (twice(f"{SELLER}/PartyLegalEntity/RegistrationName"),),
    "ibr-099": (twice(f"{SELLER}/PartyName"),),
    "ibr-100": (twice(f"{SELLER}/PartyLegalEntity/CompanyID"),),
    "ibr-101": (twice(f"{SELLER}/PartyLegalEntity/CompanyLegalForm"),),
    "ibr-102": (twice(f"{BUYER}/PartyLegalEntity/RegistrationName"),),
    "ibr-103": (twice(f"{BUYER}/PartyLegalEntity/CompanyID"),),
    "ibr-104": (twice(f"{BUYER}/PartyTaxScheme"),),
    "ibr-107": (twice("Delivery"),),
    "ibr-112": (twice(f"{BUYER}/PartyName"),),
    "ibr-sr-16": (add(BUYER, "<PartyIdentification><ID>1</ID></PartyIdentification>", times=2),),
    "ibr-sr-39": (twice("ProjectReference/ID"),),
    "ibr-sr-49": (twice("InvoicePeriod/DescriptionCode"),),
    "ibr-sr-51": (twice("Note"),),
    "ibr-sr-52": (twice("OriginatorDocumentReference"),),
    "ibr-077": (add("", "<TaxCurrencyCode>AED</TaxCurrencyCode>"),),
    "ibr-126": (attr(f"{TOTALS}/PayableAmount", "currencyID", "USD"),),
    # Shared rules: lines
    "ibr-021": (put(f"{LINE}/ID", " "),),
    "ibr-022": (drop(f"{LINE}/InvoicedQuantity"),),
    "ibr-023": (attr(f"{LINE}/InvoicedQuantity", "unitCode", None),),
    "ibr-024": (drop(f"{LINE}/LineExtensionAmount"),),
    "ibr-025": (put(f"{LINE}/Item/Name", ""),),
    "ibr-026": (drop(f"{LINE}/Price/PriceAmount"),),
    "ibr-027": (put(f"{LINE}/Price/PriceAmount", "-0.01"),),
    "ibr-028": (put(f"{LINE}/Price/AllowanceCharge/BaseAmount", "-0.01"),),
    "ibr-087": (put(f"{LINE}/Price/BaseQuantity", "0"),),
    "ibr-089": (add(LINE, OBJECT("AAA"), times=2),),
    "ibr-109": (twice(f"{LINE}/OrderLineReference"),),
    "ibr-110": (twice(f"{LINE}/InvoicePeriod"),),
    "ibr-111": (twice(f"{LINE}/Price/AllowanceCharge"),),
    "ibr-sr-34": (twice(f"{LINE}/Note"),),
    "ibr-sr-38": (twice(f"{EXEMPT}/Item/ClassifiedTaxCategory/TaxExemptionReason"),),
    "ibr-sr-50": (twice(f"{LINE}/Item/Description"),),
    "ibr-085": (put(f"{LINE}/InvoicePeriod/StartDate", "2025-01-29"),),
    "ibr-086": (put(f"{LINE}/InvoicePeriod/EndDate", "2025-01-31"),),
    "ibr-030": (put(f"{LINE}/InvoicePeriod/EndDate", "2025-01-29"),),
    "ibr-co-20": (drop(f"{LINE}/InvoicePeriod/StartDate", f"{LINE}/InvoicePeriod/EndDate"),),
    "ibr-029": (put("InvoicePeriod/EndDate", "2025-01-29"),),
    "ibr-co-19": (drop("InvoicePeriod/StartDate", "InvoicePeriod/EndDate", "InvoicePeriod/DescriptionCode"),),
    "ibr-054": (drop(f"{LINE}/Item/AdditionalItemProperty/Value"),),
    "ibr-065": (attr(f"{LINE}/Item/CommodityClassification/ItemClassificationCode", "listID", None),),
    "ibr-064": (attr(f"{LINE}/Item/StandardItemIdentification/ID", "schemeID", None),),
    "ibr-sr-58": (drop(f"{LINE}/Item/ClassifiedTaxCategory/ID"),),
    "ibr-088": (attr(f"{LINE}/Price/BaseQuantity", "unitCode", "C62"),),
    "ibr-092": (add(LINE, DESPATCH(DESPATCHED)),),
    "ibr-sr-62": (add(LINE, DESPATCH(2 * DESPATCHED)),),
    "ibr-079": (put("BuyerReference", ""),),
    # Shared rules: payment and attachments
    "ibr-sr-59": (
        add(
            "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch",
            f"<Address>{2 * '<AddressLine><Line>1</Line></AddressLine>'}</Address>",
        ),
    ),
    "ibr-049": (drop("PaymentMeans/PaymentMeansCode"),),
    "ibr-sr-27": (twice("PaymentMeans/PaymentMeansCode"),),
    "ibr-sr-46": (twice("PaymentMeans/PaymentMeansCode"),),
    "ibr-sr-28": (twice("PaymentMeans/PaymentMandate/ID"),),
    "ibr-sr-05": (twice("PaymentTerms/Note"),),
    "ibr-sr-60": (add("PaymentTerms", "<PaymentMeansID>1</PaymentMeansID>", times=2),),
    "ibr-074": (attr("AdditionalDocumentReference[2]/Attachment/EmbeddedDocumentBinaryObject", "mimeCode", None),),
    "ibr-075": (attr("AdditionalDocumentReference[2]/Attachment/EmbeddedDocumentBinaryObject", "filename", None),),
    # Shared rules: code lists
    "ibr-cl-01": (type_code("383"),),
    "ibr-cl-03": (attr("TaxTotal/TaxAmount", "currencyID", "aed"),),
    "ibr-cl-04": (put("DocumentCurrencyCode", "AED USD"),),
    "ibr-cl-05": (add("", "<TaxCurrencyCode>QQQ</TaxCurrencyCode>"),),
    "ibr-cl-07": (add(LINE, OBJECT("Q9Q")),),
    "ibr-cl-10": (attr(f"{PAYEE}/PartyIdentification/ID", "schemeID", "9999"),),
    "ibr-cl-11": (attr(f"{SELLER}/PartyLegalEntity/CompanyID", "schemeID", "9999"),),
    "ibr-cl-13": (attr(f"{LINE}/Item/CommodityClassification/ItemClassificationCode", "listID", "Q"),),
    "ibr-cl-14": (put(f"{BUYER}/PostalAddress/Country/IdentificationCode", "QQ"),),
    "ibr-cl-15": (put(f"{LINE}/Item/OriginCountry/IdentificationCode", "QQ"),),
    "ibr-cl-16": (put("PaymentMeans/PaymentMeansCode", "69"),),
    "ibr-cl-19": (put(f"{ALLOWANCE}/AllowanceChargeReasonCode", "AAC"),),
    "ibr-cl-20": (put(f"{CHARGE}/AllowanceChargeReasonCode", "95"),),
    "ibr-cl-21": (attr(f"{LINE}/Item/StandardItemIdentification/ID", "schemeID", "9999"),),
    "ibr-cl-23": (attr(f"{LINE}/InvoicedQuantity", "unitCode", "h87"),),
    "ibr-cl-24": (attr("AdditionalDocumentReference[2]/Attachment/EmbeddedDocumentBinaryObject", "mimeCode", "text/plain"),),
    "ibr-cl-25": (attr(f"{SELLER}/EndpointID", "schemeID", "9999"),),
    "ibr-cl-26": (attr("Delivery/DeliveryLocation/ID", "schemeID", "9999"),),
    # AE rules: parties
    "ibr-010-ae": passport(BUYER),
    "ibr-011-ae": passport(BUYER),
    "ibr-012-ae": passport(SELLER),
    "ibr-013-ae": passport(SELLER),
    "ibr-101-ae": (attr(f"{BUYER}/PartyLegalEntity/CompanyID", "schemeAgencyName", None),),
    "ibr-149-ae": (put(f"{BUYER}/EndpointID", "5123456789"), drop(f"{BUYER}/PartyTaxScheme")),
    "ibr-179-ae": (twice(f"{BUYER}/PartyTaxScheme"),),
    "ibr-135-ae": (put(f"{BUYER}/EndpointID", "9900000099"), drop(f"{BUYER}/PartyTaxScheme")),
    "ibr-180-ae": (attr(f"{BUYER}/PartyLegalEntity/CompanyID", "schemeAgencyID", None),),
    "ibr-183-ae": (put(f"{BUYER}/EndpointID", "5123456789"), attr(f"{BUYER}/PartyLegalEntity/CompanyID", "schemeAgencyID", "XX")),
    "ibr-196-ae": (add("", "<DeliveryTerms><SpecialTerms>x</SpecialTerms></DeliveryTerms>"),),
    "ibr-144-ae": (drop(f"{BUYER}/PostalAddress/CityName"),),
    "ibr-143-ae": (drop(f"{SELLER}/PostalAddress/StreetName"),),
    "ibr-172-ae": (attr(f"{SELLER}/PartyLegalEntity/CompanyID", "schemeAgencyName", None),),
    "ibr-177-ae": (flags("00000100"), drop(f"{SELLER}/PartyTaxScheme")),
    "ibr-178-ae": (twice(f"{SELLER}/PartyTaxScheme"),),
    "ibr-150-ae": (drop(f"{SELLER}/PartyLegalEntity/CompanyID"),),
    "ibr-173-ae": (attr(f"{SELLER}/PartyLegalEntity/CompanyID", "schemeAgencyID", "CL"),),
    "ibr-181-ae": (attr(f"{SELLER}/PartyLegalEntity/CompanyID", "schemeAgencyID", None),),
    "ibr-128-ae": (put(f"{AGENT}/PostalAddress/CountrySubentity", "Dubai"),),
    "ibr-132-ae": (put(f"{SELLER}/PartyTaxScheme/CompanyID", "112345678900004"),),
    "ibr-148-ae": (put(f"{SELLER}/PartyTaxScheme/TaxScheme/ID", "TIN"),),
    "ibr-133-ae": (put(f"{SELLER}/PartyTaxScheme/TaxScheme/ID", "TIN"),),
    # AE rules: price, payment, allowances and charges
    "aligned-ibrp-004": (put(f"{LINE}/Price/AllowanceCharge/Amount", "0.01"),),
    "ibr-126-ae": (drop(f"{LINE}/Price/AllowanceCharge"),),
    "ibr-192-ae": (put("PaymentMeans/PaymentMeansCode", "30"), drop("PaymentMeans/PayeeFinancialAccount")),
    "aligned-ibrp-032": (drop(f"{ALLOWANCE}/TaxCategory"),),
    "aligned-ibrp-057": (drop(f"{ALLOWANCE}/BaseAmount"),),
    "ibr-131-ae": (put(f"{ALLOWANCE}/Amount", "273.74"),),
    "ibr-115-ae": category(ALLOWANCE, "N"),
    "ibr-168-ae": (*category(ALLOWANCE, "E"), drop(f"{ALLOWANCE}/AllowanceChargeReasonCode")),
    "aligned-ibrp-037": (drop(f"{CHARGE}/TaxCategory"),),
    "aligned-ibrp-058": (drop(f"{CHARGE}/MultiplierFactorNumeric"),),
    "ibr-146-ae": (put(f"{CHARGE}/Amount", "79.01"),),
    "ibr-114-ae": category(CHARGE, "N"),
    "ibr-169-ae": (*category(CHARGE, "E"), drop(f"{CHARGE}/AllowanceChargeReasonCode")),
    "ibr-002-ae": (add("", "<TaxExchangeRate><CalculationRate>3.6725001</CalculationRate></TaxExchangeRate>"),),
    **{
        f"aligned-ibrp-{code.lower()}-{number}": category(path, code, percent)
        for number, path in (("06", ALLOWANCE), ("07", CHARGE))
        for code, percent in (("S", "0"), ("E", "5"), ("Z", "5"), ("O", "0"), ("AE", "5"))
    },
    # AE rules: lines
    "ibr-104-ae": (drop(f"{LINE}/ItemPriceExtension/TaxTotal"),),
    "ibr-111-ae": (put(f"{LINE}/Item/ClassifiedTaxCategory/ID", "N"), put(f"{LINE}/Item/ClassifiedTaxCategory/Percent", "0")),
    "ibr-145-ae": (drop(f"{LINE}/Item/ClassifiedTaxCategory"),),
    "ibr-147-ae": (put(f"{LINE}/LineExtensionAmount", "4960.01"),),
    "ibr-167-ae": (drop(f"{EXEMPT}/Item/ClassifiedTaxCategory/TaxExemptionReasonCode"),),
    "ibr-123-ae": (type_code("480"), twice(f"{LINE}/Item/ClassifiedTaxCategory")),
    "ibr-194-ae": (drop(f"{LINE}/ItemPriceExtension/Amount"),),
    "ibr-125-ae": (drop(f"{LINE}/Item/Description"),),
    "ibr-166-ae": (drop(f"{REVERSE}/Item/CommodityClassification/NatureCode"),),
    "ibr-184-ae": (drop(f"{LINE}/Item/CommodityClassification/ItemClassificationCode"),),
    "ibr-185-ae": (put(f"{LINE}/Item/CommodityClassification/CommodityCode", "S"),),
    "ibr-186-ae": (put(f"{LINE}/Item/CommodityClassification/CommodityCode", "B"),),
    "ibr-188-ae": (attr(f"{LINE}/Item/CommodityClassification/ItemClassificationCode", "listID", "ZZZ"),),
    "ibr-189-ae": (add(f"{LINE}/Item", "<AdditionalItemIdentification><ID schemeID='X'>1</ID></AdditionalItemIdentification>"),),
    "aligned-ibrp-s-05": (put(f"{LINE}/Item/ClassifiedTaxCategory/Percent", "0"),),
    "aligned-ibrp-e-05": (add(f"{EXEMPT}/Item/ClassifiedTaxCategory", "<Percent>0</Percent>"),),
    "ibr-163-ae": (add(f"{EXEMPT}/ItemPriceExtension", TAX_IN("AED", "0")),),
    "aligned-ibrp-z-05": (put(f"{ZERO}/Item/ClassifiedTaxCategory/Percent", "5"),),
    "ibr-165-ae": (put(f"{ZERO}/ItemPriceExtension/TaxTotal/TaxAmount", "1"),),
    "aligned-ibrp-o-05": (add("InvoiceLine[3]/Item/ClassifiedTaxCategory", "<Percent>0</Percent>"),),
    "aligned-ibrp-ae-05-ae": (drop(f"{REVERSE}/Item/ClassifiedTaxCategory/Percent"),),
    "ibr-103-ae": (drop(f"{BUYER}/PartyTaxScheme"),),
    "ibr-162-ae": (put(f"{REVERSE}/ItemPriceExtension/TaxTotal/TaxAmount", "1"),),
    "ibr-174-ae": (drop(f"{REVERSE}/Item/StandardItemIdentification"),),
    "ibr-139-ae": (put(f"{LINE}/Item/ClassifiedTaxCategory/ID", "K"),),
    "ibr-006-ae": (put(f"{REVERSE}/Item/CommodityClassification/NatureCode", "DL8"),),
    "ibr-005-ae": (put("InvoicePeriod/DescriptionCode", "DAY"),),
    # AE rules: the document
    "aligned-ibrp-001-ae": (put("CustomizationID", "urn:selfbilling"),),
    "aligned-ibrp-002-ae": (put("ProfileID", "urn:peppol:bis:order"),),
    "aligned-ibrp-e-01": (twice(E),),
    "aligned-ibrp-o-01": (twice(O),),
    "aligned-ibrp-s-01": (drop(S),),
    "aligned-ibrp-z-01": (drop(Z),),
    "aligned-ibrp-ae-01-ae": (drop(AE),),
    "aligned-ibrp-sr-12": (twice(f"{SELLER}/PartyTaxScheme"),),
    "ibr-007-ae": (drop("BuyerCustomerParty"),),
    "ibr-134-ae": (drop(f"{SELLER}/PartyTaxScheme"),),
    "ibr-136-ae": (type_code("480"), drop(f"{BUYER}/PartyLegalEntity/CompanyID")),
    "ibr-137-ae": (flags("00000100"),),
    "ibr-138-ae": (flags("00010000"), drop("InvoicePeriod")),
    "ibr-141-ae": (put("TaxPointDate", "2025-01-30"),),
    "ibr-142-ae": (flags("00000010"), drop("Delivery/DeliveryLocation/Address/CityName")),
    "ibr-105-ae": (*category(S, "N"), *category(E, "N")),
    "ibr-122-ae": (type_code("480"),),
    "ibr-127-ae": (drop("DueDate"),),
    "ibr-116-ae": (flags("00100000"),),
    "ibr-151-ae": (drop("InvoiceLine[position() != 2]"),),
    "ibr-152-ae": (flags("00000001"), drop("Delivery")),
    "ibr-153-ae": (put("DocumentCurrencyCode", "USD"), add("", "<TaxCurrencyCode>AED</TaxCurrencyCode>")),
    "ibr-157-ae": (type_code("480"), flags("00100000")),
    "ibr-159-ae": (put("DocumentCurrencyCode", "USD"),),
    "ibr-160-ae": (drop("Note"),),
    "ibr-175-ae": (put("DocumentCurrencyCode", "USD"),),
    "ibr-176-ae": (flags("00000100"), drop("BuyerCustomerParty")),
    "ibr-190-ae": (put(f"{S}/TaxCategory/Percent", "5.01"),),
    "ibr-191-ae": (drop("PaymentMeans"),),
    "ibr-154-ae": (flags("0000000"),),
    "ibr-140-ae": (add("", "<TaxCurrencyCode>USD</TaxCurrencyCode>"),),
    "ibr-193-ae": (drop("UUID"),),
    # AE rules: the breakdown
    "aligned-ibrp-045": (drop(f"{S}/TaxableAmount"),),
    "aligned-ibrp-046": (drop(f"{S}/TaxAmount"),),
    "aligned-ibrp-047": (drop(f"{S}/TaxCategory/TaxScheme"),),
    "aligned-ibrp-048": (drop(f"{S}/TaxCategory/Percent"),),
    "ibr-119-ae": (drop(f"{Z}/TaxCategory/Percent"),),
    "aligned-ibrp-s-08": (put(f"{S}/TaxableAmount", "2314.03"),),
    "aligned-ibrp-s-09": (put(f"{S}/TaxAmount", "115.73"),),
    "aligned-ibrp-s-10": (add(f"{S}/TaxCategory", "<TaxExemptionReason>x</TaxExemptionReason>"),),
    "aligned-ibrp-e-08": (put(f"{E}/TaxableAmount", "3900.01"),),
    "aligned-ibrp-e-09": (put(f"{E}/TaxAmount", "0.01"),),
    "ibr-121-ae": (add(f"{E}/TaxCategory", "<Percent>0</Percent>"),),
    "aligned-ibrp-z-08": (put(f"{Z}/TaxableAmount", "1975.01"),),
    "aligned-ibrp-z-09": (put(f"{Z}/TaxAmount", "0.01"),),
    "ibr-120-ae": (put(f"{Z}/TaxCategory/Percent", "5"),),
    "aligned-ibrp-o-08": (put(f"{O}/TaxableAmount", "4432.51"),),
    "aligned-ibrp-o-09": (put(f"{O}/TaxAmount", "0.01"),),
    "aligned-ibrp-o-11-ae": (add(f"{O}/TaxCategory", "<Percent>0</Percent>"),),
    "aligned-ibrp-ae-08-ae": (put(f"{AE}/TaxableAmount", "3040.01"),),
    "aligned-ibrp-ae-09-ae": (put(f"{AE}/TaxAmount", "0.01"),),
}

ON_CREDIT_NOTE = {
    "ibr-001-ae": (put("DiscrepancyResponse/ResponseCode", "DL8"),),
    "ibr-055-ae": (drop("BillingReference"),),
    "ibr-124-ae": (add("", "<TaxPointDate>2025-01-01</TaxPointDate>"),),
    "ibr-158-ae": (drop("DiscrepancyResponse"),),
}

ON_MARGIN = {
    "ibr-102-ae": (put("TaxTotal/TaxSubtotal/TaxableAmount", "1.00"),),
    "ibr-108-ae": (put("TaxTotal/TaxSubtotal/TaxAmount", "0.01"),),
}

SELF_BILLED = put("CustomizationID", "urn:peppol:pint:selfbilling-1@ae-1")


def table():
    """Targets by (set, rule)."""
    found = {}
    for source, rules in ((INVOICE, ON_INVOICE), (CREDIT_NOTE, ON_CREDIT_NOTE), (MARGIN, ON_MARGIN)):
        for rule, changes in rules.items():
            found["pint-billing", rule] = Target(source, changes)
            found["pint-selfbilling", rule] = Target(source, (SELF_BILLED, *changes))
    found["pint-billing", "aligned-ibrp-001-ae"] = Target(INVOICE, (put("CustomizationID", "urn:peppol:pint:billing-1"),))
    found["pint-selfbilling", "ibr-sr-63"] = Target(INVOICE, (put("CustomizationID", "urn:peppol:pint:selfbilling-1@ae-1*"),))
    # An empty CustomizationID selects no set; with two of them the official expression fails.
    found["pint-selfbilling", "ibr-001"] = Target(INVOICE, (SELF_BILLED, twice("CustomizationID")))
    return found


TARGETS = table()
