"""What random changes of a document have in common.

Each is a function of the document, a random source and the pools.

A change says in a few words what it did, or returns None when the document has no place for it.
"""

from lxml import etree

from pools import CBC

EDITS = []  # (weight, function)


def edit(weight):
    """Registers a change that is made so many times as often as one of weight 1."""

    def register(function):
        EDITS.append((weight, function))
        return function

    return register


def elements(document, wanted=lambda element: True, root=False):
    """The elements that are wanted, in document order."""
    return [e for e in document.root.iter(etree.Element) if (root or e is not document.root) and wanted(e)]


def pick(random, document, wanted=lambda element: True, root=False):
    """One element that is wanted, or None; elements of rare names are preferred to the many of the lines."""
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
    """Where the element stands, for people."""
    steps = [element, *element.iterancestors()]
    return "/".join(name(e) for e in reversed(steps[:-1])) or name(element)


def remove(element):
    """Takes the element out and leaves the text that follows it."""
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
    """The first basic child of the name, made when it is missing."""
    tag = f"{{{CBC}}}{local}"
    found = element.find(tag)
    if found is None:
        found = etree.Element(tag)
        element.insert(pools.structure.place(element, tag), found)
    return found
