#!/usr/bin/env python3
"""Compares the product's schema check with libxml2 over the official files, values of all datatypes and seeded random mutants.

    python tests/conformance/schema_agreement.py --reference DIR --mutants 50000

Compared are the verdict, the line of the first error and the lines of all errors. A command line judges a list of
files, one JSON line a file with `file` and `xsd`: a list of texts `LINE: message`, empty when valid. Exit status 1
when a verdict or a first line differs. Needs lxml.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

from lxml import etree

from schema_mutants import Mutator, sheets
from xsd_instances import Instances

SCHEMAS = {
    "Invoice": "ubl21/maindoc/UBL-Invoice-2.1.xsd",
    "CreditNote": "ubl21/maindoc/UBL-CreditNote-2.1.xsd",
    "ApplicationResponse": "ubl21/maindoc/UBL-ApplicationResponse-2.1.xsd",
    "TaxData": "tdd/peppol-tdd-1.0.0.local.xsd",
    "TransactionStatisticsReport": "../../reporting/tsr/peppol-transaction-statistics-reporting-1.0.1.xsd",
    "EndUserStatisticsReport": "../../reporting/eusr/peppol-end-user-statistics-reporting-1.1.xsd",
    "StandardBusinessDocument": "header",
    "StandardBusinessDocumentHeader": "header",
}
# The content of an envelope has its own schema: this one imports both.
HEADER = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:import namespace="http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader"
  schemaLocation="{0}/sbdh/StandardBusinessDocumentHeader.xsd"/>
<xs:import namespace="http://peppol.eu/xsd/ticc/envelope/1.0"
  schemaLocation="{0}/sbdh/PEPPOL-EDN-Business-Message-Envelope-1.2-2019-02-01.xsd"/></xs:schema>"""
BATCH = 2000


class Judge:
    """libxml2's verdicts."""

    def __init__(self, folder):
        self.folder, self.schemas = folder, {}

    def lines(self, path):
        """Lines of the errors in order; None for a document of an unknown kind; text when there is no verdict."""
        try:
            tree = etree.parse(path)
        except etree.XMLSyntaxError as error:
            return f"not XML: {error}"
        file = SCHEMAS.get(etree.QName(tree.getroot()).localname)
        if file is None:
            return None
        if file not in self.schemas:
            source = etree.fromstring(HEADER.format(self.folder)) if file == "header" else etree.parse(self.folder / file)
            self.schemas[file] = etree.XMLSchema(source)
        schema = self.schemas[file]
        try:
            return [] if schema.validate(tree) else [error.line for error in schema.error_log]
        except etree.XMLSchemaError as error:
            return str(error)


def product(command, files, folder):
    """The product's error lines by file; text when it cannot read a file."""
    names = folder / "files.txt"
    names.write_text("".join(f"{file}\n" for file in files))
    done = subprocess.run([*shlex.split(command), names], capture_output=True, text=True)
    found = {}
    for line in done.stdout.split("\n")[:-1]:
        verdict = json.loads(line)
        found[verdict["file"]] = [int(text.split(":")[0]) for text in verdict["xsd"]] if "xsd" in verdict else verdict.get("error", "?")
    assert len(found) == len(files), f"{len(files)} files, {len(found)} verdicts: {done.stderr[-2000:]}"
    return found


class Tally:
    """Counts of agreements and disagreements."""

    def __init__(self, keep):
        self.counts, self.keep, self.shown = collections.Counter(), keep, 0

    def add(self, path, theirs, ours):
        if not isinstance(theirs, list):
            self.counts["not judged" if theirs is None or theirs.startswith("not XML") else "judge failed"] += 1
            return
        self.counts["judged"] += 1
        self.counts["valid" if not theirs else "invalid"] += 1
        self.counts["errors"] += len(theirs)
        kind = None
        if isinstance(ours, str) or bool(ours) != bool(theirs):
            kind = "verdict differs"
        elif theirs and ours[0] != theirs[0]:
            kind = "first line differs"
        elif ours != theirs:
            kind = "order of lines differs" if sorted(ours) == sorted(theirs) else "later lines differ"
        if kind:
            self.counts[kind] += 1
            if self.shown < 40:
                self.shown += 1
                print(f"{kind}: {path}: libxml2 {theirs[:8]}, ours {ours[:80] if isinstance(ours, str) else ours[:8]}", flush=True)
                if self.keep:
                    self.keep.mkdir(parents=True, exist_ok=True)
                    (self.keep / pathlib.Path(path).name).write_bytes(pathlib.Path(path).read_bytes())

    def failed(self):
        return self.counts["verdict differs"] + self.counts["first line differs"] + self.counts["lines of sheets differ"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", type=pathlib.Path, default=os.environ.get("ACCESS_POINT_REFERENCE"), help="folder with artefacts/")
    parser.add_argument("--command", default="target/debug/access-point validate --format json --list", help="judges the files of a list")
    parser.add_argument("--mutants", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the files that differ")
    options = parser.parse_args()
    if not options.reference:
        parser.error("--reference or ACCESS_POINT_REFERENCE says where the official files are")
    artefacts = options.reference.resolve() / "artefacts"
    judge, tally = Judge(artefacts / "xsd"), Tally(options.keep)
    officials = sorted((*artefacts.rglob("*.xml"), *(artefacts.parent / "reporting").rglob("*.xml")))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ours = product(options.command, officials, folder)
        for path in officials:
            tally.add(path, judge.lines(path), ours[str(path)])
        print(f"official files: {dict(tally.counts)}", flush=True)
        instances = Instances(artefacts / "xsd", random.Random(options.seed))
        mutator = Mutator(instances, [path for path in officials if isinstance(judge.lines(path), list)], random.Random(options.seed))
        for name, text in (*sheets(random.Random(options.seed)), *mutator.every()):
            path = folder / f"{name}.xml"
            path.write_bytes(text)
            theirs, ours = judge.lines(path), product(options.command, [path], folder)[str(path)]
            tally.add(path, theirs, ours)
            if not isinstance(theirs, list) or not isinstance(ours, list):
                print(f"{name}: libxml2 {theirs}, ours {ours}")
                continue
            odd = sorted(set(theirs) ^ set(ours))
            written = path.read_text(encoding="utf-8").split("\n")
            for line in odd[:5]:
                print(f"{name}, line {line}: {written[line - 1]!r}", flush=True)
            tally.counts["lines of sheets differ"] += len(odd)
        print(f"all datatypes, all elements: {dict(tally.counts)}", flush=True)
        for start in range(0, options.mutants, BATCH):
            paths = []
            for number in range(start, min(start + BATCH, options.mutants)):
                paths.append(folder / f"{options.seed}-{number}.xml")
                paths[-1].write_bytes(mutator.document())
            ours = product(options.command, paths, folder)
            for path in paths:
                tally.add(path, judge.lines(path), ours[str(path)])
                path.unlink()
            print(f"{start + len(paths)} mutants: {dict(tally.counts)}", flush=True)
    print(f"seed {options.seed}: {dict(tally.counts)}")
    return 1 if tally.failed() else 0


if __name__ == "__main__":
    sys.exit(main())
