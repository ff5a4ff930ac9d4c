# Reads API, KEY and URL (the address of your program) from the environment. The response has the signing secret, only once.
ENDPOINT=$(curl -s --fail-with-body "$API/v1/webhook-endpoints" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"url": "'"$URL"'", "event_types": ["document.sent", "document.status", "document.reported"], "description": "ERP"}')
echo "$ENDPOINT"

# Sends a test event to the endpoint, like a real one.
ID=$(echo "$ENDPOINT" | sed -E 's/.*"endpoint_id": ?"([^"]+)".*/\1/')
curl -s --fail-with-body "$API/v1/webhook-endpoints/$ID/test" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"event_type": "document.sent"}'
