"""Changes of what elements say, and of how the file is written."""

import re
from decimal import Decimal, InvalidOperation

import values
from edits import called, edit, elements, ends, leaf, name, pick, place
from lxml import etree
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


@edit(8)
def shift_amount(document, random, pools):
    element = pick(random, document, ends("Amount", "Quantity", "Numeric", "Percent", "Rate"))
    try:
        old = Decimal(element.text)
    except (AttributeError, TypeError, InvalidOperation):
        return None
    by = Decimal(
        random.choice(
            ("0.01", "-0.01", "0.02", "-0.02", "0.021", "0.03", "-0.03", "0.005", "-0.005", "1", "-1", "100", "0.0000001", "-1000000")
        )
    )
    element.text = str(old + by) if random.random() < 0.85 else str(-old)
    return f"{place(element)} from {old} to {element.text}"


@edit(2)
def scale_amounts(document, random, pools):
    """All amounts by one factor: sums keep, or come near to keeping."""
    factor = Decimal(random.choice(("-1", "0", "0.1", "0.001", "3", "1000000", "1.005")))
    for element in elements(document, ends("Amount")):
        try:
            element.text = format(Decimal(element.text) * factor, "f")
        except (TypeError, InvalidOperation):
            continue
    return f"all amounts times {factor}"


@edit(3)
def write_number(document, random, pools):
    """The same number in another form, or a number of odd form."""
    element = pick(random, document, ends("Amount", "Quantity", "Numeric", "Percent", "Rate"))
    if element is None:
        return None
    forms = ("{}0", "{}000", " {} ", "+{}", "0{}", "\n{}", "{}e0", "{}\u00a0", "-{}", "{}.", "{}00000000000000000000000000001")
    element.text = random.choice(forms).format(element.text or "") if random.random() < 0.6 else random.choice(values.ODD_NUMBERS)
    return f"{place(element)} = {element.text!r}"


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


def child(element, local, pools):
    """The first basic child of the name, made when it is missing."""
    tag = f"{{{CBC}}}{local}"
    found = element.find(tag)
    if found is None:
        found = etree.Element(tag)
        element.insert(pools.structure.place(element, tag), found)
    return found


@edit(6)
def identify(document, random, pools):
    """A scheme and an identifier of it, right or nearly so."""
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
    """A comment, an instruction or a CDATA section splits a text, or stands between elements."""
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


# The form of the whole file


@edit(1)
def written(document, random, pools):
    change = random.choice(
        ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "crlf", "cr", "one line", "no declaration", "trailing", "leading comment")
    )
    document.form.append(change)
    return f"written as {change}"


@edit(1)
def prefix(document, random, pools):
    old, new = random.choice(("cbc", "cac")), random.choice(("b", "a", "x-y", "BinaryObject", "\u062a", "cbc2"))
    document.prefixes.append((old, new))
    return f"prefix {old} as {new}"


@edit(1)
def broken(document, random, pools):
    """Not XML at all, mostly."""
    if random.random() < 0.7:
        return None
    document.breakage = random.choice(
        ("cut", "byte", "end tag", "control", "entity", "double attribute", "prefix", "two roots", "empty", "ampersand")
    )
    document.chance = random.random()
    return f"broken: {document.breakage}"


BREAKAGES = {
    "cut": lambda data, at: data[:at],
    "byte": lambda data, at: data[:at] + b"\xff\xfe\xfd" + data[at:],
    "end tag": lambda data, at: re.sub(rb"</", b"</x", data, count=1),
    "control": lambda data, at: re.sub(rb">", b">\x01", data[10:], count=1),
    "entity": lambda data, at: re.sub(rb"</", b"&nbsp;</", data, count=1),
    "double attribute": lambda data, at: re.sub(rb"<([\w:]+) ", rb'<\1 a="1" a="2" ', data, count=1),
    "prefix": lambda data, at: re.sub(rb"<cbc:ID", b"<none:ID", re.sub(rb"</cbc:ID", b"</none:ID", data)),
    "two roots": lambda data, at: data + b"<x/>",
    "empty": lambda data, at: b"",
    "ampersand": lambda data, at: re.sub(rb"</", b"& </", data, count=1),
}
