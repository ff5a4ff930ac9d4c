use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{is_printable, quoted};

/// Longest identifier of a document type (PFUOI).
const LONGEST: usize = 500;

/// A document type as it is registered and sent, such as
/// `peppol-doctype-wildcard::urn:…:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1`.
///
/// A registration may cover more than one type: see [`DocumentType::is_wildcard`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocumentType {
    scheme: DocumentTypeScheme,
    syntax: Syntax,
    customization: Cow<'static, str>,
    wildcard: bool,
    version: Cow<'static, str>,
}

/// How identifiers of document types are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DocumentTypeScheme {
    /// `busdox-docid-qns`: identifiers match when they are equal.
    Exact,
    /// `peppol-doctype-wildcard`: a registration may cover a family of customizations.
    Wildcard,
}

/// The syntax of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// XML with this root element.
    Xml {
        /// The namespace of the root element.
        namespace: Cow<'static, str>,
        /// Its local name.
        local_name: Cow<'static, str>,
    },
    /// Any other syntax, by its name, such as `urn:peppol:doctype:pdf+xml`.
    Other(Cow<'static, str>),
}

/// Why a text is not a document type identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentTypeError {
    /// The scheme is missing.
    #[error("a document type is written scheme::identifier; this one has no scheme")]
    NoScheme,
    /// The scheme is unknown.
    #[error(
        "the document type scheme {0:?} is neither busdox-docid-qns nor peppol-doctype-wildcard"
    )]
    Scheme(String),
    /// The identifier is longer than the network allows.
    #[error("a document type identifier has at most {LONGEST} characters")]
    TooLong,
    /// The identifier has a character outside printable ASCII.
    #[error("a document type identifier has only printable ASCII characters without spaces")]
    Character,
    /// A part is missing or empty.
    #[error(
        "the document type identifier has no {0}; its form is namespace::name##customization::version"
    )]
    Missing(&'static str),
    /// `*` is not at the end of the customization, or the scheme is not the wildcard scheme.
    #[error(
        "* is only allowed at the end of the customization, and only in the scheme peppol-doctype-wildcard"
    )]
    Asterisk,
}

impl DocumentTypeScheme {
    /// The scheme's identifier.
    pub const fn as_str(self) -> &'static str {
        match self {
            DocumentTypeScheme::Exact => "busdox-docid-qns",
            DocumentTypeScheme::Wildcard => "peppol-doctype-wildcard",
        }
    }
}

impl FromStr for DocumentTypeScheme {
    type Err = DocumentTypeError;

    fn from_str(text: &str) -> Result<Self, DocumentTypeError> {
        [DocumentTypeScheme::Exact, DocumentTypeScheme::Wildcard]
            .into_iter()
            .find(|scheme| scheme.as_str() == text)
            .ok_or_else(|| DocumentTypeError::Scheme(quoted(text)))
    }
}

const INVOICE: Syntax = xml("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", "Invoice");
const CREDIT_NOTE: Syntax =
    xml("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", "CreditNote");

const fn xml(namespace: &'static str, local_name: &'static str) -> Syntax {
    Syntax::Xml { namespace: Cow::Borrowed(namespace), local_name: Cow::Borrowed(local_name) }
}

impl DocumentType {
    /// PINT-AE invoice.
    pub const INVOICE: DocumentType =
        Self::known(DocumentTypeScheme::Wildcard, INVOICE, "urn:peppol:pint:billing-1@ae-1", "2.1");
    /// PINT-AE credit note.
    pub const CREDIT_NOTE: DocumentType = Self::known(
        DocumentTypeScheme::Wildcard,
        CREDIT_NOTE,
        "urn:peppol:pint:billing-1@ae-1",
        "2.1",
    );
    /// PINT-AE self-billing invoice.
    pub const SELF_BILLED_INVOICE: DocumentType = Self::known(
        DocumentTypeScheme::Wildcard,
        INVOICE,
        "urn:peppol:pint:selfbilling-1@ae-1",
        "2.1",
    );
    /// PINT-AE self-billing credit note.
    pub const SELF_BILLED_CREDIT_NOTE: DocumentType = Self::known(
        DocumentTypeScheme::Wildcard,
        CREDIT_NOTE,
        "urn:peppol:pint:selfbilling-1@ae-1",
        "2.1",
    );
    /// Message Level Status.
    pub const MESSAGE_LEVEL_STATUS: DocumentType = Self::known(
        DocumentTypeScheme::Exact,
        xml(
            "urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2",
            "ApplicationResponse",
        ),
        "urn:peppol:edec:mls:1.0",
        "2.1",
    );
    /// Tax Data Document of the UAE.
    pub const TAX_DATA: DocumentType = Self::known(
        DocumentTypeScheme::Exact,
        xml("urn:peppol:schema:taxdata:1.0", "TaxData"),
        "urn:peppol:taxdata:ae-1",
        "1.0",
    );
    /// Transaction Statistics Report.
    pub const TRANSACTION_STATISTICS: DocumentType = Self::known(
        DocumentTypeScheme::Exact,
        xml("urn:fdc:peppol:transaction-statistics-report:1.0", "TransactionStatisticsReport"),
        "urn:fdc:peppol.eu:edec:trns:transaction-statistics-reporting:1.0",
        "1.0",
    );
    /// End User Statistics Report.
    pub const END_USER_STATISTICS: DocumentType = Self::known(
        DocumentTypeScheme::Exact,
        xml("urn:fdc:peppol:end-user-statistics-report:1.1", "EndUserStatisticsReport"),
        "urn:fdc:peppol.eu:edec:trns:end-user-statistics-report:1.1",
        "1.1",
    );

    const fn known(
        scheme: DocumentTypeScheme,
        syntax: Syntax,
        customization: &'static str,
        version: &'static str,
    ) -> Self {
        let (customization, version) = (Cow::Borrowed(customization), Cow::Borrowed(version));
        DocumentType { scheme, syntax, customization, wildcard: false, version }
    }

    /// Reads an identifier within its scheme.
    pub fn new(scheme: DocumentTypeScheme, value: &str) -> Result<Self, DocumentTypeError> {
        use DocumentTypeError::{Asterisk, Character, Missing, TooLong};
        if value.len() > LONGEST {
            return Err(TooLong);
        }
        if !is_printable(value) {
            return Err(Character);
        }
        let (syntax, rest) = value.split_once("##").ok_or(Missing("customization"))?;
        let (customization, version) = rest.rsplit_once("::").ok_or(Missing("version"))?;
        let (customization, wildcard) = match customization.strip_suffix('*') {
            Some(prefix) if scheme == DocumentTypeScheme::Wildcard => (prefix, true),
            _ => (customization, false),
        };
        // PFUOI 4.3: the wildcard may only end the customization.
        if [syntax, customization, version].iter().any(|part| part.contains('*')) {
            return Err(Asterisk);
        }
        Ok(DocumentType {
            scheme,
            syntax: Syntax::read(syntax)?,
            customization: part("customization", customization)?,
            wildcard,
            version: part("version", version)?,
        })
    }

    /// The scheme.
    pub fn scheme(&self) -> DocumentTypeScheme {
        self.scheme
    }

    /// The syntax of documents of this type.
    pub fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    /// The customization, without the `*` of a wildcard.
    pub fn customization(&self) -> &str {
        &self.customization
    }

    /// The version of the syntax.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether the identifier covers every customization with the same beginning. Only a registration is a wildcard;
    /// the type of one document never is.
    pub fn is_wildcard(&self) -> bool {
        self.wildcard
    }

    /// The identifier that a receiver of such documents registers. In the wildcard scheme it ends with `*`; otherwise
    /// it is the identifier itself.
    pub fn registration(&self) -> DocumentType {
        let wildcard = self.scheme == DocumentTypeScheme::Wildcard;
        DocumentType { wildcard, ..self.clone() }
    }

    /// The document type with another customization, which is a part of this one.
    pub(super) fn customized(&self, customization: &str, wildcard: bool) -> DocumentType {
        DocumentType { customization: customization.to_owned().into(), wildcard, ..self.clone() }
    }

    /// The identifier within its scheme.
    pub fn value(&self) -> String {
        let asterisk = if self.wildcard { "*" } else { "" };
        format!("{}##{}{asterisk}::{}", self.syntax, self.customization, self.version)
    }
}

impl Syntax {
    fn read(text: &str) -> Result<Syntax, DocumentTypeError> {
        let Some((namespace, local_name)) = text.rsplit_once("::") else {
            return Ok(Syntax::Other(part("syntax", text)?));
        };
        let (namespace, local_name) = (part("namespace", namespace)?, part("name", local_name)?);
        Ok(Syntax::Xml { namespace, local_name })
    }
}

fn part(name: &'static str, text: &str) -> Result<Cow<'static, str>, DocumentTypeError> {
    if text.is_empty() {
        return Err(DocumentTypeError::Missing(name));
    }
    Ok(text.to_owned().into())
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Syntax::Xml { namespace, local_name } => write!(f, "{namespace}::{local_name}"),
            Syntax::Other(name) => f.write_str(name),
        }
    }
}

/// `scheme::value`: the eb:Action of AS4 and the last part of an SMP's path.
impl fmt::Display for DocumentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.scheme.as_str(), self.value())
    }
}

impl FromStr for DocumentType {
    type Err = DocumentTypeError;

    fn from_str(text: &str) -> Result<Self, DocumentTypeError> {
        let (scheme, value) = text.split_once("::").ok_or(DocumentTypeError::NoScheme)?;
        Self::new(scheme.parse()?, value)
    }
}

impl TryFrom<String> for DocumentType {
    type Error = DocumentTypeError;

    fn try_from(text: String) -> Result<Self, DocumentTypeError> {
        text.parse()
    }
}

impl From<DocumentType> for String {
    fn from(document_type: DocumentType) -> String {
        document_type.to_string()
    }
}

#[cfg(test)]
mod tests;
