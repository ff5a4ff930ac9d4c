//! Queries: which names an operation takes, in which form, and reading them. What is not declared,
//! or is given twice, is refused by name.

use axum::{extract::Query as Pairs, http::Uri};
use jiff::{Timestamp, civil::Date, fmt::temporal::Pieces};
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error},
};

use super::{
    audit::AuditAction,
    organization::{GrantStatus, TaxpayerStatus},
    reports::{ReportKind, ReportOutcome, ReportStatus},
    response::{DocumentDirection, DocumentStatus, DocumentType, ViewLanguage, names_of},
    webhooks::{WebhookEventType, events::WebhookDeliveryStatus},
};
use crate::{
    error::{Code, Failure},
    types::{DocumentId, ParticipantId, TaxpayerId},
};

/// A name that a query may hold.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    /// What it means, for callers.
    pub(super) description: &'static str,
    pub(super) form: Form,
    /// Whether the operation refuses what has none.
    pub(super) required: bool,
}

impl Parameter {
    /// One that may be left out.
    const fn optional(name: &'static str, form: Form, description: &'static str) -> Self {
        Parameter { name, description, form, required: false }
    }
}

/// What the value of a parameter looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Direction,
    Type,
    Status,
    ReportOutcome,
    ReportKind,
    ReportStatus,
    TaxpayerStatus,
    GrantStatus,
    AuditAction,
    EventType,
    DeliveryStatus,
    ParticipantId,
    TaxpayerId,
    DocumentId,
    Text,
    Date,
    Instant,
    /// The languages of a page for people.
    Languages,
    /// Items a page.
    Limit,
}

/// Items a page, unless the caller says otherwise.
pub(super) const DEFAULT_LIMIT: u8 = 20;
/// The most items a page.
pub(super) const MAX_LIMIT: u8 = crate::service::page::MAX_LIMIT;

/// How a document is shown to people.
pub(super) const VIEW: &[Parameter] = &[Parameter::optional(
    "language",
    Form::Languages,
    "The languages of the page; en, unless it is said.",
)];

/// Which documents to list; all conditions hold together.
pub(super) const LIST_DOCUMENTS: &[Parameter] = &[
    Parameter::optional("direction", Form::Direction, "Sent by the taxpayer, or received."),
    Parameter::optional("type", Form::Type, "The operation that makes this kind of document."),
    Parameter::optional("status", Form::Status, "Where the document is on its way."),
    Parameter::optional("source_id", Form::Text, "The caller's own document id, exactly as sent."),
    Parameter::optional("number", Form::Text, "Document number, exactly as sent."),
    Parameter::optional("issued_from", Form::Date, "First issue date, inclusive: YYYY-MM-DD."),
    Parameter::optional("issued_to", Form::Date, "Last issue date, inclusive: YYYY-MM-DD."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Documents a page."),
];

/// What a file is that is imported.
pub(super) const CREATE_IMPORT: &[Parameter] = &[
    Parameter::optional(
        "type",
        Form::Type,
        "The operation that makes the kind of document that the file holds; invoice, unless it is said.",
    ),
    Parameter::optional(
        "name",
        Form::Text,
        "What the caller calls the file, such as its name: up to 255 characters.",
    ),
];

/// A page of imports.
pub(super) const LIST_IMPORTS: &[Parameter] =
    &[CURSOR, Parameter::optional("limit", Form::Limit, "Imports a page.")];

/// The period of an archive.
pub(super) const CREATE_ARCHIVE: &[Parameter] = &[
    Parameter {
        name: "issued_from",
        description: "First issue date, inclusive: YYYY-MM-DD.",
        form: Form::Date,
        required: true,
    },
    Parameter {
        name: "issued_to",
        description: "Last issue date, inclusive: YYYY-MM-DD.",
        form: Form::Date,
        required: true,
    },
];

/// A page of archives.
pub(super) const LIST_ARCHIVES: &[Parameter] =
    &[CURSOR, Parameter::optional("limit", Form::Limit, "Archives a page.")];

/// Which reports to list; all conditions hold together.
pub(super) const LIST_REPORTS: &[Parameter] = &[
    Parameter::optional("outcome", Form::ReportOutcome, "What the report has come to."),
    Parameter::optional("kind", Form::ReportKind, "What the report says of its document."),
    Parameter::optional("status", Form::ReportStatus, "How far the report is."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Reports a page."),
];

/// Which connected taxpayers to list; all conditions hold together.
pub(super) const LIST_TAXPAYERS: &[Parameter] = &[
    Parameter::optional("status", Form::TaxpayerStatus, "How far the onboarding is."),
    Parameter::optional(
        "participant_id",
        Form::ParticipantId,
        "Its place on the Peppol network: 0235: and the TIN.",
    ),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Taxpayers a page."),
];

/// Which grants to list; all conditions hold together.
pub(super) const LIST_GRANTS: &[Parameter] = &[
    Parameter::optional("status", Form::GrantStatus, "Whether it stands."),
    Parameter::optional("taxpayer_id", Form::TaxpayerId, "The taxpayer that approved."),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Grants a page."),
];

/// Which entries of the audit trail to list; all conditions hold together.
pub(super) const LIST_AUDIT_EVENTS: &[Parameter] = &[
    Parameter::optional("action", Form::AuditAction, "What was done."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Entries a page."),
];

/// Which events to list; all conditions hold together.
pub(super) const LIST_EVENTS: &[Parameter] = &[
    Parameter::optional("type", Form::EventType, "What happened."),
    Parameter::optional("taxpayer_id", Form::TaxpayerId, "The taxpayer whose event it is."),
    Parameter::optional("document_id", Form::DocumentId, "The document that it is about."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Events a page."),
];

/// Which deliveries to list.
pub(super) const LIST_DELIVERIES: &[Parameter] = &[
    Parameter::optional("status", Form::DeliveryStatus, "How far they are."),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Deliveries a page."),
];

const CREATED_FROM: Parameter = Parameter::optional(
    "created_from",
    Form::Instant,
    "First instant of creation, inclusive: RFC 3339, such as 2026-07-01T00:00:00Z. Write \
        the plus sign of an offset as %2B.",
);
const CREATED_TO: Parameter = Parameter::optional(
    "created_to",
    Form::Instant,
    "Last instant of creation, inclusive: RFC 3339.",
);
const CURSOR: Parameter = Parameter::optional(
    "cursor",
    Form::Text,
    "`next_cursor` of the page before, with the same filters.",
);

impl Form {
    /// What is expected, for messages.
    fn expected(self) -> String {
        match self {
            Form::Direction => one_of(names_of::<DocumentDirection>()),
            Form::Type => one_of(names_of::<DocumentType>()),
            Form::Status => one_of(names_of::<DocumentStatus>()),
            Form::ReportOutcome => one_of(names_of::<ReportOutcome>()),
            Form::ReportKind => one_of(names_of::<ReportKind>()),
            Form::ReportStatus => one_of(names_of::<ReportStatus>()),
            Form::TaxpayerStatus => one_of(names_of::<TaxpayerStatus>()),
            Form::GrantStatus => one_of(names_of::<GrantStatus>()),
            Form::AuditAction => one_of(names_of::<AuditAction>()),
            Form::EventType => one_of(names_of::<WebhookEventType>()),
            Form::DeliveryStatus => one_of(names_of::<WebhookDeliveryStatus>()),
            Form::DocumentId => "a document_id, which starts with doc_".to_owned(),
            Form::ParticipantId => "a participant, such as 0235:1001234501".to_owned(),
            Form::TaxpayerId => "a taxpayer_id, which starts with txpay_".to_owned(),
            Form::Text => "a text".to_owned(),
            Form::Date => "a date, YYYY-MM-DD, such as 2026-07-01".to_owned(),
            Form::Instant => "a date and time with an offset (RFC 3339), such as \
                 2026-07-01T00:00:00Z or 2026-07-01T04:00:00%2B04:00"
                .to_owned(),
            Form::Languages => one_of(names_of::<ViewLanguage>()),
            Form::Limit => format!("a number from 1 to {MAX_LIMIT}, such as {DEFAULT_LIMIT}"),
        }
    }
}

fn one_of(names: Vec<String>) -> String {
    format!("one of {}", names.join(", "))
}

/// The query of a request: names that its operation takes, each once.
#[derive(Debug)]
pub(super) struct Query {
    known: &'static [Parameter],
    given: Vec<(String, String)>,
}

impl Query {
    /// Reads the query of an address.
    pub(super) fn read(uri: &Uri, known: &'static [Parameter]) -> Result<Self, Failure> {
        let Pairs(given) = Pairs::<Vec<(String, String)>>::try_from_uri(uri).map_err(|error| {
            refused("The query is not a list of name=value.").because(error.body_text())
        })?;
        for (at, (name, _)) in given.iter().enumerate() {
            if !known.iter().any(|parameter| parameter.name == name) {
                let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
                let has = match names.as_slice() {
                    [] => "it takes none".to_owned(),
                    names => format!("it takes {}", names.join(", ")),
                };
                let name: String = name.chars().take(100).collect();
                let message = format!("This operation takes no query parameter {name:?}; {has}.");
                return Err(refused(message).because("a query parameter that is not known"));
            }
            if given.iter().take(at).any(|(other, _)| other == name) {
                let message = format!("The query parameter {name} is given more than once.");
                return Err(refused(message));
            }
        }
        Ok(Query { known, given })
    }

    /// A text, as it is.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A value of the form that its parameter has.
    fn value<T>(
        &self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(name) else { return Ok(None) };
        if let Some(value) = parse(text) {
            return Ok(Some(value));
        }
        let form = self.known.iter().find(|known| known.name == name).map(|known| known.form);
        let expected = form.unwrap_or(Form::Text).expected();
        let shown: String = text.chars().take(100).collect();
        // application/x-www-form-urlencoded: a plus sign that is not escaped is a blank.
        let hint = match form {
            Some(Form::Instant) if shown.contains(' ') => {
                " A plus sign is written %2B in a query; unescaped it is a blank."
            }
            _ => "",
        };
        let message =
            format!("The query parameter {name} is {shown:?}; expected {expected}.{hint}");
        Err(refused(message).because(format!("the query parameter {name} is not right")))
    }

    /// One of a list of names.
    pub(super) fn name<T: for<'de> Deserialize<'de>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, Failure> {
        self.value(name, |text| {
            T::deserialize(IntoDeserializer::<Error>::into_deserializer(text)).ok()
        })
    }

    /// A calendar day.
    pub(super) fn date(&self, name: &'static str) -> Result<Option<Date>, Failure> {
        self.value(name, |text| {
            let has_form = text.len() == 10 && text.as_bytes().get(4) == Some(&b'-');
            if has_form { text.parse().ok() } else { None }
        })
    }

    /// An instant. One beyond the end of the calendar, such as 9999-12-31T23:59:59Z, is its end.
    pub(super) fn instant(&self, name: &'static str) -> Result<Option<Timestamp>, Failure> {
        self.value(name, |text| match text.parse() {
            Ok(instant) => Some(instant),
            Err(_) => {
                let pieces = Pieces::parse(text).ok()?;
                let is_late = pieces.date().year() == 9999
                    && pieces.time().is_some()
                    && pieces.offset().is_some();
                is_late.then_some(Timestamp::MAX)
            }
        })
    }

    /// A place on the network.
    pub(super) fn participant(&self, name: &'static str) -> Result<Option<ParticipantId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    /// A taxpayer.
    pub(super) fn taxpayer(&self, name: &'static str) -> Result<Option<TaxpayerId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    /// A document.
    pub(super) fn document(&self, name: &'static str) -> Result<Option<DocumentId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    /// Items a page.
    pub(super) fn limit(&self, name: &'static str) -> Result<u8, Failure> {
        let limit = self.value(name, |text| {
            text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit))
        })?;
        Ok(limit.unwrap_or(DEFAULT_LIMIT))
    }
}

fn refused(message: impl Into<String>) -> Failure {
    Failure::new(Code::InvalidRequest, message)
}
