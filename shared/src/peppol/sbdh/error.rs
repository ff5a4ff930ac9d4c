use std::fmt;

use super::{
    cursor::Limit,
    header::{CountryCodeError, ScopeError},
};
use crate::{
    peppol::identifiers::{DocumentTypeError, InstanceIdError, ProcessError},
    types::ParticipantError,
};

/// Why bytes are no envelope, or one that must not travel. Texts of others are cut to a readable length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SbdhError {
    /// The bytes are not UTF-8.
    #[error("the envelope is not in UTF-8: byte {at} begins no character")]
    NotUtf8 {
        /// Offset of the first byte that is wrong.
        at: usize,
    },
    /// The XML declaration names another encoding.
    #[error("the envelope says that it is in {0:?}; it must be in UTF-8")]
    Encoding(String),
    /// There is a document type declaration.
    #[error("a document type declaration (DOCTYPE) is not accepted")]
    Doctype,
    /// It is no well-formed XML.
    #[error("the envelope is no well-formed XML, at byte {at}: {reason}")]
    Malformed {
        /// Offset at which that was seen.
        at: u64,
        /// What is wrong.
        reason: String,
    },
    /// A limit against hostile messages.
    #[error("the header exceeds a limit: {0}")]
    Limit(#[from] Limit),
    /// The root element is another.
    #[error(
        "the root element is {0:?} and not StandardBusinessDocument in the namespace of the SBDH"
    )]
    Root(String),
    /// The envelope does not begin with its header.
    #[error("StandardBusinessDocument does not begin with StandardBusinessDocumentHeader")]
    NoHeader,
    /// An element of the header is missing.
    #[error("the header has no {0}")]
    Missing(&'static str),
    /// An element of the header stands there more than once.
    #[error("the header has more than one {0}")]
    Repeated(&'static str),
    /// The version of the header.
    #[error("HeaderVersion is {0:?} and not 1.0")]
    HeaderVersion(String),
    /// A participant is identified by another authority.
    #[error("the Authority of the {party} is {found:?} and not iso6523-actorid-upis")]
    Authority {
        /// Whose.
        party: Party,
        /// What stands there; empty when there is no Authority.
        found: String,
    },
    /// A participant's identifier is none.
    #[error("the {party} {found:?} is no participant: {reason}")]
    Participant {
        /// Which.
        party: Party,
        /// What stands there.
        found: String,
        /// Why it is none.
        reason: ParticipantError,
    },
    /// InstanceIdentifier.
    #[error("{0}")]
    InstanceId(#[from] InstanceIdError),
    /// CreationDateAndTime.
    #[error("CreationDateAndTime is {found:?}: {reason}")]
    CreatedAt {
        /// What stands there.
        found: String,
        /// Why it is no instant.
        reason: TimeError,
    },
    /// Fewer scopes than every message has.
    #[error("the header has {0} scopes; DOCUMENTID, PROCESSID and COUNTRY_C1 are mandatory")]
    TooFewScopes(usize),
    /// Two scopes of one type.
    #[error("the header has more than one scope {0:?}")]
    RepeatedScope(String),
    /// DOCUMENTID.
    #[error("scope DOCUMENTID: {0}")]
    DocumentType(#[from] DocumentTypeError),
    /// DOCUMENTID stands for a family of documents.
    #[error("scope DOCUMENTID: the type of one document does not end with *")]
    WildcardDocumentType,
    /// PROCESSID.
    #[error("scope PROCESSID: {0}")]
    Process(#[from] ProcessError),
    /// COUNTRY_C1.
    #[error("scope COUNTRY_C1: {0}")]
    CountryC1(#[from] CountryCodeError),
    /// What DocumentIdentification says is not what DOCUMENTID says.
    #[error("{element} is {found:?} and not {expected:?}, which DOCUMENTID says")]
    Inconsistent {
        /// Standard, TypeVersion or Type.
        element: &'static str,
        /// What stands there.
        found: String,
        /// What the document type identifier has.
        expected: String,
    },
    /// MLS_TO.
    #[error("scope MLS_TO: {0}")]
    MlsTo(#[from] MlsToError),
    /// MLS_TYPE.
    #[error("scope MLS_TYPE is {0:?} and neither FAILURE_ONLY nor ALWAYS_SEND")]
    MlsType(String),
    /// Another scope.
    #[error("scope {found:?}: {reason}")]
    Scope {
        /// Its type.
        found: String,
        /// What is wrong with it.
        reason: ScopeError,
    },
    /// Nothing follows the header.
    #[error("there is no document behind the header")]
    NoPayload,
    /// Text stands between elements.
    #[error("text stands where only elements may: {0:?}")]
    Text(String),
    /// A second document follows.
    #[error("a second document, {0:?}, follows the first")]
    SecondPayload(String),
    /// The document is not the one that the header says.
    #[error("the document is {found:?} and not {expected:?}, which DOCUMENTID says")]
    Payload {
        /// Namespace and name of its root element.
        found: String,
        /// What the document type identifier has.
        expected: String,
    },
}

/// Whose identifier it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// C1.
    Sender,
    /// C4.
    Receiver,
}

/// Why a time is no instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// No `xs:dateTime`.
    #[error("that is no date and time, such as 2026-01-31T09:00:00Z")]
    Form,
    /// An instant in no zone.
    #[error("a time needs its zone, Z or an offset such as +04:00")]
    NoZone,
}

/// Why a scope MLS_TO names nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MlsToError {
    /// Neither identifier nor scheme.
    #[error("it is empty")]
    Empty,
    /// No identifier.
    #[error("it has no InstanceIdentifier")]
    NoValue,
    /// No scheme.
    #[error("it has no Identifier, which must be iso6523-actorid-upis")]
    NoScheme,
    /// Another scheme.
    #[error("its Identifier is {0:?} and not iso6523-actorid-upis")]
    Scheme(String),
    /// No participant.
    #[error("{0:?} is no participant")]
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
