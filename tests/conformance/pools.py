"""The material of mutations: codes, identifiers, values, and the structure of documents.

It is read from the reference at run time; this repository contains none of it.
"""

import re
from collections import defaultdict

from lxml import etree

import values

UBL = "urn:oasis:names:specification:ubl:schema:xsd:"
CBC, CAC, EXT = (f"{UBL}Common{part}Components-2" for part in ("Basic", "Aggregate", "Extension"))
TDD = "urn:peppol:schema:taxdata:1.0"
TSR = "urn:fdc:peppol:transaction-statistics-report:1.0"
EUSR = "urn:fdc:peppol:end-user-statistics-report:1.1"
PREFIXES = {
    "cbc": CBC,
    "cac": CAC,
    "ext": EXT,
    "cec": EXT,
    "pxs": TDD,
    "tsr": TSR,
    "eusr": EUSR,
    "ubl": f"{UBL}Invoice-2",
    "cn": f"{UBL}CreditNote-2",
    "ar": f"{UBL}ApplicationResponse-2",
}
XS = "{http://www.w3.org/2001/XMLSchema}"
SCH = "{http://purl.oclc.org/dsdl/schematron}"

SCHEMAS = (
    "xsd/ubl21/common/UBL-CommonAggregateComponents-2.1.xsd",
    "xsd/ubl21/common/UBL-CommonExtensionComponents-2.1.xsd",
    "xsd/ubl21/maindoc/UBL-Invoice-2.1.xsd",
    "xsd/ubl21/maindoc/UBL-CreditNote-2.1.xsd",
    "xsd/ubl21/maindoc/UBL-ApplicationResponse-2.1.xsd",
    "xsd/tdd/peppol-tdd-1.0.0.local.xsd",
    "../reporting/tsr/peppol-transaction-statistics-reporting-1.0.1.xsd",
    "../reporting/eusr/peppol-end-user-statistics-reporting-1.1.xsd",
)
MAXIMUM_DONOR = 3000  # bytes; larger elements are not copied into other documents


def digits(random, count):
    return "".join(random.choice("0123456789") for _ in range(count))


def gs1(random):
    """GS1 check digit: weights 3 and 1 from the right."""
    body = digits(random, random.choice((1, 7, 12, 12, 12, 17, 30)))
    total = sum(int(d) * (3 if n % 2 == 0 else 1) for n, d in enumerate(reversed(body)))
    return body + str((10 - total % 10) % 10)


def mod11(random):
    body = digits(random, 8)
    total = sum(int(d) * (n % 6 + 2) for n, d in enumerate(reversed(body)))
    return body + str((11 - total % 11) % 11)[-1]


def mod97(random):
    body = digits(random, 8)
    return f"{body}{97 - int(body) % 97:02}"


def abn(random):
    """Australian business number: weighted sum modulo 89, the first digit less one."""
    while True:
        number = digits(random, 11)
        total = sum((int(d) - (n == 0)) * w for n, (d, w) in enumerate(zip(number, (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19), strict=True)))
        if total % 89 == 0:
            return number


def piva(random):
    """Italian VAT number: Luhn over eleven digits."""
    body = digits(random, 10)
    total = sum(int("0246813579"[int(d)]) if n % 2 else int(d) for n, d in enumerate(body))
    return f"IT{body}{-total % 10}"


def letters(random, count):
    return "".join(random.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz") for _ in range(count))


def codice_fiscale(random):
    parts = (
        letters(random, 6),
        digits(random, 2),
        letters(random, 1),
        digits(random, 2),
        letters(random, 1) + digits(random, 2),
        digits(random, 1),
        letters(random, 1),
    )
    return "".join(parts)


IDENTIFIERS = {
    "0088": gs1,
    "0007": lambda r: digits(r, 10),
    "0192": mod11,
    "0184": lambda r: "DK" + digits(r, 8),
    "0208": mod97,
    "0201": lambda r: letters(r, 3) + digits(r, 3),
    "0210": lambda r: r.choice((codice_fiscale(r), digits(r, 11))),
    "9907": codice_fiscale,
    "0211": piva,
    "9906": piva,
    "0151": abn,
    "0235": lambda r: r.choice("19") + digits(r, 9),
    "0242": lambda r: digits(r, 6),
    "VAT": lambda r: "1" + digits(r, 12) + "03",
    "0160": lambda r: digits(r, 14),
}


def identifier(random, scheme):
    """An identifier of the scheme: valid, wrong in one character, or wrong in its form."""
    text = IDENTIFIERS.get(scheme, lambda r: digits(r, 10))(random)
    change = random.randrange(8)
    place = random.randrange(len(text))
    if change == 0:
        text = text[:place] + random.choice("0123456789Aa ") + text[place + 1 :]
    elif change == 1:
        text = text[:place] + text[place + 1 :]
    elif change == 2:
        text = random.choice((" {}", "{} ", "\n{}\n", "+{}", "-{}", "{}x", "{}.0", "0{}")).format(text)
    elif change == 3:
        text = random.choice(
            (
                "0",
                "1234",
                "",
                " ",
                "+123456789",
                "1e10",
                "12345678.9",
                "-123456789",
                "INF       ",
                "ABCDEFGHIJ",
                "\u0661" * 10,
                "IT",
                "it" + text[2:],
            )
        )
    return text


class Structure:
    """The allowed children of an element in order, from the official XML Schema."""

    def __init__(self, artefacts):
        self.types, self.elements = {}, {}
        for name in SCHEMAS:
            root = etree.parse(artefacts / name).getroot()
            target = root.get("targetNamespace")
            for element in root.findall(XS + "element"):
                self.elements[f"{{{target}}}{element.get('name')}"] = qualified(element, element.get("type"))
            for kind in root.findall(XS + "complexType"):
                self.types[f"{{{target}}}{kind.get('name')}"] = list(self.read(kind, target))

    def read(self, kind, target):
        for child in kind.iterfind(f"{XS}sequence/{XS}element"):
            least = int(child.get("minOccurs", "1"))
            if child.get("ref"):
                yield qualified(child, child.get("ref")), least
            else:
                tag = f"{{{target}}}{child.get('name')}"
                self.elements[tag] = qualified(child, child.get("type"))
                yield tag, least

    def children(self, tag):
        """(tag, minimum count) of the allowed children, in order."""
        return self.types.get(self.elements.get(tag), [])

    def place(self, parent, tag):
        """The position of a child with this tag among the parent's children."""
        order = {child: n for n, (child, _) in enumerate(self.children(parent.tag))}
        rank = order.get(tag, len(order))
        return next((n for n, child in enumerate(parent) if order.get(child.tag, -1) > rank), len(parent))


def qualified(element, name):
    prefix, _, local = name.rpartition(":")
    return f"{{{element.nsmap[prefix or None]}}}{local}"


class Pools:
    """Values of the whole corpus, for use in one document."""

    def __init__(self, artefacts, documents):
        self.structure = Structure(artefacts)
        self.values, self.attributes, self.donors = defaultdict(set), defaultdict(set), defaultdict(dict)
        for root in documents:
            for element in root.iter(etree.Element):
                self.learn(element)
        self.values = {local: sorted(texts) for local, texts in self.values.items()}
        self.attributes = {name: sorted(values) for name, values in self.attributes.items()}
        self.donors = {tag: list(donors) for tag, donors in self.donors.items()}
        self.lists = sorted(code_lists(artefacts))

    def learn(self, element):
        local = etree.QName(element).localname
        if len(element) == 0 and element.text:
            self.values[local].add(element.text)
        for name, value in element.attrib.items():
            self.attributes[name].add(value)
        donors = self.donors[element.tag]
        if len(donors) < 40:
            text = etree.tostring(element, with_tail=False)
            if len(text) < MAXIMUM_DONOR:
                donors[text] = None

    def code(self, random):
        """A code of any list in the rules."""
        return random.choice(random.choice(self.lists))

    def value(self, random, local, currency="AED"):
        """A text for an element of this name, mostly of the right kind and mostly valid."""
        if random.random() < 0.25 and local in self.values:
            return random.choice(self.values[local])
        for suffixes, make in KINDS:
            if local.endswith(suffixes):
                return make(random, self)
        return random.choice(values.TEXTS)

    def element(self, random, tag, depth=0):
        """A new element: copied from the corpus, or built with the required content."""
        if self.donors.get(tag) and random.random() < 0.7:
            return etree.fromstring(random.choice(self.donors[tag]))
        made = etree.Element(tag)
        local = etree.QName(tag).localname
        allowed = self.structure.children(tag)
        if not allowed and not tag.startswith(f"{{{CAC}}}"):
            made.text = self.value(random, local)
            for name, share in (
                ("currencyID", local.endswith("Amount")),
                ("unitCode", local.endswith(("Quantity", "Measure"))),
                ("mimeCode", local.endswith("Object")),
                ("schemeID", local.endswith("ID") and random.random() < 0.3),
            ):
                if share:
                    made.set(name, self.attribute(random, name))
        for child, least in allowed:
            if depth < 4 and (least or random.random() < 1.2 / len(allowed)):
                made.append(self.element(random, child, depth + 1))
        return made

    def attribute(self, random, name):
        if name in values.ATTRIBUTES and random.random() < 0.6:
            return random.choice(values.ATTRIBUTES[name])
        if random.random() < 0.3:
            return self.code(random)
        return random.choice(self.attributes.get(name, values.TEXTS[:12]))


def number(random, _):
    kind = random.randrange(10)
    if kind < 6:
        return f"{random.choice((1, 1, 1, -1)) * random.randrange(10 ** random.randrange(1, 8)) / 100:.2f}"
    return random.choice(values.AMOUNTS if kind < 8 else values.ODD_NUMBERS)


def count(random, _):
    return str(random.randrange(4)) if random.random() < 0.7 else random.choice(values.ODD_NUMBERS)


KINDS = (
    (("Incoming", "Outgoing", "EndUsers"), count),
    (("URI",), lambda r, _: r.choice(values.URIS)),
    (("BinaryObject",), lambda r, _: r.choice(values.BASE64)),
    (("Percent",), lambda r, _: r.choice(values.RATES)),
    (("Amount", "Quantity", "Numeric", "Rate", "Measure"), number),
    (("Date",), lambda r, _: r.choice(values.DATES) if r.random() < 0.3 else f"2025-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}"),
    (("Time",), lambda r, _: r.choice(values.TIMES)),
    (("Indicator",), lambda r, _: r.choice(values.BOOLEANS)),
    (("TypeCode", "DocumentScope", "ReporterRole"), lambda r, p: r.choice(values.TYPES) if r.random() < 0.8 else p.code(r)),
    (("CurrencyCode",), lambda r, p: r.choice(("AED", "USD", "EUR", "XXX", "aed", "", "AE", "AED ")) if r.random() < 0.8 else p.code(r)),
    (("ProfileExecutionID",), lambda r, _: r.choice(values.FLAGS) if r.random() < 0.5 else "".join(r.choice("0001") for _ in range(8))),
    (("CustomizationID",), lambda r, _: r.choice(values.CUSTOMIZATIONS)),
    (("ProfileID",), lambda r, _: r.choice(values.PROFILES)),
    (("EndpointID",), lambda r, _: r.choice(values.SPIS) if r.random() < 0.4 else identifier(r, r.choice(list(IDENTIFIERS)))),
    (("Code",), lambda r, p: p.code(r)),
    (
        ("CompanyID", "ID"),
        lambda r, p: r.choice((identifier(r, r.choice(list(IDENTIFIERS))), r.choice(values.CATEGORIES), r.choice(values.TEXTS))),
    ),
    (("CountrySubentity",), lambda r, _: r.choice(("AUH", "DXB", "SHJ", "UAQ", "FUJ", "AJM", "RAK", "dxb", "Dubai", ""))),
)


def code_lists(artefacts):
    """The code lists in the rules' own expressions."""
    for path in sorted((*artefacts.rglob("*.sch"), *(artefacts.parent / "reporting").rglob("*.sch"))):
        for element in etree.parse(path).iter(SCH + "assert", SCH + "let"):
            for quoted in re.findall(r"'( [^']+ )'", element.get("test") or element.get("value")):
                yield tuple(quoted.split())
