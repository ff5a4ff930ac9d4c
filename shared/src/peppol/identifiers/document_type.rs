use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{is_printable, quoted};

/// Longest identifier of a document type (PFUOI, POLICY 1).
const LONGEST: usize = 500;

/// A type of document as it is registered and sent, such as
/// `peppol-doctype-wildcard::urn:…:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1`.
///
/// What a receiver registers may stand for more than one: see [`DocumentType::is_wildcard`].
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
    /// `busdox-docid-qns`: equal or not.
    Exact,
    /// `peppol-doctype-wildcard`: a registration may stand for a family of customizations.
    Wildcard,
}

/// What a document is written in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// XML with this root element.
    Xml {
        /// The namespace of the root element.
        namespace: Cow<'static, str>,
        /// Its local name.
        local_name: Cow<'static, str>,
    },
    /// Anything else, by its name, such as `urn:peppol:doctype:pdf+xml`.
    Other(Cow<'static, str>),
}

/// Why a text is no identifier of a document type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentTypeError {
    /// Nothing says by which scheme it is to be read.
    #[error("a document type is written scheme::identifier; this one has no scheme")]
    NoScheme,
    /// There are two schemes.
    #[error(
        "the document type scheme {0:?} is neither busdox-docid-qns nor peppol-doctype-wildcard"
    )]
    Scheme(String),
    /// Longer than the network allows.
    #[error("a document type identifier has at most {LONGEST} characters")]
    TooLong,
    /// A character beyond printable ASCII.
    #[error("a document type identifier holds printable ASCII characters alone, no spaces")]
    Character,
    /// A part is missing or empty.
    #[error(
        "the document type identifier has no {0}; its form is namespace::name##customization::version"
    )]
    Missing(&'static str),
    /// `*` somewhere else than behind the customization of the wildcard scheme.
    #[error(
        "* may stand at the end of the customization alone, and in the scheme peppol-doctype-wildcard alone"
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

const INVOICE: Syntax = ubl("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", "Invoice");
const CREDIT_NOTE: Syntax =
    ubl("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", "CreditNote");

const fn ubl(namespace: &'static str, local_name: &'static str) -> Syntax {
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
        ubl(
            "urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2",
            "ApplicationResponse",
        ),
        "urn:peppol:edec:mls:1.0",
        "2.1",
    );
    /// Tax Data Document of the UAE.
    pub const TAX_DATA: DocumentType = Self::known(
        DocumentTypeScheme::Exact,
        ubl("urn:peppol:schema:taxdata:1.0", "TaxData"),
        "urn:peppol:taxdata:ae-1",
        "1.0",
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
        // PFUOI 4.3: the wildcard stands behind the customization and nowhere else.
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

    /// What documents of this type are written in.
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

    /// Whether it stands for every customization that begins like its own: a registration, and never
    /// the type of one document.
    pub fn is_wildcard(&self) -> bool {
        self.wildcard
    }

    /// What a receiver of such documents registers: in the wildcard scheme the identifier with `*`,
    /// else the identifier itself.
    pub fn registration(&self) -> DocumentType {
        let wildcard = self.scheme == DocumentTypeScheme::Wildcard;
        DocumentType { wildcard, ..self.clone() }
    }

    /// The same for another customization, which is a part of this one.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_documents_of_the_uae_have_the_identifiers_of_the_code_list() {
        let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
        for (known, text) in [
            (
                DocumentType::INVOICE,
                format!("peppol-doctype-wildcard::{ubl}:Invoice-2::Invoice##urn:peppol:pint:billing-1@ae-1::2.1"),
            ),
            (
                DocumentType::CREDIT_NOTE,
                format!("peppol-doctype-wildcard::{ubl}:CreditNote-2::CreditNote##urn:peppol:pint:billing-1@ae-1::2.1"),
            ),
            (
                DocumentType::SELF_BILLED_INVOICE,
                format!("peppol-doctype-wildcard::{ubl}:Invoice-2::Invoice##urn:peppol:pint:selfbilling-1@ae-1::2.1"),
            ),
            (
                DocumentType::SELF_BILLED_CREDIT_NOTE,
                format!("peppol-doctype-wildcard::{ubl}:CreditNote-2::CreditNote##urn:peppol:pint:selfbilling-1@ae-1::2.1"),
            ),
            (
                DocumentType::MESSAGE_LEVEL_STATUS,
                format!("busdox-docid-qns::{ubl}:ApplicationResponse-2::ApplicationResponse##urn:peppol:edec:mls:1.0::2.1"),
            ),
            (
                DocumentType::TAX_DATA,
                "busdox-docid-qns::urn:peppol:schema:taxdata:1.0::TaxData##urn:peppol:taxdata:ae-1::1.0".to_owned(),
            ),
        ] {
            assert_eq!(known.to_string(), text);
            assert_eq!(text.parse(), Ok(known));
        }
    }

    #[test]
    fn a_customization_may_hold_what_separates_elsewhere() {
        let value = "urn:a:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant##urn:b::c::D16B";
        let read = DocumentType::new(DocumentTypeScheme::Exact, value).unwrap();
        assert_eq!(read.customization(), "urn:cen.eu:en16931:2017#compliant##urn:b::c");
        assert_eq!(read.version(), "D16B");
        assert_eq!(read.value(), value);
    }

    #[test]
    fn a_document_that_is_no_xml_names_its_syntax() {
        let read: DocumentType =
            "busdox-docid-qns::urn:peppol:doctype:pdf+xml##urn:cen.eu:en16931:2017::D22B"
                .parse()
                .unwrap();
        assert_eq!(read.syntax(), &Syntax::Other("urn:peppol:doctype:pdf+xml".into()));
    }

    #[test]
    fn what_is_wrong_with_a_document_type_is_named() {
        use DocumentTypeError::{Asterisk, Character, Missing, NoScheme, Scheme, TooLong};
        let long = format!("busdox-docid-qns::n::l##{}::1", "c".repeat(LONGEST));
        for (text, error) in [
            ("", NoScheme),
            ("urn:peppol", NoScheme),
            ("BUSDOX-DOCID-QNS::n::l##c::1", Scheme("BUSDOX-DOCID-QNS".to_owned())),
            ("::n::l##c::1", Scheme(String::new())),
            ("busdox-docid-qns::n::l", Missing("customization")),
            ("busdox-docid-qns::n::l##c", Missing("version")),
            ("busdox-docid-qns::n::l##c::", Missing("version")),
            ("busdox-docid-qns::n::l##::1", Missing("customization")),
            ("busdox-docid-qns::n::##c::1", Missing("name")),
            ("busdox-docid-qns::::l##c::1", Missing("namespace")),
            ("busdox-docid-qns::##c::1", Missing("syntax")),
            ("busdox-docid-qns::n::l##c d::1", Character),
            ("busdox-docid-qns::n::l##c\u{e9}::1", Character),
            ("busdox-docid-qns::n::l##c\n::1", Character),
            ("busdox-docid-qns::n::l##c*::1", Asterisk),
            ("peppol-doctype-wildcard::n::l##c*d::1", Asterisk),
            ("peppol-doctype-wildcard::n::l##c**::1", Asterisk),
            ("peppol-doctype-wildcard::n::l*##c::1", Asterisk),
            ("peppol-doctype-wildcard::n::l##c::1*", Asterisk),
            ("peppol-doctype-wildcard::n::l##*::1", Missing("customization")),
            (&long, TooLong),
        ] {
            assert_eq!(text.parse::<DocumentType>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_registration_is_written_with_its_asterisk() {
        let registered = DocumentType::INVOICE.registration();
        assert!(registered.is_wildcard());
        assert!(registered.to_string().ends_with("##urn:peppol:pint:billing-1@ae-1*::2.1"));
        assert_eq!(registered.to_string().parse(), Ok(registered));
        let exact = DocumentType::MESSAGE_LEVEL_STATUS;
        assert_eq!(exact.registration(), exact);
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_back(text in "(busdox-docid-qns|peppol-doctype-wildcard)::[a-z:#*]{0,30}") {
            if let Ok(read) = text.parse::<DocumentType>() {
                prop_assert_eq!(read.to_string(), text);
            }
        }
    }
}
