"""A given VAT total is kept exactly if the official judge allows it."""
import json

import pytest

import product

FALCON = product.TAXPAYERS / "falcon.json"
# Two lines of 0.30 at 5 percent: 0.03 of their sum, but 0.04 if each is rounded by itself.
COMPUTED = 3
BODIES = {
    "invoice": {"invoice_number": "INV-1", "due_date": "2030-01-31"},
    "credit_note": {"credit_note_number": "CN-1", "credit_note_reason_code": "DL8.61.1.D",
                    "original_reference_kind": "external", "original_invoice_number": "INV-0"},
}


def amount(cents):
    return f"{cents / 100:.2f}"


def written(operation, cents, folder):
    """The UBL of a body with this VAT; a refused body fails with its findings."""
    customer = json.loads((product.EVENTS / "invoices" / "minimal.json").read_text())["customer"]
    line = {"quantity": "1", "item": {"name": "Pen"}, "vat": {"category_code": "S"}, "price": {"net_price": "0.30"}}
    body = {**BODIES[operation], "customer": customer, "line_items": [line, line],
            "totals": {"total_vat_amount": amount(cents)}}
    file = folder / f"{operation}-{cents}.json"
    file.write_text(json.dumps(body))
    return product.convert(operation, [file], folder, FALCON, today="2026-08-20")[0]


@pytest.mark.parametrize("operation", BODIES)
def test_a_vat_total_is_kept_as_far_as_the_judge_goes_and_refused_beyond(reference, tmp_path, operation, figures):
    kept = [written(operation, cents, tmp_path) for cents in range(COMPUTED - 2, COMPUTED + 3)]
    assert product.faults(product.judge(reference, kept)) == []
    figures(f"VAT given by {operation}: {len(kept)} totals from {amount(COMPUTED - 2)} to {amount(COMPUTED + 2)} for "
            f"{amount(COMPUTED)} kept, 0 rules fired; a cent further refused here and by the judge")
    for cents, near in ((COMPUTED - 3, kept[0]), (COMPUTED + 3, kept[-1])):
        with pytest.raises(AssertionError, match="AP-TOTAL-110"):
            written(operation, cents, tmp_path)
        # The nearest allowed document, with all amounts changed by a cent.
        text, step = near.read_text(), 1 if cents > COMPUTED else -1
        text = text.replace(f'<cbc:TaxAmount currencyID="AED">{amount(cents - step)}<', f'<cbc:TaxAmount currencyID="AED">{amount(cents)}<')
        for name in ("TaxInclusiveAmount", "PayableAmount"):
            text = text.replace(f'{name} currencyID="AED">{amount(60 + cents - step)}<', f'{name} currencyID="AED">{amount(60 + cents)}<')
        beyond = tmp_path / f"{operation}-beyond-{cents}.xml"
        beyond.write_text(text)
        fired = product.judge(reference, [beyond])[0]["fired"]
        assert "aligned-ibrp-s-09" in str(fired), fired
