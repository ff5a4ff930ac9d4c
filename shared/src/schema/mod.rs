//! The structure of documents, as the XML Schemas of UBL 2.1, the Tax Data Document and the SBDH
//! lay it down (XML Schema 1.0, Parts 1 and 2).
//!
//! The verdict is that of libxml2, which most of the Peppol network checks with: the same documents
//! are valid, and errors are found in the same lines and in the same order. Like libxml2, the check
//! goes on behind an error, but leaves out what follows a misplaced element inside its parent.

mod check;
mod datatype;
mod family;
mod instance;
mod message;
mod model;
mod tables;
#[cfg(test)]
mod tests;

use crate::xml::Tree;

/// After so many errors what follows is not looked at: whoever sends more knows enough, and must not
/// fill the memory.
pub const MOST: usize = 10_000;

/// Something that the schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The [`Node::index`](crate::xml::Node::index) of the element that it is about.
    pub node: u32,
    /// The line in which the start tag of that element ends, from 1.
    pub line: u32,
    /// Where the element stands, such as `/ubl:Invoice/cac:InvoiceLine[2]`.
    pub xpath: String,
    /// What is wrong and what to do about it.
    pub message: String,
    /// What sort of error it is.
    pub kind: Kind,
}

/// Sorts of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The root element is that of no document known here.
    Root,
    /// An element stands where it must not: it is unknown, misplaced or one too many.
    Unexpected,
    /// An element ends before all is there that it must hold.
    Incomplete,
    /// An element holds text where only elements or nothing may be.
    Text,
    /// An element holds elements where only text or nothing may be.
    Elements,
    /// A value is not of the type of its element or attribute.
    Value,
    /// A required attribute is missing.
    AttributeMissing,
    /// An attribute is not allowed.
    AttributeUnknown,
    /// `xsi:nil` or `xsi:type` asks for what is not allowed.
    Instance,
    /// An element that must be declared is not.
    Undeclared,
    /// The element, or its type, only stands for others.
    Abstract,
    /// An identifier occurs twice.
    Duplicate,
}

/// Checks a document against the schema that its root element calls for. No error: it is valid.
///
/// Errors come in the order in which they are found: by element, an element's own after those of
/// what it holds where only its end shows them. After [`MOST`], what follows is not looked at.
pub fn check(document: &Tree) -> Vec<SchemaError> {
    check::check(document)
}
