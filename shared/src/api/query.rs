//! Query parameters: their names and forms, and how they are read. Undeclared and repeated parameters are refused by
//! name.

use axum::{extract::Query as Pairs, http::Uri};
use jiff::{Timestamp, civil::Date, fmt::temporal::Pieces};
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error},
};

use super::wire::{
    AuditAction, DocumentDirection, DocumentStatus, DocumentType, GrantStatus, ReportKind,
    ReportOutcome, ReportStatus, TaxpayerStatus, ViewLanguage, WebhookDeliveryStatus,
    WebhookEventType, names_of,
};
use crate::{
    error::{Code, Failure},
    types::{DocumentId, ParticipantId, TaxpayerId},
};

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    /// Its meaning, for callers.
    pub(super) description: &'static str,
    pub(super) form: Form,
    /// Whether the operation requires it.
    pub(super) required: bool,
}

impl Parameter {
    const fn optional(name: &'static str, form: Form, description: &'static str) -> Self {
        Parameter { name, description, form, required: false }
    }
}

/// The form of a parameter's value.
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
    /// The languages of a view.
    Languages,
    /// `true` or `false`.
    Flag,
    /// The number of items on a page.
    Limit,
}

/// The default number of items on a page.
pub(super) const DEFAULT_LIMIT: u8 = 20;
/// The maximum number of items on a page.
pub(super) const MAX_LIMIT: u8 = crate::service::page::MAX_LIMIT;

/// The view of a document.
pub(super) const VIEW: &[Parameter] = &[
    Parameter::optional("language", Form::Languages, "Languages of the page. Default: en."),
    Parameter::optional(
        "annex",
        Form::Flag,
        "Whether the annex has every business term that the invoice itself does not show. Default: true.",
    ),
];

/// Which documents to list. All given conditions must hold.
pub(super) const LIST_DOCUMENTS: &[Parameter] = &[
    Parameter::optional(
        "direction",
        Form::Direction,
        "Direction of the document: sent or received by the taxpayer.",
    ),
    Parameter::optional("type", Form::Type, "The operation that creates this type of document."),
    Parameter::optional("status", Form::Status, "Status of the document."),
    Parameter::optional("source_id", Form::Text, "The caller's own document id, exactly as sent."),
    Parameter::optional("number", Form::Text, "Document number, exactly as sent."),
    Parameter::optional("issued_from", Form::Date, "First issue date, inclusive: YYYY-MM-DD."),
    Parameter::optional("issued_to", Form::Date, "Last issue date, inclusive: YYYY-MM-DD."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of documents per page."),
];

/// The file of an import.
pub(super) const CREATE_IMPORT: &[Parameter] = &[
    Parameter::optional(
        "type",
        Form::Type,
        "The operation that creates the documents of the file. Default: invoice.",
    ),
    Parameter::optional(
        "name",
        Form::Text,
        "The caller's name for the file, at most 255 characters.",
    ),
];

pub(super) const LIST_IMPORTS: &[Parameter] =
    &[CURSOR, Parameter::optional("limit", Form::Limit, "Number of imports per page.")];

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

pub(super) const LIST_ARCHIVES: &[Parameter] =
    &[CURSOR, Parameter::optional("limit", Form::Limit, "Number of archives per page.")];

/// Which reports to list. All given conditions must hold.
pub(super) const LIST_REPORTS: &[Parameter] = &[
    Parameter::optional("outcome", Form::ReportOutcome, "Outcome of the report."),
    Parameter::optional("kind", Form::ReportKind, "Kind of the report."),
    Parameter::optional("status", Form::ReportStatus, "Status of the report."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of reports per page."),
];

/// Which connected taxpayers to list. All given conditions must hold.
pub(super) const LIST_TAXPAYERS: &[Parameter] = &[
    Parameter::optional("status", Form::TaxpayerStatus, "Status of the taxpayer."),
    Parameter::optional(
        "participant_id",
        Form::ParticipantId,
        "Peppol participant identifier of the taxpayer: 0235: and the TIN.",
    ),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of taxpayers per page."),
];

/// Which grants to list. All given conditions must hold.
pub(super) const LIST_GRANTS: &[Parameter] = &[
    Parameter::optional("status", Form::GrantStatus, "Status of the grant."),
    Parameter::optional("taxpayer_id", Form::TaxpayerId, "Taxpayer that approved the grant."),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of grants per page."),
];

/// Which entries of the audit trail to list. All given conditions must hold.
pub(super) const LIST_AUDIT_EVENTS: &[Parameter] = &[
    Parameter::optional("action", Form::AuditAction, "Action of the entry."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of entries per page."),
];

/// Which events to list. All given conditions must hold.
pub(super) const LIST_EVENTS: &[Parameter] = &[
    Parameter::optional("type", Form::EventType, "Type of the event."),
    Parameter::optional("taxpayer_id", Form::TaxpayerId, "Taxpayer of the event."),
    Parameter::optional("document_id", Form::DocumentId, "Document of the event."),
    CREATED_FROM,
    CREATED_TO,
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of events per page."),
];

pub(super) const LIST_DELIVERIES: &[Parameter] = &[
    Parameter::optional("status", Form::DeliveryStatus, "Status of the deliveries."),
    CURSOR,
    Parameter::optional("limit", Form::Limit, "Number of deliveries per page."),
];

const CREATED_FROM: Parameter = Parameter::optional(
    "created_from",
    Form::Instant,
    "Earliest creation time, inclusive, in RFC 3339, such as 2026-07-01T00:00:00Z. Write the plus sign of an offset \
        as %2B.",
);
const CREATED_TO: Parameter = Parameter::optional(
    "created_to",
    Form::Instant,
    "Latest creation time, inclusive, in RFC 3339.",
);
const CURSOR: Parameter = Parameter::optional(
    "cursor",
    Form::Text,
    "`next_cursor` of the previous page, with the same filters.",
);

impl Form {
    /// The expected form, for error messages.
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
            Form::Flag => "true or false".to_owned(),
            Form::Limit => format!("a number from 1 to {MAX_LIMIT}, such as {DEFAULT_LIMIT}"),
        }
    }
}

fn one_of(names: Vec<String>) -> String {
    format!("one of {}", names.join(", "))
}

/// The query of a request: declared parameters, each at most once.
#[derive(Debug)]
pub(super) struct Query {
    known: &'static [Parameter],
    given: Vec<(String, String)>,
}

impl Query {
    /// Reads the query of a URL.
    pub(super) fn read(uri: &Uri, known: &'static [Parameter]) -> Result<Self, Failure> {
        if let Some(name) = not_text(uri) {
            let message = format!(
                "The query parameter {name:?} holds bytes that are not UTF-8: write text in UTF-8, each byte as % and \
                 two hexadecimal digits."
            );
            return Err(refused(message).because("a query that is not UTF-8"));
        }
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

    /// A text value, unchanged.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A value in the form of its parameter.
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
        // application/x-www-form-urlencoded: an unescaped plus sign is a space.
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

    /// A value of an enum.
    pub(super) fn name<T: for<'de> Deserialize<'de>>(
        &self,
        name: &'static str,
    ) -> Result<Option<T>, Failure> {
        self.value(name, |text| {
            T::deserialize(IntoDeserializer::<Error>::into_deserializer(text)).ok()
        })
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, name: &'static str) -> Result<Option<bool>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    /// A calendar day.
    pub(super) fn date(&self, name: &'static str) -> Result<Option<Date>, Failure> {
        self.value(name, |text| {
            let has_form = text.len() == 10 && text.as_bytes().get(4) == Some(&b'-');
            if has_form { text.parse().ok() } else { None }
        })
    }

    /// An instant. One after the end of the calendar, such as 9999-12-31T23:59:59Z, becomes the last instant.
    pub(super) fn instant(&self, name: &'static str) -> Result<Option<Timestamp>, Failure> {
        self.value(name, |text| {
            let text = rfc3339(text)?;
            match text.parse() {
                Ok(instant) => Some(instant),
                Err(_) => {
                    let is_late = Pieces::parse(&text).ok()?.date().year() == 9999;
                    is_late.then_some(Timestamp::MAX)
                }
            }
        })
    }

    pub(super) fn participant(&self, name: &'static str) -> Result<Option<ParticipantId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    pub(super) fn taxpayer(&self, name: &'static str) -> Result<Option<TaxpayerId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    pub(super) fn document(&self, name: &'static str) -> Result<Option<DocumentId>, Failure> {
        self.value(name, |text| text.parse().ok())
    }

    /// The number of items on a page.
    pub(super) fn limit(&self, name: &'static str) -> Result<u8, Failure> {
        let limit = self.value(name, |text| {
            text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit))
        })?;
        Ok(limit.unwrap_or(DEFAULT_LIMIT))
    }
}

/// The name of the first parameter that is not UTF-8, as far as it is readable. The parser of pairs would replace such
/// bytes by U+FFFD.
fn not_text(uri: &Uri) -> Option<String> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let mut decoded = pairs.map(decoded);
    let wrong = decoded.find(|pair| std::str::from_utf8(pair).is_err())?;
    let name = wrong.split(|byte| *byte == b'=').next().unwrap_or_default();
    Some(String::from_utf8_lossy(name).chars().take(100).collect())
}

/// The percent-decoded bytes of a part of a query.
fn decoded(part: &str) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (bytes, mut at) = (part.as_bytes(), 0);
    let mut decoded = Vec::with_capacity(bytes.len());
    while let Some(byte) = bytes.get(at) {
        let escaped = match (byte, digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => u8::try_from(16 * high + low).ok(),
            _ => None,
        };
        decoded.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    decoded
}

/// An instant in the form of RFC 3339 (section 5.6, `date-time`), with at most nanoseconds. Other forms of ISO 8601,
/// such as those without seconds or with a zone name, are refused.
fn rfc3339(text: &str) -> Option<String> {
    let has_form = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                // "the 'T' and 'Z' characters in this syntax may alternatively be lower case"
                form => byte.eq_ignore_ascii_case(&form),
            })
    };
    let (begin, rest) = text.split_at_checked("2026-07-01T00:00:00".len())?;
    if !has_form(begin, "0000-00-00T00:00:00") {
        return None;
    }
    let (fraction, offset) = match rest.strip_prefix('.') {
        None => ("", rest),
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest.split_at_checked(end).filter(|(fraction, _)| !fraction.is_empty())?
        }
    };
    // time-hour is 00 to 23 and time-minute 00 to 59, in an offset as well.
    let is_offset = offset.eq_ignore_ascii_case("Z")
        || ((has_form(offset, "+00:00") || has_form(offset, "-00:00"))
            && offset.get(1..3)? <= "23"
            && offset.get(4..6)? <= "59");
    let fraction = fraction.get(..9).unwrap_or(fraction);
    let point = if fraction.is_empty() { "" } else { "." };
    is_offset.then(|| format!("{begin}{point}{fraction}{offset}"))
}

fn refused(message: impl Into<String>) -> Failure {
    Failure::new(Code::InvalidRequest, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Query, Failure> {
        Query::read(&format!("/?{query}").parse().unwrap(), LIST_DOCUMENTS)
    }

    #[test]
    fn an_instant_is_one_of_rfc_3339_and_nothing_else() {
        for (text, instant) in [
            ("2026-11-21T00:00:00Z", "2026-11-21T00:00:00Z"),
            ("2026-11-21t00:00:00z", "2026-11-21T00:00:00Z"),
            ("2026-11-21T00:00:00.1234567891234Z", "2026-11-21T00:00:00.123456789Z"),
            ("2026-11-21T04:00:00%2B04:00", "2026-11-21T00:00:00Z"),
            ("2026-11-20T20:30:00-03:30", "2026-11-21T00:00:00Z"),
            ("2026-11-21T00:00:00-00:00", "2026-11-21T00:00:00Z"),
        ] {
            let read = read(&format!("created_from={text}")).unwrap().instant("created_from");
            assert_eq!(read.unwrap(), Some(instant.parse().unwrap()), "{text}");
        }
        let end = read("created_from=9999-12-31T23:59:59Z").unwrap().instant("created_from");
        assert_eq!(end.unwrap(), Some(Timestamp::MAX));
        for text in [
            "2026-11-21T00:00:00Z[Asia/Dubai]",
            "2026-11-21T00:00Z",
            "2026-11-21T00:00:00",
            "2026-11-21T00:00:00-24:00",
            "2026-11-21T00:00:00%2B04",
            "2026-11-21T00:00:00%2B0400",
            "2026-11-21T00:00:00%2B04:60",
            "2026-11-21T00:00:00.Z",
            "2026-11-21%2000:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-02-30T00:00:00Z",
            "%2B002026-11-21T00:00:00Z",
            "2026-11-21",
            "20261121T000000Z",
            "2026-11-21T00:00:00%D9%A0Z",
            "",
        ] {
            let failure = read(&format!("created_from={text}")).unwrap().instant("created_from");
            let failure = failure.unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest, "{text}");
            assert!(failure.message.contains("RFC 3339"), "{}", failure.message);
        }
    }

    #[test]
    fn a_query_that_is_not_utf_8_is_refused_by_the_name_of_its_parameter() {
        for query in ["number=%ff", "limit=2&number=a%C3", "number=%D9%28"] {
            let failure = read(query).unwrap_err();
            assert_eq!(failure.code, Code::InvalidRequest);
            assert!(failure.message.contains("\"number\""), "{}", failure.message);
            assert!(failure.message.contains("UTF-8"), "{}", failure.message);
        }
        for (query, number) in [
            ("number=%D9%A1", "\u{661}"),
            ("number=%EF%BF%BD", "\u{fffd}"),
            ("number=100%", "100%"),
            ("number=%zz", "%zz"),
        ] {
            assert_eq!(read(query).unwrap().text("number"), Some(number), "{query}");
        }
    }
}
