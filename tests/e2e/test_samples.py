"""The sample bodies under events/ are valid without changes for the demo taxpayer Falcon."""

import json

import pytest

from kit import ubl
from kit.client import sent
from kit.run import REPOSITORY

EVENTS = REPOSITORY / "events"
FOLDERS = {
    "invoices": "invoice",
    "credit-notes": "credit_note",
    "self-billing/invoices": "self_billed_invoice",
    "self-billing/credit-notes": "self_billed_credit_note",
}
SAMPLES = [(folder, path.name) for folder in FOLDERS for path in sorted((EVENTS / folder).glob("*.json"))]


@pytest.mark.parametrize(("folder", "name"), SAMPLES, ids=lambda value: value.removesuffix(".json"))
def test_a_sample_sends_as_it_stands(falcon, folder, name):
    """2.5: a body for every flag, category and kind of payment."""
    content = (EVENTS / folder / name).read_bytes()
    document = sent(falcon.send(content, FOLDERS[folder]))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    body = json.loads(content)
    assert ubl.text(root, "cbc:ProfileExecutionID") == body.get("transaction_type_code", "00000000")
    if folder == "invoices":
        assert falcon.validate(content).json()["valid"] is True


def test_there_is_a_sample_for_every_transaction_flag():
    """2.5 B, transaction-type code: each of the eight flags."""
    bodies = [json.loads((EVENTS / folder / name).read_text()) for folder, name in SAMPLES]
    flags = [body.get("transaction_type_code", "00000000") for body in bodies]
    assert all(any(flag[place] == "1" for flag in flags) for place in range(8)), flags
