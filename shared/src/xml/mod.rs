//! The one reader of XML that strangers sent: an arena of elements with interned names.
//!
//! [`parse`] accepts exactly the well-formed documents of XML 1.0 (Fifth Edition) with Namespaces
//! in XML 1.0 (Third Edition), in UTF-8 or UTF-16, but for what an attacker would want and no
//! business document has: a document type declaration is refused, and so is what exceeds
//! [`Limits`]. Every step is linear in the bytes, and nothing is ever fetched.

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

pub use content::Content;
pub use error::ParseError;
pub use location::locate;
pub use names::Name;
pub use node::{Attribute, Node, normalize_space};
pub use parser::{Limits, parse, parse_with};
pub use places::Places;
pub use tree::Tree;
