//! Limits against hostile messages.

/// Longest header, in bytes from the start of the message. Oxalis has the same limit.
pub(super) const MOST_HEADER_BYTES: usize = 64 * 1024;

/// Maximum depth of the header; its schema needs 7.
pub(super) const MOST_HEADER_DEPTH: usize = 16;

/// Maximum number of attributes of an element of the envelope, or of the document's root.
pub(super) const MOST_ATTRIBUTES: usize = 128;

/// Maximum depth of a document. The rules of the document check its content; this limit only bounds the memory of the
/// walk.
pub(super) const MOST_DEPTH: usize = 1_000;

/// Maximum number of namespaces that an envelope declares around its document. Each costs one search in the document.
pub(super) const MOST_DECLARATIONS: usize = 32;

/// Maximum number of scopes; a message usually has five.
pub(super) const MOST_SCOPES: usize = 64;

/// A limit against hostile messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// The length of the header in bytes.
    #[error("it ends within {MOST_HEADER_BYTES} bytes")]
    HeaderBytes,
    /// The depth of the header.
    #[error("its elements are nested at most {MOST_HEADER_DEPTH} deep")]
    HeaderDepth,
    /// The attributes of an element.
    #[error("an element has at most {MOST_ATTRIBUTES} attributes")]
    Attributes,
    /// The number of namespaces of the envelope.
    #[error("the envelope declares at most {MOST_DECLARATIONS} namespaces")]
    Declarations,
    /// The number of scopes.
    #[error("it has at most {MOST_SCOPES} scopes")]
    Scopes,
    /// The depth of the document.
    #[error("the elements of a document are nested at most {MOST_DEPTH} deep")]
    PayloadDepth,
}
