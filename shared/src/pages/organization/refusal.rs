//! The reasons of a refusal, in the language of the page. Use cases refuse in English. The translation is found by the
//! rule or code of the refusal, never by its text. A text without translation is marked as English.

use super::super::Frame;
use crate::{
    error::{Code, Failure, Finding},
    i18n::Language,
};

/// The reasons of a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(Vec<Why>);

/// One reason.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Why {
    /// The name of its message, if there is one.
    name: Option<&'static str>,
    /// The value in the message.
    value: String,
    /// The text of the use case; `None` if the page itself refused.
    english: Option<String>,
    /// Whether the text names a place in the input and the message does not; then the page shows both.
    has_place: bool,
}

/// A line of a page about it.
pub(super) struct Said {
    pub(super) text: String,
    /// Whether the line is English on a page in another language.
    pub(super) is_foreign: bool,
}

impl Refusal {
    /// The refusal of a use case.
    pub(super) fn of(failure: Failure) -> Self {
        if failure.findings.is_empty() {
            let name = by_code(failure.code);
            return Refusal(vec![Why {
                name,
                value: String::new(),
                english: Some(failure.message),
                has_place: false,
            }]);
        }
        let why = |finding: Finding| Why {
            name: by_rule(&finding.rule),
            value: finding.value.unwrap_or_default(),
            english: Some(finding.message.to_string()),
            has_place: has_place(&finding.rule),
        };
        Refusal(failure.findings.into_iter().map(why).collect())
    }

    /// A refusal of the page itself, by the name of its message.
    pub(super) fn said(name: &'static str) -> Self {
        let value = String::new();
        Refusal(vec![Why { name: Some(name), value, english: None, has_place: false }])
    }

    /// The English text, for the log.
    pub(super) fn in_english(&self) -> String {
        let words: Vec<_> =
            self.0.iter().map(|why| why.english.as_deref().or(why.name).unwrap_or("")).collect();
        words.join(" ")
    }

    /// The lines in the language of a page.
    pub(super) fn lines(&self, frame: &Frame<'_>) -> Vec<Said> {
        let is_english = frame.language() == Language::English;
        let translated = |name: &str, why: &Why| Said {
            text: frame.t_text(name, "value", &why.value),
            is_foreign: false,
        };
        let mut lines = Vec::new();
        let mut last = None;
        for why in &self.0 {
            match (&why.english, why.name) {
                // The text of the use case is more precise than the message.
                (Some(english), _) if is_english => {
                    lines.push(Said { text: sentence(english), is_foreign: false });
                }
                // The message is the same for many rows: it is shown once, followed by the places.
                (Some(english), Some(name)) if why.has_place => {
                    if last != Some(name) {
                        lines.push(translated(name, why));
                    }
                    lines.push(Said { text: sentence(english), is_foreign: true });
                }
                (_, Some(name)) => lines.push(translated(name, why)),
                (Some(english), None) => {
                    lines.push(Said { text: sentence(english), is_foreign: true });
                }
                (None, None) => {}
            }
            last = why.name;
        }
        lines
    }
}

/// The text of a finding as a sentence of its own. A name of a field or of a column stays as it is.
fn sentence(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let mut rest = text.chars();
    let mut said = match rest.next() {
        Some(first) if word.chars().all(char::is_alphabetic) => {
            first.to_uppercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    };
    if !text.ends_with(['.', '!', '?', ':', ')']) {
        said.push('.');
    }
    said
}

/// The name of the message for a rule.
fn by_rule(rule: &str) -> Option<&'static str> {
    Some(match rule {
        "AP-CLIENT-name" => "refused-client-name",
        "AP-CLIENT-scopes" => "refused-client-scopes",
        "AP-CLIENT-limit" => "refused-client-limit",
        "AP-CLIENT-redirects" => "refused-redirects",
        "AP-CLIENT-redirect-long" => "refused-redirect-long",
        "AP-CLIENT-redirect-absolute" => "refused-redirect-absolute",
        "AP-CLIENT-redirect-https" => "refused-redirect-https",
        "AP-CLIENT-redirect-fragment" => "refused-redirect-fragment",
        "AP-CLIENT-redirect-user" => "refused-redirect-user",
        "AP-IMPORT-column" => "refused-import-column",
        "AP-IMPORT-documents" => "refused-import-documents",
        "AP-IMPORT-empty" => "refused-import-empty",
        "AP-IMPORT-gzip" => "refused-import-gzip",
        "AP-IMPORT-quotes" => "refused-import-quotes",
        "AP-IMPORT-row" => "refused-import-row",
        "AP-IMPORT-size" => "refused-import-size",
        "AP-IMPORT-utf8" => "refused-import-utf8",
        "AP-IMPORT-workbook" => "refused-import-workbook",
        "AP-WEBHOOK-url" => "refused-webhook-url",
        _ => return None,
    })
}

/// Whether a rule's text names a column, a row or a byte.
fn has_place(rule: &str) -> bool {
    matches!(rule, "AP-IMPORT-column" | "AP-IMPORT-row" | "AP-IMPORT-utf8" | "AP-IMPORT-workbook")
}

/// The name of the message for a code without findings.
fn by_code(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::EndpointLimitReached => "refused-endpoint-limit",
        Code::EndpointDisabled => "refused-endpoint-disabled",
        Code::VersionConflict => "refused-version",
        Code::SubscriptionRequired => "refused-subscription",
        Code::BillingStatusUnavailable => "refused-billing-unknown",
        Code::QueuedDeliveryDisabled => "refused-queued-delivery",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{self, tests::messages};

    #[test]
    fn the_text_of_a_finding_is_a_sentence() {
        for (text, shown) in [
            ("there is no column x", "There is no column x."),
            ("row 2 has 3 cells", "Row 2 has 3 cells."),
            ("due_date is missing", "due_date is missing."),
            ("`name` is missing.", "`name` is missing."),
            ("The URL is invalid.", "The URL is invalid."),
            ("", "."),
        ] {
            assert_eq!(sentence(text), shown);
        }
    }

    #[test]
    fn what_has_no_translation_is_told_in_english() {
        let refusal = Refusal::of(Failure::new(Code::DeliveryInProgress, "An attempt runs."));
        assert_eq!(refusal.in_english(), "An attempt runs.");
        assert_eq!(refusal.0[0].name, None);
        let finding = Finding::error("", "AP-JSON-type", "this must be a string");
        let refusal = Refusal::of(Failure::invalid(vec![finding]));
        assert_eq!(refusal.0[0].name, None);
        assert_eq!(Refusal::said("refused-version").in_english(), "refused-version");
    }

    #[test]
    fn every_message_of_a_refusal_is_there_and_each_is_used() {
        let rules = [
            "CLIENT-name",
            "CLIENT-scopes",
            "CLIENT-limit",
            "CLIENT-redirects",
            "CLIENT-redirect-long",
            "CLIENT-redirect-absolute",
            "CLIENT-redirect-https",
            "CLIENT-redirect-fragment",
            "CLIENT-redirect-user",
            "IMPORT-column",
            "IMPORT-documents",
            "IMPORT-empty",
            "IMPORT-gzip",
            "IMPORT-quotes",
            "IMPORT-row",
            "IMPORT-size",
            "IMPORT-utf8",
            "IMPORT-workbook",
            "WEBHOOK-url",
        ];
        let by_rules = rules.map(|rule| by_rule(&format!("AP-{rule}")).unwrap());
        let codes = [
            Code::EndpointLimitReached,
            Code::EndpointDisabled,
            Code::VersionConflict,
            Code::SubscriptionRequired,
            Code::BillingStatusUnavailable,
            Code::QueuedDeliveryDisabled,
        ];
        let mut used: Vec<_> = by_rules.to_vec();
        used.extend(codes.map(|code| by_code(code).unwrap()));
        used.sort_unstable();
        let known = messages(Language::Arabic);
        let known: Vec<_> = known.keys().filter(|name| name.starts_with("refused-")).collect();
        assert_eq!(used, known);
        assert!(!i18n::text(Language::Arabic, used[0], &[]).is_empty());
    }
}
