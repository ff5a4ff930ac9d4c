"""The official examples: the bodies have the same content, and the UBL of the bodies is valid."""
import json
import re

import pytest

import product
import terms

LISTED = json.loads((product.HERE / "differences.json").read_text())


@pytest.fixture(scope="module")
def written(officials, tmp_path_factory):
    """The product's UBL of every body, by name."""
    out, files = tmp_path_factory.mktemp("examples"), {}
    for folder, _, operation in product.OPERATIONS:
        bodies = sorted((product.BODIES / folder).glob("*.json"))
        if "self_billed" in operation:  # the buyer is the registered profile, another one for each body
            for body in bodies:
                taxpayer = product.TAXPAYERS / "examples" / body.name
                [files[f"{folder}/{body.stem}"]] = product.convert(operation, [body], out / folder, taxpayer)
        else:
            for body, file in zip(bodies, product.convert(operation, bodies, out / folder), strict=True):
                files[f"{folder}/{body.stem}"] = file
    return files


def test_every_official_example_has_a_body_and_no_body_is_without_one(officials, written):
    assert sorted(officials) == sorted(written)


def test_the_ubl_of_every_body_is_valid(reference, written, figures):
    verdicts = product.judge(reference, list(written.values()))
    assert product.faults(verdicts) == []
    figures(f"official examples: {len(verdicts)} bodies converted and judged, 0 XSD errors, 0 rules fired")


def test_every_business_term_is_the_same_except_what_is_listed_with_its_reason(officials, written, figures):
    found, compared, seen = {}, 0, set()
    for name, official in sorted(officials.items()):
        theirs, ours = terms.read(official), terms.read(written[name])
        compared += theirs.compared
        seen |= {term for term in theirs.terms if not term.startswith("syntax")}
        rows = {}
        for term in sorted({*theirs.values, *ours.values}):
            one, other = theirs.values.get(term, []), ours.values.get(term, [])
            if not terms.same(theirs.kinds.get(term) or ours.kinds[term], one, other):
                rows[term] = {"official": one, "ours": other}
        for place in sorted({*theirs.unclaimed, *ours.unclaimed}):
            one, other = theirs.unclaimed.get(place, []), ours.unclaimed.get(place, [])
            rows[f"no business term: {place}"] = {"official": one, "ours": other}
        if rows:
            found[name] = rows
    listed = {name: {place: {k: row[k] for k in ("official", "ours")} for place, row in rows.items()}
              for name, rows in LISTED["differences"].items()}
    assert found == listed, "differences as found now:\n" + json.dumps(found, indent=2, ensure_ascii=False)
    rows = [row for rows in LISTED["differences"].values() for row in rows.values()]
    assert all(row["reason"] in LISTED["reasons"] for row in rows), "every difference names one of the reasons"
    assert {row["reason"] for row in rows} == set(LISTED["reasons"]), "every reason is used"
    outside = sum(place.startswith("no business term") for rows in LISTED["differences"].values() for place in rows)
    figures(f"official examples: {compared} values of {len(seen)} business terms compared in {len(officials)} files; "
            f"{len(rows) - outside} differ, {outside} places are no business term; all listed with a reason")
    for reason, why in LISTED["reasons"].items():
        count = sum(row["reason"] == reason for row in rows)
        figures(f"  {count:3} {reason}: {why}")


def test_the_table_of_terms_has_every_term_of_the_reference(reference):
    page = (reference / "reference" / "pint-ae.md").read_text()
    page = page[page.index("### 3.7"):page.index("UBL order matters")]
    known = {number(t) for t in terms.term_ids()}
    missing = {t for row in page.splitlines() if row.startswith("| ") for t in expand(row.split("|")[1])} - known
    assert missing == set()


def expand(cell):
    """Term ids of a table cell such as `IBT-064–069, 164` or `IBG-14: IBT-073`; groups are left out."""
    cell, prefix = re.sub(r"\(.*?\)|IBG-\d+:?|-1, -2", "", cell), "IBT"
    for kind, first, last in re.findall(r"(IBT-|BTAE-)?\b(\d{2,3})(?:-\d)?(?:[–](\d{3}))?", cell):
        prefix = kind[:-1] or prefix
        for n in range(int(first), int(last or first) + 1):
            yield f"{prefix}-{n:0{len(first)}}"


def number(term):
    return "-".join(term.split("-")[:2])
