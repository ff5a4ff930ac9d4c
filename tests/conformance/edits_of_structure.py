"""Changes of the presence and order of elements and attributes."""

from lxml import etree

import values
from edits import called, copy, edit, elements, leaf, name, pick, place, remove
from pools import PREFIXES

XSI = "http://www.w3.org/2001/XMLSchema-instance"

# Structure


@edit(8)
def delete(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    remove(element)
    return f"delete {name(element)}"


@edit(4)
def delete_all_of_a_name(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    for other in elements(document, lambda e: e.tag == element.tag):
        if other.getparent() is not None:
            remove(other)
    return f"delete every {name(element)}"


@edit(7)
def duplicate(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    element.addnext(copy(element))
    return f"duplicate {place(element)}"


@edit(4)
def vary(document, random, pools):
    """Adds a second element of the name with another content."""
    element = pick(random, document)
    if element is None:
        return None
    other = copy(element)
    (element.addnext if random.random() < 0.5 else element.addprevious)(other)
    for part in other.iter(etree.Element):
        if leaf(part) and random.random() < 0.5:
            part.text = pools.value(random, name(part))
        for attribute in sorted(part.attrib):
            if random.random() < 0.5:
                part.set(attribute, pools.attribute(random, attribute))
    return f"another {place(element)}"


@edit(2)
def repeat(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    times = random.choice((2, 3, 5))
    for _ in range(times):
        element.addnext(copy(element))
    return f"repeat {place(element)} {times} times"


@edit(2)
def reorder(document, random, pools):
    element = pick(random, document, lambda e: len(e) > 1, root=True)
    if element is None:
        return None
    child, at = random.choice(element), random.randrange(len(element))
    element.insert(at, child)
    return f"move a child of {place(element)}"


@edit(2)
def move(document, random, pools):
    element, target = pick(random, document), pick(random, document, lambda e: not leaf(e), root=True)
    if element is None or target is None or target is element or element in list(target.iterancestors()):
        return None
    element.tail = None
    target.insert(pools.structure.place(target, element.tag), element)
    return f"move {name(element)} into {place(target)}"


@edit(14)
def insert(document, random, pools):
    """A child that the schema allows, at its place."""
    element = pick(random, document, lambda e: pools.structure.children(e.tag), root=True)
    if element is None:
        return None
    tags = [tag for tag, _ in pools.structure.children(element.tag)]
    known = [tag for tag in tags if tag in pools.donors]
    tag = random.choice(known if known and random.random() < 0.75 else tags)
    new = pools.element(random, tag)
    element.insert(pools.structure.place(element, tag), new)
    return f"insert {name(new)} into {place(element)}"


@edit(1)
def insert_anything(document, random, pools):
    element = pick(random, document, root=True)
    new = pools.element(random, random.choice(sorted(pools.donors)))
    element.insert(random.randrange(len(element) + 1), new)
    return f"insert {name(new)} into {place(element)}, whatever the schema says"


@edit(3)
def empty(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    for child in list(element):
        element.remove(child)
    element.text = random.choice((None, None, " ", "\n  ", "\u00a0"))
    if random.random() < 0.2:
        element.attrib.clear()
    return f"empty {place(element)}"


@edit(2)
def rename(document, random, pools):
    element = pick(random, document)
    if element is None:
        return None
    old, space = place(element), etree.QName(element).namespace
    siblings = [e.tag for e in element.getparent() if isinstance(e.tag, str)]
    allowed = [tag for tag, _ in pools.structure.children(element.getparent().tag)]
    element.tag = random.choice(
        (
            random.choice(siblings),
            random.choice(allowed or siblings),
            random.choice(sorted(pools.donors)),
            f"{{{space}}}Unknown",
            f"{{{space}}}{name(element).lower()}",
            name(element),
            f"{{{random.choice(sorted(PREFIXES.values()))}}}{name(element)}",
        )
    )
    return f"rename {old} to {element.tag}"


@edit(1)
def replace(document, random, pools):
    """Another element of the same name."""
    element = pick(random, document, lambda e: e.tag in pools.donors)
    if element is None:
        return None
    new = etree.fromstring(random.choice(pools.donors[element.tag]))
    new.tail = element.tail
    element.getparent().replace(element, new)
    return f"replace {place(new)}"


@edit(1)
def text_between_elements(document, random, pools):
    element = pick(random, document, lambda e: not leaf(e), root=True)
    element.text = random.choice(("text", " \t\r\n", "\u00a0", "0", "&"))
    return f"text in {place(element)}"


@edit(1)
def lines(document, random, pools):
    """Many lines, or none."""
    found = elements(document, called("InvoiceLine", "CreditNoteLine", "LineResponse"))
    if not found:
        return None
    times = random.choice((0, 2, 3, 5, 12))
    for line in found:
        for _ in range(times - 1):
            line.addnext(copy(line))
        if times == 0:
            remove(line)
    return f"lines {times} times"


@edit(2)
def credit_note(document, random, pools):
    """Turns an invoice into a credit note, or the other way round."""
    names = (
        ("Invoice", "InvoiceTypeCode", "InvoiceLine", "InvoicedQuantity"),
        ("CreditNote", "CreditNoteTypeCode", "CreditNoteLine", "CreditedQuantity"),
    )
    if name(document.root) not in ("Invoice", "CreditNote"):
        return None
    old, new = names if name(document.root) == "Invoice" else names[::-1]
    swap, types = dict(zip(old, new, strict=True)), {"380": "381", "381": "380", "389": "261", "261": "389", "480": "81", "81": "480"}
    for element in elements(document):
        if name(element) in swap:
            element.tag = f"{{{etree.QName(element).namespace}}}{swap[name(element)]}"
            element.text = types.get(element.text, element.text)
    text = etree.tostring(document.root, encoding="unicode")
    document.root = etree.fromstring(text.replace(f"{old[0]}-2", f"{new[0]}-2"))
    document.root.tag = f"{{{PREFIXES['cn' if new[0] == 'CreditNote' else 'ubl']}}}{new[0]}"
    return f"make it a {new[0]}"


@edit(1)
def another_root(document, random, pools):
    document.root.tag = random.choice(
        sorted(
            {
                f"{{{PREFIXES['ubl']}}}Invoice",
                f"{{{PREFIXES['ubl']}}}CreditNote",
                f"{{{PREFIXES['ar']}}}ApplicationResponse",
                f"{{{PREFIXES['pxs']}}}TaxData",
                f"{{{PREFIXES['tsr']}}}TransactionStatisticsReport",
                f"{{{PREFIXES['eusr']}}}EndUserStatisticsReport",
                "Invoice",
                f"{{{PREFIXES['ubl']}}}Order",
            }
        )
    )
    return f"root {document.root.tag}"


# Attributes


@edit(3)
def delete_attribute(document, random, pools):
    element = pick(random, document, lambda e: e.attrib)
    if element is None:
        return None
    attribute = random.choice(sorted(element.attrib))
    del element.attrib[attribute]
    return f"delete @{attribute} of {place(element)}"


@edit(7)
def change_attribute(document, random, pools):
    element = pick(random, document, lambda e: e.attrib)
    if element is None:
        return None
    attribute = random.choice(sorted(element.attrib))
    element.set(attribute, pools.attribute(random, attribute))
    return f"@{attribute} of {place(element)} = {element.get(attribute)!r}"


@edit(3)
def add_attribute(document, random, pools):
    element = pick(random, document, leaf)
    if element is None:
        return None
    attribute = random.choice((*values.ATTRIBUTES, *values.UBL_ATTRIBUTES))
    element.set(attribute, pools.attribute(random, attribute))
    return f"@{attribute} of {place(element)} = {element.get(attribute)!r}"


@edit(1)
def strange_attribute(document, random, pools):
    element = pick(random, document, root=True)
    attribute, text = random.choice(
        (
            ("unknown", "x"),
            ("{urn:x}schemeID", "0088"),
            ("{http://www.w3.org/XML/1998/namespace}lang", "en"),
            ("{http://www.w3.org/XML/1998/namespace}space", "preserve"),
            (f"{{{XSI}}}schemaLocation", "urn:x x.xsd"),
            *((f"{{{XSI}}}type", kind) for kind in ("cbc:IDType", "cbc:NameType", "cac:PartyType", "string", "")),
            (f"{{{XSI}}}nil", "true"),
            (f"{{{XSI}}}nil", "false"),
            (f"{{{XSI}}}schemaLocation", f"{PREFIXES['ubl']} UBL-Invoice-2.1.xsd"),
            ("SchemeID", "0088"),
        )
    )
    element.set(attribute, text)
    return f"@{attribute} of {place(element)}"
