"""Random documents that are valid by the official XML Schemas. They contain every allowed element, but have no business meaning."""
import pathlib

from lxml import etree

XS = "{http://www.w3.org/2001/XMLSchema}"
ENTRY = (
    "ubl21/maindoc/UBL-Invoice-2.1.xsd",
    "ubl21/maindoc/UBL-CreditNote-2.1.xsd",
    "ubl21/maindoc/UBL-ApplicationResponse-2.1.xsd",
    "tdd/peppol-tdd-1.0.0.local.xsd",
    "sbdh/StandardBusinessDocumentHeader.xsd",
    "sbdh/PEPPOL-EDN-Business-Message-Envelope-1.2-2019-02-01.xsd",
    "../../reporting/tsr/peppol-transaction-statistics-reporting-1.0.1.xsd",
    "../../reporting/eusr/peppol-end-user-statistics-reporting-1.1.xsd",
)
PARTICLES = tuple(XS + kind for kind in ("element", "any", "group", "sequence", "choice"))
VALUES = {
    "anyURI": ("https://example.com/a?b#c", "urn:x"),
    "base64Binary": ("", "AAAA", "QUI="),
    "boolean": ("true", "0"),
    "date": ("2025-06-30", "2024-02-29Z"),
    "dateTime": ("2025-06-30T12:00:00Z", "2025-06-30T24:00:00"),
    "decimal": ("1", "-0.50"),
    "ID": ("id{}",),
    "integer": ("7",),
    "language": ("en", "ar-AE"),
    "time": ("12:00:00", "12:00:00.5+04:00"),
}
ROOTS = ("Invoice", "CreditNote", "ApplicationResponse", "TaxData", "StandardBusinessDocument", "StandardBusinessDocumentHeader",
         "TransactionStatisticsReport", "EndUserStatisticsReport")


def qname(node, attribute):
    prefix, _, local = node.get(attribute).rpartition(":")
    return f"{{{node.nsmap.get(prefix or None)}}}{local}"


def target(node):
    return node.getroottree().getroot().get("targetNamespace")


class Instances:
    """The components of the schemas, and elements that are generated from them."""

    def __init__(self, folder, chance):
        self.chance, self.count = chance, 0
        self.elements, self.types, self.groups, self.members, self.attributes = {}, {}, {}, {}, set()
        seen, todo = set(), [pathlib.Path(folder) / path for path in ENTRY]
        while todo:
            path = todo.pop().resolve()
            if path in seen:
                continue
            seen.add(path)
            root = etree.parse(path).getroot()
            todo += [path.parent / node.get("schemaLocation") for node in root.iter(XS + "import", XS + "include")]
            space = f"{{{root.get('targetNamespace')}}}"
            self.elements.update({space + node.get("name"): node for node in root.findall(XS + "element")})
            for kind in ("complexType", "simpleType"):
                self.types.update({space + node.get("name"): node for node in root.findall(XS + kind)})
            self.groups.update({space + node.get("name"): node for node in root.findall(XS + "group")})
            for node in root.findall(XS + "element"):
                if node.get("substitutionGroup"):
                    self.members.setdefault(qname(node, "substitutionGroup"), []).append(space + node.get("name"))
            self.attributes.update(node.get("name") for node in root.iter(XS + "attribute") if node.get("name"))
        self.names = sorted(self.elements)
        self.type_names = sorted(self.types)
        self.roots = [name for name in self.names if etree.QName(name).localname in ROOTS]

    def element(self, name, depth=0):
        """A global element, with fewer optional parts at greater depth."""
        return self.make(self.elements[name], name, depth)

    def make(self, declaration, name, depth):
        node = etree.Element(name, nsmap={None: etree.QName(name).namespace} if depth == 0 else None)
        node.text = None
        if declaration.get("type"):
            self.fill(node, qname(declaration, "type"), depth)
        return node

    def fill(self, node, kind, depth):
        if kind.startswith(XS):
            if kind != XS + "anyType":
                node.text = self.value(kind)
            return
        declared = self.types[kind]
        if declared.tag == XS + "simpleType":
            node.text = self.value(kind)
            return
        content = declared.find(f"{XS}simpleContent/*")
        if content is not None:
            self.fill(node, qname(content, "base"), depth)
        derived = declared.find(f"{XS}complexContent/*")
        holder = content if content is not None else derived if derived is not None else declared
        for attribute in holder.findall(XS + "attribute"):
            if attribute.get("use") == "required" or self.chance.random() < 0.2:
                node.set(attribute.get("name"), self.value(qname(attribute, "type")))
        for part in holder:
            if part.tag in (XS + "sequence", XS + "choice"):
                self.particle(node, part, depth)

    def particle(self, node, part, depth):
        least, most = int(part.get("minOccurs", "1")), part.get("maxOccurs", "1")
        times = least
        if self.chance.random() < 0.5 / (1 + depth * depth):
            times = self.chance.randint(1, 3 if most == "unbounded" else 1)
        for _ in range(times):
            self.once(node, part, depth)

    def once(self, node, part, depth):
        if part.tag == XS + "any":
            self.wild(node, part, depth)
        elif part.tag == XS + "element":
            name = qname(part, "ref") if part.get("ref") else f"{{{target(part)}}}{part.get('name')}"
            if name in self.members and part.get("ref"):
                name = self.chance.choice(self.members[name])
            declaration = self.elements[name] if part.get("ref") else part
            node.append(self.make(declaration, name, depth + 1))
        else:
            group = self.groups[qname(part, "ref")].find(XS + "sequence") if part.tag == XS + "group" else part
            parts = [inner for inner in group if inner.tag in PARTICLES]
            for inner in [self.chance.choice(parts)] if group.tag == XS + "choice" else parts:
                self.particle(node, inner, depth)

    def wild(self, node, part, depth):
        """Content for a wildcard: a known element of another namespace, or an unknown one."""
        strict = part.get("processContents", "strict") == "strict"
        name = self.chance.choice(self.names)
        if not strict and self.chance.random() < 0.3:
            inner = etree.SubElement(node, "{urn:unknown}thing")
            inner.text = "text"
            if self.chance.random() < 0.5:
                inner.append(self.element(name, depth + 3))
            return
        node.append(self.element(name, depth + 2))

    def value(self, kind):
        if kind in self.types:
            declared = self.types[kind]
            values = [facet.get("value") for facet in declared.iter(XS + "enumeration")]
            return self.chance.choice(values) if values else self.value(qname(declared.find(XS + "restriction"), "base"))
        self.count += 1
        return self.chance.choice(VALUES.get(etree.QName(kind).localname, ("text", "some text"))).format(self.count)
