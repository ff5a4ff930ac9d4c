// oauth4webapi: the same, response by response, with client_secret_post.
import { createInterface } from 'node:readline/promises';
import * as oauth from 'oauth4webapi';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SCOPE } = process.env;
const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(ISSUER);
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }));
const client = { client_id: CLIENT_ID };
const authentication = oauth.ClientSecretPost(CLIENT_SECRET);
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const url = new URL(as.authorization_endpoint);
for (const [name, value] of Object.entries({
  client_id: CLIENT_ID,
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: SCOPE,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
})) {
  url.searchParams.set(name, value);
}
console.log(url.href);
const callback = new URL(await createInterface({ input: process.stdin }).question(''));
const parameters = oauth.validateAuthResponse(as, client, callback, state);
const exchanged = await oauth.authorizationCodeGrantRequest(as, client, authentication, parameters, REDIRECT_URI, verifier, insecure);
const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged);
const again = await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, insecure);
const refreshed = await oauth.processRefreshTokenResponse(as, client, again);
console.log(JSON.stringify({ tokens, refreshed }));
await createInterface({ input: process.stdin }).question('');
await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authentication, refreshed.refresh_token, insecure));
console.log('revoked');
process.exit(0);
