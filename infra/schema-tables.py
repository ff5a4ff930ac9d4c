"""Writes the tables below shared/src/schema/tables from the official schemas.

    python infra/schema-tables.py SCHEMAS…          # SCHEMAS…: the folders with ubl21/, tdd/, sbdh/, tsr/ and eusr/
    python infra/schema-tables.py SCHEMAS… --check  # changes nothing; exit status 1 when a table would change

The tables list the elements of each type with order, number and type, and the attributes. They contain facts in the notation of
the macros in shared/src/schema/tables/mod.rs, none of the schemas' text. Names are the constants of infra/names.py. Needs only lxml.
"""

import argparse
import pathlib
import sys
import textwrap

from lxml import etree

import names

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "shared/src/schema/tables"
XS = "{http://www.w3.org/2001/XMLSchema}"
CCT = "urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2"
ENTRY = [
    "ubl21/maindoc/UBL-Invoice-2.1.xsd",
    "ubl21/maindoc/UBL-CreditNote-2.1.xsd",
    "ubl21/maindoc/UBL-ApplicationResponse-2.1.xsd",
    "tdd/peppol-tdd-1.0.0.local.xsd",
    "sbdh/StandardBusinessDocumentHeader.xsd",
    "sbdh/PEPPOL-EDN-Business-Message-Envelope-1.2-2019-02-01.xsd",
    "tsr/peppol-transaction-statistics-reporting-1.0.1.xsd",
    "eusr/peppol-end-user-statistics-reporting-1.1.xsd",
]

MODULE = {uri: module for module, _, uri in names.NAMESPACES}
URI = {module: uri for uri, module in MODULE.items()} | {"udt": names.UBL + "UnqualifiedDataTypes-2", "cct": CCT}
MODULE |= {URI["udt"]: "udt", URI["cct"]: "cct"}
# In these namespaces the name of a type is the name of an element followed by "Type".
BY_ELEMENT = ("invoice", "credit_note", "application_response", "cbc", "cac", "ext", "sig", "sac", "sbc")
# Files by the first letter of the aggregate, so that each stays readable.
LETTERS = [("cac_a_to_c", "ABC"), ("cac_d_to_o", "DEFGHIJKLMNO"), ("cac_p_to_s", "PQRS"), ("cac_t_to_z", "TUVWXYZ")]


class Schemas:
    """The components of all schemas, by namespace and local name."""

    def __init__(self, folders):
        self.elements, self.types, self.groups, self.members = {}, {}, {}, {}
        seen, todo = set(), [next(folder / path for folder in folders if (folder / path).exists()) for path in ENTRY]
        while todo:
            path = todo.pop().resolve()
            if path in seen:
                continue
            seen.add(path)
            root = etree.parse(path).getroot()
            target = root.get("targetNamespace")
            assert root.get("elementFormDefault") == "qualified" and root.get("attributeFormDefault", "unqualified") == "unqualified"
            assert not root.findall(XS + "attribute") and not root.findall(XS + "attributeGroup")
            todo += [path.parent / node.get("schemaLocation") for node in root.iter(XS + "import", XS + "include")]
            tables = {"element": self.elements, "complexType": self.types, "simpleType": self.types, "group": self.groups}
            for kind, found in tables.items():
                found.update({(target, node.get("name")): node for node in root.findall(XS + kind)})
            for element in root.findall(XS + "element"):
                if element.get("substitutionGroup"):
                    head = qname(element, "substitutionGroup")
                    self.members.setdefault(head, []).append((target, element.get("name")))
        self.of_type = {}
        for key, node in self.elements.items():
            if not node.get("abstract"):
                self.of_type.setdefault(element_type(node), []).append(key)
        for node in (*self.elements.values(), *self.types.values(), *self.groups.values()):
            for part in node.iter(XS + "element", XS + "attribute"):
                assert not set(part.attrib) & {"nillable", "default", "fixed", "block", "final", "form"}, etree.tostring(part)


def qname(node, attribute):
    """The (namespace, local name) in an attribute."""
    prefix, _, local = node.get(attribute).rpartition(":")
    return node.nsmap.get(prefix or None), local


def target(node):
    return node.getroottree().getroot().get("targetNamespace")


def name(uri, local):
    """The constant of an element's name."""
    return f"{MODULE[uri]}::{constant(uri, local)}"


def constant(uri, local):
    """The constant of infra/names.py; if two names differ only in case, the capitalized one gets a prefix."""
    known = LOCALS[uri]
    plain = names.constant(local)
    twins = sorted((other for other in known if names.constant(other) == plain), reverse=True)
    return plain if twins[:1] == [local] or not twins else f"CAPITAL_{plain}"


def type_constant(local):
    return names.constant(local.removesuffix("Type"))


def type_path(key):
    """The static of a named type, built in or of a table."""
    uri, local = key
    if uri == XS[1:-1]:
        return f"xs::{names.constant(local)}"
    module = MODULE[uri]
    if module == "cbc":
        base = SCHEMAS.types[key].find(f"{XS}simpleContent/{XS}extension")
        return type_path(qname(base, "base"))
    if module in ("ext", "sbc") and SCHEMAS.types[key].find(f"{XS}simpleContent") is not None:
        return type_path(qname(SCHEMAS.types[key].find(f"{XS}simpleContent/{XS}extension"), "base"))
    return f"{module}::{type_constant(local)}"


def element_type(element):
    """The type of an element declaration; xs:anyType when it names none."""
    assert element.find(XS + "complexType") is None and element.find(XS + "simpleType") is None
    return qname(element, "type") if element.get("type") else (XS[1:-1], "anyType")


# --- content models: the Glushkov automaton of a particle, whose states are its leaves ---


class Model:
    """The leaves of a content model, and the leaves that may follow each."""

    def __init__(self, particle):
        self.leaves, self.follow = [], {}
        first, last, empty = self.walk(particle) if particle is not None else ([], [], True)
        self.follow[None] = first
        self.final = {*last, *([None] if empty else [])}

    def walk(self, node):
        least, most = node.get("minOccurs", "1"), node.get("maxOccurs", "1")
        assert least in "01" and most in ("1", "unbounded"), etree.tostring(node)
        tag = etree.QName(node).localname
        if tag in ("element", "any"):
            first, last, empty = self.leaf(node)
        elif tag == "group":
            first, last, empty = self.walk(SCHEMAS.groups[qname(node, "ref")].find(XS + "sequence"))
        else:
            assert tag in ("sequence", "choice"), tag
            parts = [self.walk(part) for part in node if isinstance(part.tag, str) and part.tag != XS + "annotation"]
            first, last, empty = self.join(parts) if tag == "sequence" else self.choose(parts)
        if most == "unbounded":
            for leaf in last:
                self.follow[leaf] += [other for other in first if other not in self.follow[leaf]]
        return first, last, empty or least == "0"

    def leaf(self, node):
        heads = [node]
        if node.get("ref"):
            heads = [SCHEMAS.elements[key] for key in (qname(node, "ref"), *SCHEMAS.members.get(qname(node, "ref"), []))]
        own = []
        for head in heads:
            self.follow[len(self.leaves)] = []
            own.append(len(self.leaves))
            self.leaves.append(head)
        return own, own, False

    def join(self, parts):
        first, last, empty = [], [], True
        for part_first, part_last, part_empty in parts:
            for leaf in last:
                self.follow[leaf] += part_first
            first = first + part_first if empty else first
            last = last + part_last if part_empty else part_last
            empty = empty and part_empty
        return list(first), list(last), empty

    def choose(self, parts):
        return [leaf for part in parts for leaf in part[0]], [leaf for part in parts for leaf in part[1]], any(part[2] for part in parts)

    def states(self):
        """One line for each state: whether the content may end there, and the transitions. Equal states are merged."""
        of_leaf = {leaf: leaf for leaf in (None, *range(len(self.leaves)))}
        while True:
            says = {leaf: (leaf in self.final, tuple((edge(self.leaves[to]), of_leaf[to]) for to in self.follow[leaf])) for leaf in of_leaf}
            first = {}
            merged = {leaf: first.setdefault(says[leaf], leaf) for leaf in of_leaf}
            if merged == of_leaf:
                break
            of_leaf = merged
        number = {leaf: at for at, leaf in enumerate(dict.fromkeys(of_leaf.values()))}
        for leaf in number:
            edges = " ".join(f"[{text}]~{number[to]}".replace(" ", "~") for text, to in says[leaf][1])
            yield f"{'ends' if leaf in self.final else 'goes'} {edges}".rstrip() + ";"


def edge(leaf):
    if leaf.tag == XS + "any":
        spaces = {"##other": "other", "##any": "any"}[leaf.get("namespace", "##any")]
        return f"{spaces} {leaf.get('processContents', 'strict').title()}"
    declared = name(target(leaf), leaf.get("name"))
    if leaf.getparent().tag == XS + "schema":
        return declared
    return f"{declared} = {type_path(element_type(leaf))}"


# --- types ---


def attributes_of(key):
    """The attributes of a complex type, including inherited ones: {local name: (type, required)}."""
    if key[0] == XS[1:-1]:
        return {}
    node = SCHEMAS.types[key]
    if node.tag == XS + "simpleType":
        return {}
    derived = node.find(f"{XS}simpleContent/*")
    derived = node.find(f"{XS}complexContent/*") if derived is None else derived
    found = attributes_of(qname(derived, "base")) if derived is not None else {}
    holder = node if derived is None else derived
    for attribute in holder.findall(XS + "attribute"):
        assert attribute.get("use") in (None, "optional", "required")
        found[attribute.get("name")] = (qname(attribute, "type"), attribute.get("use") == "required")
    # A strict wildcard allows no attribute, since no schema declares a global one.
    assert all(wild.get("processContents", "strict") == "strict" for wild in holder.findall(XS + "anyAttribute"))
    return found


def attribute_list(key):
    found = attributes_of(key)
    parts = [f"{constant('', local)}~{'!' if needed else '?'}~{datatype(kind)}" for local, (kind, needed) in found.items()]
    return f"({', '.join(parts)})"


def datatype(key):
    """The built-in datatype or the enumeration that a simple type is based on."""
    uri, local = key
    if uri == XS[1:-1]:
        return local[0].upper() + local[1:].replace("URI", "Uri") if local != "ID" else "Id"
    node = SCHEMAS.types[key]
    if node.tag == XS + "complexType":
        return datatype(qname(node.find(f"{XS}simpleContent/*"), "base"))
    restriction = node.find(XS + "restriction")
    values = [facet.get("value") for facet in restriction.findall(XS + "enumeration")]
    assert all(child.tag in (XS + "enumeration", XS + "annotation") for child in restriction if isinstance(child.tag, str))
    if values:
        assert datatype(qname(restriction, "base")) == "String"
        quoted = ", ".join(f'"{value}"' for value in values)
        return f"Enumeration(&[{quoted}])"
    return datatype(qname(restriction, "base"))


def is_text(node):
    """Whether a type contains only text."""
    return node.tag == XS + "simpleType" or node.find(XS + "simpleContent") is not None


def base_of(node):
    """The type that a named type derives from, xs:anyType by default."""
    derived = node.find(XS + "restriction") if node.tag == XS + "simpleType" else node.find(f"{XS}simpleContent/*")
    if derived is None:
        derived = node.find(f"{XS}complexContent/*")
    return type_path(qname(derived, "base")) if derived is not None else "xs::ANY_TYPE"


def elements_of(key):
    """The global elements of a type, `cac::ADDRESS cac::DELIVERY_ADDRESS`, beginning with the one of the type's own name. Heads of
    substitution groups are excluded."""
    found = SCHEMAS.of_type.get(key, [])
    own = (key[0], key[1].removesuffix("Type"))
    assert own in found or MODULE[key[0]] not in BY_ELEMENT, key
    return " ".join(name(*one) for one in sorted(found, key=lambda one: (one != own, MODULE[one[0]], name(*one))))


def particle_of(node):
    holder = node.find(f"{XS}complexContent/*")
    holder = node if holder is None else holder
    return next((holder.find(XS + kind) for kind in ("sequence", "choice", "group") if holder.find(XS + kind) is not None), None)


def value(key):
    """A type with only text."""
    node = SCHEMAS.types[key]
    elements = elements_of(key) if MODULE[key[0]] not in ("udt", "cct") else ""
    return f'{type_constant(key[1])} "{key[1]}" from {base_of(node)} {attribute_list(key)} ({elements}) = {datatype(key)};'


def model(key):
    """A type with elements: its content model, state by state."""
    node = SCHEMAS.types[key]
    kind = "abstract" if node.get("abstract") else "mixed" if node.get("mixed") else "elements"
    particle = particle_of(node)
    if particle is None and kind == "elements":
        kind = "empty"
    head = f'{type_constant(key[1])} "{key[1]}" from {base_of(node)} {attribute_list(key)} ({elements_of(key)}) {kind}'
    states = list(Model(particle).states()) if kind in ("mixed", "elements") else []
    return [head + " {", *(f"    {line}" for line in states), "}"] if states else [head + " {}"]


def sequence(key):
    """A type that is a plain sequence of global elements without attributes, as all aggregates of UBL are."""
    node = SCHEMAS.types[key]
    assert not node.get("mixed") and not node.get("abstract") and not attributes_of(key)
    particle = particle_of(node)
    assert particle.tag == XS + "sequence" and not {"minOccurs", "maxOccurs"} & set(particle.attrib)
    parts, last, seen = [], None, set()
    for part in particle:
        if not isinstance(part.tag, str) or part.tag == XS + "annotation":
            continue
        assert part.tag == XS + "element" and part.get("ref"), etree.tostring(part)
        module, local = name(*qname(part, "ref")).split("::")
        occurs = {("0", "1"): "?", ("1", "1"): "!", ("0", "unbounded"): "*", ("1", "unbounded"): "+"}
        if module != last:
            parts += [")"] * bool(last) + [f"{module}("]
            last = module
        parts.append(f"{local}~{occurs[part.get('minOccurs', '1'), part.get('maxOccurs', '1')]}")
        assert (module, local) not in seen, f"{key}: {local} twice"
        seen.add((module, local))
    return f"{type_constant(key[1])} ({elements_of(key)}) {{ {' '.join([*parts, ')']).replace('( ', '(').replace(' )', ')')} }}"


# --- files ---


def wrapped(line, indent="    "):
    width = {"break_long_words": False, "break_on_hyphens": False, "width": 100}
    return [row.replace("~", " ") for row in textwrap.wrap(line, initial_indent=indent, subsequent_indent=indent + "    ", **width)]


def module_text(about, macro, rows, head=()):
    lines = [f"//! {about}", "//!", "//! Written by `infra/schema-tables.py` from the official schemas.", "", f"super::{macro}! {{", *head]
    for row in rows:
        if isinstance(row, str):
            lines += wrapped(row)
        else:
            lines += [part for line in row for part in wrapped(line)]
    return "\n".join([*lines, "}", ""])


def files():
    """(file name, text) of every table."""

    def of(module, simple=None):
        keys = [key for key in SCHEMAS.types if MODULE.get(key[0]) == module and simple in (None, is_text(SCHEMAS.types[key]))]
        return sorted(keys, key=lambda key: type_constant(key[1]))

    yield "cct.rs", module_text("The core component types.", "values", map(value, of("cct")), [f'    space "{CCT}";'])
    udt = URI["udt"]
    yield "udt.rs", module_text("The unqualified datatypes of UBL.", "values", map(value, of("udt")), [f'    space "{udt}";'])
    by_type = {}
    for module in ("cbc", "ext", "sbc"):
        for key in of(module, simple=True):
            by_type.setdefault(type_path(key), []).append(elements_of(key))
    rows = [f"{path} ({' '.join(sorted(found))})" for path, found in sorted(by_type.items())]
    yield "cbc.rs", module_text("The basic elements of UBL, by their type.", "elements", rows)
    by_type = {}
    for key, node in SCHEMAS.elements.items():
        if node.get("abstract"):
            by_type.setdefault("xs::ABSTRACT", []).append(name(*key))
        elif element_type(node)[0] == XS[1:-1]:
            by_type.setdefault(type_path(element_type(node)), []).append(name(*key))
    rows = [f"{path} ({' '.join(sorted(found))})" for path, found in sorted(by_type.items())]
    yield "built_in.rs", module_text("The elements of a type that is built into XML Schema.", "elements", rows)
    for file, letters in LETTERS:
        rows = [sequence(key) for key in of("cac") if key[1][0] in letters]
        yield f"{file}.rs", module_text(f"The aggregates of UBL from {letters[0]} to {letters[-1]}.", "sequences", rows)
    keys = [key for module in BY_ELEMENT if module != "cac" for key in of(module, simple=False) if key[1] != "ExtensionContentType"]
    about = "The documents of UBL, their extensions and their signatures."
    yield "documents.rs", module_text(about, "sequences", map(sequence, keys))
    space = '    space "%s";'
    rows = [model((URI["ext"], "ExtensionContentType"))]
    yield "content.rs", module_text("The content of an extension.", "models", rows, [space % URI["ext"]])
    yield "../datatype/letters.rs", name_characters()
    for module in ("ds", "xades", "xades141", "tdd", "sbdh", "envelope", "tsr", "eusr"):
        about = {
            "ds": "XML signatures.",
            "xades": "Advanced electronic signatures, XAdES 1.3.2.",
            "xades141": "Advanced electronic signatures, XAdES 1.4.1.",
            "tdd": "The Tax Data Document.",
            "sbdh": "The Standard Business Document Header.",
            "envelope": "The Peppol business message envelope's content.",
            "tsr": "The Transaction Statistics Report.",
            "eusr": "The End User Statistics Report.",
        }[module]
        parts = [("models", [model(key) for key in of(module, simple=False)])]
        parts.append(("values", [value(key) for key in of(module, simple=True)]))
        texts = [module_text(about, macro, rows, [space % URI[module]]) for macro, rows in parts if rows]
        yield f"{module}.rs", texts[0] + "".join("\n" + text[text.index("super::") :] for text in texts[1:])


def name_characters():
    """The characters of names as libxml2 reads the datatypes: those above ASCII, as ranges."""

    def accepted(kind, before):
        text = f'<xs:schema xmlns:xs="{XS[1:-1]}"><xs:element name="a" type="xs:{kind}"/></xs:schema>'
        schema, element, codes = etree.XMLSchema(etree.fromstring(text)), etree.Element("a"), []
        for code in range(0x80, 0xFFFE):
            if not 0xD800 <= code <= 0xDFFF:
                element.text = before + chr(code)
                if schema.validate(element):
                    codes.append(code)
        return codes

    def block(about, title, codes):
        starts = [code for at, code in enumerate(codes) if not at or codes[at - 1] != code - 1]
        ends = [code for at, code in enumerate(codes) if at + 1 == len(codes) or codes[at + 1] != code + 1]
        row = " ".join(f"0x{start:X}~0x{end:X}," for start, end in zip(starts, ends, strict=True))
        return [f"    /// {about}", f"    {title} {{", *wrapped(row, "        "), "    }"]

    head = ["//! The characters of names beyond ASCII.", "//!"]
    head.append("//! Written by `infra/schema-tables.py`, which asks libxml2 for each character.")
    first = block("What a name may begin with.", "LETTERS", accepted("NCName", ""))
    rest = block("What may stand in a name.", "NAME_CHARACTERS", accepted("NMTOKEN", ""))
    return "\n".join([*head, "", "super::ranges::ranges! {", *first, *rest, "}", ""])


def main():
    global SCHEMAS, LOCALS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schemas", type=pathlib.Path, nargs="+")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    SCHEMAS, LOCALS = Schemas(options.schemas), names.declared(options.schemas)
    changed = 0
    for file, text in files():
        path = (OUT / file).resolve()
        if path.exists() and path.read_text() == text:
            continue
        changed += 1
        print(("differs: " if options.check else "written: ") + str(path.relative_to(HERE.parent)))
        if not options.check:
            path.write_text(text)
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
