//! Resolves namespace prefixes (Namespaces in XML 1.0).

use std::borrow::Cow;

use super::characters::is_name;
use super::names::{NO_SPACE, XML_SPACE, space, xml};

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The number of every namespace without interned names.
pub(super) const OTHER_SPACE: u8 = u8::MAX;

/// A prefix with its namespace.
#[derive(Debug)]
struct Binding<'s> {
    key: u64,
    prefix: &'s str,
    space: u8,
    uri: Cow<'s, str>,
}

/// A name split at its colon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split<'s> {
    /// The prefix as a number, which is faster to compare; see [`key`].
    key: u64,
    pub(super) prefix: &'s str,
    pub(super) local: &'s str,
}

/// Splits a name; `None` if the prefix or the local name is empty.
pub(super) fn split(name: &str) -> Option<Split<'_>> {
    match name.bytes().position(|byte| byte == b':') {
        None => (!name.is_empty()).then_some(Split { key: 0, prefix: "", local: name }),
        Some(colon) => {
            let (prefix, local) = (name.get(..colon)?, name.get(colon + 1..)?);
            let whole = !prefix.is_empty() && !local.is_empty();
            whole.then(|| Split { key: key(prefix), prefix, local })
        }
    }
}

/// Splits a name whose first eight bytes are `word` and contain the colon at position `colon`. Returns `None` if the
/// prefix or the local name is empty.
pub(super) fn split_at(name: &str, word: u64, colon: usize) -> Option<Split<'_>> {
    let (prefix, local) = (name.get(..colon)?, name.get(colon + 1..)?);
    let whole = colon > 0 && !local.is_empty();
    whole.then(|| Split { key: word & ((1 << (8 * colon)) - 1), prefix, local })
}

/// The first eight bytes as a number. Names contain no zero byte, so different prefixes of up to eight bytes have
/// different numbers.
fn key(prefix: &str) -> u64 {
    prefix.bytes().take(8).rev().fold(0, |key, byte| key << 8 | u64::from(byte))
}

/// All declarations in scope, innermost last.
#[derive(Debug, Default)]
pub(super) struct Bindings<'s> {
    list: Vec<Binding<'s>>,
}

impl<'s> Bindings<'s> {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Ends the scope of all declarations except the first `length`.
    pub(super) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// Adds a declaration. The error names the violated constraint of Namespaces in XML (section 3).
    pub(super) fn declare(&mut self, prefix: &'s str, uri: Cow<'s, str>) -> Result<(), String> {
        let is_xml = uri == xml::LANG.namespace();
        if prefix == "xmlns" {
            return Err("the prefix xmlns cannot be declared".to_owned());
        }
        if (prefix == "xml") != is_xml {
            return Err("only the prefix xml may be bound to the XML namespace".to_owned());
        }
        if uri == XMLNS {
            return Err("the namespace of xmlns cannot be declared".to_owned());
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(format!(
                "the prefix {} has an empty namespace",
                super::error::shown(prefix)
            ));
        }
        if !prefix.is_empty() && !is_name(prefix) {
            return Err(format!("{} is not a prefix", super::error::shown(prefix)));
        }
        let known = space(&uri);
        if known.is_none() && !super::uri::is_reference(&uri) {
            return Err(format!("the namespace {} is not a URI", super::error::shown(&uri)));
        }
        let space = known.unwrap_or(OTHER_SPACE);
        self.list.push(Binding { key: key(prefix), prefix, space, uri });
        Ok(())
    }

    /// The number of the namespace of an element name; `None` if the prefix is not declared.
    pub(super) fn space(&self, name: Split<'_>) -> Option<u8> {
        match self.find(name) {
            Some(binding) => Some(binding.space),
            None if name.prefix.is_empty() => Some(NO_SPACE),
            None if name.prefix == "xml" => Some(XML_SPACE),
            None => None,
        }
    }

    /// The namespace of a declared prefix.
    pub(super) fn uri(&self, name: Split<'_>) -> &str {
        match self.find(name) {
            Some(binding) => &binding.uri,
            None if name.prefix == "xml" => xml::LANG.namespace(),
            None => "",
        }
    }

    fn find(&self, name: Split<'_>) -> Option<&Binding<'s>> {
        self.list.iter().rev().find(|binding| {
            binding.key == name.key
                && binding.prefix.len() == name.prefix.len()
                && (name.prefix.len() <= 8 || binding.prefix == name.prefix)
        })
    }
}
