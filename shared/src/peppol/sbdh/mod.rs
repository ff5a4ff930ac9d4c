//! The Standard Business Document Header: Peppol Business Message Envelope 2.0.1.
//!
//! [`write()`] puts a document into its envelope unchanged. [`read()`] walks an envelope once. The header becomes a
//! [`Header`]; the document stays a slice of the message, whatever its size.
//!
//! A sender must not send what [`read()`] refuses. A receiver uses [`receive`]. It is as strict about the facts that
//! identify and deliver a message, but skips wrong optional scopes, as the network requires.

mod check;
mod cursor;
mod error;
mod header;
mod limits;
mod payload;
mod raw;
mod read;
#[cfg(test)]
mod tests;
mod time;
mod write;

pub use error::{MlsToError, Party, SbdhError, TimeError};
pub use header::{
    CountryCode, CountryCodeError, DocumentIdentification, Header, IdentificationError, MlsTo,
    MlsType, ScopeError, ScopeType, ScopeValue,
};
pub use limits::Limit;
pub use payload::Payload;
pub use read::{Envelope, read, receive};
pub use write::write;

/// The namespace of the envelope.
const NAMESPACE: &str = "http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader";

/// The namespace of the wrapper around documents that are not XML.
const WRAPPER_NAMESPACE: &str = "http://peppol.eu/xsd/ticc/envelope/1.0";

/// The elements of the wrapper namespace.
const WRAPPERS: [&str; 2] = ["BinaryContent", "TextContent"];

/// The scope types that every receiver knows.
mod scope {
    pub(super) const DOCUMENT_ID: &str = "DOCUMENTID";
    pub(super) const PROCESS_ID: &str = "PROCESSID";
    pub(super) const COUNTRY_C1: &str = "COUNTRY_C1";
    pub(super) const MLS_TO: &str = "MLS_TO";
    pub(super) const MLS_TYPE: &str = "MLS_TYPE";

    /// Scope types with their own field in a header.
    pub(super) const KNOWN: [&str; 5] = [DOCUMENT_ID, PROCESS_ID, COUNTRY_C1, MLS_TO, MLS_TYPE];

    /// Scope types that the network reserves.
    pub(super) const RESERVED: [&str; 3] =
        ["COUNTRY_C4", "TECHNICAL_VALIDATION_URL", "TECHNICAL_VALIDATION_REQUIRED"];
}
