use crate::xml::ParseError;

/// Why bytes are no Message Level Status. Texts of others are cut to a readable length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MlsError {
    /// No XML that is accepted, or too much of it.
    #[error("the status is not readable: {0}")]
    NotXml(#[from] ParseError),
    /// Another document.
    #[error("the root element is {0:?} and not ApplicationResponse of UBL 2.1")]
    Root(String),
    /// What an official rule asks for is missing.
    #[error("[{rule}] there is no {element}")]
    Missing {
        /// The rule's official id, `SCH-MLS-01` to `SCH-MLS-31`.
        rule: &'static str,
        /// The element that is not there.
        element: &'static str,
    },
    /// What is there breaks an official rule.
    #[error("[{rule}] {element} must not be {found:?}")]
    Broken {
        /// The rule's official id.
        rule: &'static str,
        /// The element that it is about.
        element: &'static str,
        /// What stands there.
        found: String,
    },
    /// An official rule about the number of something is broken.
    #[error("[{rule}] there must be exactly one {element}; there are {found}")]
    Count {
        /// The rule's official id.
        rule: &'static str,
        /// What is counted.
        element: &'static str,
        /// How many there are.
        found: usize,
    },
    /// A rejection without a failure.
    #[error("[{rule}] {NoFailure}", rule = if *.issues == 0 { "SCH-MLS-23" } else { "SCH-MLS-24" })]
    NoFailure {
        /// How many issues it names.
        issues: usize,
    },
    /// An acceptance with a failure.
    #[error("[SCH-MLS-25] a message with a failure cannot have been accepted")]
    Failure,
}

/// A rejection needs a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rejection names at least one failure: SV, BV or FD")]
pub struct NoFailure;
