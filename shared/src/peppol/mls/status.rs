use jiff::Timestamp;

use super::NoFailure;
use crate::{
    peppol::identifiers::{InstanceId, Spid},
    xml::normalize_space,
};

/// A Message Level Status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The identifier of the status, usually a UUID.
    pub id: Text,
    /// The time of issue.
    pub issued_at: Timestamp,
    /// C3: the sender of the status.
    pub sender: Spid,
    /// C2, or the provider that C2 named in MLS_TO.
    pub receiver: Spid,
    /// The InstanceIdentifier of the envelope.
    pub ref_to: InstanceId,
    /// The outcome of the message.
    pub verdict: Verdict,
}

/// The outcome of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// AP: delivered to the receiver (C4), with its confirmation.
    Accepted(Acceptance),
    /// AB: delivered without confirmation.
    AcceptedUnconfirmed(Acceptance),
    /// RE: rejected or undeliverable.
    Rejected(Rejection),
}

/// The optional content of an acceptance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Acceptance {
    /// The description.
    pub description: Option<Text>,
    /// The warnings.
    pub warnings: Vec<Warning>,
}

/// An issue that does not prevent acceptance (BW).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The place.
    pub line: Line,
    /// The description.
    pub description: Text,
}

/// The reasons of a rejection: a description, and at least one failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    description: Text,
    issues: Vec<Issue>,
}

/// An issue at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The place.
    pub line: Line,
    /// The description.
    pub description: Text,
    /// The kind of issue.
    pub reason: Reason,
}

/// Kinds of issues (code list StatusReasonCode).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// SV: the structure is wrong.
    Syntax,
    /// BV: a fatal rule is broken.
    Rule,
    /// BW: a warning rule is broken.
    Warning,
    /// FD: the message cannot be delivered.
    Delivery,
}

/// The place of an issue: an XPath, or none (`NA`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(Option<Text>);

/// A text that is not blank. Its white space is collapsed, and XML allows its characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Text(String);

impl Rejection {
    /// A rejection for issues; at least one must be a failure (SCH-MLS-23, SCH-MLS-24).
    pub fn new(description: Text, issues: Vec<Issue>) -> Result<Self, NoFailure> {
        if issues.iter().any(|issue| issue.reason.is_failure()) {
            Ok(Rejection { description, issues })
        } else {
            Err(NoFailure)
        }
    }

    /// The description.
    pub fn description(&self) -> &Text {
        &self.description
    }

    /// The issues.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}

impl Reason {
    const ALL: [Reason; 4] = [Reason::Syntax, Reason::Rule, Reason::Warning, Reason::Delivery];

    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Reason::Syntax => "SV",
            Reason::Rule => "BV",
            Reason::Warning => "BW",
            Reason::Delivery => "FD",
        }
    }

    /// Whether it prevents acceptance.
    pub fn is_failure(self) -> bool {
        self != Reason::Warning
    }

    pub(super) fn read(code: &str) -> Option<Reason> {
        Self::ALL.into_iter().find(|reason| reason.code() == code)
    }
}

impl Line {
    /// No specific place.
    pub const NOT_APPLICABLE: Line = Line(None);

    /// The LineID for no specific place.
    pub(super) const NA: &'static str = "NA";

    /// The place of an XPath.
    pub fn at(xpath: Text) -> Line {
        Line((xpath.as_str() != Self::NA).then_some(xpath))
    }

    /// The XPath.
    pub fn xpath(&self) -> Option<&str> {
        self.0.as_ref().map(Text::as_str)
    }
}

impl Text {
    /// A text; `None` when it is blank. Characters that XML does not allow become U+FFFD.
    pub fn new(text: &str) -> Option<Text> {
        // XML 1.0, production 2. White space is collapsed. Other control characters are replaced too: they have no
        // use here.
        let illegal = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
        let text = normalize_space(text).replace(illegal, "\u{fffd}");
        (!text.is_empty()).then_some(Text(text))
    }

    /// The text for an issue without a description.
    pub(super) fn code(reason: Reason) -> Text {
        Text(reason.code().to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Verdict {
    /// Its code (code list ResponseCode).
    pub fn code(&self) -> &'static str {
        match self {
            Verdict::Accepted(_) => "AP",
            Verdict::AcceptedUnconfirmed(_) => "AB",
            Verdict::Rejected(_) => "RE",
        }
    }
}
