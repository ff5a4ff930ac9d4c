//! Parses XML from untrusted senders into an arena of elements with interned names.
//!
//! [`parse`] accepts the well-formed documents of XML 1.0 (Fifth Edition) with Namespaces in XML 1.0 (Third Edition),
//! in UTF-8 or UTF-16. Two kinds of documents are refused, because only attackers need them:
//! - a document with a document type declaration;
//! - a document that exceeds [`Limits`].
//!
//! Every step takes linear time in the number of bytes, and nothing is ever fetched.
//!
//! [`Writer`] writes all XML of this crate, except the canonical form that AS4 signs (`peppol::as4`).

mod attributes;
mod characters;
mod content;
mod encoding;
mod error;
mod extent;
mod location;
pub mod names;
mod namespaces;
mod node;
mod parser;
mod places;
mod scan;
mod tags;
#[cfg(test)]
mod tests;
mod tree;
mod uri;
mod write;

pub use content::Content;
pub use error::ParseError;
pub use location::locate;
pub use names::Name;
pub use node::{Attribute, Node, normalize_space};
pub use parser::{Limits, parse, parse_with};
pub use places::Places;
pub use tree::Tree;
pub use write::Writer;
