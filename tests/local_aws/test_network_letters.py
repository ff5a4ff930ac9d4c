"""Test messages have exactly the one stated error."""

import pytest
from lxml import etree

from local_aws.network import letters

ENVELOPE = """<StandardBusinessDocument xmlns="urn:x"><StandardBusinessDocumentHeader>
<DocumentIdentification><InstanceIdentifier>one</InstanceIdentifier>
 <Type>Invoice</Type></DocumentIdentification>
<BusinessScope><Scope><Type>DOCUMENTID</Type><InstanceIdentifier>two</InstanceIdentifier></Scope></BusinessScope>
</StandardBusinessDocumentHeader><Invoice xmlns:cbc="urn:cbc"><cbc:ID>INV-1</cbc:ID><x><cbc:ID>S</cbc:ID></x>
<cbc:PayableAmount currencyID="AED">945.00</cbc:PayableAmount></Invoice></StandardBusinessDocument>"""


def test_the_instance_is_that_of_the_document_and_not_of_a_scope():
    assert letters.instance_of(ENVELOPE) == "one"
    with pytest.raises(ValueError, match="InstanceIdentifier"):
        letters.instance_of("<x/>")


def test_a_miscalculated_document_differs_in_three_places_alone():
    instance, changed = letters.miscalculated(ENVELOPE, "INV-2")
    assert letters.instance_of(changed) == instance
    back = changed.replace(f">{instance}<", ">one<").replace(">INV-2<", ">INV-1<").replace(">1.00<", ">945.00<")
    assert back == ENVELOPE


def test_an_invoice_is_for_its_recipient():
    body = letters.invoice("N-1", {"participant_id": "0235:1001234509", "name": "Amber & Sons"})
    assert b'"invoice_number": "N-1"' in body
    assert b'"name": "Amber & Sons"' in body
    assert b'"id": "1001234509"' in body and b"100123450900003" in body


def test_a_rejection_names_the_document_the_place_and_why():
    envelope = etree.fromstring(letters.rejection("0242:000003", "0242:000001", "one", "/Invoice/cbc:ID", "a < b").encode())
    assert envelope.xpath("string(//*[local-name()='Receiver'])") == "0242:000001"
    assert envelope.xpath("string(//*[local-name()='SenderParty'])") == "000003"
    assert envelope.xpath("string(//*[local-name()='DocumentReference'])") == "one"
    assert envelope.xpath("string(//*[local-name()='LineID'])") == "/Invoice/cbc:ID"
    assert envelope.xpath("string(//*[local-name()='Response']/*[local-name()='Description'])") == "a < b"
