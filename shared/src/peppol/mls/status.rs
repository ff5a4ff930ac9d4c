use jiff::Timestamp;

use super::NoFailure;
use crate::{
    peppol::identifiers::{InstanceId, Spid},
    xml::normalize_space,
};

/// A Message Level Status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The status's own identifier, a UUID as a rule.
    pub id: Text,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// C3: who says it.
    pub sender: Spid,
    /// C2, or whom C2 named in MLS_TO.
    pub receiver: Spid,
    /// The InstanceIdentifier of the envelope that it is about.
    pub ref_to: InstanceId,
    /// What became of that.
    pub verdict: Verdict,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// AP: delivered to the receiver (C4), who confirmed it.
    Accepted(Acceptance),
    /// AB: delivered without confirmation.
    AcceptedUnconfirmed(Acceptance),
    /// RE: rejected or undeliverable.
    Rejected(Rejection),
}

/// What may be said beside acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Acceptance {
    /// In words.
    pub description: Option<Text>,
    /// What is questionable all the same.
    pub warnings: Vec<Warning>,
}

/// Something questionable that does not stand in the way (BW).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where.
    pub line: Line,
    /// What.
    pub description: Text,
}

/// Why a message was rejected: in words, and at least one failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    description: Text,
    issues: Vec<Issue>,
}

/// What is wrong at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// Where.
    pub line: Line,
    /// What.
    pub description: Text,
    /// Of what sort it is.
    pub reason: Reason,
}

/// Sorts of issues (code list StatusReasonCode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// SV: the structure is wrong.
    Syntax,
    /// BV: a rule is broken that counts as fatal.
    Rule,
    /// BW: a rule is broken that warns.
    Warning,
    /// FD: it cannot be delivered.
    Delivery,
}

/// The place of an issue: an XPath, or none (`NA`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(Option<Text>);

/// A text that says something: not blank, white space collapsed, and of characters that XML can hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Text(String);

impl Rejection {
    /// A rejection for issues of which at least one is a failure (SCH-MLS-23, SCH-MLS-24).
    pub fn new(description: Text, issues: Vec<Issue>) -> Result<Self, NoFailure> {
        if issues.iter().any(|issue| issue.reason.is_failure()) {
            Ok(Rejection { description, issues })
        } else {
            Err(NoFailure)
        }
    }

    /// In words.
    pub fn description(&self) -> &Text {
        &self.description
    }

    /// What is wrong.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}

impl Reason {
    const ALL: [Reason; 4] = [Reason::Syntax, Reason::Rule, Reason::Warning, Reason::Delivery];

    /// The code for it.
    pub fn code(self) -> &'static str {
        match self {
            Reason::Syntax => "SV",
            Reason::Rule => "BV",
            Reason::Warning => "BW",
            Reason::Delivery => "FD",
        }
    }

    /// Whether it stands in the way of acceptance.
    pub fn is_failure(self) -> bool {
        self != Reason::Warning
    }

    pub(super) fn read(code: &str) -> Option<Reason> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl Line {
    /// No place in particular.
    pub const NOT_APPLICABLE: Line = Line(None);

    /// The word for that.
    pub(super) const NA: &'static str = "NA";

    /// The place that an XPath leads to.
    pub fn at(xpath: Text) -> Line {
        Line((xpath.as_str() != Self::NA).then_some(xpath))
    }

    /// The XPath.
    pub fn xpath(&self) -> Option<&str> {
        self.0.as_ref().map(Text::as_str)
    }
}

impl Text {
    /// Makes a text; none of what is blank. Characters that XML cannot hold become U+FFFD.
    pub fn new(text: &str) -> Option<Text> {
        // XML 1.0, production 2. White space is collapsed, and the other control characters are of
        // no use to anybody.
        let illegal = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
        let text = normalize_space(text).replace(illegal, "\u{fffd}");
        (!text.is_empty()).then_some(Text(text))
    }

    /// What remains to be said when there are no words.
    pub(super) fn code(reason: Reason) -> Text {
        Text(reason.code().to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Verdict {
    /// The code for it (code list ResponseCode).
    pub fn code(&self) -> &'static str {
        match self {
            Verdict::Accepted(_) => "AP",
            Verdict::AcceptedUnconfirmed(_) => "AB",
            Verdict::Rejected(_) => "RE",
        }
    }
}
