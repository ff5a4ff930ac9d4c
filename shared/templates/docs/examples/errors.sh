# API, KEY and TAXPAYER are in the environment. Says what is wrong, where, and where that is explained; needs jq.
curl -s "$API/v1/invoices" \
  -H "Authorization: Api-Key $KEY" \
  -H "x-ae-taxpayer-id: $TAXPAYER" \
  --json '{"invoice_number": "INV-1", "currency": "EURO", "line_items": []}' |
  jq -r '.detail | .code, (.errors[] | "\(.rule) at \(.pointer): \(.message) \(.doc_url // "")")'
