# Reads API, CLIENT, SECRET and CALLBACK (the service and the registered OAuth client) from the environment.
VERIFIER=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n')
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=\n')
STATE=$(head -c 16 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n')

# 1. Redirect the browser of the taxpayer to this address.
echo "$API/sandbox/oauth/authorize?response_type=code&client_id=$CLIENT&redirect_uri=$CALLBACK&scope=invoices:read%20invoices:write&state=$STATE&code_challenge=$CHALLENGE&code_challenge_method=S256"

# 2. The browser returns with the same state and with a code.
read -r CODE

# 3. Exchange the code within a minute.
curl -s --fail-with-body "$API/v1/oauth/token" -u "$CLIENT:$SECRET" \
  -d grant_type=authorization_code -d "code=$CODE" \
  --data-urlencode "redirect_uri=$CALLBACK" -d "code_verifier=$VERIFIER"
