"""Changes of amounts, also together with the values that they are computed from."""

from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal, InvalidOperation

import values
from edits import called, child, edit, elements, ends, name, pick, place
from pools import CAC, CBC

NUMBERS = ends("Amount", "Quantity", "Numeric", "Percent", "Rate")


@edit(8)
def shift_amount(document, random, pools):
    element = pick(random, document, NUMBERS)
    try:
        old = Decimal(element.text)
    except (AttributeError, TypeError, InvalidOperation):
        return None
    by = Decimal(
        random.choice(
            ("0.01", "-0.01", "0.02", "-0.02", "0.021", "0.03", "-0.03", "0.005", "-0.005", "1", "-1", "100", "0.0000001", "-1000000")
        )
    )
    element.text = str(old + by) if random.random() < 0.85 else str(-old)
    return f"{place(element)} from {old} to {element.text}"


@edit(2)
def scale_amounts(document, random, pools):
    """Multiplies all amounts by one factor; sums stay correct or nearly correct."""
    factor = Decimal(random.choice(("-1", "0", "0.1", "0.001", "3", "1000000", "1.005")))
    scale(document, factor)
    return f"all amounts times {factor}"


@edit(3)
def write_number(document, random, pools):
    """Writes the same number in another form, or a number in an unusual form."""
    element = pick(random, document, NUMBERS)
    if element is None:
        return None
    forms = ("{}0", "{}000", " {} ", "+{}", "0{}", "\n{}", "{}e0", "{}\u00a0", "-{}", "{}.", "{}00000000000000000000000000001")
    element.text = random.choice(forms).format(element.text or "") if random.random() < 0.6 else random.choice(values.ODD_NUMBERS)
    return f"{place(element)} = {element.text!r}"


# Amounts that belong together


@edit(3)
def half_cents(document, random, pools):
    """Adds half a cent to a part, and rounds its total up, down, or not at all."""
    pairs = (
        ("Line", "LineExtensionAmount", "LegalMonetaryTotal", "LineExtensionAmount"),
        ("AllowanceCharge", "Amount", "LegalMonetaryTotal", None),
        ("TaxSubtotal", "TaxAmount", "TaxTotal", "TaxAmount"),
        ("TaxSubtotal", "TaxableAmount", "TaxSubtotal", "TaxAmount"),
    )
    holder, part, total_holder, total = random.choice(pairs)
    total = total or random.choice(("AllowanceTotalAmount", "ChargeTotalAmount"))
    one = pick(random, document, lambda e: name(e) == part and name(e.getparent()).endswith(holder))
    other = pick(random, document, lambda e: name(e) == total and name(e.getparent()) == total_holder)
    if one is None or other is None:
        return None
    if random.random() < 0.3:
        scale(document, Decimal(-1))
    shift(one, random.choice(("0.005", "-0.005", "0.0049999", "0.015")))
    shift(other, random.choice(("0", "0.01", "-0.01", "0.005")))
    return f"half a cent: {place(one)} {one.text}, {place(other)} {other.text}"


@edit(4)
def percentage(document, random, pools):
    """An allowance or charge whose amount is a percentage of its base, rounded in one way or another."""
    element = pick(random, document, called("AllowanceCharge"))
    if element is None:
        return None
    base, percent = some_number(random), some_number(random)
    amount = rounded(base * percent / 100, random)
    for local, number in (("BaseAmount", base), ("MultiplierFactorNumeric", percent), ("Amount", amount)):
        child(element, local, pools).text = format(number, "f")
    return f"{place(element)}: {percent} % of {base} is {amount}"


@edit(4)
def product(document, random, pools):
    """A line whose amount is quantity times price by base quantity, rounded in one way or another."""
    line = pick(random, document, called("InvoiceLine", "CreditNoteLine"))
    price = None if line is None else line.find(f"{{{CAC}}}Price")
    if price is None:
        return None
    quantity, unit, base = (
        some_number(random),
        some_number(random),
        random.choice((Decimal(1), some_number(random) or Decimal(3), Decimal(7))),
    )
    parts = line.iterfind(f"{{{CAC}}}AllowanceCharge")
    try:
        more = sum(
            (Decimal(p.findtext(f"{{{CBC}}}Amount")) * (1 if p.findtext(f"{{{CBC}}}ChargeIndicator") == "true" else -1) for p in parts),
            Decimal(),
        )
    except (TypeError, InvalidOperation):
        return None
    amount = rounded(quantity * unit / base + more, random)
    child(line, "InvoicedQuantity" if name(line) == "InvoiceLine" else "CreditedQuantity", pools).text = format(quantity, "f")
    for parent, local, number in ((price, "PriceAmount", unit), (price, "BaseQuantity", base), (line, "LineExtensionAmount", amount)):
        child(parent, local, pools).text = format(number, "f")
    return f"{place(line)}: {quantity} times {unit} by {base} and {more} is {amount}"


def some_number(random):
    """A number of few or many places; often one whose products end in half a cent."""
    places = random.choice((0, 1, 2, 2, 3, 4, 6))
    return Decimal(random.randrange(1, 10 ** random.choice((1, 2, 4, 6)))) / 10**places


def rounded(number, random):
    number += random.choice((Decimal(0),) * 6 + (Decimal("0.01"), Decimal("-0.01"), Decimal("0.005")))
    if random.random() < 0.2:
        return number
    return number.quantize(
        Decimal("0.01"), random.choice((ROUND_HALF_UP, ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_HALF_DOWN, ROUND_DOWN, ROUND_UP))
    )


def shift(element, by):
    try:
        element.text = str(Decimal(element.text) + Decimal(by))
    except (TypeError, InvalidOperation):
        element.text = by


def scale(document, factor):
    for element in elements(document, ends("Amount")):
        try:
            element.text = format(Decimal(element.text) * factor, "f")
        except (TypeError, InvalidOperation):
            continue
