use crate::xml::ParseError;

/// Why bytes are not a Message Level Status. Quoted texts are cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MlsError {
    /// The text is not XML, or exceeds a limit.
    #[error("the status is not readable: {0}")]
    NotXml(#[from] ParseError),
    /// The root element is another one.
    #[error("the root element is {0:?} and not ApplicationResponse of UBL 2.1")]
    Root(String),
    /// An element that an official rule requires is missing.
    #[error("[{rule}] there is no {element}")]
    Missing {
        /// The rule's official id, `SCH-MLS-01` to `SCH-MLS-31`.
        rule: &'static str,
        /// The missing element.
        element: &'static str,
    },
    /// A value breaks an official rule.
    #[error("[{rule}] {element} must not be {found:?}")]
    Broken {
        /// The rule's official id.
        rule: &'static str,
        /// The element.
        element: &'static str,
        /// Its value.
        found: String,
    },
    /// An official rule about a number of elements is broken.
    #[error("[{rule}] there must be exactly one {element}; there are {found}")]
    Count {
        /// The rule's official id.
        rule: &'static str,
        /// The counted element.
        element: &'static str,
        /// The count.
        found: usize,
    },
    /// A rejection has no failure.
    #[error("[{rule}] {NoFailure}", rule = if *.issues == 0 { "SCH-MLS-23" } else { "SCH-MLS-24" })]
    NoFailure {
        /// The number of its issues.
        issues: usize,
    },
    /// An acceptance has a failure.
    #[error("[SCH-MLS-25] a message with a failure cannot have been accepted")]
    Failure,
}

/// A rejection needs at least one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a rejection names at least one failure: SV, BV or FD")]
pub struct NoFailure;
