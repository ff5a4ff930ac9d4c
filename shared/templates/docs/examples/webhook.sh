# API and KEY are in the environment, and URL: where your program takes events. The answer has the signing secret, this once.
ENDPOINT=$(curl -s --fail-with-body "$API/v1/webhook-endpoints" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"url": "'"$URL"'", "event_types": ["document.sent", "document.status", "document.reported"], "description": "ERP"}')
echo "$ENDPOINT"

# Has the service send an event to it, as it would send a real one.
ID=$(echo "$ENDPOINT" | sed -E 's/.*"endpoint_id": ?"([^"]+)".*/\1/')
curl -s --fail-with-body "$API/v1/webhook-endpoints/$ID/test" \
  -H "Authorization: Api-Key $KEY" \
  --json '{"event_type": "document.sent"}'
