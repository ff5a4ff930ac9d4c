//! Writes XML as text. Each element has its own line, and values are escaped so that a parser reads the same text.

use std::borrow::Cow;

use quick_xml::escape::{escape, partial_escape};

/// Initial capacity for a report without the embedded document.
const REPORT_BYTES: usize = 4_096;

/// The report during writing.
pub(super) struct Out {
    xml: String,
    depth: usize,
}

impl Out {
    /// Writes the XML declaration and reserves space for a document of this size.
    pub(super) fn new(document: usize) -> Self {
        let mut xml = String::with_capacity(REPORT_BYTES + document);
        xml.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        Out { xml, depth: 0 }
    }

    /// Writes an element with children. The text after its name is not checked.
    pub(super) fn group<T>(
        &mut self,
        name: &str,
        more: &str,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.indent();
        self.put(&["<", name, more, ">\n"]);
        self.depth += 1;
        let done = inside(self);
        self.depth -= 1;
        self.indent();
        self.put(&["</", name, ">\n"]);
        done
    }

    /// Writes an element with a text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.with(name, text, []);
    }

    /// Writes an element with a text and attributes.
    pub(super) fn with<'a>(
        &mut self,
        name: &str,
        text: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) {
        self.indent();
        self.put(&["<", name]);
        for (attribute, value) in attributes {
            self.put(&[" ", attribute, "=\"", &kept(escape(value), &['\n', '\t', '\r']), "\""]);
        }
        self.put(&[">", &kept(partial_escape(text), &['\r']), "</", name, ">\n"]);
    }

    /// Writes markup without escaping.
    pub(super) fn markup(&mut self, markup: &str) {
        self.xml.push_str(markup);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.xml.into_bytes()
    }

    fn put(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.xml.push_str(part));
    }

    fn indent(&mut self) {
        (0..self.depth).for_each(|_| self.xml.push_str("  "));
    }
}

/// Replaces white space by references where a parser would normalise it (XML 1.0, sections 2.11 and 3.3.3).
fn kept<'a>(escaped: Cow<'a, str>, white: &[char]) -> Cow<'a, str> {
    if !escaped.contains(white) {
        return escaped;
    }
    let mut kept = String::with_capacity(escaped.len() + 16);
    for c in escaped.chars() {
        match white.contains(&c) {
            true => kept.push_str(&format!("&#{};", u32::from(c))),
            false => kept.push(c),
        }
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::xml::{self, names::attr};

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            text in "[\t\n\r -~\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}]*",
            value in "[\t\n\r -~\u{2028}]*",
        ) {
            let mut out = Out::new(0);
            out.with("a", &text, [("schemeID", value.as_str())]);
            let bytes = out.finish();
            let tree = xml::parse(&bytes).unwrap();
            prop_assert_eq!(tree.root().text(), text);
            prop_assert_eq!(tree.root().attribute(attr::SCHEME_ID), Some(value.as_str()));
        }
    }
}
