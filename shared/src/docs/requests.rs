//! A request with its answer for each `detail.code`. The page shows them; a test sends the request and compares the
//! answer (`api/tests/codes.rs`).

use std::{collections::BTreeMap, sync::LazyLock};

use crate::error::Code;

/// The answers that the service gave to that test: by code, an HTTP message without its first line.
static ANSWERS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let answers = include_str!("data/answers.txt").split(MARK).skip(1);
    answers.filter_map(|answer| answer.trim_end().split_once('\n')).collect()
});

/// Marks the beginning of an answer; the code follows.
pub(crate) const MARK: &str = "=== ";

/// The answer with a code; empty if none was recorded.
pub(crate) fn answer(code: Code) -> &'static str {
    ANSWERS.get(code.to_string().as_str()).copied().unwrap_or_default()
}

/// A request, with variables for the caller's values.
#[derive(Debug)]
pub(crate) struct Request {
    /// The necessary state; empty if none is needed.
    pub(crate) state: &'static str,
    line: &'static str,
    headers: Vec<&'static str>,
    body: &'static str,
}

impl Request {
    /// The request as an HTTP message.
    pub(crate) fn text(&self) -> String {
        let head = [&[self.line][..], &self.headers].concat().join("\n");
        if self.body.is_empty() { head } else { format!("{head}\n\n{}", self.body) }
    }

    fn with(mut self, header: &'static str) -> Self {
        self.headers.push(header);
        self
    }

    fn json(self, body: &'static str) -> Self {
        Request { body, ..self.with("Content-Type: application/json") }
    }

    fn when(self, state: &'static str) -> Self {
        Request { state, ..self }
    }
}

/// A request without credential.
fn anonymous(line: &'static str) -> Request {
    Request { state: "", line, headers: Vec::new(), body: "" }
}

/// A request of an organization for its own data.
fn own(line: &'static str) -> Request {
    anonymous(line).with("Authorization: Api-Key $KEY")
}

/// A request for a taxpayer.
fn acting(line: &'static str) -> Request {
    own(line).with("x-ae-taxpayer-id: $TAXPAYER")
}

/// A request with an access token.
fn connected(line: &'static str) -> Request {
    anonymous(line).with("Authorization: Bearer $TOKEN")
}

/// A send in Live.
fn live() -> Request {
    anonymous("POST /v1/invoices")
        .with("Authorization: Api-Key $LIVE_KEY")
        .with("x-ae-taxpayer-id: $TAXPAYER")
}

/// A request whose answer has this code.
pub(crate) fn of(code: Code) -> Request {
    match code {
        Code::MalformedJson => acting("POST /v1/invoices").json(r#"{"invoice_number": "INV-1001",}"#),
        Code::InvalidRequest => acting("GET /v1/invoices?limit=0"),
        Code::ValidationFailed => acting("POST /v1/invoices").json(r#"{"invoice_number": 1001}"#),
        Code::PayloadTooLarge => acting("POST /v1/invoices").json("$SPACES"),
        Code::UnsupportedMediaType => {
            Request { body: "$INVOICE", ..acting("POST /v1/invoices").with("Content-Type: text/plain") }
        }
        Code::Unauthorized => anonymous("GET /v1/me"),
        Code::InvalidToken => connected("GET /v1/taxpayer").when("The access token was revoked."),
        Code::InvalidSignature => anonymous("POST /v1/billing/events")
            .with("webhook-id: msg_1")
            .with("webhook-timestamp: 1795161600")
            .with("webhook-signature: v1,AAAA")
            .json("{}"),
        Code::ApiKeyRequired => connected("GET /v1/events"),
        Code::GrantRequired => {
            acting("GET /v1/invoices").when("The taxpayer gave the organization no grant.")
        }
        Code::InsufficientScope => acting("POST /v1/invoices")
            .json("$INVOICE")
            .when("The grant has only the scope invoices:read."),
        Code::TaxpayerInactive => acting("GET /v1/invoices").when("The taxpayer is suspended."),
        Code::SubscriptionRequired => {
            live().json("$INVOICE").when("The organization has no subscription.")
        }
        Code::BillingStatusUnavailable => live().json("$INVOICE").when(
            "The deployment's limit for the age of subscription data has passed without news from the billing provider.",
        ),
        Code::QuotaExceeded => acting("POST /v1/invoices")
            .json("$INVOICE")
            .when("The organization has used up its quota of documents in Sandbox for today."),
        Code::NotFound => acting("GET /v1/invoices/doc_0"),
        Code::MethodNotAllowed => acting("DELETE /v1/invoices"),
        Code::IdempotencyKeyRequired => {
            acting("POST /v1/invoices").with("Prefer: respond-async").json("$INVOICE")
        }
        Code::IdempotencyKeyReused => acting("POST /v1/invoices")
            .with("Idempotency-Key: order-4711")
            .json("$INVOICE")
            .when("A credit note was sent with the same key."),
        Code::IdempotencyInProgress => live()
            .with("Idempotency-Key: order-4711")
            .json("$INVOICE")
            .when("The same request was sent before, and its outcome is not known yet."),
        Code::QueuedDeliveryDisabled => acting("POST /v1/invoices")
            .with("Idempotency-Key: order-4712")
            .with("Prefer: respond-async")
            .json("$INVOICE")
            .when("The deployment has no queued delivery."),
        Code::NotCorrectable => acting("POST /v1/invoices")
            .with("Idempotency-Key: order-4713")
            .json("$CORRECTION")
            .when("$DOCUMENT is the sample invoice, which was sent and not rejected."),
        Code::AlreadyCorrected => live()
            .with("Idempotency-Key: order-4714")
            .json("$CORRECTION")
            .when("$DOCUMENT was rejected, and a correction of it was sent."),
        Code::CorrectionRecoveryPending => live()
            .with("Idempotency-Key: order-4715")
            .json("$CORRECTION")
            .when("$DOCUMENT was rejected after it had been reported to the tax authority."),
        Code::ReportNotRepairable => acting("POST /v1/invoices/$DOCUMENT/reports")
            .with("Idempotency-Key: report-1")
            .json(r#"{"kind": "R"}"#)
            .when("$DOCUMENT was sent in Sandbox, where nothing is reported."),
        Code::VersionConflict => own("PATCH /v1/webhook-endpoints/$ENDPOINT")
            .json(r#"{"description": "Orders", "version": 1}"#)
            .when("The endpoint was changed after it was read as version 1."),
        Code::EndpointLimitReached => own("POST /v1/webhook-endpoints")
            .json(r#"{"url": "$URL"}"#)
            .when("The organization has 50 webhook endpoints in Sandbox."),
        Code::EndpointDisabled => own("POST /v1/webhook-endpoints/$ENDPOINT/test")
            .json(r#"{"event_type": "document.sent"}"#)
            .when("The endpoint is disabled."),
        Code::DeliveryInProgress => own("POST /v1/events/$EVENT/deliveries/$ENDPOINT/retry")
            .when("An attempt at the delivery is running."),
        Code::AlreadyDelivered => own("POST /v1/events/$EVENT/deliveries/$ENDPOINT/retry")
            .when("The endpoint has accepted the event."),
        Code::RecipientNotRegistered => {
            live().json("$INVOICE").when("The customer is not registered in the network.")
        }
        Code::RecipientNotCapable => live()
            .json("$INVOICE")
            .when("The customer is registered in the network, but not for invoices of PINT-AE."),
        Code::RecipientRegistrationDefective => live()
            .json("$INVOICE")
            .when("The customer's published metadata is signed with a certificate that does not belong to an SMP."),
        Code::TransmissionRefused => {
            live().json("$INVOICE").when("The customer's access point does not serve the customer.")
        }
        Code::RateLimited => own("GET /v1/me")
            .when("The organization has used up its requests of this minute."),
        Code::RecipientLookupFailed => {
            live().json("$INVOICE").when("The network's directory does not answer about the customer.")
        }
        Code::RecipientUnreachable => live().json("$INVOICE").when(
            "The last five attempts to reach the customer's access point got no answer.",
        ),
        Code::TransmissionUnconfirmed => live()
            .with("Idempotency-Key: order-4716")
            .json("$INVOICE")
            .when("The connection to the customer's access point ends before its receipt arrives."),
        Code::IdempotencyUnavailable => acting("POST /v1/invoices")
            .with("Idempotency-Key: order-4717")
            .json("$INVOICE")
            .when("The service can read its table, but cannot write the reservation of the key."),
        Code::ServiceUnavailable => {
            acting("GET /v1/invoices").when("The service's table does not answer.")
        }
        Code::InternalError => acting("GET /v1/invoices/$DOCUMENT")
            .when("The service cannot read the stored record of $DOCUMENT: a fault of the service."),
    }
}
