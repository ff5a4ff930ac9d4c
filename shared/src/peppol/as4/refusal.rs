//! Why a received message is refused.

use std::fmt;

use super::{ids::MessageId, rule::Rule};

/// Longest quotation of a received text in a refusal, in characters.
const SHOWN: usize = 300;

/// A refused message: the broken rule and the value found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    rule: Rule,
    found: String,
    message_id: Option<MessageId>,
}

impl Refusal {
    /// A breach of `rule`. `found` is cut and loses its control characters.
    pub fn new(rule: Rule, found: impl AsRef<str>) -> Self {
        Refusal { rule, found: shown(found.as_ref()), message_id: None }
    }

    /// Adds the message id, if it is not set and could be read.
    pub fn about(mut self, message_id: Option<MessageId>) -> Self {
        self.message_id = self.message_id.or(message_id);
        self
    }

    /// The broken rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The value found.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The id of the refused message, if it could be read.
    pub fn message_id(&self) -> Option<&MessageId> {
        self.message_id.as_ref()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { rule, found, .. } = self;
        write!(f, "{}: expected {}; found {found}", rule.id(), rule.demand())
    }
}

impl std::error::Error for Refusal {}

/// A received text, cut and without control characters, safe for logs and responses.
pub(super) fn shown(text: &str) -> String {
    let short: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{short}…") } else { short }
}
