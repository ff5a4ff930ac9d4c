//! Why something that a member sent was not done. Use cases refuse in English words; a page in Arabic says it in Arabic,
//! found by the rule or code of the refusal and never by its words, and marks what has no translation as English.

use super::super::Frame;
use crate::{
    error::{Code, Failure, Finding},
    words::Language,
};

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(Vec<Why>);

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Why {
    /// The name of the message that says it, if there is one.
    name: Option<&'static str>,
    /// What it is about, for the message.
    value: String,
    /// What the use case said; nothing where the page itself refused.
    english: Option<String>,
}

/// What a page says of it.
pub(super) struct Said {
    pub(super) text: String,
    /// Whether it is English on a page that is not.
    pub(super) is_foreign: bool,
}

impl Refusal {
    /// What a use case said.
    pub(super) fn of(failure: Failure) -> Self {
        if failure.findings.is_empty() {
            let name = by_code(failure.code);
            return Refusal(vec![Why {
                name,
                value: String::new(),
                english: Some(failure.message),
            }]);
        }
        let why = |finding: Finding| Why {
            name: by_rule(&finding.rule),
            value: finding.value.unwrap_or_default(),
            english: Some(finding.message.to_string()),
        };
        Refusal(failure.findings.into_iter().map(why).collect())
    }

    /// What a page says of itself, by the name of the message.
    pub(super) fn said(name: &'static str) -> Self {
        Refusal(vec![Why { name: Some(name), value: String::new(), english: None }])
    }

    /// In the words of the use case, for the log.
    pub(super) fn in_english(&self) -> String {
        let words: Vec<_> =
            self.0.iter().map(|why| why.english.as_deref().or(why.name).unwrap_or("")).collect();
        words.join(" ")
    }

    /// In the language of a page.
    pub(super) fn lines(&self, frame: &Frame<'_>) -> Vec<Said> {
        let is_english = frame.language() == Language::English;
        let line = |why: &Why| match (&why.english, why.name) {
            // The use case knows more than the message, such as which of several it is.
            (Some(english), _) if is_english => Said { text: english.clone(), is_foreign: false },
            (_, Some(name)) => {
                let text = frame.t_text(name, "value", &why.value);
                Said { text, is_foreign: false }
            }
            (Some(english), None) => Said { text: english.clone(), is_foreign: true },
            (None, None) => Said { text: String::new(), is_foreign: false },
        };
        self.0.iter().map(line).collect()
    }
}

/// The name of the message that says what a rule refuses.
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
        "AP-WEBHOOK-url" => "refused-webhook-url",
        _ => return None,
    })
}

/// The name of the message that says what a code without findings refuses.
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
    use crate::words::{self, tests::messages};

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
            "name",
            "scopes",
            "limit",
            "redirects",
            "redirect-long",
            "redirect-absolute",
            "redirect-https",
            "redirect-fragment",
            "redirect-user",
        ];
        let by_rules = rules.map(|rule| by_rule(&format!("AP-CLIENT-{rule}")).unwrap());
        let codes = [Code::EndpointLimitReached, Code::EndpointDisabled, Code::VersionConflict];
        let mut used: Vec<_> = by_rules.to_vec();
        used.extend(codes.map(|code| by_code(code).unwrap()));
        used.push(by_rule("AP-WEBHOOK-url").unwrap());
        used.sort_unstable();
        let known = messages(Language::Arabic);
        let known: Vec<_> = known.keys().filter(|name| name.starts_with("refused-")).collect();
        assert_eq!(used, known);
        assert!(!words::text(Language::Arabic, used[0], &[]).is_empty());
    }
}
