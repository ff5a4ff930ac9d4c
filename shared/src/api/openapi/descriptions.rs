//! The prose of the OpenAPI document: the rules of the interface specification, and our choices where it is silent.

/// The service as a whole.
pub(super) const SERVICE: &str = "\
Sends commercial invoices, credit notes, self-billed invoices and self-billed credit notes as \
PINT-AE documents, and gives back what was sent and received.

**Modes.** Live and Sandbox share one address; the API key or the OAuth client decides. Nothing crosses from one to \
the other. A Sandbox send converts, checks and records the document and emits its events; nothing \
leaves the service. When the recipient is an active taxpayer of the same Sandbox, it receives the \
document. Live dispatch needs an active subscription (402 subscription_required).

**Credential.** Every request carries `Authorization: Api-Key <API_KEY>` and names the taxpayer in \
`x-ae-taxpayer-id`, or `Authorization: Bearer <ACCESS_TOKEN>`, which acts for its one taxpayer (see OAuth). Missing or unknown credentials are 401, access that no active grant gives is \
403, and a document of another taxpayer or of the other mode is 404.

**Errors.** Every error has the shape of ErrorResponse; `detail.code` is one of a closed list. All \
findings about a document come at once, each with a JSON Pointer into the body as sent. Below the \
base addresses a path that does not exist is 404 not_found, a method that a path does not have is \
405 method_not_allowed, both in the same shape.

**Gateway.** Amazon API Gateway stands before the service and answers some requests by itself, with \
`{\"message\": …}` (GatewayError) and no x-request-id.

- 404 Not Found: the path begins with neither /v1/ nor /api/.
- 413 Request Entity Too Large: the body is beyond what reaches the service (see Limits).
- 429 Too Many Requests: requests come faster than the deployment admits.
- 431 Request Header Fields Too Large: path, query and headers have more than 10,240 bytes together.
- 500 Internal Server Error: the function fails.
- 503 Service Unavailable: an answer takes longer than 29 seconds.

After 429, 500 and 503 repeat the request, a send with the same \
Idempotency-Key. The gateway joins headers that are given more than once by commas: two \
Idempotency-Key headers a and b are the one key a,b, and any other header given twice is refused \
for what its values make together.

**Sends.** A send is answered 201 once the document is sent, or 202 once it is safely queued. With \
an Idempotency-Key a request can be repeated safely, for ever: the same key and payload give the \
saved status and body byte for byte with `Idempotent-Replayed: true`; the same key with another \
payload, or while an attempt runs or is unconfirmed, is 409. Payloads are compared as JSON values: \
white space, the order of names and the spelling of numbers (1, 1.0, 1e0) do not matter; a string \
is another value than a number. Only what happened is saved: a send that is refused (4xx) frees its \
key. Retry-After says when to try again after 503 and 409 idempotency_in_progress.

**Limits.** A body has at most 4 MiB (4194304 bytes), and at most 6,000,000 bytes as a JSON string, \
in which quotation marks, backslashes, tabs and line breaks count twice and other control \
characters six times: indent large bodies little. Beyond either limit the answer is 413, from some \
200,000 bytes beyond the second one on the gateway's own. A document has 1 to 1000 lines, a text \
5000 characters unless its field says otherwise, the UBL document made of it 10 MiB (10485760 \
bytes; otherwise 422 with the rule AP-UBL-size). Bodies are UTF-8 JSON without Content-Encoding; a \
byte order mark before them is ignored. Unknown fields, names that stand twice in an object and \
unknown query parameters are refused. A field that is null counts as left out, though not when \
payloads are compared for an Idempotency-Key.

**Rates.** An organization has so many requests a minute in each environment, by all of its keys and tokens together: \
`RateLimit-Policy` says how many on every answer, `RateLimit` how many are left and for how long \
(draft-ietf-httpapi-ratelimit-headers). One more is 429 rate_limited, before anything is done; Retry-After says when to \
repeat it. Requests without a credential that works are counted by the address that they come from, 600 a minute: who \
has one is never held up by others of his address. The token and revocation endpoints take 3,000 a minute from an address, \
and say the same in the same headers.

**Numbers.** Amounts, quantities and rates are decimals with at most 18 digits before the point and \
10 after it: give them as JSON strings, or as numbers, with an exponent if you like (1e-05); they \
are read exactly. Answers give them as strings. What you leave out is computed; what you give is \
compared, and a difference is an error with `expected`. An amount in AED that rounding explains is \
kept as given, with a warning: up to half a cent at the exchange rate and half a fil, in whole \
fils, for a line (0.01 in AED), and so much for each line, allowance and charge for a total. \
Amounts must stay below 10,000,000,000,000. They are rounded half up to the cent; where a line or an \
allowance lies exactly between two cents, the one counts that the official rules accept, which compute \
in binary floating point: 1 × 1.005 is 1.00, 1 × 0.125 is 0.13.

**Reports.** Every Live document is reported to the tax authority, without being asked: see the Reports \
section, `reporting` of a document and the event document.reported. A report that was refused or did not \
arrive is filed again by POST …/reports. In Sandbox nothing is reported.

**Corrections.** A document that the recipient's access point rejected (status rejected, Message Level \
Status RE) is corrected by sending it anew with `corrects_document_id`: same operation, type code and \
number, corrected content, a new Idempotency-Key; it is queued (202). Any other document is 409 \
not_correctable: it is corrected by a credit note. What was reported of the rejected document is taken back \
first. As long as a report about it is on its way, or the authority's verdict on it is awaited, the answer \
is 409 correction_recovery_pending. When a report is REPORTED, or its verdict has been overdue for a day, so \
that the authority may hold it, the first try withdraws it (a report of kind W). The answer is 409 \
correction_recovery_pending until the withdrawal is REPORTED. A withdrawal that did not arrive in 48 hours \
is made anew by the next try; one that the authority refuses keeps the correction waiting until it is filed \
again (POST …/reports). Where nothing was reported, or all of it was refused or never arrived, there is \
nothing to take back. A 409 correction_recovery_pending keeps nothing: retry the same payload with the same \
key, after Retry-After. Then the correction goes out, and is reported with supersedes_id, the document that \
it corrects. A document has one correction: another one is 409 already_corrected, with the id of the first \
in its message, unless the first ended as failed. When a correction is rejected, correct the correction.

**Webhooks.** See the webhooks section for events, signatures and retries.";

/// The security scheme.
pub(super) const API_KEY: &str = "\
`Api-Key` and a space before the organization's API key: `Authorization: Api-Key pk_test_…`. Keys \
of Live start pk_live_, keys of Sandbox pk_test_. Keep them on the server.";

/// x-ae-taxpayer-id
pub(super) const TAXPAYER_ID: &str = "\
The taxpayer to act for: the opaque identifier that starts with txpay_, not the TIN, the \
participant_id or the organization's identifier. Required with an API key (security alternative \
ApiKey), even when there is only one taxpayer: without it the answer is 400 invalid_request. Optional \
with an access token (security alternative AccessToken), which acts for its one taxpayer. The \
taxpayer must be active, and the organization must hold an active grant with the scope of the \
operation: invoices:write to send and validate, and to change settings, business card and listing; invoices:read to read, or inbound:read to read \
what was received.";

/// x-ae-grant-id
pub(super) const GRANT_ID: &str = "\
Acts through exactly this grant and its scopes, and fails once it is revoked. Without it the key \
acts through all active grants of the organization on the taxpayer. Operations of the organization \
itself need no grant; one that is named there must be an active grant of the organization all the same. \
403 grant_required otherwise, on every operation.";

/// Idempotency-Key
pub(super) const IDEMPOTENCY_KEY: &str = "\
Makes the request safe to repeat: 1 to 1,024 printable ASCII characters without spaces (0x21 to \
0x7E). Scoped to the taxpayer, over all four sends, imports and reports that are filed again; never expires. Required with \
corrects_document_id and with Prefer: respond-async. Give it once: a comma is a character like \
any other, and the gateway joins two headers by one, so that two keys are one other key.";

/// Prefer
pub(super) const PREFER: &str = "\
respond-async asks for durable queued delivery: 202 at once with `Preference-Applied: respond-async`, \
the result as an event. Needs an Idempotency-Key (400 idempotency_key_required) and a deployment on \
which it is enabled (400 queued_delivery_disabled). The header is read as in RFC 7240: it may hold \
several preferences, with parameters, in several lines. Other preferences are ignored, wait among them: \
nobody waits for a queued send.";

/// The webhooks section.
pub(super) const EVENT: &str = "\
An event goes to every enabled endpoint of the organizations whose active grants cover the \
document: invoices:read covers every document of the taxpayer, inbound:read the received ones, and \
invoices:write the ones that the organization itself sent. Each delivery is an HTTP POST, signed as \
in Standard Webhooks 1.0.0: verify `webhook-signature` over `webhook-id`, `webhook-timestamp` and \
the raw body with the endpoint's secret (whsec_…), refuse old timestamps, deduplicate on \
`webhook-id`, and answer 2xx within 15 seconds once the event is safely stored. Deliveries come at \
least once and in any order. Every other answer is a failure, also a redirect. A failed delivery is \
retried 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt before. These are \
10 attempts over 75 h 35 min, each wait ±20 %. Retry-After is honoured up to an hour, or up to twice the \
schedule's wait if that is longer. 410 disables the endpoint.";

/// The access token.
pub(super) const ACCESS_TOKEN: &str = "\
Send Authorization: Bearer followed by the access token. It acts for its one taxpayer through its one \
grant: x-ae-taxpayer-id is optional, and 403 grant_required when it, or x-ae-grant-id, names another. It \
ends after 15 minutes, with its grant (403 grant_required on the very next request), and when it is taken \
back (401 invalid_token). A token cannot do what is the organization's own (403 api_key_required).";

/// The OAuth endpoints.
pub(super) const OAUTH: &str = "\
How a taxpayer lets an application act for it: authorization code with PKCE (RFC 6749, 7636), S256 only. The \
metadata of each mode (RFC 8414) is at {portal_url}/.well-known/oauth-authorization-server and \
{portal_url}/.well-known/oauth-authorization-server/sandbox; the issuers are {portal_url} and \
{portal_url}/sandbox. Send the browser to {portal_url}/oauth/authorize or {portal_url}/sandbox/oauth/authorize \
with response_type=code, client_id, redirect_uri (exactly as registered), scope, code_challenge, \
code_challenge_method=S256, state, and if you like tin_hint (ten digits), grant_label (100 characters) and \
external_id (200 characters). The taxpayer has an hour to decide. The callback has code and state, or error \
and state, and always iss (RFC 9207): compare it with the issuer.";

/// The token endpoint.
pub(super) const TOKEN: &str = "\
Gives tokens for a code, once and within 60 seconds, or for a refresh token. A code that comes again ends the \
tokens that it gave. A refresh token is good once: the answer has the next one. The one before is taken for 30 \
seconds more while its successor is unused, since an answer can be lost; after that, or two generations later, \
the tokens of that approval end, for one of the two was stolen. A refresh token ends after 90 days unused, and \
all of them two years after the approval. Retry after 503 and when no answer came.";

/// The billing provider's callback.
pub(super) const BILLING_EVENT: &str = "\
What the billing provider says of an organization's subscription, signed as Standard Webhooks 1.0.0 says with the secret \
that provider and access point share; while one secret replaces another, either will do. An event whose webhook-id was \
taken in the last seven days changes nothing, and neither does one whose updated_at is older than what is known: events \
may come twice and in any order. Send again what was not answered with 2xx.";

/// Revocation.
pub(super) const REVOCATION: &str = "\
Takes back a token (RFC 7009): an access token alone, or with a refresh token every token of the same approval. \
The grant stands; DELETE /grants/{grant_id} ends that. What is no token is 200, too; another client's is 400 \
invalid_grant.";

pub(super) const WEBHOOKS: &str = "Where the organization hears of events, what it heard, and what came of each attempt. \
    The events themselves are under webhooks.";
