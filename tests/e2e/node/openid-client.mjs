// openid-client: discovery, the flow, refresh, revocation. Prints where the browser is to go, reads where it came back to.
import { createInterface } from 'node:readline/promises';
import * as client from 'openid-client';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SCOPE } = process.env;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, client.ClientSecretBasic(CLIENT_SECRET), {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
});
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: REDIRECT_URI,
  scope: SCOPE,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});
console.log(url.href);
const callback = await createInterface({ input: process.stdin }).question('');
const tokens = await client.authorizationCodeGrant(config, new URL(callback), { pkceCodeVerifier: verifier, expectedState: state });
const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
console.log(JSON.stringify({ tokens, refreshed }));
await createInterface({ input: process.stdin }).question('');
await client.tokenRevocation(config, refreshed.refresh_token);
console.log('revoked');
process.exit(0);
