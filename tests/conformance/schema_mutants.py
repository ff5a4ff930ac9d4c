"""Documents with a few random changes, to compare two schema checks."""
import copy

from lxml import etree

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
XML = "{http://www.w3.org/XML/1998/namespace}"
XS = "http://www.w3.org/2001/XMLSchema"
# Values at the limits of the datatypes, and beyond.
HOSTILE = (
    "", " ", "\n", "x", "1", "-1", "+1", "1.", ".1", ".", "-", "+.", "1e5", "1,5", " 1 ", "\t1\n", "0x1", "INF", "NaN", "١", "--1", "- 1",
    "0", "-0", "00.00", "1" * 60, "-" + "9" * 40, "9223372036854775808", "true", "TRUE", "false", " true ", "tru", "2",
    "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "-2024-02-29", "0000-01-01", "-0001-12-31", "12024-01-01", "012024-01-01",
    "99999999999999999999-01-01", "9223372036854775807-01-01", "2024-1-1", "2024-13-01", "2024-04-31", "2024-01-01Z", "2024-01-01+14:00",
    "2024-01-01+14:01", "2024-01-01-05:30", "2024-01-01z", " 2024-01-01", "2024-01-01 ", "+2024-01-01", "2024-01-01T00:00:00", "20240101",
    "12:00:00", "24:00:00", "24:00:01", "24:00:00.000", "24:00:00.1", "23:59:60", "12:60:00", "12:00", "12:00:00.", "12:00:00.123456789",
    "12:00:59.9999999999999", "12:00:59.99999999999999", "12:00:00Z", "12:00:00-14:00", "12:00:00+24:00", " 12:00:00", "12:00:00 ",
    "2024-01-01T24:00:00", "2024-01-01T24:00:01", "2024-01-01T12:00:00+04:00", " 2024-01-01T12:00:00", "2024-01-01T12:00:00 ",
    "2024-01-01 12:00:00", "---31", "---32", "--02-30", "--02-29", "--12", "2024", "2024-05", "P1Y2M3DT4H5M6.7S", "P1YT", "PT", "P", "-P1D",
    "AAAA", "AAA=", "AA==", "A===", "AAB=", "AB==", "AAAA=", "A A A A", "!!!!", "QUJD\nREVG", "====", "AA=A",
    "en", "en-US", "en_US", "e1", "en-", "-en", "x" * 9, "ar-AE-x-y", "1en", "id", " id ", "1id", "a:b", "a b", "é", "a\u0378", "\u4e00",
    "_",
    "http://x/%zz", "http://[::1]/", "http://[", "a b", ":a", "1:a", "#a#b", "a?[", "a#[]",
    "http://a:99999999999", "%", "\\", "//", "http:",
    "ab", "abc", "AG", "<&>\"'", "]]>", "\u00a0", "\u2028", "xs:string", "cbc:IDType",
)
RAW = (b"<![CDATA[ ]]>", b"<![CDATA[1]]>", b"<![CDATA[]]>", b"&#9;")
TYPES = (
    "string", "normalizedString", "token", "language", "NMTOKEN", "NMTOKENS", "Name", "NCName", "ID", "IDREF", "IDREFS", "ENTITY",
    "ENTITIES", "QName", "NOTATION", "anyURI", "boolean", "decimal", "float", "double", "duration", "dateTime", "time", "date", "gYear",
    "gYearMonth", "gMonth", "gMonthDay", "gDay", "hexBinary", "base64Binary", "integer", "positiveInteger", "nonPositiveInteger",
    "negativeInteger", "nonNegativeInteger", "long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte",
    "anyType",
    "anySimpleType", "nothing", "anyAtomicType",
)


SHEET = """<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:e="urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2"
 xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:t="http://www.w3.org/2001/XMLSchema"
><e:UBLExtensions><e:UBLExtension><e:ExtensionContent><x:sheet xmlns:x="urn:x">{}
</x:sheet></e:ExtensionContent></e:UBLExtension></e:UBLExtensions></Invoice>"""
BREAKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "&#10;"})


def sheets(chance, count=300):
    """(datatype, document) for each datatype: one value on each line, the known ones and random changes of them."""
    for kind in TYPES:
        values = list(HOSTILE)
        for _ in range(count):
            value = list(chance.choice(HOSTILE))
            for _ in range(chance.randint(1, 3)):
                at = chance.randint(0, len(value))
                value[at : at + chance.randint(0, 1)] = chance.choice(("", "", " ", "\n", *"0123459-+:.TZPYMDHSeE=/#?%[]@aA_é"))
            values.append("".join(value))
        rows = "".join(f'\n<v i:type="t:{kind}">{value.translate(BREAKS)}</v>' for value in values)
        yield kind, SHEET.format(rows).encode()


class Mutator:
    """Creates mutants of official files and of random documents."""

    def __init__(self, instances, files, chance):
        self.instances, self.chance = instances, chance
        trees = [etree.parse(path, etree.XMLParser(remove_blank_text=False)) for path in files]
        # Large files find no more than small ones, and take longer.
        self.trees = [tree for tree in trees if len(etree.tostring(tree)) < 40_000]
        self.edits = (
            self.delete, self.duplicate, self.move, self.swap, self.rename, self.rename, self.empty, self.value, self.value, self.value,
            self.blanks, self.attribute_delete, self.attribute_add, self.attribute_value, self.attribute_value, self.stray_text,
            self.comment, self.insert, self.insert, self.extension, self.extension, self.typed, self.typed, self.nil,
            self.namespace, self.lines,
        )

    def document(self):
        """The bytes of a document with up to four changes."""
        if self.chance.random() < 0.35:
            root = self.instances.element(self.chance.choice(self.instances.roots))
            if self.chance.random() < 0.7:
                etree.indent(root)
        else:
            root = copy.deepcopy(self.chance.choice(self.trees)).getroot()
        for _ in range(self.chance.choice((0, 1, 1, 1, 2, 2, 3, 4))):
            self.chance.choice(self.edits)(root)
        text = etree.tostring(root, encoding="UTF-8")
        if self.chance.random() < 0.05:
            text = text.replace(b'" ', b'"\n  ', self.chance.randint(1, 20))
        if self.chance.random() < 0.03:
            at = text.rfind(b"</", 0, self.chance.randint(1, len(text)))
            text = text if at < 0 else text[:at] + self.chance.choice(RAW) + text[at:]
        return text

    def every(self, size=40):
        """Documents with every global element in turn below a wildcard, each valid and with a change."""
        for start in range(0, len(self.instances.names), size):
            rows = []
            for name in self.instances.names[start : start + size]:
                for depth in (0, 0, 1):
                    holder = etree.Element("{urn:x}row")
                    holder.append(self.instances.element(name, depth))
                    if rows and len(rows) % 3:
                        self.chance.choice(self.edits)(holder)
                    rows.append("\n" + etree.tostring(holder, encoding="unicode"))
            yield f"elements-{start}", SHEET.format("".join(rows)).encode()

    def any(self, root, inner=False):
        nodes = [node for node in root.iter(etree.Element) if not inner or node is not root]
        return self.chance.choice(nodes or [root])

    def hostile(self):
        return self.chance.choice(HOSTILE)

    def delete(self, root):
        node = self.any(root, inner=True)
        if node is not root:
            node.getparent().remove(node)

    def duplicate(self, root):
        node = self.any(root, inner=True)
        if node is not root:
            node.addnext(copy.deepcopy(node))

    def move(self, root):
        node, place = self.any(root, inner=True), self.any(root, inner=True)
        if node is not root and place is not root and node is not place and node not in place.iterancestors():
            place.addprevious(node)

    def swap(self, root):
        node = self.any(root, inner=True)
        other = node.getnext()
        if node is not root and other is not None:
            other.addnext(node)

    def rename(self, root):
        node = self.any(root, inner=self.chance.random() < 0.99)
        other = self.chance.choice((self.any(root).tag, self.chance.choice(self.instances.names), node.tag + "x", node.tag.lower()))
        if isinstance(node.tag, str):
            node.tag = other

    def empty(self, root):
        node = self.any(root)
        tail = node.tail
        for child in list(node):
            node.remove(child)
        node.text, node.tail = None, tail

    def value(self, root):
        leaves = [node for node in root.iter(etree.Element) if not len(node)]
        if leaves:
            self.chance.choice(leaves).text = self.hostile()

    def blanks(self, root):
        node = self.any(root)
        node.text = self.chance.choice((" ", "\n", "\t ")) + (node.text or "") + self.chance.choice(("", " ", "\n"))

    def attribute_delete(self, root):
        nodes = [node for node in root.iter(etree.Element) if node.attrib]
        if nodes:
            node = self.chance.choice(nodes)
            del node.attrib[self.chance.choice(list(node.attrib))]

    def attribute_add(self, root):
        name = self.chance.choice(sorted(self.instances.attributes))
        odd = (XML + "lang", XML + "space", "unknown", "{urn:unknown}a", XSI + "schemaLocation", XSI + "odd", XSI + "nil")
        self.any(root).set(name if self.chance.random() < 0.6 else self.chance.choice(odd), self.hostile())
        if self.chance.random() < 0.1:  # at most one: lxml refuses some documents with an invalid or second xml:id, and accepts others
            used = [node.get("Id") for node in root.iter(etree.Element) if node.get("Id")]
            name = self.chance.choice([*used, f"x{self.chance.randint(0, 10**9)}"]).strip()
            if name.isidentifier() and not root.xpath("//@xml:id"):
                self.any(root).set(XML + "id", name)

    def attribute_value(self, root):
        nodes = [node for node in root.iter(etree.Element) if node.attrib]
        if nodes:
            node = self.chance.choice(nodes)
            node.set(self.chance.choice(list(node.attrib)), self.hostile())

    def stray_text(self, root):
        node = self.any(root, inner=True)
        text = self.chance.choice(("x", " x ", "\u00a0", "0", "\n"))
        if self.chance.random() < 0.5 and node is not root:
            node.tail = (node.tail or "") + text
        else:
            node.text = (node.text or "") + text

    def comment(self, root):
        node = self.any(root)
        inner = self.chance.choice((etree.Comment("x"), etree.ProcessingInstruction("x", "y")))
        inner.tail = self.chance.choice((None, "\n", " 1", "x"))
        node.insert(self.chance.randint(0, len(node)), inner)

    def insert(self, root):
        node = self.any(root)
        inner = self.instances.element(self.chance.choice(self.instances.names), self.chance.randint(0, 3))
        node.insert(self.chance.randint(0, len(node)), inner)

    def extension(self, root):
        """Adds an extension, or content to an existing one, to test wildcards."""
        space = "{urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2}"
        contents = list(root.iter(space + "ExtensionContent"))
        if contents:
            content = self.chance.choice(contents)
        else:
            content = etree.Element(space + "ExtensionContent")
            outer = etree.Element(space + "UBLExtensions")
            etree.SubElement(outer, space + "UBLExtension").append(content)
            root.insert(0, outer)
        if self.chance.random() < 0.6:
            signature = [name for name in self.instances.names if "xmldsig" in name or "etsi" in name or "Signature" in name]
            inner = self.instances.element(self.chance.choice(signature), self.chance.choice((0, 0, 1, 2)))
        else:
            inner = etree.Element(self.chance.choice(("{urn:unknown}a", "plain", "{http://www.w3.org/2000/09/xmldsig#}Unknown")))
            inner.text = self.hostile()
        if len(inner) and self.chance.random() < 0.7:
            for _ in range(self.chance.randint(1, 3)):
                self.chance.choice(self.edits[:8])(inner)
        content.append(inner)

    def typed(self, root):
        """xsi:type, at an element of the document or below a wildcard."""
        node = self.any(root)
        if self.chance.random() < 0.6:
            self.extension(root)
            wild = list(root.iter("{urn:unknown}a", "plain", "{*}thing", "{*}SignaturePolicyImplied", "{*}KeyName"))
            node = self.chance.choice(wild) if wild else node
        pick = self.chance.random()
        if pick < 0.4:
            space, local = XS, self.chance.choice(TYPES)
        elif pick < 0.6:
            space, local = etree.QName(node).namespace or XS, etree.QName(node).localname + "Type"
        else:
            name = etree.QName(self.chance.choice(self.instances.type_names))
            space, local = name.namespace, name.localname
        fresh = etree.Element(node.tag, attrib=dict(node.attrib), nsmap={**node.nsmap, "t": space})
        fresh.text, fresh.tail = node.text, node.tail
        if not len(node) and self.chance.random() < 0.6:
            fresh.text = self.hostile()
        fresh.extend(list(node))
        fresh.set(XSI + "type", self.chance.choice((f"t:{local}", f"t:{local}", f"t:{local}", local, f"u:{local}", f" t:{local} ", "")))
        parent = node.getparent()
        if parent is not None:
            parent.replace(node, fresh)

    def nil(self, root):
        self.any(root).set(XSI + "nil", self.chance.choice(("true", "false", "1", "maybe", " true ")))

    def namespace(self, root):
        node = self.any(root)
        known = [f"{{{etree.QName(name).namespace}}}" for name in self.chance.sample(self.instances.names, 2)]
        space = self.chance.choice(("", "{urn:unknown}", *known))
        node.tag = space + etree.QName(node).localname

    def lines(self, root):
        """Writes long start tags: the line of an error is the line in which the tag ends."""
        node = self.any(root)
        node.set("long", "x")
        self.any(root).text = "\n" * self.chance.randint(1, 5) + (node.text or "")
