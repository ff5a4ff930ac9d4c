"""Reads values of a UBL document."""

import xml.etree.ElementTree as ElementTree

NAMES = {
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
}


def parse(xml: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(xml)


def texts(root: ElementTree.Element, path: str) -> list[str]:
    """The texts at a path such as `cac:TaxTotal/cbc:TaxAmount`, in document order."""
    return [found.text or "" for found in root.findall(path, NAMES)]


def text(root: ElementTree.Element, path: str) -> str | None:
    """The only text at a path; None if there is none."""
    found = texts(root, path)
    assert len(found) <= 1, f"{path} is there {len(found)} times"
    return found[0] if found else None


def root_name(root: ElementTree.Element) -> str:
    return root.tag.rpartition("}")[2]
