# Reads API, KEY, TAXPAYER and DOCUMENT (the document_id of the credited invoice) from the environment.
NUMBER="CN-$(date +%s)-sh"
curl -s --fail-with-body "$API/v1/credit-notes" \
  -H "Authorization: Api-Key $KEY" \
  -H "x-ae-taxpayer-id: $TAXPAYER" \
  -H "Idempotency-Key: $NUMBER" \
  --json '{
    "credit_note_number": "'"$NUMBER"'",
    "credit_note_reason_code": "DL8.61.1.D",
    "previous_document_id": "'"$DOCUMENT"'",
    "customer": {
      "name": "Oasis Supplies FZE",
      "vat_identifier": "100123450200003",
      "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"}
    },
    "line_items": [
      {"item": {"name": "Label printer"}, "quantity": "1", "price": {"net_price": "450.00"}, "vat": {"category_code": "S"}}
    ]
  }'
