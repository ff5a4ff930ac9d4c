//! Writes XML so that a parser reads back exactly the values that were written.

use std::borrow::Cow;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// A document under construction.
#[derive(Debug)]
pub struct Writer {
    xml: String,
    /// How many elements are open around the next one; `None` where there is no white space between elements.
    depth: Option<usize>,
}

impl Writer {
    /// Starts a document with one element on each line, and reserves space for this many bytes.
    pub fn indented(capacity: usize) -> Self {
        let mut xml = String::with_capacity(capacity);
        xml.push_str(DECLARATION);
        xml.push('\n');
        Writer { xml, depth: Some(0) }
    }

    /// Starts a document without white space between elements.
    pub fn compact() -> Self {
        Writer { xml: DECLARATION.to_owned(), depth: None }
    }

    /// Starts an element that becomes part of a document, without white space between elements.
    pub fn fragment() -> Self {
        Writer { xml: String::new(), depth: None }
    }

    /// Opens an element with children.
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        self.start(name, attributes.iter().copied());
        if let Some(depth) = &mut self.depth {
            *depth += 1;
            self.xml.push('\n');
        }
    }

    /// Closes the element that was opened last.
    pub fn close(&mut self, name: &str) {
        if let Some(depth) = &mut self.depth {
            *depth = depth.saturating_sub(1);
        }
        self.indent();
        self.end(name);
    }

    /// Writes an element with children.
    pub fn group<T>(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        children: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.open(name, attributes);
        let done = children(self);
        self.close(name);
        done
    }

    /// Writes an element with a text and attributes.
    pub fn leaf<'a>(
        &mut self,
        name: &str,
        attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
        text: &str,
    ) {
        self.indent();
        self.start(name, attributes);
        self.xml.push_str(&escaped_text(text));
        self.end(name);
    }

    /// Writes an element with a text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.leaf(name, [], text);
    }

    /// Writes an element with a text, if there is one.
    pub fn optional(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    /// Writes markup as it is.
    pub fn markup(&mut self, markup: &str) {
        self.xml.push_str(markup);
    }

    /// Returns the document.
    pub fn finish(self) -> String {
        self.xml
    }

    fn start<'a>(&mut self, name: &str, attributes: impl IntoIterator<Item = (&'a str, &'a str)>) {
        self.xml.push('<');
        self.xml.push_str(name);
        for (attribute, value) in attributes {
            self.xml.push(' ');
            self.xml.push_str(attribute);
            self.xml.push_str("=\"");
            self.xml.push_str(&escaped_value(value));
            self.xml.push('"');
        }
        self.xml.push('>');
    }

    fn end(&mut self, name: &str) {
        self.xml.push_str("</");
        self.xml.push_str(name);
        self.xml.push('>');
        if self.depth.is_some() {
            self.xml.push('\n');
        }
    }

    fn indent(&mut self) {
        (0..self.depth.unwrap_or_default()).for_each(|_| self.xml.push_str("  "));
    }
}

/// Escapes the text of an element. A parser would turn a carriage return into a line feed (XML 1.0, section 2.11).
fn escaped_text(text: &str) -> Cow<'_, str> {
    let is_plain = |byte| is_plain(byte) || matches!(byte, b'"' | b'\t' | b'\n');
    escaped(text, is_plain, |character| !matches!(character, '"' | '\t' | '\n'))
}

/// Escapes the value of an attribute. A parser would turn white space into spaces (XML 1.0, section 3.3.3).
fn escaped_value(value: &str) -> Cow<'_, str> {
    escaped(value, is_plain, |_| true)
}

/// Whether a byte of UTF-8 needs no escape anywhere. U+FFFE and U+FFFF, which XML forbids, begin with the byte 0xEF.
fn is_plain(byte: u8) -> bool {
    byte >= b' ' && !matches!(byte, b'<' | b'>' | b'&' | b'"' | 0xef)
}

/// Escapes a text. Almost every text is plain, which is decided by its bytes alone.
fn escaped(
    text: &str,
    is_plain: impl Fn(u8) -> bool,
    is_special: impl Fn(char) -> bool,
) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' if is_special('"') => escaped.push_str("&quot;"),
            '\t' if is_special('\t') => escaped.push_str("&#9;"),
            '\n' if is_special('\n') => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' | '\n' => escaped.push(character),
            // XML must not contain these characters (XML 1.0, production 2).
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_xml::events::Event;

    use super::*;
    use crate::xml::{self, names::attr};

    proptest! {
        #[test]
        fn what_is_written_reads_back(text in any::<String>(), value in any::<String>()) {
            let legal = |text: &str| {
                let is_legal = |c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
                text.replace(|c| !is_legal(c), "\u{fffd}")
            };
            for mut out in [Writer::indented(0), Writer::compact(), Writer::fragment()] {
                out.leaf("a", [("schemeID", value.as_str())], &text);
                let bytes = out.finish();
                let tree = xml::parse(bytes.as_bytes()).unwrap();
                prop_assert_eq!(tree.root().text(), legal(&text));
                let read = tree.root().attribute(attr::SCHEME_ID).map(str::to_owned);
                prop_assert_eq!(read, Some(legal(&value)));
            }
        }
    }

    proptest! {
        #[test]
        fn another_parser_reads_the_same(text in "\\PC*[\\r\\n\\t<>&\"']?\\PC{1,9}") {
            let mut out = Writer::indented(0);
            out.leaf("Note", [("languageID", text.as_str())], &text);
            let xml = out.finish();
            let mut reader = quick_xml::Reader::from_str(&xml);
            reader.config_mut().expand_empty_elements = true;
            let (mut content, mut attribute) = (String::new(), String::new());
            loop {
                match reader.read_event().unwrap() {
                    Event::Start(start) => {
                        attribute = start.attributes().next().unwrap().unwrap()
                            .normalized_value(quick_xml::XmlVersion::Explicit1_0).unwrap()
                            .into_owned();
                        content.clear();
                    }
                    Event::Text(part) => content.push_str(&part.xml10_content()),
                    Event::GeneralRef(part) => match part.resolve_char_ref().unwrap() {
                        Some(c) => content.push(c),
                        None => content.push_str(
                            quick_xml::escape::resolve_xml_entity(&part).unwrap()),
                    },
                    Event::End(_) => break,
                    _ => {}
                }
            }
            prop_assert_eq!(&content, &text);
            prop_assert_eq!(&attribute, &text);
        }
    }

    #[test]
    fn each_element_has_a_line_of_its_own_or_none_has() {
        let write = |mut out: Writer| {
            out.group("a", &[("b", "\"1\"\n")], |out| {
                out.open("c", &[]);
                out.text("d", "<\"'&>\r\n");
                out.close("c");
                out.optional("e", None);
            });
            out.finish()
        };
        let (open, text) = ("<a b=\"&quot;1&quot;&#10;\">", "<d>&lt;\"'&amp;&gt;&#13;\n</d>");
        assert_eq!(
            write(Writer::indented(0)),
            format!("{DECLARATION}\n{open}\n  <c>\n    {text}\n  </c>\n</a>\n")
        );
        let compact = format!("{open}<c>{text}</c></a>");
        assert_eq!(write(Writer::fragment()), compact);
        assert_eq!(write(Writer::compact()), format!("{DECLARATION}{compact}"));
    }
}
