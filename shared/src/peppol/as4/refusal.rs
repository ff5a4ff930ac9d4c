//! Why a received message is refused.

use std::fmt;

use super::{ids::MessageId, rule::Rule};

/// Characters of a stranger's text that a refusal repeats.
const SHOWN: usize = 300;

/// A message that is refused: which rule it broke and what was found instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    rule: Rule,
    found: String,
    message_id: Option<MessageId>,
}

impl Refusal {
    /// A breach of `rule` by what was `found`, which is cut short and freed from control characters.
    pub fn new(rule: Rule, found: impl AsRef<str>) -> Self {
        Refusal { rule, found: shown(found.as_ref()), message_id: None }
    }

    /// The refusal with the message that it is about, as far as that could be read.
    pub fn about(mut self, message_id: Option<MessageId>) -> Self {
        self.message_id = self.message_id.or(message_id);
        self
    }

    /// The rule that was broken.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What was found.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The message that is refused, if its id could be read.
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

/// Text of a stranger, short and harmless enough for logs and answers.
pub(super) fn shown(text: &str) -> String {
    let short: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{short}…") } else { short }
}
