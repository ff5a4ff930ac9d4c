"""The comparison itself finds every difference and covers everything."""
import pytest

import terms

CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
INVOICE = f"""<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:b="{CBC}" xmlns:a="{CAC}">
<b:ID>1</b:ID><b:Note> two  words </b:Note><b:DocumentCurrencyCode>USD</b:DocumentCurrencyCode>
<a:AllowanceCharge><b:ChargeIndicator>true</b:ChargeIndicator><b:Amount currencyID="USD">5.0</b:Amount></a:AllowanceCharge>
<a:AllowanceCharge><b:ChargeIndicator>false</b:ChargeIndicator><b:Amount currencyID="USD">7</b:Amount></a:AllowanceCharge>
<a:TaxTotal><b:TaxAmount currencyID="USD">1</b:TaxAmount></a:TaxTotal>
<a:TaxTotal><b:TaxAmount currencyID="AED">3.67</b:TaxAmount></a:TaxTotal>
<a:InvoiceLine><b:ID>A</b:ID></a:InvoiceLine><a:InvoiceLine><b:ID>B</b:ID><b:UUID>x</b:UUID></a:InvoiceLine>
</Invoice>"""


@pytest.fixture
def reading(tmp_path):
    def read(text):
        (tmp_path / "document.xml").write_text(text)
        return terms.read(tmp_path / "document.xml")
    return read


def test_repeated_groups_are_read_one_by_one_and_amounts_with_their_currency(reading):
    assert reading(INVOICE).values == {
        "IBT-001": ["1"], "IBT-022": ["two words"], "IBT-005": ["USD"], "IBG-20[1] IBT-092": ["7 USD"],
        "IBG-21[1] IBT-099": ["5.0 USD"], "IBT-110": ["1 USD"], "IBT-111": ["3.67 AED"],
        "IBG-25[1] IBT-126": ["A"], "IBG-25[2] IBT-126": ["B"]}


def test_what_no_entry_claims_is_told_with_its_place(reading):
    assert reading(INVOICE).unclaimed == {"/Invoice/InvoiceLine/UUID": ["x"]}
    with_attribute = INVOICE.replace("<b:Note>", '<b:Note languageID="en">')
    assert reading(with_attribute).unclaimed["/Invoice/Note/@languageID"] == ["en"]


def test_numbers_are_equal_as_decimals_and_text_as_text():
    assert terms.same("amount", ["5.0 USD"], ["5.00 USD"])
    assert not terms.same("amount", ["5.0 USD"], ["5.0 AED"])
    assert not terms.same("amount", ["5.01 USD"], ["5.0 USD"])
    assert not terms.same("text", ["5.0"], ["5.00"])
    assert not terms.same("number", ["5", "5"], ["5"])
    assert not terms.same("number", [], ["5"])


def test_no_two_entries_of_the_table_have_one_name_and_one_place():
    entries = [(entry.id, entry.invoice) for entry in terms.flat()]
    assert len(entries) == len(set(entries))
