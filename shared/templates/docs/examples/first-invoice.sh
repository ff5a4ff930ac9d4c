# Reads API (the address of the service), KEY (a Sandbox API key) and TAXPAYER (a taxpayer id) from the environment.
NUMBER="INV-$(date +%s)-sh"
curl -s --fail-with-body "$API/v1/invoices" \
  -H "Authorization: Api-Key $KEY" \
  -H "x-ae-taxpayer-id: $TAXPAYER" \
  -H "Idempotency-Key: $NUMBER" \
  --json '{
    "invoice_number": "'"$NUMBER"'",
    "due_date": "2030-01-31",
    "customer": {
      "name": "Oasis Supplies FZE",
      "vat_identifier": "100123450200003",
      "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"}
    },
    "line_items": [
      {"item": {"name": "Label printer"}, "quantity": "2", "price": {"net_price": "450.00"}, "vat": {"category_code": "S"}}
    ]
  }'
