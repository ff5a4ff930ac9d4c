"""Common functions of the random changes of a document.

A change is a function of the document, a random source and the pools. It returns a description in a few words, or None when the document
has no place for it.
"""

from lxml import etree

from pools import CBC

EDITS = []  # (weight, function)


def edit(weight):
    """Registers a change with its relative frequency."""

    def register(function):
        EDITS.append((weight, function))
        return function

    return register


def elements(document, wanted=lambda element: True, root=False):
    """The matching elements, in document order."""
    return [e for e in document.root.iter(etree.Element) if (root or e is not document.root) and wanted(e)]


def pick(random, document, wanted=lambda element: True, root=False):
    """A random matching element, or None; rare names are preferred to the many elements of the lines."""
    found = elements(document, wanted, root)
    if not found:
        return None
    if random.random() < 0.5:
        tag = random.choice(sorted({e.tag for e in found}))
        found = [e for e in found if e.tag == tag]
    return random.choice(found)


def name(element):
    return etree.QName(element).localname


def leaf(element):
    return len(element) == 0


def ends(*suffixes):
    return lambda element: leaf(element) and name(element).endswith(suffixes)


def called(*names):
    return lambda element: name(element) in names


def place(element):
    """The path of the element, for people."""
    steps = [element, *element.iterancestors()]
    return "/".join(name(e) for e in reversed(steps[:-1])) or name(element)


def remove(element):
    """Removes the element and keeps the text that follows it."""
    parent, before = element.getparent(), element.getprevious()
    if element.tail:
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    element.tail = None
    parent.remove(element)


def copy(element):
    made = etree.fromstring(etree.tostring(element, with_tail=False))
    made.tail = element.tail
    return made


def child(element, local, pools):
    """The first basic child of the name; created if it is missing."""
    tag = f"{{{CBC}}}{local}"
    found = element.find(tag)
    if found is None:
        found = etree.Element(tag)
        element.insert(pools.structure.place(element, tag), found)
    return found
