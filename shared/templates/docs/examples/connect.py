"""Connects a taxpayer. Reads API, CLIENT, SECRET and CALLBACK (the service and the registered client) from the environment."""

import base64
import hashlib
import os
import secrets
import urllib.parse
import urllib.request

API, CLIENT, SECRET, CALLBACK = (os.environ[name] for name in ("API", "CLIENT", "SECRET", "CALLBACK"))

verifier, state = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
asked = {
    "response_type": "code",
    "client_id": CLIENT,
    "redirect_uri": CALLBACK,
    "scope": "invoices:read invoices:write",
    "state": state,
    "code_challenge": challenge,
    "code_challenge_method": "S256",
}

# 1. Redirect the browser of the taxpayer to this address.
print(f"{API}/sandbox/oauth/authorize?{urllib.parse.urlencode(asked)}", flush=True)

# 2. The browser returns with the same state and with a code.
code = input()

# 3. Exchange the code within a minute.
form = {"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": verifier}
request = urllib.request.Request(f"{API}/v1/oauth/token", urllib.parse.urlencode(form).encode())
request.add_header("Authorization", "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode())
with urllib.request.urlopen(request, timeout=30) as answer:
    print(answer.read().decode())
