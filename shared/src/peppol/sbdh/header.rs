use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};

use jiff::Timestamp;

use super::scope;
use crate::{
    peppol::identifiers::{DocumentType, InstanceId, Process, SeatId, Spid, Syntax, quoted},
    types::{ParticipantError, ParticipantId},
    xml::normalize_space,
};

/// What an envelope says of the document in it. Nothing in it can contradict anything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// C1: whose document it is. In self-billing the buyer.
    pub sender: ParticipantId,
    /// C4: whom it is for.
    pub receiver: ParticipantId,
    /// The identifier of this message, which a status refers to.
    pub instance_id: InstanceId,
    /// What the document is.
    pub document: DocumentIdentification,
    /// The process that it is exchanged in.
    pub process: Process,
    /// When the envelope was made.
    pub created_at: Timestamp,
    /// The country of C1.
    pub country_c1: CountryCode,
    /// Where C2 wants the Message Level Status: [`Header::mls_receiver`] says whether it goes there.
    pub mls_to: Option<MlsTo>,
    /// Which statuses C2 wants.
    pub mls_type: Option<MlsType>,
    /// Scopes beyond those above.
    pub others: BTreeMap<ScopeType, ScopeValue>,
}

impl Header {
    /// Where the Message Level Status for this message goes: what MLS_TO asks for if it belongs to
    /// the provider that sent the message, else that provider itself. `sender` is the seat that
    /// signed the message (C2). Whether what is asked for can receive one, the lookup tells.
    pub fn mls_receiver(&self, sender: &SeatId) -> Spid {
        self.mls_to
            .as_ref()
            .and_then(MlsTo::provider)
            // Peppol MLS: an MLS_TO of another provider than C2 is ignored.
            .filter(|spid| spid.main_id() == sender.spid().main_id())
            .unwrap_or_else(|| sender.spid().clone())
    }
}

/// The type of a document, and how DocumentIdentification repeats it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentIdentification {
    document_type: DocumentType,
    type_version: String,
    type_name: String,
}

/// Why a document type cannot be put into an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdentificationError {
    /// It stands for many.
    #[error("a document type with * is a registration, not the type of a document")]
    Wildcard,
    /// It is read, but not written.
    #[error("documents that are no XML are not sent")]
    NotXml,
}

impl DocumentIdentification {
    /// What is said of an XML document: all follows from its type.
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

    /// What another access point says, once it was held to the type. Of a document that is no XML
    /// the type says neither version nor name.
    pub(super) fn of(document_type: DocumentType, type_version: String, type_name: String) -> Self {
        DocumentIdentification { document_type, type_version, type_name }
    }

    /// The type of the document.
    pub fn document_type(&self) -> &DocumentType {
        &self.document_type
    }

    /// Standard: the namespace of the root element, or what else the document is written in.
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

/// What MLS_TO names, letter for letter: a participant, which need not be a service provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MlsTo(String);

impl MlsTo {
    /// The service provider, where it is one.
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
    /// In capitals: phase4 takes no others.
    fn from(provider: &Spid) -> Self {
        MlsTo(provider.to_string().to_ascii_uppercase())
    }
}

/// The country of C1: two capitals or digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CountryCode(Cow<'static, str>);

/// Why a text is no country.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no country: two capital letters or digits")]
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

/// Which statuses the sender of a message wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MlsType {
    /// That it was rejected, if it was: what holds where nothing is said.
    #[default]
    FailureOnly,
    /// Whatever becomes of it.
    AlwaysSend,
}

impl MlsType {
    /// The word for it.
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

/// The type of a scope that has no field in [`Header`] and no meaning of the network's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeType(String);

/// What a scope says, such as a `value` and the `scheme` that it is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ScopeValue {
    value: String,
    scheme: Option<String>,
}

/// Why a scope cannot be one of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// It has no type.
    #[error("a scope needs a type")]
    Untyped,
    /// The network keeps that type.
    #[error("the network reserves that type")]
    Reserved,
    /// It has characters that no XML document may hold.
    #[error("it holds control characters")]
    Character,
}

impl ScopeType {
    /// Reads a type.
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

/// The text with its white space collapsed, if XML can hold it.
fn legal(text: &str) -> Result<String, ScopeError> {
    let illegal = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = normalize_space(text);
    // XML 1.0, section 2.2; the control characters that it allows are of no use either.
    if text.contains(|c: char| c.is_control() || illegal(c)) {
        return Err(ScopeError::Character);
    }
    Ok(text.into_owned())
}
