use std::fmt;

use super::{
    header::{CountryCodeError, ScopeError},
    limits::Limit,
};
use crate::{
    peppol::identifiers::{DocumentTypeError, InstanceIdError, ProcessError},
    types::ParticipantError,
};

/// Why bytes are not a valid envelope. Quoted texts are cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SbdhError {
    /// The bytes are not UTF-8.
    #[error("the envelope is not in UTF-8: byte {at} begins no character")]
    NotUtf8 {
        /// The offset of the first wrong byte.
        at: usize,
    },
    /// The XML declaration names another encoding.
    #[error("the envelope says that it is in {0:?}; it must be in UTF-8")]
    Encoding(String),
    /// There is a document type declaration.
    #[error("a document type declaration (DOCTYPE) is not accepted")]
    Doctype,
    /// The text is not well-formed XML.
    #[error("the envelope is not well-formed XML, at byte {at}: {reason}")]
    Malformed {
        /// The offset of the error.
        at: u64,
        /// The reason.
        reason: String,
    },
    /// A limit against hostile messages.
    #[error("the header exceeds a limit: {0}")]
    Limit(#[from] Limit),
    /// The root element is another one.
    #[error(
        "the root element is {0:?} and not StandardBusinessDocument in the namespace of the SBDH"
    )]
    Root(String),
    /// The envelope does not start with its header.
    #[error("StandardBusinessDocument does not begin with StandardBusinessDocumentHeader")]
    NoHeader,
    /// An element of the header is missing.
    #[error("the header has no {0}")]
    Missing(&'static str),
    /// An element of the header is repeated.
    #[error("the header has more than one {0}")]
    Repeated(&'static str),
    /// The version of the header is not 1.0.
    #[error("HeaderVersion is {0:?} and not 1.0")]
    HeaderVersion(String),
    /// A participant has the identifier scheme of another authority.
    #[error("the Authority of the {party} is {found:?} and not iso6523-actorid-upis")]
    Authority {
        /// The participant.
        party: Party,
        /// The Authority; empty when it is missing.
        found: String,
    },
    /// A participant's identifier is invalid.
    #[error("the {party} {found:?} is not a participant: {reason}")]
    Participant {
        /// The participant.
        party: Party,
        /// The identifier.
        found: String,
        /// The reason.
        reason: ParticipantError,
    },
    /// InstanceIdentifier is invalid.
    #[error("{0}")]
    InstanceId(#[from] InstanceIdError),
    /// CreationDateAndTime is invalid.
    #[error("CreationDateAndTime is {found:?}: {reason}")]
    CreatedAt {
        /// The time.
        found: String,
        /// The reason.
        reason: TimeError,
    },
    /// Mandatory scopes are missing.
    #[error("the header has {0} scopes; DOCUMENTID, PROCESSID and COUNTRY_C1 are mandatory")]
    TooFewScopes(usize),
    /// Two scopes have the same type.
    #[error("the header has more than one scope {0:?}")]
    RepeatedScope(String),
    /// DOCUMENTID is invalid.
    #[error("scope DOCUMENTID: {0}")]
    DocumentType(#[from] DocumentTypeError),
    /// DOCUMENTID is a wildcard.
    #[error("scope DOCUMENTID: the type of one document does not end with *")]
    WildcardDocumentType,
    /// PROCESSID is invalid.
    #[error("scope PROCESSID: {0}")]
    Process(#[from] ProcessError),
    /// COUNTRY_C1 is invalid.
    #[error("scope COUNTRY_C1: {0}")]
    CountryC1(#[from] CountryCodeError),
    /// DocumentIdentification contradicts DOCUMENTID.
    #[error("{element} is {found:?} and not {expected:?}, which DOCUMENTID says")]
    Inconsistent {
        /// Standard, TypeVersion or Type.
        element: &'static str,
        /// The value of the element.
        found: String,
        /// The value in the document type identifier.
        expected: String,
    },
    /// MLS_TO is invalid.
    #[error("scope MLS_TO: {0}")]
    MlsTo(#[from] MlsToError),
    /// MLS_TYPE is invalid.
    #[error("scope MLS_TYPE is {0:?} and neither FAILURE_ONLY nor ALWAYS_SEND")]
    MlsType(String),
    /// Another scope is invalid.
    #[error("scope {found:?}: {reason}")]
    Scope {
        /// Its type.
        found: String,
        /// The reason.
        reason: ScopeError,
    },
    /// No document follows the header.
    #[error("there is no document after the header")]
    NoPayload,
    /// There is text between elements.
    #[error("text is not allowed here, only elements: {0:?}")]
    Text(String),
    /// A second document follows.
    #[error("a second document, {0:?}, follows the first")]
    SecondPayload(String),
    /// The document does not match the header.
    #[error("the document is {found:?} and not {expected:?}, which DOCUMENTID says")]
    Payload {
        /// Namespace and name of its root element.
        found: String,
        /// The value in the document type identifier.
        expected: String,
    },
}

/// The owner of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// C1.
    Sender,
    /// C4.
    Receiver,
}

/// Why a time is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// Not an `xs:dateTime`.
    #[error("that is not a date and time, such as 2026-01-31T09:00:00Z")]
    Form,
    /// The time zone is missing.
    #[error("a time needs its zone, Z or an offset such as +04:00")]
    NoZone,
}

/// Why a scope MLS_TO is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MlsToError {
    /// Identifier and scheme are missing.
    #[error("it is empty")]
    Empty,
    /// The identifier is missing.
    #[error("it has no InstanceIdentifier")]
    NoValue,
    /// The scheme is missing.
    #[error("it has no Identifier, which must be iso6523-actorid-upis")]
    NoScheme,
    /// The scheme is not that of participants.
    #[error("its Identifier is {0:?} and not iso6523-actorid-upis")]
    Scheme(String),
    /// The identifier is not a participant.
    #[error("{0:?} is not a participant")]
    Value(String),
}

impl Party {
    pub(super) fn element(self) -> &'static str {
        match self {
            Party::Sender => "Sender",
            Party::Receiver => "Receiver",
        }
    }

    pub(super) fn identifier(self) -> &'static str {
        match self {
            Party::Sender => "Sender/Identifier",
            Party::Receiver => "Receiver/Identifier",
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.element())
    }
}
