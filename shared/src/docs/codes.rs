//! Every `detail.code`: its meaning, a request that gets it, and what to do.

use axum::http::StatusCode;

use super::{highlight::Syntax, requests, snippet::Snippet};
use crate::{
    api::{openapi, retry_after, status},
    error::Code,
};

/// What a code means and what to do about it.
fn said(code: Code) -> [&'static str; 2] {
    match code {
        Code::MalformedJson => [
            "The body is not JSON.",
            "Read the line and column in message. Send UTF-8, and no comma after the last entry.",
        ],
        Code::InvalidRequest => [
            "A header, a query parameter or a part of the path is missing or wrong, or the operation does not know a \
             parameter.",
            "Correct the part of the request that message names.",
        ],
        Code::ValidationFailed => [
            "The body is JSON, but the operation cannot accept it. errors lists every error, each with pointer, rule \
             and doc_url.",
            "Correct every error and send again, with the same Idempotency-Key: the service stored nothing. If \
             complete is false, there may be more errors.",
        ],
        Code::PayloadTooLarge => [
            "The body is larger than 4 MiB.",
            "For a document: send fewer lines or smaller attachments. For a file to import: compress it by gzip, or \
             import it in parts.",
        ],
        Code::UnsupportedMediaType => [
            "The operation does not accept the Content-Type, the charset is not UTF-8, or there is a Content-Encoding.",
            "Send application/json. Send a change as application/merge-patch+json. Send a file to import as text/csv, \
             application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet or \
             application/gzip.",
        ],
        Code::Unauthorized => [
            "The request has no credential, or an unknown one.",
            "Send Authorization: Api-Key and the key, or Bearer and the access token. Check whether the key was \
             revoked.",
        ],
        Code::InvalidToken => [
            "The access token is unknown, expired or revoked.",
            "Refresh it once. If that fails, ask the taxpayer to connect again.",
        ],
        Code::InvalidSignature => [
            "An event of the billing provider is not signed by a secret that the service knows, or its signature is \
             too old.",
            "Only the billing provider gets this code. Compare the secrets and the clocks.",
        ],
        Code::ApiKeyRequired => [
            "The operation concerns an organization, and an access token acts for one taxpayer.",
            "Call it with an API key.",
        ],
        Code::GrantRequired => [
            "The organization has no active grant on the taxpayer. The taxpayer gave none, revoked it, or does not \
             exist. The answer does not say which.",
            "Check x-ae-taxpayer-id. Ask the taxpayer to connect your application again.",
        ],
        Code::InsufficientScope => [
            "The grant does not cover the operation.",
            "Ask the taxpayer for a grant with the scope that message names.",
        ],
        Code::TaxpayerInactive => [
            "The taxpayer is not active: it is suspended or deregistered, or must confirm its details.",
            "Wait for the event taxpayer.updated. The portal shows the taxpayer what is missing.",
        ],
        Code::SubscriptionRequired => [
            "The organization has no active subscription, which a Live send needs.",
            "Subscribe, or send in Sandbox.",
        ],
        Code::BillingStatusUnavailable => [
            "The service does not know at the moment whether the subscription is active.",
            "Retry after the time in Retry-After, with the same Idempotency-Key.",
        ],
        Code::QuotaExceeded => [
            "The organization has sent its maximum number of documents in Sandbox on this day (UTC).",
            "Wait for the next day, or ask the operator of the service for a higher quota.",
        ],
        Code::NotFound => [
            "The resource does not exist, or your organization has no access to it.",
            "Check the path and the identifier. A document belongs to one taxpayer, and to Live or Sandbox.",
        ],
        Code::MethodNotAllowed => [
            "The path exists, but it does not have this method.",
            "Use one of the methods in the Allow header.",
        ],
        Code::IdempotencyKeyRequired => [
            "The operation needs the header Idempotency-Key. Queued delivery, corrections and reports that are filed \
             again need it.",
            "Send a new key for each document, and the same key for each retry of it.",
        ],
        Code::IdempotencyKeyReused => [
            "The key was used before with another payload.",
            "For another document, use another key. For the same document, send the first payload again.",
        ],
        Code::IdempotencyInProgress => [
            "An attempt with this key is in progress, or its outcome is not known yet.",
            "Retry the same payload with the same key after the time in Retry-After.",
        ],
        Code::IdempotencyUnavailable => [
            "The service could not save the reservation of the key, or the answer.",
            "Retry the same payload with the same key: the service does nothing twice.",
        ],
        Code::QueuedDeliveryDisabled => [
            "The request asks for queued delivery, which this deployment has not enabled.",
            "Leave Prefer: respond-async out.",
        ],
        Code::NotCorrectable => [
            "The document cannot be corrected. The recipient's access point did not reject it, or the correction has \
             another operation, type or number.",
            "Send a credit note for a document that the recipient accepted. See the guide on corrections.",
        ],
        Code::AlreadyCorrected => [
            "The document already has a correction, which message names.",
            "Read the correction. If it is rejected too, correct that document.",
        ],
        Code::CorrectionRecoveryPending => [
            "The service is withdrawing the reports of the document from the tax authority.",
            "Retry the same payload with the same key after the time in Retry-After.",
        ],
        Code::ReportNotRepairable => [
            "The reports of the document are in a state in which none can be filed again. message says why.",
            "Wait until the state changes: a report can be filed again after NOT_COMPLIANT or FAILED.",
        ],
        Code::VersionConflict => [
            "The resource was changed after the version that the request names.",
            "Read it again, and decide whether your change is still right.",
        ],
        Code::EndpointLimitReached => [
            "The organization has the maximum number of webhook endpoints: 50 in Live, 50 in Sandbox.",
            "Delete an endpoint, or subscribe an existing one to more types of events.",
        ],
        Code::EndpointDisabled => [
            "The webhook endpoint is disabled and gets no deliveries.",
            "Fix the cause in disabled_reason, and PATCH the endpoint with enabled true.",
        ],
        Code::DeliveryInProgress => {
            ["An attempt at the delivery is running.", "Read the delivery again in a minute."]
        }
        Code::AlreadyDelivered => [
            "The endpoint has accepted the event.",
            "To send the event again, set include_delivered to true.",
        ],
        Code::RecipientNotRegistered => [
            "The recipient is not a participant of the network. Nothing was recorded, and the key is free.",
            "Check the electronic address. Ask the recipient whether it is registered.",
        ],
        Code::RecipientNotCapable => [
            "The recipient does not receive documents of this kind. Nothing was recorded, and the key is free.",
            "Ask the recipient which documents it receives.",
        ],
        Code::RecipientRegistrationDefective => [
            "The recipient's registration in the network is wrong. message says what is wrong.",
            "Inform the recipient: its access point has to correct the registration.",
        ],
        Code::RecipientLookupFailed => [
            "The lookup of the recipient in the network failed.",
            "Retry with the same Idempotency-Key.",
        ],
        Code::RecipientUnreachable => [
            "The recipient's access point cannot be reached at the moment.",
            "Retry with the same Idempotency-Key. Or send with Prefer: respond-async: the queue retries for you.",
        ],
        Code::TransmissionRefused => [
            "The recipient's access point refused the document, which is recorded as failed.",
            "Read its attempts. This is the final answer to the key: the next send needs another key.",
        ],
        Code::TransmissionUnconfirmed => [
            "The document was sent, but no receipt proves yet that it arrived. The service continues the delivery by \
             itself.",
            "Retry the same payload with the same key for the final answer, read the document by document_id, or wait \
             for document.sent.",
        ],
        Code::RateLimited => [
            "The organization made too many requests in a minute, or one address made too many without a valid \
             credential.",
            "Wait for the time in Retry-After. RateLimit on every answer says how many requests remain.",
        ],
        Code::ServiceUnavailable => [
            "A part of the service cannot be reached.",
            "Retry with the same Idempotency-Key, with growing pauses.",
        ],
        Code::InternalError => [
            "The service failed by its own fault.",
            "A send with an Idempotency-Key can be repeated safely. Quote request_id when you ask for help.",
        ],
    }
}

/// A code, explained.
pub(super) struct ExplainedCode {
    pub(super) code: String,
    pub(super) status: String,
    pub(super) retry_after: Option<u32>,
    pub(super) meaning: &'static str,
    pub(super) fix: &'static str,
    /// The state in which the request gets the code.
    pub(super) state: &'static str,
    pub(super) request: Snippet,
    /// The answer as an HTTP message.
    pub(super) answer: Snippet,
}

/// All codes, by status.
pub(super) fn all() -> Vec<ExplainedCode> {
    let mut codes = openapi::codes();
    codes.sort_by_key(|code| (status(*code).as_u16(), code.to_string()));
    codes.into_iter().map(explain).collect()
}

fn explain(code: Code) -> ExplainedCode {
    let [meaning, fix] = said(code);
    let request = requests::of(code);
    let answer = format!("HTTP/1.1 {}\n{}", shown(status(code)), requests::answer(code));
    ExplainedCode {
        code: code.to_string(),
        status: shown(status(code)),
        retry_after: retry_after(code),
        meaning,
        fix,
        state: request.state,
        request: Snippet::new("request", Syntax::Http, request.text()),
        answer: Snippet::new("answer", Syntax::Http, answer),
    }
}

/// A code by its name.
pub(super) fn find(name: &str) -> Option<ExplainedCode> {
    openapi::codes().into_iter().find(|code| code.to_string() == name).map(explain)
}

/// A status with its name.
fn shown(status: StatusCode) -> String {
    let name = status.canonical_reason().unwrap_or_default();
    format!("{} {name}", status.as_u16())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use askama::Template;

    use super::*;
    use crate::docs::{highlight::tests::unmarked, pages::errors::ErrorsPage};

    #[test]
    fn every_code_has_an_anchor_of_its_own() {
        let codes = all();
        let anchors: BTreeSet<_> = codes.iter().map(|code| code.code.clone()).collect();
        let known: BTreeSet<_> = openapi::codes().iter().map(ToString::to_string).collect();
        assert_eq!(anchors, known);
        assert_eq!(codes.len(), known.len());
        let html = ErrorsPage::new().render().unwrap();
        for code in known {
            assert_eq!(html.matches(&format!("id=\"{code}\"")).count(), 1, "{code}");
        }
    }

    #[test]
    fn whoever_sent_another_media_type_gets_all_that_are_accepted() {
        let document = openapi::document();
        let operations = document["paths"].as_object().unwrap().iter();
        let operations = operations.filter(|(path, _)| !path.starts_with("/oauth/"));
        let operations = operations.flat_map(|(_, methods)| methods.as_object().unwrap().values());
        let bodies = operations.filter_map(|it| it["requestBody"]["content"].as_object());
        let taken: BTreeSet<_> = bodies.flat_map(|content| content.keys()).collect();
        assert!(taken.len() > 4, "{taken:?}");
        let [_, fix] = said(Code::UnsupportedMediaType);
        for media_type in taken {
            assert!(fix.contains(media_type.as_str()), "{media_type}");
        }
        // A caller with a large import file has no lines or attachments to leave out.
        assert!(said(Code::PayloadTooLarge)[1].contains("gzip"));
    }

    #[test]
    fn every_code_has_an_answer_that_says_it() {
        let codes = all();
        assert_eq!(codes.len(), 41);
        for code in codes {
            let answer = unmarked(&code.answer.html());
            let said = format!("\"code\": \"{}\",", code.code);
            assert!(answer.contains(&said), "{answer}");
            assert!(answer.starts_with(&format!("HTTP/1.1 {}\n", code.status)));
        }
    }
}
