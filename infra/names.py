"""Writes the tables of XML names below shared/src/xml/names from the official schemas.

    python infra/names.py SCHEMAS…          # SCHEMAS…: folders with all the .xsd files, searched recursively
    python infra/names.py SCHEMAS… --check  # changes nothing; exit status 1 when a table would change

A table lists the local names of one namespace, each with its constant. It contains facts, none of the schemas' text. Needs only lxml.
"""

import argparse
import pathlib
import re
import sys
import textwrap

from lxml import etree

OUT = pathlib.Path(__file__).resolve().parent.parent / "shared/src/xml/names"
XS = "{http://www.w3.org/2001/XMLSchema}"
UBL = "urn:oasis:names:specification:ubl:schema:xsd:"

# Module, usual prefix, namespace. The order is that of the numbers in `Name`.
NAMESPACES = [
    ("attr", "", ""),
    ("xml", "xml", "http://www.w3.org/XML/1998/namespace"),
    ("xsi", "xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ("invoice", "ubl", UBL + "Invoice-2"),
    ("credit_note", "ubl", UBL + "CreditNote-2"),
    ("application_response", "ubl", UBL + "ApplicationResponse-2"),
    ("cbc", "cbc", UBL + "CommonBasicComponents-2"),
    ("cac", "cac", UBL + "CommonAggregateComponents-2"),
    ("ext", "ext", UBL + "CommonExtensionComponents-2"),
    ("sig", "sig", UBL + "CommonSignatureComponents-2"),
    ("sac", "sac", UBL + "SignatureAggregateComponents-2"),
    ("sbc", "sbc", UBL + "SignatureBasicComponents-2"),
    ("ds", "ds", "http://www.w3.org/2000/09/xmldsig#"),
    ("xades", "xades", "http://uri.etsi.org/01903/v1.3.2#"),
    ("xades141", "xades141", "http://uri.etsi.org/01903/v1.4.1#"),
    ("tdd", "pxs", "urn:peppol:schema:taxdata:1.0"),
    ("sbdh", "sbdh", "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"),
    ("envelope", "env", "http://peppol.eu/xsd/ticc/envelope/1.0"),
    ("tsr", "tsr", "urn:fdc:peppol:transaction-statistics-report:1.0"),
    ("eusr", "eusr", "urn:fdc:peppol:end-user-statistics-report:1.1"),
]

# Names of W3C recommendations that no schema here declares (XML Schema Part 1 section 2.6; XML Base; xml:id).
KNOWN = {
    "http://www.w3.org/XML/1998/namespace": {"lang", "space", "base", "id"},
    "http://www.w3.org/2001/XMLSchema-instance": {"type", "nil", "schemaLocation", "noNamespaceSchemaLocation"},
}


def constant(local):
    """The constant's name: EndpointID is ENDPOINT_ID, URIText is URI_TEXT."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", local).upper().replace("-", "_")


def declared(folders):
    """The local names that the schemas declare, by namespace; attributes without a namespace have an empty key."""
    found = {uri: set(names) for uri, names in KNOWN.items()}
    for path in sorted(path for folder in folders for path in folder.rglob("*.xsd")):
        schema = etree.parse(path).getroot()
        target = schema.get("targetNamespace", "")
        for node in schema.iter(XS + "element", XS + "attribute"):
            if node.get("name") is None:
                continue
            default = schema.get("elementFormDefault" if node.tag == XS + "element" else "attributeFormDefault")
            qualified = node.getparent() is schema or node.get("form", default) == "qualified"
            found.setdefault(target if qualified else "", set()).add(node.get("name"))
    return found


def table(space, module, prefix, uri, names):
    """The text of one module."""
    by_constant = {}
    for local in sorted(names, reverse=True):
        # If two names differ only in case, the capitalized one gets a prefix (XAdES `Encoding`).
        name = constant(local) if constant(local) not in by_constant else f"CAPITAL_{constant(local)}"
        if by_constant.setdefault(name, local) != local:
            sys.exit(f"{module}: {local} and {by_constant[name]} would share a constant")
    entries = " ".join(f'{name}~"{local}",' for name, local in sorted(by_constant.items()))
    width = {"break_long_words": False, "break_on_hyphens": False, "width": 96}
    lines = [line.replace("~", " ") for line in textwrap.wrap(entries, **width)]
    about = f"`{uri}`" if uri else "no namespace: the attributes of UBL and of the other vocabularies"
    return "\n".join(
        [
            f"//! Names in {about}.",
            "//!",
            "//! Written by `infra/names.py` from the official schemas.",
            "",
            "super::table! {",
            f'    {space}, "{prefix}" = "{uri}";',
            *(f"    {line}" for line in lines),
            "}",
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schemas", type=pathlib.Path, nargs="+")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found = declared(options.schemas)
    unlisted = [uri for uri, names in found.items() if names and uri not in {row[2] for row in NAMESPACES}]
    if unlisted:
        sys.exit(f"namespaces without a module: {', '.join(unlisted)}")
    changed = 0
    for space, (module, prefix, uri) in enumerate(NAMESPACES):
        path, text = OUT / f"{module}.rs", table(space, module, prefix, uri, found.get(uri, set()))
        if path.exists() and path.read_text() == text:
            continue
        changed += 1
        print(("differs: " if options.check else "written: ") + str(path.relative_to(OUT.parents[3])))
        if not options.check:
            path.write_text(text)
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
