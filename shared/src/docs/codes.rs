//! Every `detail.code`: its meaning, a request that gets it, and what to do.

use askama::Template;
use axum::http::StatusCode;

use super::{
    Around,
    requests::{self, Request},
};
use crate::{
    api::{openapi, retry_after, status},
    error::Code,
};

/// What a code means and what to do about it.
fn said(code: Code) -> [&'static str; 2] {
    match code {
        Code::MalformedJson => [
            "The body is not JSON.",
            "Look at the line and column in message; send UTF-8, and no comma behind the last entry.",
        ],
        Code::InvalidRequest => [
            "A header, a parameter of the query or a part of the path is missing or wrong, or there is a parameter \
             that the operation does not know.",
            "Correct what message names.",
        ],
        Code::ValidationFailed => [
            "The body is JSON, and not what the operation takes: errors lists everything that is wrong with it, each \
             with pointer, rule and doc_url.",
            "Mend every error and send again, with the same Idempotency-Key: nothing was kept. Where complete is \
             false there may be more.",
        ],
        Code::PayloadTooLarge => [
            "The body is larger than 4 MiB.",
            "Of a document: send fewer lines or smaller attachments. Of a file to import: compress it by gzip, or \
                 import it in parts.",
        ],
        Code::UnsupportedMediaType => [
            "The Content-Type is none that the operation takes, is not UTF-8, or comes with a Content-Encoding.",
            "Send application/json, or application/merge-patch+json where something is changed; a file to import as \
                 text/csv, application/x-ndjson or application/gzip.",
        ],
        Code::Unauthorized => [
            "There is no credential, or one that is not known.",
            "Send Authorization: Api-Key and the key, or Bearer and the access token. Look whether the key was revoked.",
        ],
        Code::InvalidToken => [
            "The access token is unknown, expired or revoked.",
            "Refresh it once; if that fails, have the taxpayer connect again.",
        ],
        Code::InvalidSignature => [
            "An event of the billing provider is not signed by a secret that is known here, or was signed too long ago.",
            "For the billing provider alone: compare the secrets and the clocks.",
        ],
        Code::ApiKeyRequired => [
            "The operation is an organization's own, and an access token acts for one taxpayer.",
            "Call it with an API key.",
        ],
        Code::GrantRequired => [
            "The organization holds no active grant on the taxpayer: it gave none, took it back, or does not exist. \
             Which of them it is, nobody is told.",
            "Check x-ae-taxpayer-id; have the taxpayer connect your application again.",
        ],
        Code::InsufficientScope => [
            "The grant does not cover the operation.",
            "Ask the taxpayer for a grant with the scope that message names.",
        ],
        Code::TaxpayerInactive => [
            "The taxpayer is not active: it is suspended, deregistered or has to confirm its details.",
            "Wait for taxpayer.updated; the taxpayer sees in the portal what is missing.",
        ],
        Code::SubscriptionRequired => [
            "A Live send without an active subscription of the organization.",
            "Subscribe, or send in Sandbox.",
        ],
        Code::BillingStatusUnavailable => [
            "Whether the subscription is still active is not known at the moment.",
            "Retry after the time in Retry-After, with the same Idempotency-Key.",
        ],
        Code::QuotaExceeded => [
            "The organization has sent as many documents in Sandbox as it may on a day (UTC).",
            "Wait for the next day, or ask who operates the service for more.",
        ],
        Code::NotFound => [
            "There is nothing by that name, or not for you.",
            "Check the path and the identifier; documents belong to one taxpayer, and to Live or Sandbox.",
        ],
        Code::MethodNotAllowed => {
            ["The path exists, the method does not.", "Use one of those in the Allow header."]
        }
        Code::IdempotencyKeyRequired => [
            "The operation needs the header Idempotency-Key: queued delivery, corrections and reports that are filed \
             again do.",
            "Send one that is new for each document, and the same for each retry of it.",
        ],
        Code::IdempotencyKeyReused => [
            "The key was used before with another payload.",
            "If it is another document, use another key. If it is the same one, send the payload that was sent first.",
        ],
        Code::IdempotencyInProgress => [
            "An attempt with this key is in progress, or what became of it is not known yet.",
            "Retry the same payload with the same key after the time in Retry-After.",
        ],
        Code::IdempotencyUnavailable => [
            "The reservation or the answer could not be saved.",
            "Retry the same payload with the same key: nothing is done twice.",
        ],
        Code::QueuedDeliveryDisabled => [
            "Queued delivery was asked for, and is not enabled on this deployment.",
            "Leave Prefer: respond-async out.",
        ],
        Code::NotCorrectable => [
            "The document cannot be corrected: the recipient's access point did not reject it, or the correction is \
             of another operation, type or number.",
            "Send a credit note for a document that was taken; see the guide on corrections.",
        ],
        Code::AlreadyCorrected => [
            "The document has a correction already, which message names.",
            "Look at that one; if it is rejected in turn, correct it.",
        ],
        Code::CorrectionRecoveryPending => [
            "What was reported of the document is being withdrawn from the tax authority.",
            "Retry the same payload with the same key after the time in Retry-After.",
        ],
        Code::ReportNotRepairable => [
            "No report about the document is to be filed again; message says why.",
            "Nothing, unless what it says changes: a report may be filed again after NOT_COMPLIANT or FAILED.",
        ],
        Code::VersionConflict => [
            "It was changed since the version that the request names.",
            "Read it again, and decide whether your change still holds.",
        ],
        Code::EndpointLimitReached => [
            "The organization has as many webhook endpoints as it may: 50 in Live, 50 in Sandbox.",
            "Delete one, or have one endpoint take more types of events.",
        ],
        Code::EndpointDisabled => [
            "The webhook endpoint is disabled and takes nothing.",
            "Fix what disabled_reason names, and PATCH it with enabled true.",
        ],
        Code::DeliveryInProgress => {
            ["An attempt at the delivery runs.", "Look at the delivery again in a minute."]
        }
        Code::AlreadyDelivered => {
            ["The endpoint took the event.", "To send it all the same, say include_delivered true."]
        }
        Code::RecipientNotRegistered => [
            "The recipient is no participant of the network. Nothing was recorded, and the key is free.",
            "Check the electronic address; ask the recipient whether it is registered.",
        ],
        Code::RecipientNotCapable => [
            "The recipient takes no documents of this kind. Nothing was recorded, and the key is free.",
            "Ask the recipient which documents it takes.",
        ],
        Code::RecipientRegistrationDefective => [
            "The recipient's registration in the network is wrong; message says what.",
            "Tell the recipient, whose access point has to fix it.",
        ],
        Code::RecipientLookupFailed => [
            "The network could not be asked about the recipient.",
            "Retry with the same Idempotency-Key.",
        ],
        Code::RecipientUnreachable => [
            "The recipient's access point cannot be reached at the moment.",
            "Retry with the same Idempotency-Key, or send with Prefer: respond-async, which waits for it.",
        ],
        Code::TransmissionRefused => [
            "The recipient's access point refused the document, which is recorded as failed.",
            "Look at its attempts. This is the final answer to the key: what is sent next needs another one.",
        ],
        Code::TransmissionUnconfirmed => [
            "The document left, and no proof came yet that it arrived. Delivery goes on without you.",
            "Retry the same payload with the same key for the final answer, read the document by document_id, or wait for \
             document.sent.",
        ],
        Code::RateLimited => [
            "More requests than an organization may make in a minute, or too many from one address without a \
             credential that works.",
            "Wait for the time in Retry-After; RateLimit on every answer says what is left.",
        ],
        Code::ServiceUnavailable => [
            "A part of the service cannot be reached.",
            "Retry with the same Idempotency-Key, with growing pauses.",
        ],
        Code::InternalError => [
            "Something went wrong on our side.",
            "A send with an Idempotency-Key can be repeated safely. Quote request_id when you ask for help.",
        ],
    }
}

/// A code on the page.
struct ExplainedCode {
    code: String,
    status: String,
    retry_after: Option<u32>,
    meaning: &'static str,
    mend: &'static str,
    request: Request,
    /// The answer as an HTTP message.
    answer: String,
}

/// The page of all codes.
#[derive(Template)]
#[template(path = "docs/errors.html")]
pub(super) struct ErrorsPage {
    around: Around,
    codes: Vec<ExplainedCode>,
}

impl ErrorsPage {
    pub(super) fn new(around: Around) -> Self {
        let mut codes = openapi::codes();
        codes.sort_by_key(|code| (status(*code).as_u16(), code.to_string()));
        let explain = |code: Code| {
            let [meaning, mend] = said(code);
            let retry_after = retry_after(code);
            ExplainedCode {
                code: code.to_string(),
                status: shown(status(code)),
                retry_after,
                meaning,
                mend,
                request: requests::of(code),
                answer: format!("HTTP/1.1 {}\n{}", shown(status(code)), requests::answer(code)),
            }
        };
        ErrorsPage { around, codes: codes.into_iter().map(explain).collect() }
    }
}

/// A status with its name.
fn shown(status: StatusCode) -> String {
    let name = status.canonical_reason().unwrap_or_default();
    format!("{} {name}", status.as_u16())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_has_an_anchor_of_its_own() {
        let page = ErrorsPage::new(Around::new("Error codes", "errors"));
        let anchors: BTreeSet<_> = page.codes.iter().map(|code| code.code.clone()).collect();
        let known: BTreeSet<_> = openapi::codes().iter().map(ToString::to_string).collect();
        assert_eq!(anchors, known);
        assert_eq!(page.codes.len(), known.len());
        let html = page.render().unwrap();
        for code in known {
            assert_eq!(html.matches(&format!("id=\"{code}\"")).count(), 1, "{code}");
        }
    }

    #[test]
    fn whoever_sent_another_media_type_is_told_of_all_that_are_taken() {
        let document = openapi::document();
        let operations = document["paths"].as_object().unwrap().iter();
        let operations = operations.filter(|(path, _)| !path.starts_with("/oauth/"));
        let operations = operations.flat_map(|(_, methods)| methods.as_object().unwrap().values());
        let bodies = operations.filter_map(|it| it["requestBody"]["content"].as_object());
        let taken: BTreeSet<_> = bodies.flat_map(|content| content.keys()).collect();
        assert!(taken.len() > 4, "{taken:?}");
        let [_, mend] = said(Code::UnsupportedMediaType);
        for media_type in taken {
            assert!(mend.contains(media_type.as_str()), "{media_type}");
        }
        // A caller with a large import file has no lines or attachments to leave out.
        assert!(said(Code::PayloadTooLarge)[1].contains("gzip"));
    }

    #[test]
    fn every_code_has_an_answer_that_says_it() {
        let page = ErrorsPage::new(Around::new("Error codes", "errors"));
        assert_eq!(page.codes.len(), 41);
        for code in page.codes {
            let said = format!("\"code\": \"{}\",", code.code);
            assert!(code.answer.contains(&said), "{}", code.answer);
            assert!(code.answer.starts_with(&format!("HTTP/1.1 {}\n", code.status)));
        }
    }
}
