//! Which namespace a prefix stands for (Namespaces in XML 1.0).

use std::borrow::Cow;

use super::characters::is_name;
use super::names::{NO_SPACE, XML_SPACE, space, xml};

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The number of every namespace that has no names of ours.
pub(super) const OTHER_SPACE: u8 = u8::MAX;

/// A prefix and its namespace.
#[derive(Debug)]
struct Binding<'s> {
    key: u64,
    prefix: &'s str,
    space: u8,
    uri: Cow<'s, str>,
}

/// A name taken apart at its colon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split<'s> {
    /// The prefix as a number, so that most comparisons are of numbers: see [`key`].
    key: u64,
    pub(super) prefix: &'s str,
    pub(super) local: &'s str,
}

/// Takes a name apart; `None` when the prefix or the local name would be empty.
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

/// Takes a name apart whose first eight bytes are the word, the colon standing among them at
/// that place; `None` when the prefix or the local name would be empty.
pub(super) fn split_at(name: &str, word: u64, colon: usize) -> Option<Split<'_>> {
    let (prefix, local) = (name.get(..colon)?, name.get(colon + 1..)?);
    let whole = colon > 0 && !local.is_empty();
    whole.then(|| Split { key: word & ((1 << (8 * colon)) - 1), prefix, local })
}

/// The first eight bytes as a number. No two prefixes of up to eight bytes share one, as none
/// contains a zero byte.
fn key(prefix: &str) -> u64 {
    prefix.bytes().take(8).rev().fold(0, |key, byte| key << 8 | u64::from(byte))
}

/// All declarations in scope, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Bindings<'s> {
    list: Vec<Binding<'s>>,
}

impl<'s> Bindings<'s> {
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Ends the scopes of all but the first so many declarations.
    pub(super) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// Adds a declaration; the error says what Namespaces in XML forbids about it (section 3).
    pub(super) fn declare(&mut self, prefix: &'s str, uri: Cow<'s, str>) -> Result<(), String> {
        let is_xml = uri == xml::LANG.namespace();
        if prefix == "xmlns" {
            return Err("the prefix xmlns cannot be declared".to_owned());
        }
        if (prefix == "xml") != is_xml {
            return Err(
                "only the prefix xml, and no other, stands for the XML namespace".to_owned()
            );
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
            return Err(format!("{} is no prefix", super::error::shown(prefix)));
        }
        let known = space(&uri);
        if known.is_none() && !super::uri::is_reference(&uri) {
            return Err(format!("the namespace {} is no URI", super::error::shown(&uri)));
        }
        let space = known.unwrap_or(OTHER_SPACE);
        self.list.push(Binding { key: key(prefix), prefix, space, uri });
        Ok(())
    }

    /// The number of the namespace of an element's name; `None` when the prefix is not declared.
    pub(super) fn space(&self, name: Split<'_>) -> Option<u8> {
        match self.find(name) {
            Some(binding) => Some(binding.space),
            None if name.prefix.is_empty() => Some(NO_SPACE),
            None if name.prefix == "xml" => Some(XML_SPACE),
            None => None,
        }
    }

    /// The namespace that a declared prefix stands for.
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
