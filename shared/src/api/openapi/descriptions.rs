//! The prose of the OpenAPI document: the rules of the interface specification, and our choices where it is silent.

/// The service as a whole.
pub(super) const SERVICE: &str = "\
Sends commercial invoices, credit notes, self-billed invoices and self-billed credit notes as PINT-AE documents, \
and returns sent and received documents.

**Modes.** Live and Sandbox share one address. The API key or the OAuth client determines the mode, and no data \
passes from one mode to the other. A Sandbox send converts, checks and records the document, and emits its events. \
Nothing leaves the service. If the recipient is an active taxpayer of the same Sandbox, it receives the document. \
Sending in Live requires an active subscription (402 subscription_required).

**Credential.** Every request has one of two credentials:

- `Authorization: Api-Key <API_KEY>`, together with the taxpayer in `x-ae-taxpayer-id`.
- `Authorization: Bearer <ACCESS_TOKEN>`, which acts for its one taxpayer (see OAuth).

A missing or unknown credential is answered with 401. Access that no active grant permits is answered with 403. A \
document of another taxpayer or of the other mode is answered with 404.

**Errors.** Every error has the shape of ErrorResponse, and `detail.code` is one of a closed list. All findings \
about a document are returned at once, each with a JSON Pointer into the request body. Below the base addresses, \
an unknown path is answered with 404 not_found. An unknown method of a known path is answered with 405 \
method_not_allowed. Both have the same shape.

**Gateway.** Amazon API Gateway is in front of the service. It answers some requests itself, with `{\"message\": \
…}` (GatewayError) and without x-request-id.

- 404 Not Found: the path begins with neither /v1/ nor /api/.
- 413 Request Entity Too Large: the body is larger than the service can receive (see Limits).
- 429 Too Many Requests: there are more requests than the deployment admits.
- 431 Request Header Fields Too Large: path, query and headers have more than 10,240 bytes together.
- 500 Internal Server Error: the function fails.
- 503 Service Unavailable: the response takes longer than 29 seconds.

After 429, 500 and 503, repeat the request. Repeat a send with the same Idempotency-Key. The gateway joins \
repeated headers with commas. Two Idempotency-Key headers a and b become the one key a,b. Any other repeated \
header is refused, because its joined value is invalid.

**Sends.** A send is answered with 201 once the document is sent, or with 202 once it is safely queued. A request \
with an Idempotency-Key can be repeated safely, without a time limit:

- The same key and payload return the saved status and body byte for byte, with `Idempotent-Replayed: true`.
- The answer is 409 for the same key with another payload, and for the same key while an attempt runs or is \
unconfirmed.
- Payloads are compared as JSON values. White space, the order of names and the notation of numbers (1, 1.0, 1e0) \
do not matter. A string never equals a number.
- Only sends that took effect are saved. A refused send (4xx) releases its key.
- After 503 and 409 idempotency_in_progress, Retry-After says when to retry.

**Limits.** The service has these limits:

- A body has at most 4 MiB (4194304 bytes).
- As a JSON string, a body has at most 6,000,000 bytes. Quotation marks, backslashes, tabs and line breaks count \
twice, and other control characters six times. Therefore use little indentation in large bodies.
- A larger body is answered with 413. From about 200,000 bytes above the second limit, the gateway answers.
- A document has 1 to 1000 lines.
- A text has at most 5000 characters, unless its field has another limit.
- The UBL document has at most 10 MiB (10485760 bytes). Otherwise the answer is 422 with the rule AP-UBL-size.
- Bodies are UTF-8 JSON without Content-Encoding. A leading byte order mark is ignored.
- Unknown fields, duplicate names in an object and unknown query parameters are refused.
- A null field counts as left out. When payloads are compared for an Idempotency-Key, null and a missing field \
differ.

**Rates.** The number of requests per minute is limited for each organization and environment. All of its keys and \
tokens count together. On every response, `RateLimit-Policy` contains the limit, and `RateLimit` the remaining \
requests and time (draft-ietf-httpapi-ratelimit-headers). A request above the limit is answered with 429 \
rate_limited before any processing, and Retry-After says when to retry. Requests without a valid credential count \
per IP address, 600 per minute. They never delay callers with a valid credential at the same address. The token \
and revocation endpoints accept 3,000 requests per minute from an address, and return the same headers.

**Numbers.** Amounts, quantities and rates are decimals with at most 18 digits before the point and 10 after it. \
Send them as JSON strings or as JSON numbers, with or without an exponent (1e-05). They are read exactly. \
Responses contain them as strings.

- Values that are left out are computed. Values that are given are compared, and a difference is an error with \
`expected`.
- An amount in AED that differs only by rounding is kept as given, with a warning. For a line, the tolerance is \
half a cent at the exchange rate plus half a fil, in whole fils (0.01 in AED). For a total, it is that tolerance \
for each line, allowance and charge.
- Amounts must be below 10,000,000,000,000.
- Amounts are rounded half up to the cent. If a line or an allowance is exactly between two cents, the value \
accepted by the official rules applies. These rules compute in binary floating point: 1 × 1.005 is 1.00, 1 × 0.125 \
is 0.13.

**Reports.** Every Live document is reported to the tax authority automatically. See the Reports section, \
`reporting` of a document and the event document.reported. To file a report again that was refused or did not \
arrive, use POST …/reports. In Sandbox nothing is reported.

**Corrections.** A document that the recipient's access point rejected has the status rejected (Message Level \
Status RE). Correct it by sending it again with `corrects_document_id` and a new Idempotency-Key. Operation, type \
code and number stay the same, and the content is corrected. The correction is queued (202). For any other \
document the answer is 409 not_correctable: correct it by a credit note.

First, existing reports about the rejected document are withdrawn:

- While a report about it is in transit, or its verdict is pending, the answer is 409 correction_recovery_pending.
- If a report is REPORTED, the first attempt withdraws it (a report of kind W). The same applies if its verdict \
has been overdue for one day, because the authority may have the report. The answer is 409 \
correction_recovery_pending until the withdrawal is REPORTED.
- If a withdrawal did not arrive within 48 hours, the next attempt creates a new one.
- If the authority refuses a withdrawal, the correction waits until the withdrawal is filed again (POST \
…/reports).
- If nothing was reported, or all reports were refused or never arrived, no withdrawal is needed.

After 409 correction_recovery_pending nothing is saved. Retry the same payload with the same key after the time in \
Retry-After. Then the correction is sent. Its report has supersedes_id, the identifier of the corrected document.

A document has only one correction. While the first correction has not failed, another one is answered with 409 \
already_corrected, whose message contains the id of the first. If a correction is rejected, correct the \
correction.

**Webhooks.** See the webhooks section for events, signatures and retries.";

/// The security scheme.
pub(super) const API_KEY: &str = "\
`Api-Key`, a space and the organization's API key: `Authorization: Api-Key pk_test_…`. Live keys start with \
pk_live_, Sandbox keys with pk_test_. Keep API keys on the server.";

/// x-ae-taxpayer-id
pub(super) const TAXPAYER_ID: &str = "\
The taxpayer to act for. It is the opaque identifier that starts with txpay_, not the TIN, the participant_id or \
the organization's identifier. Required with an API key (security alternative ApiKey), even if there is only one \
taxpayer. Without it, the answer is 400 invalid_request. Optional with an access token (security alternative \
AccessToken), which acts for its one taxpayer. The taxpayer must be active. The organization must have an active \
grant with the scope of the operation. invoices:write permits sending, validating, and changing settings, business \
card and listing. invoices:read permits reading. inbound:read permits reading received documents.";

/// x-ae-grant-id
pub(super) const GRANT_ID: &str = "\
Limits the request to this grant and its scopes. The request fails once the grant is revoked. Without this header, \
an API key uses all active grants of the organization on the taxpayer. Operations of the organization itself need \
no grant. If one is named anyway, it must be an active grant of the organization. Otherwise every operation is \
answered with 403 grant_required.";

/// Idempotency-Key
pub(super) const IDEMPOTENCY_KEY: &str = "\
Key that makes the request safe to repeat: 1 to 1,024 printable ASCII characters without spaces (0x21 to 0x7E). It \
applies to one taxpayer, across all four sends, imports and repeated reports. It never expires. Required with \
corrects_document_id and with Prefer: respond-async. Send the header only once. A comma is part of the key, and \
the gateway joins two headers with a comma. Two keys therefore become one different key.";

/// Prefer
pub(super) const PREFER: &str = "\
respond-async requests durable queued delivery. The answer is 202 with `Preference-Applied: respond-async`, and an \
event contains the result. It requires an Idempotency-Key (400 idempotency_key_required). It also requires a \
deployment with queued delivery (400 queued_delivery_disabled). The header is read as in RFC 7240: it may contain \
several preferences, with parameters, in several lines. Other preferences are ignored, including wait: a queued \
send is never waited for.";

/// The webhooks section.
pub(super) const EVENT: &str = "\
An event is delivered to every enabled endpoint of the organizations whose active grants cover the document. \
invoices:read covers every document of the taxpayer, inbound:read covers received documents, and invoices:write \
covers documents that the organization itself sent.

Each delivery is an HTTP POST, signed according to Standard Webhooks 1.0.0:

- Verify `webhook-signature` over `webhook-id`, `webhook-timestamp` and the raw body with the secret of the \
endpoint (whsec_…).
- Refuse old timestamps.
- Deduplicate on `webhook-id`.
- Answer 2xx within 15 seconds, once the event is safely stored.

Deliveries are at least once and in any order. Every other answer is a failure, including a redirect. A failed \
delivery is retried 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the previous attempt. These are \
10 attempts over 75 h 35 min, each wait ±20 %. Retry-After is honoured up to one hour, or up to twice the \
scheduled wait if that is longer. 410 disables the endpoint.";

/// The access token.
pub(super) const ACCESS_TOKEN: &str = "\
Send Authorization: Bearer followed by the access token. The token acts for one taxpayer through one grant. \
x-ae-taxpayer-id is optional. If it or x-ae-grant-id names another one, the answer is 403 grant_required. The \
token expires after 15 minutes. It also ends with its grant (403 grant_required on the next request), and when it \
is revoked (401 invalid_token). Operations of the organization itself require an API key (403 api_key_required).";

/// The OAuth endpoints.
pub(super) const OAUTH: &str = "\
Authorization of an application by a taxpayer: authorization code with PKCE (RFC 6749, 7636), S256 only. Metadata \
(RFC 8414) is at {portal_url}/.well-known/oauth-authorization-server for Live, and at \
{portal_url}/.well-known/oauth-authorization-server/sandbox for Sandbox. The issuers are {portal_url} and \
{portal_url}/sandbox. Send the browser to {portal_url}/oauth/authorize or {portal_url}/sandbox/oauth/authorize. \
Required parameters are response_type=code, client_id, redirect_uri (exactly as registered), scope, \
code_challenge, code_challenge_method=S256 and state. Optional parameters are tin_hint (ten digits), grant_label \
(100 characters) and external_id (200 characters). The taxpayer must decide within one hour. The callback has code \
and state, or error and state. It always has iss (RFC 9207): compare it with the issuer.";

/// The token endpoint.
pub(super) const TOKEN: &str = "\
Exchanges a code or a refresh token for tokens.

- A code is valid once, within 60 seconds. If a code is used again, the tokens issued for it are revoked.
- A refresh token is valid once, and the response contains the next one. Because a response can be lost, the \
previous refresh token stays valid for 30 seconds while the new one is unused. If it is used later, or two \
generations later, one of the tokens was stolen: all tokens of that approval are revoked.
- A refresh token expires after 90 days without use. All tokens expire two years after the approval.

Retry after 503, and if there was no response.";

/// The billing provider's callback.
pub(super) const BILLING_EVENT: &str = "\
Accepts a statement of the billing provider about an organization's subscription. The event is signed according to \
Standard Webhooks 1.0.0 with the secret shared by the provider and the access point. While a secret is being \
replaced, both secrets are accepted. An event whose webhook-id was accepted in the last seven days changes \
nothing. An event whose updated_at is older than the known state changes nothing. Therefore events may arrive \
twice and in any order. Repeat every event that was not answered with 2xx.";

/// Revocation.
pub(super) const REVOCATION: &str = "\
Revokes a token (RFC 7009). An access token is revoked alone. A refresh token is revoked with all tokens of the \
same approval. The grant remains active; DELETE /grants/{grant_id} revokes it. An unknown token is answered with \
200, too. A token of another client is answered with 400 invalid_grant.";

pub(super) const WEBHOOKS: &str = "\
Endpoints of the organization, the events of the last 30 days, and the result of each delivery attempt. The \
webhooks section describes the events.";
