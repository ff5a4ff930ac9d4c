"""Amounts: exact decimals, computed when left out, compared when given (2.5 A, line_items, with PINT-AE 3.6)."""

import json
from decimal import ROUND_HALF_UP, Decimal

import pytest

from kit import bodies, ubl
from kit.client import findings, refused_at, sent

TOTAL = "cac:LegalMonetaryTotal"


def priced(price, quantity="1", **changes):
    return bodies.line(quantity=quantity, price={"net_price": price}, **changes)


def cents(value) -> str:
    return str(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))


def totals_of(client, body):
    document = sent(client.send(body))
    root = ubl.parse(client.ubl(document["document_id"]).content)
    found = {
        "net": ubl.text(root, f"{TOTAL}/cbc:TaxExclusiveAmount"),
        "vat": ubl.texts(root, "cac:TaxTotal/cbc:TaxAmount")[0],
        "gross": ubl.text(root, f"{TOTAL}/cbc:TaxInclusiveAmount"),
        "due": ubl.text(root, f"{TOTAL}/cbc:PayableAmount"),
    }
    assert found == {
        "net": document["total_without_vat"], "vat": document["total_vat"],
        "gross": document["total_with_vat"], "due": document["amount_due"],
    }
    return found


@pytest.mark.parametrize(
    ("lines", "net", "vat"),
    [
        pytest.param([priced("0.1"), priced("0.2")], "0.30", "0.02", id="a tenth and two tenths"),
        pytest.param([priced(0.1), priced(0.2)], "0.30", "0.02", id="the same as JSON numbers"),
        # At exactly half a cent only the cent passes that ibr-131-ae's binary arithmetic falls on.
        pytest.param([priced("1.005")], "1.00", "0.05", id="half a cent as the official rule has it"),
        pytest.param([priced("2.675")], "2.68", "0.13", id="half a cent goes up"),
        pytest.param([priced("0.335")] * 3, "1.02", "0.05", id="each line is rounded"),
        pytest.param([priced("0.123456789", "3")], "0.37", "0.02", id="a price of many decimals"),
        pytest.param([priced("33.333333", "3")], "100.00", "5.00", id="thirds"),
        pytest.param([priced("100", "0.001")], "0.10", "0.01", id="a small quantity"),
        pytest.param([priced("99999999999.99")], "99999999999.99", "5000000000.00", id="a hundred thousand millions"),
        pytest.param([priced("9523809523809.51")], "9523809523809.51", "476190476190.48", id="just within the limit"),
        pytest.param([priced("0")], "0.00", "0.00", id="nothing"),
        pytest.param([priced("19.99")] * 1000, "19990.00", "999.50", id="a thousand lines"),
    ],
)
def test_totals_are_exact(falcon, lines, net, vat):
    """PINT-AE 3.6: decimal arithmetic, half up to 2 decimals."""
    gross = str(Decimal(net) + Decimal(vat))
    assert totals_of(falcon, bodies.invoice(line_items=lines)) == {"net": net, "vat": vat, "gross": gross, "due": gross}


def test_a_json_number_never_passes_through_a_float(falcon):
    """Amounts are exact: a JSON number is read digit by digit; these have no double."""
    prices = ["1234567890.1234567891", "0.1000000001", "9123456789012.0000000001"]
    lines = [priced(f"PRICE {place}") for place in range(len(prices))]
    text = json.dumps(bodies.invoice(line_items=lines))
    for place, price in enumerate(prices):
        text = text.replace(f'"PRICE {place}"', price)
    document = sent(falcon.send(text))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    assert ubl.texts(root, "cac:InvoiceLine/cac:Price/cbc:PriceAmount") == prices


@pytest.mark.parametrize("lines", [[priced("10000000000000")], [priced("9999999999999")] * 2, [priced("9999999999999.99")]], ids=str)
def test_an_amount_beyond_the_limit_is_refused(falcon, lines):
    """PINT-AE 3.6: the official rules compute in binary, exact to the cent below 10,000,000,000,000 only."""
    assert any("10,000,000,000,000" in error["message"] for error in findings(falcon.send(bodies.invoice(line_items=lines))))


@pytest.mark.parametrize("wrong", ["1e400", "NaN", "Infinity", "", " 1", "1 ", "+1", "0x10", "1_000", "1.", ".5", "٣"])
def test_a_text_that_is_no_plain_decimal_is_refused(falcon, wrong):
    """2.5: amounts are decimals, as strings or numbers."""
    refused_at(falcon.send(bodies.invoice(line_items=[priced(wrong)])), "/line_items/0/price/net_price")


@pytest.mark.parametrize("wrong", ["1" * 40, "0." + "1" * 40])
def test_a_decimal_that_cannot_be_kept_exactly_is_refused(falcon, wrong):
    """2.5: nothing is rounded in silence."""
    refused_at(falcon.send(bodies.invoice(line_items=[priced(wrong)])), "/line_items/0/price/net_price")


@pytest.mark.parametrize("operation", bodies.BUILDERS)
def test_given_totals_that_agree_are_taken(falcon, operation):
    """The integrator need not compute: amounts are computed when left out, compared when given."""
    body = bodies.BUILDERS[operation](
        totals={
            "sum_of_line_net_amounts": "200", "total_amount_without_vat": "200.00", "total_vat_amount": 10,
            "total_amount_with_vat": "210.0", "amount_due_for_payment": "210.00",
        },
        vat_breakdown=[{"vat_category_code": "S", "vat_rate": "5", "taxable_amount": "200", "tax_amount": "10.00"}],
        line_items=[bodies.line(net_amount="200.00", amount_in_aed="210", vat_amount_in_aed="10.00")],
    )
    sent(falcon.send(body, operation))


@pytest.mark.parametrize("operation", bodies.BUILDERS)
@pytest.mark.parametrize(
    ("change", "pointer", "computed"),
    [
        ({"totals": {"sum_of_line_net_amounts": "199.99"}}, "/totals/sum_of_line_net_amounts", "200.00"),
        ({"totals": {"total_amount_without_vat": "199.99"}}, "/totals/total_amount_without_vat", "200.00"),
        ({"totals": {"total_vat_amount": "199.99"}}, "/totals/total_vat_amount", "10.00"),
        ({"totals": {"total_amount_with_vat": "199.99"}}, "/totals/total_amount_with_vat", "210.00"),
        ({"totals": {"amount_due_for_payment": "199.99"}}, "/totals/amount_due_for_payment", "210.00"),
        ({"line_items": [bodies.line(net_amount="199.99")]}, "/line_items/0/net_amount", "200"),
        ({"line_items": [bodies.line(amount_in_aed="199.99")]}, "/line_items/0/amount_in_aed", "210"),
        ({"line_items": [bodies.line(vat_amount_in_aed="199.99")]}, "/line_items/0/vat_amount_in_aed", "10"),
        (
            {"vat_breakdown": [{"vat_category_code": "S", "vat_rate": "5", "tax_amount": "199.99"}]},
            "/vat_breakdown/0/tax_amount", "10",
        ),
        (
            {"vat_breakdown": [{"vat_category_code": "S", "vat_rate": "5", "taxable_amount": "199.99"}]},
            "/vat_breakdown/0/taxable_amount", "200",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("/") else None,
)
def test_a_given_amount_that_differs_is_refused_with_both_values(falcon, operation, change, pointer, computed):
    """The integrator need not compute: a difference is a finding that names both values."""
    refused_at(falcon.send(bodies.BUILDERS[operation](**change), operation), pointer, "199.99", computed)


def test_allowances_charges_and_payments_count(falcon):
    """PINT-AE 3.6: 109 = 106 − 107 + 108; 115 = 112 − 113 + 114."""
    body = bodies.invoice(
        line_items=[
            bodies.line(
                quantity="3", price={"gross_price": "40", "discount": "5"},
                allowances=[{"base_amount": "105", "percentage": "10", "reason": "Season"}],
                charges=[{"amount": "1.50", "reason": "Packing"}],
            )
        ],
        allowances=[{"amount": "6", "reason": "Loyalty", "vat_category_code": "S", "vat_rate": "5"}],
        charges=[{"amount": "10", "reason": "Freight", "vat_category_code": "S", "vat_rate": "5"}],
        paid_amounts=[{"amount": "50"}],
    )
    # 3 × 35 − 10.50 + 1.50 = 96; − 6 + 10 = 100; VAT 5; − 50 paid.
    assert totals_of(falcon, body) == {"net": "100.00", "vat": "5.00", "gross": "105.00", "due": "55.00"}


def test_each_rate_has_its_row(falcon):
    """PINT-AE 3.5: one breakdown per category and rate; 5 and 5.00 are the same rate."""
    lines = [
        bodies.line(vat={"category_code": "S", "rate": "5"}),
        bodies.line(vat={"category_code": "S", "rate": "5.00"}),
        bodies.line(vat={"category_code": "Z"}),
        bodies.line(vat={"category_code": "E", "exemption_reason_code": "DL8.46.1"}),
    ]
    document = sent(falcon.send(bodies.invoice(line_items=lines)))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    rows = "cac:TaxTotal/cac:TaxSubtotal"
    assert ubl.texts(root, f"{rows}/cac:TaxCategory/cbc:ID") == ["S", "Z", "E"]
    assert ubl.texts(root, f"{rows}/cbc:TaxableAmount") == ["400.00", "200.00", "200.00"]
    assert ubl.texts(root, f"{rows}/cbc:TaxAmount") == ["20.00", "0.00", "0.00"]


def test_amounts_in_aed_follow_the_exchange_rate(falcon):
    """PINT-AE 3.6: BTAE-08 = 131 × rate of VAT × exchange rate, BTAE-10 = 131 × exchange rate + BTAE-08."""
    body = bodies.invoice(currency="EUR", currency_exchange_rate="4.012345", line_items=[priced("19.99", "7")])
    document = sent(falcon.send(body))
    root = ubl.parse(falcon.ubl(document["document_id"]).content)
    net = Decimal("139.93")
    vat_in_aed = cents(net * Decimal("0.05") * Decimal("4.012345"))
    extension = "cac:InvoiceLine/cac:ItemPriceExtension"
    assert ubl.text(root, f"{extension}/cac:TaxTotal/cbc:TaxAmount") == vat_in_aed
    assert ubl.text(root, f"{extension}/cbc:Amount") in {
        cents(net * Decimal("4.012345") + Decimal(vat_in_aed)),
        str(Decimal(cents(net * Decimal("4.012345"))) + Decimal(vat_in_aed)),
    }


def test_more_decimals_than_an_exchange_rate_may_have_are_refused(falcon):
    """PINT-AE 3.6: TaxExchangeRate has at most 6 decimals."""
    body = bodies.invoice(currency="EUR", currency_exchange_rate="4.0123456")
    errors = findings(falcon.send(body))
    assert any(error["pointer"] == "/currency_exchange_rate" for error in errors), errors
