//! What can go wrong, in one vocabulary: a [`Finding`] says what is wrong with a document, a
//! [`Failure`] why a request was not done. Neither knows HTTP; `api` maps codes to statuses.

use std::{borrow::Cow, error::Error, fmt, sync::Arc};

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document cannot be sent.
    Error,
    /// The document is sent; look at this all the same.
    Warning,
}

/// A problem of a document, with its exact place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
pub struct Finding {
    /// JSON Pointer (RFC 6901) into the request body, such as `/line_items/0/quantity`. Empty for the whole body.
    pub pointer: String,
    /// Stable identifier of the rule, such as `AP-TOTAL-112` or an official `ibr-…` id.
    pub rule: Cow<'static, str>,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence that describes the problem.
    pub message: Cow<'static, str>,
    /// How to correct the problem, if the message does not already say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Cow<'static, str>>,
    /// Business term of the finding, such as `IBT-131`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term: Option<Cow<'static, str>>,
    /// Name of the business term.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_name: Option<Cow<'static, str>>,
    /// XPath of the place in the UBL document, when the finding is about UBL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Line number in the UBL document, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The actual value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The expected value, if it is a sum, a product, a rounding, a count or a currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Address of the documentation of the rule, with an example and its correction. Present in the errors of a
    /// response if the deployment knows its own address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_url: Option<String>,
}

impl Finding {
    /// An error at a place of the request body.
    pub fn error(
        pointer: impl Into<String>,
        rule: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Finding {
            pointer: pointer.into(),
            rule: rule.into(),
            severity: Severity::Error,
            message: message.into(),
            fix: None,
            term: None,
            term_name: None,
            location: None,
            line: None,
            value: None,
            expected: None,
            doc_url: None,
        }
    }

    /// A warning at a place of the request body.
    pub fn warning(
        pointer: impl Into<String>,
        rule: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Finding { severity: Severity::Warning, ..Self::error(pointer, rule, message) }
    }

    /// Names the business term concerned.
    #[must_use]
    pub fn term(mut self, term: &'static str) -> Self {
        self.term = Some(term.into());
        self
    }
}

impl Finding {
    /// How many bytes of a list in JSON the finding takes.
    pub(crate) fn size(&self) -> usize {
        serde_json::to_vec(self).map_or(0, |json| json.len() + 1)
    }

    /// As many findings as there is room for, in bytes of JSON, with a last one that counts those
    /// that are left out.
    pub fn fitting(findings: &[Finding], room: usize) -> Vec<Finding> {
        let mut left = room;
        let fits = |finding: &&Finding| match left.checked_sub(finding.size()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        let mut kept: Vec<_> = findings.iter().take_while(fits).cloned().collect();
        let dropped = &findings[kept.len()..];
        if let Some(first) = dropped.first() {
            let message = format!("and {} more findings", dropped.len());
            let error = dropped.iter().find(|finding| finding.severity == Severity::Error);
            let severity = error.unwrap_or(first).severity;
            kept.push(Finding { severity, ..Finding::warning("", "AP-FINDINGS", message) });
        }
        kept
    }
}

/// The closed list of `detail.code`: all reasons why the service refuses or fails a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "service", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body is not JSON.
    MalformedJson,
    /// A header, query parameter or path segment is missing or wrong.
    InvalidRequest,
    /// The body is JSON but not a valid document; `errors` lists every finding.
    ValidationFailed,
    /// The body is larger than the limit.
    PayloadTooLarge,
    /// The Content-Type is none that the operation takes.
    UnsupportedMediaType,
    /// No credential, or one that is not known.
    Unauthorized,
    /// The access token is unknown, expired or revoked.
    InvalidToken,
    /// The event is not signed by a secret that is known here, or was signed too long ago.
    InvalidSignature,
    /// The operation is an organization's own: it takes an API key and no access token.
    ApiKeyRequired,
    /// The organization holds no active grant on the taxpayer, or not the one named.
    GrantRequired,
    /// The grant does not cover the operation.
    InsufficientScope,
    /// The taxpayer is not active or has not completed onboarding.
    TaxpayerInactive,
    /// Live send without an active subscription.
    SubscriptionRequired,
    /// Live send while the billing status is stale.
    BillingStatusUnavailable,
    /// The organization has sent as many documents in Sandbox as it may on a day.
    QuotaExceeded,
    /// Nothing here by that name, or not for this caller.
    NotFound,
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// The operation needs an Idempotency-Key header.
    IdempotencyKeyRequired,
    /// The key was used before with another payload.
    IdempotencyKeyReused,
    /// An attempt with this key is in progress or unconfirmed: retry the same payload and key.
    IdempotencyInProgress,
    /// Reservation or response could not be saved: retry with the same key.
    IdempotencyUnavailable,
    /// Queued delivery is not enabled on this deployment.
    QueuedDeliveryDisabled,
    /// The document cannot be corrected, because it was not rejected at stage C3.
    NotCorrectable,
    /// The document has been corrected already; the message names by which one.
    AlreadyCorrected,
    /// What was reported of the document that is corrected is being withdrawn from the tax authority:
    /// retry the same payload with the same key.
    CorrectionRecoveryPending,
    /// No report about the document is to be filed again; the message says why.
    ReportNotRepairable,
    /// It was changed since the version that the request names.
    VersionConflict,
    /// The organization has as many webhook endpoints as it may.
    EndpointLimitReached,
    /// The webhook endpoint is disabled and takes nothing.
    EndpointDisabled,
    /// An attempt at the delivery runs; look again in a minute.
    DeliveryInProgress,
    /// The endpoint took the event; say that it is to be sent all the same.
    AlreadyDelivered,
    /// The recipient is no participant of the network.
    RecipientNotRegistered,
    /// The recipient takes no documents of this kind.
    RecipientNotCapable,
    /// The recipient's registration in the network is wrong; the message says what.
    RecipientRegistrationDefective,
    /// The network could not be asked about the recipient: retry.
    RecipientLookupFailed,
    /// The recipient's access point cannot be reached at the moment: retry.
    RecipientUnreachable,
    /// The recipient's access point refused the document; the document is recorded as failed.
    TransmissionRefused,
    /// The document left, and no proof came yet that it arrived. Delivery goes on without you: retry
    /// the same payload with the same key for the final answer.
    TransmissionUnconfirmed,
    /// More requests than one organization may make in a minute, or too many from one address without a credential that
    /// works: retry after the time in Retry-After.
    RateLimited,
    /// A part of the service cannot be reached: retry.
    ServiceUnavailable,
    /// Our fault; the request id leads to the cause.
    InternalError,
}

impl Code {
    /// Whether another system failed: the recipient's access point, or the registers of the network. This service has no
    /// fault.
    #[cfg(feature = "service")]
    pub fn is_due_to_others(self) -> bool {
        matches!(
            self,
            Code::RecipientLookupFailed
                | Code::RecipientUnreachable
                | Code::TransmissionUnconfirmed
        )
    }
}

/// A request that was not done. `message` is for the caller; the source is for the log alone,
/// which is why this type has no `Display`.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Which of the known reasons.
    pub code: Code,
    /// One sentence for the caller: what happened and what to do.
    pub message: String,
    /// The document that is there, and that the caller should know of.
    pub document_id: Option<String>,
    /// What is wrong with the document, when that is the reason.
    pub findings: Vec<Finding>,
    /// Whether the document was validated to its end, so that the findings are all there are.
    pub complete: bool,
    /// Whether it is the saved answer to an earlier try.
    pub replayed: bool,
    /// In how many seconds it is worth trying again, where the code alone does not tell.
    pub retry_after: Option<u32>,
    /// What really happened, for the log.
    pub source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Failure {
    /// A failure with a message for the caller.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Failure {
            code,
            message: message.into(),
            document_id: None,
            findings: Vec::new(),
            complete: true,
            replayed: false,
            retry_after: None,
            source: None,
        }
    }

    /// Names a document that is there.
    #[must_use]
    pub fn about(self, document_id: impl fmt::Display) -> Self {
        Failure { document_id: Some(document_id.to_string()), ..self }
    }

    /// The document has findings of severity error.
    pub fn invalid(findings: Vec<Finding>) -> Self {
        let errors = findings.iter().filter(|f| f.severity == Severity::Error).count();
        let message = match errors {
            1 => "The document has 1 error; see errors.".to_owned(),
            n => format!("The document has {n} errors; see errors."),
        };
        Failure { findings, ..Self::new(Code::ValidationFailed, message) }
    }

    /// Says when it is worth trying again.
    #[must_use]
    pub fn retry_after(self, wait: SignedDuration) -> Self {
        let seconds = u32::try_from(wait.as_secs().max(1)).unwrap_or(u32::MAX);
        Failure { retry_after: Some(seconds), ..self }
    }

    /// The cause for the log: that of the source, or the message.
    pub fn cause(&self) -> String {
        match &self.source {
            Some(source) => source.to_string(),
            None => self.message.clone(),
        }
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into().into());
        self
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
