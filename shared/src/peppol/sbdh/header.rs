use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};

use jiff::Timestamp;

use super::scope;
use crate::{
    peppol::identifiers::{DocumentType, InstanceId, Process, SeatId, Spid, Syntax, quoted},
    types::{ParticipantError, ParticipantId},
    xml::normalize_space,
};

/// The data of an envelope about its document. Its fields cannot contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// C1: the sender of the document; in self-billing the buyer.
    pub sender: ParticipantId,
    /// C4: the receiver of the document.
    pub receiver: ParticipantId,
    /// The identifier of this message; a status refers to it.
    pub instance_id: InstanceId,
    /// The type of the document.
    pub document: DocumentIdentification,
    /// The process.
    pub process: Process,
    /// The creation time of the envelope.
    pub created_at: Timestamp,
    /// The country of C1.
    pub country_c1: CountryCode,
    /// The receiver of the Message Level Status that C2 requests; see [`Header::mls_receiver`].
    pub mls_to: Option<MlsTo>,
    /// The statuses that C2 requests.
    pub mls_type: Option<MlsType>,
    /// Scopes without a field of their own.
    pub others: BTreeMap<ScopeType, ScopeValue>,
}

impl Header {
    /// The receiver of the Message Level Status for this message. It is the provider in MLS_TO if that belongs to C2,
    /// otherwise C2 itself. `sender` is the seat that signed the message (C2). Only a lookup shows whether the
    /// receiver accepts statuses.
    pub fn mls_receiver(&self, sender: &SeatId) -> Spid {
        self.mls_to
            .as_ref()
            .and_then(MlsTo::provider)
            // Peppol MLS: an MLS_TO of another provider than C2 is ignored.
            .filter(|spid| spid.main_id() == sender.spid().main_id())
            .unwrap_or_else(|| sender.spid().clone())
    }
}

/// The type of a document, with its repetition in DocumentIdentification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentIdentification {
    document_type: DocumentType,
    type_version: String,
    type_name: String,
}

/// Why a document type is not allowed in an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdentificationError {
    /// It is a wildcard.
    #[error("a document type with * is a registration, not the type of a document")]
    Wildcard,
    /// It is not XML: such documents are received, but not sent.
    #[error("documents that are no XML are not sent")]
    NotXml,
}

impl DocumentIdentification {
    /// The identification of an XML document, derived from its type.
    pub fn new(document_type: DocumentType) -> Result<Self, IdentificationError> {
        if document_type.is_wildcard() {
            return Err(IdentificationError::Wildcard);
        }
        let Syntax::Xml { local_name, .. } = document_type.syntax() else {
            return Err(IdentificationError::NotXml);
        };
        let type_name = local_name.clone().into_owned();
        let type_version = document_type.version().to_owned();
        Ok(DocumentIdentification { document_type, type_version, type_name })
    }

    /// The identification of a received document, already checked against its type. For a document that is not XML,
    /// the type has neither version nor name.
    pub(super) fn of(document_type: DocumentType, type_version: String, type_name: String) -> Self {
        DocumentIdentification { document_type, type_version, type_name }
    }

    /// The type of the document.
    pub fn document_type(&self) -> &DocumentType {
        &self.document_type
    }

    /// Standard: the namespace of the root element, or the name of another syntax.
    pub fn standard(&self) -> &str {
        match self.document_type.syntax() {
            Syntax::Xml { namespace, .. } => namespace,
            Syntax::Other(name) => name,
        }
    }

    /// TypeVersion: the version of the syntax.
    pub fn type_version(&self) -> &str {
        &self.type_version
    }

    /// Type: the local name of the root element.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }
}

/// The text of MLS_TO: a participant, which need not be a service provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MlsTo(String);

impl MlsTo {
    /// The service provider, if the participant is one.
    pub fn provider(&self) -> Option<Spid> {
        self.0.parse().ok()
    }
}

impl FromStr for MlsTo {
    type Err = ParticipantError;

    fn from_str(text: &str) -> Result<Self, ParticipantError> {
        text.parse::<ParticipantId>().map(|_| MlsTo(text.to_owned()))
    }
}

impl fmt::Display for MlsTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&Spid> for MlsTo {
    /// Upper case: phase4 accepts no other.
    fn from(provider: &Spid) -> Self {
        MlsTo(provider.to_string().to_ascii_uppercase())
    }
}

/// The country of C1: two capital letters or digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CountryCode(Cow<'static, str>);

/// Why a text is not a country.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a country: two capital letters or digits")]
pub struct CountryCodeError(pub(super) String);

impl CountryCode {
    /// The United Arab Emirates.
    pub const UAE: CountryCode = CountryCode(Cow::Borrowed("AE"));

    /// Reads a code, `[A-Z0-9]{2}`.
    pub fn new(code: &str) -> Result<Self, CountryCodeError> {
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        if code.len() == 2 && code.bytes().all(fits) {
            Ok(CountryCode(code.to_owned().into()))
        } else {
            Err(CountryCodeError(quoted(code)))
        }
    }

    /// The code's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The statuses that the sender of a message requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MlsType {
    /// Only rejections. This is the default.
    #[default]
    FailureOnly,
    /// Every status.
    AlwaysSend,
}

impl MlsType {
    /// The value of MLS_TYPE.
    pub fn as_str(self) -> &'static str {
        match self {
            MlsType::FailureOnly => "FAILURE_ONLY",
            MlsType::AlwaysSend => "ALWAYS_SEND",
        }
    }

    pub(super) fn read(word: &str) -> Option<Self> {
        [MlsType::FailureOnly, MlsType::AlwaysSend].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The type of a scope without a field in [`Header`]. The network neither defines nor reserves it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeType(String);

/// The content of a scope: a `value` and its `scheme`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ScopeValue {
    value: String,
    scheme: Option<String>,
}

/// Why a scope is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// The type is empty.
    #[error("a scope needs a type")]
    Untyped,
    /// The network defines or reserves the type.
    #[error("the network reserves that type")]
    Reserved,
    /// The text has characters that XML does not allow.
    #[error("it holds control characters")]
    Character,
}

impl ScopeType {
    /// Reads a scope type.
    pub fn new(text: &str) -> Result<Self, ScopeError> {
        let text = legal(text)?;
        if text.is_empty() {
            Err(ScopeError::Untyped)
        } else if scope::KNOWN.contains(&text.as_str()) || scope::RESERVED.contains(&text.as_str())
        {
            Err(ScopeError::Reserved)
        } else {
            Ok(ScopeType(text))
        }
    }

    /// The type's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ScopeValue {
    /// A value, which may be empty, and its scheme.
    pub fn new(value: &str, scheme: Option<&str>) -> Result<Self, ScopeError> {
        Ok(ScopeValue { value: legal(value)?, scheme: scheme.map(legal).transpose()? })
    }

    /// InstanceIdentifier.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Identifier.
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }
}

/// The text with its white space collapsed, if XML allows its characters.
fn legal(text: &str) -> Result<String, ScopeError> {
    let illegal = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = normalize_space(text);
    // XML 1.0, section 2.2. The control characters that XML allows are refused too: they have no use here.
    if text.contains(|c: char| c.is_control() || illegal(c)) {
        return Err(ScopeError::Character);
    }
    Ok(text.into_owned())
}
