//! The prose of the OpenAPI document: what the interface specification says, and what was chosen
//! where it is silent.

/// The service as a whole.
pub(super) const SERVICE: &str = "\
Sends commercial invoices, credit notes, self-billed invoices and self-billed credit notes as \
PINT-AE documents, and gives back what was sent and received.

**Modes.** Live and Sandbox share one address; the API key decides. Nothing crosses from one to \
the other. A Sandbox send converts, checks and records the document and emits its events; nothing \
leaves the service. When the recipient is an active taxpayer of the same Sandbox, it receives the \
document. Live dispatch needs an active subscription (402 subscription_required).

**Credential.** Every request carries `Authorization: Api-Key <API_KEY>` and names the taxpayer in \
`x-ae-taxpayer-id`. Missing or unknown credentials are 401, access that no active grant gives is \
403, and a document of another taxpayer or of the other mode is 404.

**Errors.** Every error has the shape of ErrorResponse; `detail.code` is one of a closed list. All \
findings about a document come at once, each with a JSON Pointer into the body as sent. A path \
that does not exist is 404 not_found, a method that a path does not have is 405 \
method_not_allowed, both in the same shape.

**Sends.** A send is answered 201 once the document is sent, or 202 once it is safely queued. With \
an Idempotency-Key a request can be repeated safely, for ever: the same key and payload give the \
saved status and body byte for byte with `Idempotent-Replayed: true`; the same key with another \
payload, or while an attempt runs or is unconfirmed, is 409. Payloads are compared as JSON values: \
white space and the order of names do not matter. Only what happened is saved: a send that is \
refused (4xx) frees its key.

**Limits.** A body has at most 4 MiB (4194304 bytes), a document 1 to 1000 lines, a text 5000 \
characters unless its field says otherwise. Bodies are UTF-8 JSON without Content-Encoding. \
Unknown fields, headers given twice and unknown query parameters are refused. A field that is null \
counts as left out, though not when payloads are compared for an Idempotency-Key.

**Numbers.** Amounts, quantities and rates are decimals with at most 18 digits before the point and \
10 after it: give them as JSON strings or numbers; they are read exactly. Answers give them as \
strings. Amounts must stay below 10,000,000,000,000. They are rounded half up to the cent; where a \
line or an allowance lies exactly between two cents, the one counts that the official rules accept, \
which compute in binary floating point: 1 × 1.005 is 1.00, 1 × 0.125 is 0.13.

**Webhooks.** See the webhooks section for events, signatures and retries.";

/// The security scheme.
pub(super) const API_KEY: &str = "\
`Api-Key` and a space before the organization's API key: `Authorization: Api-Key pk_test_…`. Keys \
of Live start pk_live_, keys of Sandbox pk_test_. Keep them on the server.";

/// x-ae-taxpayer-id
pub(super) const TAXPAYER_ID: &str = "\
The taxpayer to act for: the opaque identifier that starts with txpay_, not the TIN, the \
participant_id or the organization's identifier. Needed even when there is only one taxpayer. The \
taxpayer must be active, and the organization must hold an active grant with the scope of the \
operation: invoices:write to send and validate; invoices:read to read, or inbound:read to read \
what was received. Give it once.";

/// x-ae-grant-id
pub(super) const GRANT_ID: &str = "\
Acts through exactly this grant and its scopes, and fails once it is revoked. Without it the key \
acts through all active grants of the organization on the taxpayer. Give it once.";

/// Idempotency-Key
pub(super) const IDEMPOTENCY_KEY: &str = "\
Makes the send safe to repeat: one or more printable ASCII characters without spaces (0x21 to \
0x7E). Scoped to the taxpayer, over all four sends; never expires. Required with \
corrects_document_id and with Prefer: respond-async. Give it once.";

/// Prefer
pub(super) const PREFER: &str = "\
respond-async asks for durable queued delivery: 202 at once, the result as an event. Needs an \
Idempotency-Key (400 idempotency_key_required) and a deployment on which it is enabled (400 \
queued_delivery_disabled). No other value is allowed. Give it once.";

/// The webhooks section.
pub(super) const EVENT: &str = "\
An event goes to every enabled endpoint of the organizations whose active grants cover the \
document: invoices:read covers every document of the taxpayer, inbound:read the received ones, and \
invoices:write the ones that the organization itself sent. Each delivery is an HTTP POST, signed as \
in Standard Webhooks 1.0.0: verify `webhook-signature` over `webhook-id`, `webhook-timestamp` and \
the raw body with the endpoint's secret (whsec_…), refuse old timestamps, deduplicate on \
`webhook-id`, and answer 2xx within 15 seconds once the event is safely stored. Deliveries come at \
least once and in any order. Every other answer, redirects among them, is a failure and is tried \
again 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the attempt before (10 attempts \
over 75 h 35 min, each wait ±20 %). Retry-After is honoured up to an hour, or up to twice the \
schedule's wait if that is longer. 410 disables the endpoint.";
