// Connects a taxpayer. Reads API, CLIENT, SECRET and CALLBACK (the service and the registered client) from the environment.
declare const process: { env: Record<string, string>; stdin: AsyncIterable<Uint8Array> };
const { API, CLIENT, SECRET, CALLBACK } = process.env;

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  taxpayer_id: string;
  grant_id: string;
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function line(): Promise<string> {
  for await (const bytes of process.stdin) {
    return new TextDecoder().decode(bytes).trim();
  }
  throw new Error("no code came");
}

const [verifier, state] = [random(), random()];
const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
const asked = new URLSearchParams({
  response_type: "code",
  client_id: CLIENT,
  redirect_uri: CALLBACK,
  scope: "invoices:read invoices:write",
  state,
  code_challenge: base64url(new Uint8Array(digest)),
  code_challenge_method: "S256",
});

// 1. Redirect the browser of the taxpayer to this address.
console.log(`${API}/sandbox/oauth/authorize?${asked}`);

// 2. The browser returns with the same state and with a code.
const code = await line();

// 3. Exchange the code within a minute.
const answer = await fetch(`${API}/v1/oauth/token`, {
  method: "POST",
  headers: { Authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}` },
  body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: verifier }),
});
if (!answer.ok) {
  throw new Error(`${answer.status} ${await answer.text()}`);
}
const tokens: Tokens = await answer.json();
console.log(JSON.stringify(tokens));

export {};
