# Reads API, KEY and TAXPAYER from the environment. Prints each error, its place and its documentation. Needs jq.
curl -s "$API/v1/invoices" \
  -H "Authorization: Api-Key $KEY" \
  -H "x-ae-taxpayer-id: $TAXPAYER" \
  --json '{"invoice_number": "INV-1", "currency": "EURO", "line_items": []}' |
  jq -r '.detail | .code, (.errors[] | "\(.rule) at \(.pointer): \(.message) \(.doc_url // "")")'
