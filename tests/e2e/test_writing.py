"""An invoice and a credit note that a person writes in the portal, with clicks counted, in both languages."""

import pytest
from kit.waiting import wait_for
from test_the_portal import invited, signed_in

FIELDS = {
    "invoice_number": "HAND-1",
    "due_date": "2030-01-31",
    "customer.name": "Oasis Supplies FZE",
    "customer.electronic_address.id": "1001234502",
    "customer.vat_identifier": "100123450200003",
    "customer.address.line_1": "Jebel Ali",
    "customer.address.city": "Dubai",
    "customer.address.country_subdivision": "DXB",
    "line_items.0.item.name": "Label printer",
    "line_items.0.item.code": "84433250",
    "line_items.0.quantity": "2",
    "line_items.0.price.net_price": "450.10",
}
CHOSEN = {"line_items.0.item.type_code": "G", "line_items.0.vat.category_code": "S"}
