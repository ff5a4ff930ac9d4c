# API, KEY and URL are in the environment. URL receives your events. Only this answer has the signing secret.
ENDPOINT=$(curl -s --fail-with-body "$API/v1/webhook-endpoints" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"url": "'"$URL"'", "event_types": ["document.sent", "document.status", "document.reported"], "description": "ERP"}')
echo "$ENDPOINT"

# Asks the service to send a test event to it, signed like a real one.
ID=$(echo "$ENDPOINT" | sed -E 's/.*"endpoint_id": ?"([^"]+)".*/\1/')
curl -s --fail-with-body "$API/v1/webhook-endpoints/$ID/test" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"event_type": "document.sent"}'
