//! The attributes of one tag, as written (XML 1.0 productions 40, 41 and 10).

use super::characters::{is_space, reference};
use super::error::Fault;

/// An attribute before its name is resolved. Offsets refer to the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'s> {
    pub(super) start: usize,
    pub(super) name: &'s str,
    pub(super) value_start: usize,
    /// Between the quotes.
    pub(super) value: &'s str,
    /// Whether the value needs no decoding: it has no references, and no white space except spaces.
    pub(super) plain: bool,
}

/// Reads the attributes of a tag from `at` on. Returns the end of the tag, and whether it is an empty-element tag.
pub(super) fn read<'s>(
    source: &'s str,
    mut at: usize,
    limit: usize,
    attributes: &mut Vec<Written<'s>>,
) -> Result<(usize, bool), Fault> {
    attributes.clear();
    let bytes = source.as_bytes();
    loop {
        let before = at;
        at = skip_space(bytes, at);
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'>'), _) => return Ok((at + 1, false)),
            (Some(b'/'), Some(b'>')) => return Ok((at + 2, true)),
            (None, _) => return Err(Fault::new(at, "a tag is not closed")),
            _ if at == before => {
                return Err(Fault::new(at, "white space is missing before an attribute"));
            }
            _ if attributes.len() == limit => {
                return Err(Fault::new(at, format!("more than {limit} attributes in one tag")));
            }
            _ => {}
        }
        let attribute = one(source, at)?;
        at = attribute.value_start + attribute.value.len() + 1;
        attributes.push(attribute);
    }
}

pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// Reads the attribute that begins at `start`.
fn one(source: &str, start: usize) -> Result<Written<'_>, Fault> {
    let bytes = source.as_bytes();
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|byte| matches!(byte, b'=' | b'<' | b'>') || is_space(*byte));
    let end = start + length.unwrap_or(rest.len());
    let equals = skip_space(bytes, end);
    let open = skip_space(bytes, equals + 1);
    let quote = match (bytes.get(equals), bytes.get(open)) {
        (Some(b'='), Some(quote @ (b'"' | b'\''))) => *quote,
        _ => return Err(Fault::new(start, "an attribute has no value in quotes")),
    };
    let value_start = open + 1;
    let mut plain = true;
    for (length, byte) in bytes.get(value_start..).unwrap_or_default().iter().enumerate() {
        let at = value_start + length;
        match byte {
            b'<' => return Err(Fault::new(at, "an attribute value contains `<`")),
            b'&' | b'\t' | b'\n' | b'\r' => plain = false,
            byte if *byte == quote => {
                let name = source.get(start..end).unwrap_or_default();
                let value = source.get(value_start..at).unwrap_or_default();
                return Ok(Written { start, name, value_start, value, plain });
            }
            _ => {}
        }
    }
    Err(Fault::new(open, "an attribute value is not closed"))
}

impl Written<'_> {
    /// Appends the decoded value. References are resolved and every white space becomes a space (section 3.3.3; an
    /// attribute without a declared type is CDATA).
    pub(super) fn decode(&self, into: &mut String) -> Result<(), Fault> {
        let mut rest = self.value;
        while let Some(at) = rest.find(['&', '\t', '\n', '\r']) {
            let offset = self.value_start + self.value.len() - rest.len() + at;
            into.push_str(&rest[..at]);
            let special = &rest[at..];
            rest = match special.strip_prefix('&') {
                None => {
                    into.push(' ');
                    &special[1..]
                }
                Some(content) => {
                    let unfinished = || Fault::new(offset, "`&` does not begin a reference");
                    let (content, after) = content.split_once(';').ok_or_else(unfinished)?;
                    into.push(reference(content).map_err(|message| Fault::new(offset, message))?);
                    after
                }
            };
        }
        into.push_str(rest);
        Ok(())
    }
}
