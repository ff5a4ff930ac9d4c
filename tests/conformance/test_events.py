"""The samples under events/ are valid without changes."""
import json

import product
import terms


def test_every_sample_converts_for_the_demo_taxpayer_and_is_valid(reference, tmp_path, figures):
    files = []
    for _, folder, operation in product.OPERATIONS:
        bodies = sorted((product.EVENTS / folder).glob("*.json"))
        assert bodies, f"no samples in events/{folder}"
        files += product.convert(operation, bodies, tmp_path / folder, product.TAXPAYERS / "falcon.json", today="2026-08-20")
    assert product.faults(product.judge(reference, files)) == []
    seen = set().union(*(terms.read(file).terms for file in files)) & terms.term_ids()
    figures(f"samples: {len(files)} of events/ converted and judged, 0 XSD errors, 0 rules fired; "
            f"{len(seen)} of {len(terms.term_ids())} terms occur")


def test_every_sample_is_named_in_the_table_of_the_folder():
    table = (product.EVENTS / "README.md").read_text()
    samples = [path.relative_to(product.EVENTS) for path in product.EVENTS.rglob("*.json")]
    assert [str(s) for s in samples if f"`{s}`" not in table] == []


def test_the_event_of_a_send_carries_a_sample_as_it_stands():
    event = json.loads((product.EVENTS / "invoke" / "api.json").read_text())
    body = json.loads(event["body"])
    assert body == json.loads((product.EVENTS / "invoices" / "minimal.json").read_text())
