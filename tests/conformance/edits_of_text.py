"""Changes of the content of elements."""

from lxml import etree

import values
from edits import called, child, edit, elements, ends, leaf, name, pick, place
from pools import CAC, CBC, identifier

CATEGORY_TAGS = (f"{{{CAC}}}TaxCategory", f"{{{CAC}}}ClassifiedTaxCategory")

# Text


@edit(6)
def value(document, random, pools):
    element = pick(random, document, leaf)
    if element is None:
        return None
    element.text = pools.value(random, name(element))
    return f"{place(element)} = {element.text!r}"


@edit(2)
def any_text(document, random, pools):
    element = pick(random, document, leaf)
    if element is None:
        return None
    element.text = random.choice(values.TEXTS)
    return f"{place(element)} = {element.text!r}"


@edit(4)
def code(document, random, pools):
    element = pick(random, document, ends("Code"))
    if element is None:
        return None
    element.text = pools.code(random)
    return f"{place(element)} = {element.text!r}"


@edit(3)
def same_as(document, random, pools):
    """Copies a value from another place of the document."""
    one, other = pick(random, document, leaf), pick(random, document, leaf)
    if one is None:
        return None
    one.text = other.text
    return f"{place(one)} as {place(other)}"


@edit(4)
def date(document, random, pools):
    element = pick(random, document, ends("Date", "Time"))
    if element is None:
        return None
    element.text = random.choice((pools.value(random, name(element)), random.choice(values.DATES), random.choice(values.TIMES)))
    return f"{place(element)} = {element.text!r}"


@edit(2)
def swap_texts(document, random, pools):
    one, other = pick(random, document, leaf), pick(random, document, leaf)
    if one is None:
        return None
    one.text, other.text = other.text, one.text
    return f"swap the texts of {place(one)} and {place(other)}"


@edit(2)
def currency(document, random, pools):
    old, new = random.choice(("AED", "USD", "EUR")), random.choice(("AED", "USD", "EUR", "XXX", "AE", ""))
    whole = random.random() < 0.5
    for element in elements(document):
        if element.get("currencyID") == old and (whole or random.random() < 0.5):
            element.set("currencyID", new)
        if whole and leaf(element) and name(element) == "DocumentCurrencyCode":
            element.text = new
    return f"currency {old} to {new}"


@edit(3)
def flags(document, random, pools):
    element = pick(random, document, called("ProfileExecutionID"))
    if element is None:
        return None
    element.text = pools.value(random, "ProfileExecutionID")
    return f"flags {element.text!r}"


@edit(2)
def kind(document, random, pools):
    element = pick(random, document, called("InvoiceTypeCode", "CreditNoteTypeCode", "DocumentTypeCode"))
    if element is None:
        return None
    element.text = random.choice(values.TYPES)
    return f"type {element.text!r}"


@edit(2)
def customization(document, random, pools):
    element = pick(random, document, called("CustomizationID", "ProfileID"))
    if element is None:
        return None
    element.text = random.choice(values.CUSTOMIZATIONS if name(element) == "CustomizationID" else values.PROFILES)
    return f"{name(element)} {element.text!r}"


@edit(3)
def category(document, random, pools):
    """One category, or its rate."""
    element = pick(random, document, lambda e: e.tag in CATEGORY_TAGS)
    if element is None:
        return None
    return categorise(element, random, pools, random.choice(values.CATEGORIES))


@edit(5)
def all_categories(document, random, pools):
    """Every category of the document, or of its lines or its breakdown, becomes one and the same."""
    new = random.choice(values.CATEGORIES[:6])
    percent, part = (
        random.choice(("0", "0.00", "5", "5.00", None, None, "15")),
        random.choice(("", "", "AllowanceCharge", "Item", "TaxSubtotal")),
    )
    for element in elements(document, lambda e: e.tag in CATEGORY_TAGS):
        if name(element.getparent()).startswith(part):
            set_category(element, new, percent, pools)
    return f"every category of {part or 'the document'} {new} {percent}"


def categorise(element, random, pools, new):
    percent = random.choice(values.RATES) if random.random() < 0.7 else None
    set_category(element, new if random.random() < 0.8 else None, percent, pools)
    return f"category {place(element)} {new!r} {percent!r}"


def set_category(element, code, percent, pools):
    if code is not None:
        child(element, "ID", pools).text = code
    if percent is not None:
        child(element, "Percent", pools).text = percent
    elif (found := element.find(f"{{{CBC}}}Percent")) is not None:
        element.remove(found)


@edit(6)
def identify(document, random, pools):
    """Sets a scheme and an identifier of it, valid or nearly valid."""
    element = pick(random, document, called("EndpointID", "CompanyID", "ID"))
    if element is None:
        return None
    scheme = random.choice(
        ("0088", "0007", "0192", "0184", "0208", "0201", "0210", "9907", "0211", "9906", "0151", "0235", "0242", "0160", "VAT")
    )
    element.set("schemeID", scheme)
    element.text = identifier(random, scheme)
    return f"{place(element)} {scheme} {element.text!r}"


@edit(3)
def tax_identifier(document, random, pools):
    element = pick(random, document, lambda e: name(e) == "CompanyID" and name(e.getparent()) == "PartyTaxScheme")
    if element is None:
        return None
    element.text = random.choice(
        (
            "100123450100003",
            "10012345010000",
            "200123450100003",
            "100123450100004",
            "1001234501",
            "2001234501",
            "100123450100003 ",
            "1001234501 ",
            "\u0661001234501",
            "10012345010003",
            "1ABCDEFGHIJKL03",
            "",
            "103",
        )
    )
    scheme = element.getparent().find(f"{{{CAC}}}TaxScheme/{{{CBC}}}ID")
    if scheme is not None and random.random() < 0.5:
        scheme.text = random.choice(("VAT", "vat", " VAT ", "GST", "LOC", ""))
    return f"{place(element)} = {element.text!r}"


# What is between and inside the texts


@edit(2)
def comment(document, random, pools):
    """Inserts a comment, an instruction or a CDATA section into a text or between elements."""
    element = pick(random, document, root=True)
    node = etree.Comment(random.choice(("c", " -  ", "<x>"))) if random.random() < 0.7 else etree.PI("pi", "x='1'")
    if leaf(element) and element.text:
        at = random.randrange(len(element.text) + 1)
        text = element.text
        element.text, node.tail = text[:at], text[at:]
        element.append(node)
    else:
        element.insert(random.randrange(len(element) + 1), node)
    return f"comment in {place(element)}"


@edit(1)
def cdata(document, random, pools):
    element = pick(random, document, lambda e: leaf(e) and e.text and "]]>" not in e.text)
    if element is None:
        return None
    element.text = etree.CDATA(element.text)
    return f"CDATA in {place(element)}"


@edit(2)
def spaces(document, random, pools):
    element = pick(random, document, lambda e: leaf(e) and e.text)
    if element is None:
        return None
    element.text = random.choice((" {}", "{} ", "\n    {}\n    ", "\t{}", "{}\r", "\u00a0{}")).format(element.text)
    return f"spaces around {place(element)}"
