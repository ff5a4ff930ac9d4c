//! The Content-Type header: RFC 2045, 5.1.

use std::borrow::Cow;

use super::super::{refusal::Refusal, rule::Rule};

/// Longest boundary, in characters: RFC 2046, 5.1.1.
const LONGEST_BOUNDARY: usize = 70;

#[derive(Debug)]
pub(in crate::peppol::as4) struct ContentType<'h> {
    media_type: String,
    parameters: Vec<(String, Cow<'h, str>)>,
}

impl<'h> ContentType<'h> {
    /// Reads a header value; it may be folded.
    pub(in crate::peppol::as4) fn parse(header: &'h str) -> Result<Self, Refusal> {
        let broken = || Refusal::new(Rule::ContentType, header);
        let (media_type, mut rest) = match header.find(';') {
            Some(end) => header.split_at(end),
            None => (header, ""),
        };
        let media_type = media_type.trim().to_ascii_lowercase();
        let mut halves = media_type.split('/');
        if !(halves.next().is_some_and(is_token) && halves.next().is_some_and(is_token))
            || halves.next().is_some()
        {
            return Err(broken());
        }
        let mut parameters = Vec::new();
        while let Some(parameter) = rest.strip_prefix(';') {
            let parameter = parameter.trim_start();
            if parameter.is_empty() || parameter.starts_with(';') {
                // Some implementations end the list with a semicolon.
                rest = parameter;
                continue;
            }
            let (name, value) = parameter.split_once('=').ok_or_else(broken)?;
            let name = name.trim_end().to_ascii_lowercase();
            let (value, after) = value_of(value.trim_start()).ok_or_else(broken)?;
            if !is_token(&name) {
                return Err(broken());
            }
            parameters.push((name, value));
            rest = after.trim_start();
        }
        if rest.is_empty() { Ok(ContentType { media_type, parameters }) } else { Err(broken()) }
    }

    /// The media type in lower case.
    pub(in crate::peppol::as4) fn media_type(&self) -> &str {
        &self.media_type
    }

    pub(in crate::peppol::as4) fn is(&self, media_type: &str) -> bool {
        self.media_type == media_type
    }

    /// A parameter. A repeated parameter is an error: two readers could use different values.
    pub(super) fn parameter(&self, name: &str) -> Result<Option<Cow<'h, str>>, Refusal> {
        let mut found = self.parameters.iter().filter(|(own, _)| own == name);
        let first = found.next().map(|(_, value)| value.clone());
        match found.next() {
            Some(_) => Err(Refusal::new(Rule::ContentType, format!("parameter {name} twice"))),
            None => Ok(first),
        }
    }

    pub(super) fn boundary(&self) -> Result<Cow<'h, str>, Refusal> {
        let Some(boundary) = self.parameter("boundary")? else {
            return Err(Refusal::new(Rule::ContentType, "no boundary"));
        };
        let fits = (1..=LONGEST_BOUNDARY).contains(&boundary.len()) && !boundary.ends_with(' ');
        let printable = boundary.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if fits && printable {
            return Ok(boundary);
        }
        Err(Refusal::new(Rule::ContentType, format!("boundary {boundary}")))
    }
}

/// A parameter's value, plain or quoted, and the text after it.
fn value_of(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c == ';' || c.is_ascii_whitespace()).unwrap_or(text.len());
        let (value, after) = text.split_at(end);
        return (!value.is_empty()).then_some((Cow::Borrowed(value), after));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((Cow::Owned(value), quoted.get(at + 1..)?)),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

/// RFC 2045, 5.1: a token.
fn is_token(text: &str) -> bool {
    let special = |byte: u8| b"()<>@,;:\\\"/[]?=".contains(&byte);
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && !special(byte))
}
