"""Reduces a disagreement to its smallest form, so that a person sees the cause."""

import time
from dataclasses import replace

from lxml import etree

MOST_TRIES = 400


def fewest_steps(mutant, differs, until):
    """The mutant without the steps and the target that the difference does not need, within the time limit."""
    shrunk = True
    while shrunk:
        shrunk = False
        fewer = [replace(mutant, steps=mutant.steps[:n] + mutant.steps[n + 1 :]) for n in range(len(mutant.steps))]
        if mutant.target:
            fewer.append(replace(mutant, target=None))
        for tried in fewer:
            if time.monotonic() >= until:
                return mutant
            if differs(tried):
                mutant, shrunk = tried, True
                break
    return mutant


def smallest_document(data, differs, until):
    """The document without the elements that the difference does not need, within the time limit; unchanged when it is not XML."""
    try:
        etree.fromstring(data)
    except etree.XMLSyntaxError:
        return data
    tries, position = 0, 0
    while tries < MOST_TRIES and time.monotonic() < until:
        root = etree.fromstring(data)
        elements = [element for element in root.iterdescendants() if element.getparent() is not None]
        if position >= len(elements):
            break
        element = elements[position]
        element.getparent().remove(element)
        tried = etree.tostring(root, encoding="utf-8", xml_declaration=True)
        tries += 1
        if differs(tried):
            data = tried
        else:
            position += 1
    return data
