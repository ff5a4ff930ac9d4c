//! The declaration of an operation of the HTTP API: name, path, scopes, headers, query, body, responses and errors. Each
//! operation is declared beside its handler. The router, the OpenAPI document, the check of every request and the
//! authorization tests are derived from [`ROUTES`](super::ROUTES).

use super::query::Parameter;
use crate::{
    access::Scope,
    document::Operation,
    error::Code::{self, *},
};

/// The path below a base path.
pub(super) const TOKEN_PATH: &str = "/oauth/token";
/// The path below a base path.
pub(super) const REVOCATION_PATH: &str = "/oauth/revoke";
/// The path below a base path.
pub(super) const EVENTS_PATH: &str = "/billing/events";

#[derive(Debug)]
pub(super) struct Route {
    /// `operationId`
    pub(super) id: &'static str,
    pub(super) method: HttpMethod,
    /// The path below the base path. Variables are in braces.
    pub(super) path: &'static str,
    pub(super) tag: Tag,
    /// A few words.
    pub(super) summary: &'static str,
    /// Its description for callers.
    pub(super) description: &'static str,
    /// The sufficient scopes on the taxpayer: the caller needs one of them. Empty for an organization's own affairs
    /// ([`ActsFor::Itself`]). For a taxpayer's operation, an empty list permits nobody.
    pub(super) any_of: &'static [Scope],
    /// The query parameters. Other names are refused.
    pub(super) query: &'static [Parameter],
    /// The request headers that it reads, apart from the credential.
    pub(super) headers: &'static [RequestHeader],
    /// The request body, if there is one.
    pub(super) body: Option<RequestBody>,
    /// The responses on success.
    pub(super) answers: &'static [Answer],
    /// The errors of its own, apart from those that the rest implies ([`Route::errors`]).
    pub(super) errors: &'static [Code],
    /// For whom it acts.
    pub(super) acts_for: ActsFor,
}

/// For whom an organization acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActsFor {
    /// For a taxpayer that granted it access.
    Taxpayer,
    /// For itself.
    Itself,
    /// For either, with any kind of credential.
    Either,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HttpMethod {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

/// The heading in the OpenAPI document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Sending,
    Imports,
    Documents,
    Archives,
    Reports,
    Taxpayer,
    Connections,
    Webhooks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestHeader {
    IdempotencyKey,
    Prefer,
}

/// A response on success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) description: &'static str,
    pub(super) content: Content,
    /// Its headers, apart from those of every response.
    pub(super) headers: &'static [AnswerHeader],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Document,
    Documents,
    Validation,
    Xml,
    Html,
    Pdf,
    Bytes,
    Body,
    Attempts,
    Import,
    Imports,
    Outcomes,
    Archive,
    Archives,
    Report,
    DocumentReports,
    Reports,
    BusinessCard,
    Listing,
    Registrations,
    Me,
    Taxpayer,
    Taxpayers,
    Grants,
    Grant,
    AuditEvents,
    Endpoint,
    Endpoints,
    Event,
    Events,
    Delivery,
    Deliveries,
    Retried,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerHeader {
    Location,
    PayloadLocation,
    IdempotentReplayed,
    PreferenceApplied,
    ETag,
    ReprDigest,
    ContentDisposition,
}

/// A request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestBody {
    /// A document of this kind.
    Document(Operation),
    /// A table of documents.
    Import,
    BusinessCard,
    Resubmission,
    TaxpayerPatch,
    NewEndpoint,
    EndpointPatch,
    SecretRotation,
    Retry,
    RetryFailed,
    TestEvent,
}

pub(super) const READ: Route = Route {
    id: "",
    method: HttpMethod::Get,
    path: "",
    tag: Tag::Documents,
    summary: "",
    description: "",
    any_of: &[Scope::InvoicesRead, Scope::InboundRead],
    query: &[],
    headers: &[],
    body: None,
    answers: &[],
    errors: &[NotFound],
    acts_for: ActsFor::Taxpayer,
};

/// The defaults of the taxpayer itself. The specification (5.1) names Business Card and Directory listing without their
/// scopes. Here any of these scopes may read them, and the scope that writes documents may change them.
pub(super) const TAXPAYER: Route = Route {
    tag: Tag::Taxpayer,
    any_of: &[Scope::TaxpayerRead, Scope::InvoicesRead, Scope::InvoicesWrite],
    errors: &[],
    ..READ
};

/// The defaults of an organization's own affairs.
pub(super) const OWN: Route =
    Route { tag: Tag::Connections, any_of: &[], acts_for: ActsFor::Itself, errors: &[], ..READ };

impl Answer {
    /// A response without headers of its own.
    pub(super) const fn of(status: u16, description: &'static str, content: Content) -> Self {
        Answer { status, description, content, headers: &[] }
    }
}

impl Route {
    /// The names of the path variables, in order.
    pub(super) fn variables(&self) -> impl Iterator<Item = &'static str> {
        let segments = self.path.split('/');
        segments.filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
    }

    /// The possible errors: those of every operation, those of its credential and its body, and its own.
    pub(super) fn errors(&self) -> Vec<Code> {
        let credential: &[Code] = match self.acts_for {
            ActsFor::Taxpayer => &[GrantRequired, InsufficientScope, TaxpayerInactive],
            ActsFor::Itself => &[ApiKeyRequired, GrantRequired],
            ActsFor::Either => &[GrantRequired, TaxpayerInactive],
        };
        let is_json = self.body.is_some_and(|body| body != RequestBody::Import);
        // Its answer lists what is wrong with the document.
        let validates = self.answers.iter().any(|answer| answer.content == Content::Validation);
        let has_body = self.body.is_some();
        let body = [
            (is_json, MalformedJson),
            (has_body, PayloadTooLarge),
            (has_body, UnsupportedMediaType),
            (has_body && !validates, ValidationFailed),
        ];
        let mut errors: Vec<Code> =
            body.into_iter().filter_map(|(may, code)| may.then_some(code)).collect();
        errors.extend([InvalidRequest, Unauthorized, InvalidToken]);
        errors.extend(credential);
        errors.extend([RateLimited, InternalError]);
        errors.extend(self.errors);
        errors.push(ServiceUnavailable);
        errors
    }
}
