"""Tax Data Documents: the product reproduces the official examples, and the official judge finds no error in the product's own.

Each official example leaves its document out. Two name a published PINT-AE example. For the others, the test builds a document with the
repeated data.
"""

import itertools
import json
import os
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import pytest
from lxml import etree

import product
from mutants import Mutator
from pools import CAC, CBC, EXT, TDD, UBL

LISTED = json.loads((product.HERE / "taxdata_differences.json").read_text())
SOURCES = {"standard-invoice-tdd": "Standard tax invoice.xml", "commercial-invoice-tdd": "Commercial invoice.xml"}
COMBINATIONS = tuple(itertools.product("SRW", ("01", "02")))
MUTANTS, SEED = 1000, "1"
REPORTER = "0235:1001234502"
ATTACHED = f"{{{CBC}}}EmbeddedDocumentBinaryObject"
TRANSACTION, REPORTED = f"{{{TDD}}}ReportedTransaction", f"{{{TDD}}}ReportedDocument"
CONTENT = f"{TRANSACTION}/{{{TDD}}}SourceDocument/{{{EXT}}}ExtensionContent"


def make(sources, out, kind, role, **said):
    """The product's reports about the documents, in order."""
    said = {"authority": "000773", "representative": "000001", **said}
    options = [part for name, value in said.items() for part in (f"--{name.replace('_', '-')}", value)]
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "taxdata", "--kind", kind, "--role", role, "--out", out]
    done = subprocess.run([*command, *options, *sources], capture_output=True, text=True)
    assert done.returncode == 0, f"taxdata refused:\n{done.stderr}"
    return [out / f"{source.stem}.xml" for source in sources]


def canonical(element):
    """The content of an element, independent of its surroundings."""
    return etree.tostring(element, method="c14n", exclusive=True, with_tail=False)


def without_attached(element):
    """A copy without attachments; its text stays the same."""
    element = deepcopy(element)
    for attached in list(element.iter(ATTACHED)):
        above, before = attached.getparent(), attached.getprevious()
        if before is None:
            above.text = (above.text or "") + (attached.tail or "")
        else:
            before.tail = (before.tail or "") + (attached.tail or "")
        above.remove(attached)
    return element


def embedded(report):
    [document] = report.iterfind(f"{CONTENT}/*")
    return document


# The official examples


@pytest.fixture(scope="module")
def examples(reference):
    """The official reports by folder and name."""
    folder = reference / "artefacts" / "tdd"
    found = [*folder.glob("examples/*.xml"), *folder.glob("phax-testfiles/10/good/*.xml")]
    assert len(found) == 12
    return {f"{path.parent.name}/{path.stem}": path for path in found}


def source_of(example, name, reference, folder):
    """The document of the example without attachments: a published one, or one with the repeated data."""
    if published := SOURCES.get(name.partition("/")[2]):
        return reference / "artefacts" / "pint-ae" / "billing" / "examples" / "invoice" / published
    document = etree.Element(embedded(example).tag)
    kind = etree.QName(document).localname
    reported = example.find(f"{TRANSACTION}/{REPORTED}")
    for element in () if reported is None else reported:
        copied = deepcopy(element)
        if element.tag == f"{{{TDD}}}DocumentTypeCode":
            copied.tag = f"{{{CBC}}}{kind}TypeCode"
        elif element.tag == f"{{{TDD}}}MonetaryTotal":
            copied.tag = f"{{{CAC}}}LegalMonetaryTotal"
            # The UBL schema requires it.
            etree.SubElement(copied, f"{{{CBC}}}PayableAmount", copied[0].attrib).text = copied[0].text
        document.append(copied)
    for custom in example.iterfind(f"{TRANSACTION}/{{{TDD}}}CustomContent"):
        assert custom.findtext(f"{{{CBC}}}ID") == "BTAE-20"
        reference = etree.SubElement(document, f"{{{CAC}}}AdditionalDocumentReference")
        total = f"AED {custom.findtext(f'{{{CBC}}}Value')}"
        for tag, text in (("ID", "AED"), ("DocumentTypeCode", "aedtotal-incl-vat"), ("DocumentDescription", total)):
            etree.SubElement(reference, f"{{{CBC}}}{tag}").text = text
    path = folder / f"{name.replace('/', '-')}.xml"
    path.write_bytes(etree.tostring(document, encoding="UTF-8"))
    return path


def about(example):
    """The options for a report like the example."""
    endpoint = example.find(f"{{{TDD}}}ReportingParty/{{{CBC}}}EndpointID")
    return {
        "kind": example.findtext(f"{{{TDD}}}DocumentTypeCode"),
        "role": example.findtext(f"{{{TDD}}}ReporterRole"),
        "reporter": f"{endpoint.get('schemeID')}:{endpoint.text}",
        "authority": example.findtext(f"{{{TDD}}}ReceivingParty/{{{CBC}}}EndpointID"),
        "representative": example.findtext(f"{{{TDD}}}ReportersRepresentative/{{{CAC}}}PartyIdentification/{{{CBC}}}ID"),
        "transport_id": example.findtext(f"{TRANSACTION}/{{{TDD}}}TransportHeaderID"),
    }


def told(report):
    """Text and attributes of each element by its path, in document order, without the document inside."""
    tree, report = report.getroottree(), deepcopy(report)
    for content in report.iterfind(CONTENT):
        del content[:]
    tree = report.getroottree()
    return {tree.getelementpath(e): [(e.text or "").strip(), dict(e.attrib)] for e in report.iter(etree.Element)}


def short(place):
    """A place without namespaces."""
    for space in (CBC, CAC, EXT, TDD):
        place = place.replace(f"{{{space}}}", "")
    return place


def test_the_official_examples_come_out_again_except_what_is_listed_with_its_reason(reference, examples, tmp_path, figures):
    found, compared, whole = {}, 0, 0
    for name, path in sorted(examples.items()):
        example = etree.parse(path).getroot()
        source = source_of(example, name, reference, tmp_path)
        [file] = make([source], tmp_path / name, **about(example))
        assert product.faults(product.judge(reference, [file])) == []
        ours = etree.parse(file).getroot()
        assert canonical(embedded(ours)) == canonical(without_attached(etree.parse(source).getroot()))
        whole += source.is_relative_to(reference)
        one, other = told(example), told(ours)
        common = [place for place in one if place in other]
        assert common == [place for place in other if place in one], f"{name}: in another order"
        compared += len(one)
        rows = {}
        for place in sorted({*one, *other}):
            # Each report has its own time.
            if one.get(place) != other.get(place) and short(place) not in ("IssueDate", "IssueTime"):
                rows[short(place)] = {"official": one.get(place), "ours": other.get(place)}
        if rows:
            found[name] = rows
    listed = {
        f"{folder}/{name}": {place: {k: row[k] for k in ("official", "ours")} for place, row in rows.items()}
        for name, rows in LISTED["differences"].items()
        for folder in ("examples", "good")
    }
    assert found == listed, "differences as found now:\n" + json.dumps(found, indent=2, ensure_ascii=False)
    rows = [row for rows in LISTED["differences"].values() for row in rows.values()]
    assert {row["reason"] for row in rows} == set(LISTED["reasons"]), "every difference has a reason, and every reason is used"
    differing = sum(len(rows) for rows in found.values())
    figures(
        f"reports: {len(examples)} official examples made again, {whole} of a published document; "
        f"{compared} elements compared, {differing} differ as listed"
    )


# Generated documents


def test_no_rule_fires_on_any_report_of_a_generated_document(reference, tmp_path, figures):
    count, seed = os.environ.get("CONFORMANCE_COUNT", "2000"), os.environ.get("CONFORMANCE_SEED", "1")
    generate = product.binary("ACCESS_POINT_GENERATE", "generate")
    subprocess.run([generate, "--count", count, "--seed", seed, "--out", tmp_path], check=True, stdout=subprocess.DEVNULL)
    documents = sorted(tmp_path.glob("*.xml"))
    assert len(documents) == int(count)
    share = 1 if os.environ.get("CONFORMANCE_REPORTS") == "all" else len(COMBINATIONS)
    chosen = [documents[number % share :: share] for number in range(len(COMBINATIONS))]

    def of_kind(sources, combination):
        return make(sources, tmp_path / "".join(combination), *combination, transport_id="11111111-2222-3333-4444-555555555555")

    with ThreadPoolExecutor(2) as pool:
        made = pool.map(of_kind, chosen, COMBINATIONS)
        reports = {file: source for files, sources in zip(made, chosen, strict=True) for file, source in zip(files, sources, strict=True)}
    wrong = product.faults(product.judge(reference, list(reports), processes=2))
    assert wrong == [], f"{len(wrong)} of {len(reports)} reports (seed {seed})"

    scopes, without_buyer, with_custom, stripped = Counter(), 0, 0, 0
    for file, source in reports.items():
        report, source = etree.parse(file).getroot(), etree.parse(source).getroot()
        assert canonical(embedded(report)) == canonical(without_attached(source)), file
        scopes[report.findtext(f"{{{TDD}}}DocumentScope")] += 1
        transaction = report.find(TRANSACTION)
        without_buyer += transaction.find(f"{REPORTED}/{{{CAC}}}AccountingCustomerParty") is None
        with_custom += transaction.find(f"{{{TDD}}}CustomContent") is not None
        stripped += source.find(f".//{ATTACHED}") is not None
    figures(
        f"reports: {len(reports)} about {len(documents)} generated documents, S, R and W, roles 01 and 02 (seed {seed}), 0 XSD errors, "
        f"0 rules fired; scopes {dict(sorted(scopes.items()))}, {without_buyer} without buyer, {with_custom} with BTAE-20, "
        f"{stripped} of documents with attachments"
    )
    assert set(scopes) == {"D", "IP", "INP"} and without_buyer and with_custom and stripped


# Spoiled documents


def spoiled(reference, folder):
    """Mutants of the official examples and of a few generated documents, and files that are barely XML."""
    generate = product.binary("ACCESS_POINT_GENERATE", "generate")
    subprocess.run([generate, "--count", "200", "--seed", SEED, "--out", folder / "generated"], check=True, stdout=subprocess.DEVNULL)
    artefacts = reference / "artefacts"
    official = {str(path.relative_to(artefacts)): path for path in (artefacts / "pint-ae").rglob("examples/**/*.xml")}
    generated = {path.name: path for path in (folder / "generated").glob("*.xml")}
    sources = {name: path.read_bytes() for name, path in sorted((official | generated).items())}
    mutator = Mutator(artefacts, sources, [(1, sorted(official)), (1, sorted(generated))])
    documents = {f"mutant-{number}": mutator.make(mutator.plan(SEED, number))[0] for number in range(MUTANTS)}
    for number, data in enumerate(list(sources.values())[:20]):
        documents[f"cut-{number}"] = data[: len(data) * (number + 1) // 21]
        documents[f"order-{number}"] = data.replace(f"{UBL}Invoice-2".encode(), f"{UBL}Order-2".encode())
        documents[f"date-{number}"] = data.replace(b"IssueDate>2", b"IssueDate>the ")
        documents[f"deep-{number}"] = data.replace(b"<cbc:ID>", b"<x>" * (95 + number) + b"<y/>" + b"</x>" * (95 + number) + b"<cbc:ID>", 1)
    for name, data in documents.items():
        (folder / f"{name}.xml").write_bytes(data)
    return [folder / f"{name}.xml" for name in documents]


def form(report):
    """The form in which the report contains the document."""
    document = embedded(report)
    if document.find("*") is not None:
        holds = "as it was"
    elif (document.text or "").strip():
        holds = "as text"
    else:
        holds = "not at all"
    repeats = report.find(f"{TRANSACTION}/{REPORTED}") is not None
    return f"{holds}, {'repeated' if repeats else 'not repeated'}"


def test_no_rule_fires_on_any_report_of_a_spoiled_document(reference, tmp_path, figures):
    sources = spoiled(reference, tmp_path)
    reports = make(sources, tmp_path / "reports", "F", "02", reporter=REPORTER)
    assert product.faults(product.judge(reference, reports, processes=2)) == []
    forms = Counter()
    for file in reports:
        report = etree.parse(file).getroot()
        assert next(report.iter(ATTACHED), None) is None
        forms[form(report)] += 1
    shown = "; ".join(f"{count} {name}" for name, count in forms.most_common())
    figures(f"reports: {len(reports)} about spoiled documents, F, 0 XSD errors, 0 rules fired; the document stands there {shown}")
    assert len(forms) == 5
