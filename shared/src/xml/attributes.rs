//! The attributes of one tag, as written (XML 1.0 productions 40, 41 and 10).

use super::characters::{is_space, reference};
use super::error::Fault;

/// An attribute before its name is resolved; offsets are of the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'s> {
    pub(super) start: usize,
    pub(super) name: &'s str,
    pub(super) value_start: usize,
    /// Between the quotes.
    pub(super) value: &'s str,
    /// Whether the value reads as it is written: no reference and no white space but spaces.
    pub(super) plain: bool,
}

/// Reads what stands in a tag between the name and its end; `start` is its offset.
pub(super) fn read<'s>(
    tag: &'s str,
    start: usize,
    limit: usize,
    attributes: &mut Vec<Written<'s>>,
) -> Result<(), Fault> {
    attributes.clear();
    let bytes = tag.as_bytes();
    let mut at = 0;
    loop {
        let before = at;
        at = skip_space(bytes, at);
        if at == bytes.len() {
            return Ok(());
        }
        if at == before {
            return Err(Fault::new(start + at, "white space is missing before an attribute"));
        }
        if attributes.len() == limit {
            let message = format!("more than {limit} attributes in one tag");
            return Err(Fault::new(start + at, message));
        }
        let attribute = one(tag, start, at)?;
        at = attribute.value_start - start + attribute.value.len() + 1;
        attributes.push(attribute);
    }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).copied().is_some_and(is_space) {
        at += 1;
    }
    at
}

/// The attribute that begins at `from`.
fn one(tag: &str, start: usize, from: usize) -> Result<Written<'_>, Fault> {
    let bytes = tag.as_bytes();
    let rest = bytes.get(from..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'=' || is_space(*byte));
    let end = from + length.unwrap_or(rest.len());
    let equals = skip_space(bytes, end);
    let open = skip_space(bytes, equals + 1);
    let quote = match (bytes.get(equals), bytes.get(open)) {
        (Some(b'='), Some(quote @ (b'"' | b'\''))) => *quote,
        _ => return Err(Fault::new(start + from, "an attribute has no value in quotes")),
    };
    let content = bytes.get(open + 1..).unwrap_or_default();
    let mut plain = true;
    for (length, byte) in content.iter().enumerate() {
        match byte {
            b'<' => {
                let message = "`<` stands in an attribute value";
                return Err(Fault::new(start + open + 1 + length, message));
            }
            b'&' | b'\t' | b'\n' | b'\r' => plain = false,
            byte if *byte == quote => {
                return Ok(Written {
                    start: start + from,
                    name: tag.get(from..end).unwrap_or_default(),
                    value_start: start + open + 1,
                    value: tag.get(open + 1..open + 1 + length).unwrap_or_default(),
                    plain,
                });
            }
            _ => {}
        }
    }
    Err(Fault::new(start + open, "an attribute value is not closed"))
}

impl Written<'_> {
    /// Appends the value as it reads: references resolved, every white space a space
    /// (section 3.3.3; an attribute without a declared type is CDATA).
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
