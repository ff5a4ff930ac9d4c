"""The official judge in this process, for many documents.

The judge itself is the reference's `conformance/oracle.py`. A dynamic error in one official expression ends the whole stylesheet, so the
results of the other asserts are lost. Such a document is judged again with a second form of the same stylesheet. There, each assert has its
own `xsl:try`, and an error counts as fired.
"""

import importlib.util
import io
import os
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

from lxml import etree

XSL = "{http://www.w3.org/1999/XSL/Transform}"
LITERAL = re.compile(r"\s*('[^']*'|\"[^\"]*\"|[0-9.]+)\s*")
VARIABLE = re.compile(r"\$([\w.-]+)")


@dataclass
class Verdict:
    """The verdict of one side about one document."""

    error: str = ""  # not XML, or of an unknown kind: then the other fields are empty
    set: str = ""
    line: int | None = None  # of the first schema error; None when there is none
    fired: Counter = field(default_factory=Counter)
    detail: str = ""  # for people: the schema error in full
    complete: bool = True  # whether the check reached the end; otherwise there may be more findings

    @property
    def judged(self):
        """The part of a verdict on which both sides must agree."""
        return (True, "", None, Counter()) if self.error else (False, self.set, self.line, self.fired)


class Referee:
    """Compiles the stylesheets once; judges documents given as bytes."""

    def __init__(self, reference):
        self.module = load(reference)
        self.oracle = self.module.Oracle()
        self.guarded = {}

    def judge(self, document):
        try:
            tree = etree.parse(io.BytesIO(document))
            which = self.oracle.rule_set(tree.getroot())
        except (etree.XMLSyntaxError, KeyError) as error:
            return Verdict(error=f"{type(error).__name__}: {error}")
        schema = self.oracle.schema(etree.QName(tree.getroot()).localname)
        line, detail = None, ""
        if not schema.validate(tree):
            first = schema.error_log[0]
            line, detail = first.line, f"{first.line}: {first.message}"
        text = etree.tostring(tree, encoding="unicode")
        with silence():
            ids, crash = self.oracle.fired(which, text)
            if crash:
                ids = self.fired_guarded(which, text)
        return Verdict(set=which, line=line, fired=Counter(ids), detail=detail)

    def judge_afresh(self, document):
        """Judges with new stylesheets. A stylesheet whose expressions failed repeatedly may evaluate the operands of `or` in another
        order, and then fail where it returned true before."""
        schemas = self.oracle.schemas
        self.oracle, self.guarded = self.module.Oracle(), {}
        self.oracle.schemas = schemas
        return self.judge(document)

    def fired_guarded(self, which, text):
        """The ids that fire when each assert runs on its own and an error counts as fired."""
        node, ids = self.oracle.saxon.parse_xml(xml_text=text), []
        for relative in self.files()[which]:
            result = self.sheet(relative).transform_to_string(xdm_node=node)
            ids += [found.get("id") for found in etree.fromstring(result.encode()).iter("f")]
        return ids

    def sheet(self, relative):
        if relative not in self.guarded:
            text = guard(self.module.compile_schematron(self.module.ARTEFACTS / relative))
            processor = self.oracle.saxon.new_xslt30_processor()
            self.guarded[relative] = processor.compile_stylesheet(stylesheet_text=text)
        return self.guarded[relative]

    def tests(self, which):
        """The official expression of each rule of the set, by its id."""
        files = (etree.parse(self.module.ARTEFACTS / name) for name in self.files()[which])
        return {self.module.rule_id(a): a.get("test") for file in files for a in file.iter(self.module.SCH + "assert")}

    def rules(self):
        """The ids of each set."""
        return {which: set(self.tests(which)) for which in self.files()}

    def files(self):
        """The Schematron files of each set, for documents and for Peppol's own reports."""
        return self.module.RULES | self.module.REPORTS


@contextmanager
def silence():
    """Suppresses Saxon's output about dynamic errors."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def load(reference):
    """The reference's oracle as a module."""
    spec = importlib.util.spec_from_file_location("oracle", reference / "conformance" / "oracle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def guard(stylesheet):
    """The stylesheet with each assert, and the variables that it uses, in an `xsl:try`."""
    root = etree.fromstring(stylesheet.encode())
    shared = {v.get("name"): v for v in root.findall(XSL + "variable")}
    shared = {name: v for name, v in shared.items() if not LITERAL.fullmatch(v.get("select"))}
    for variable in shared.values():
        root.remove(variable)
    for template in root.findall(XSL + "template"):
        own = {v.get("name"): v for v in template.findall(XSL + "variable")}
        for variable in own.values():
            template.remove(variable)
        known = shared | own
        for test in template.findall(XSL + "if"):
            attempt = etree.Element(XSL + "try")
            template.replace(test, attempt)
            attempt.extend(copy(known[name]) for name in used(test.get("test"), known))
            attempt.append(test)
            etree.SubElement(attempt, XSL + "catch", errors="*").append(copy(test[0]))
    return etree.tostring(root, encoding="unicode")


def used(expression, known):
    """Names of the known variables that the expression needs, each after its own dependencies."""
    names = []
    for name in VARIABLE.findall(expression):
        if name in known:
            names += [n for n in [*used(known[name].get("select"), known), name] if n not in names]
    return list(dict.fromkeys(names))


def copy(element):
    return etree.fromstring(etree.tostring(element, with_tail=False))
