//! Decodes bytes to UTF-8 text with normalised line ends (XML 1.0 sections 2.8, 2.11, 4.3.3 and appendix F).

use std::borrow::Cow;

use super::error::{Fault, ParseError, shown};
use super::tree::index;

/// The encoding, detected from the first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Utf8,
    Utf16 { little_endian: bool },
}

/// The text of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded<'b> {
    /// The text without byte order mark. Every line end is `\n`.
    pub(super) text: Cow<'b, str>,
    /// The positions of each `\n` that was a lone `\r`. Editors and libxml2 do not count these as line ends.
    pub(super) returns: Vec<u32>,
}

/// Decodes a document and checks that its XML declaration agrees with its encoding. Bytes that need no change are not
/// copied.
pub(super) fn decode(bytes: Cow<'_, [u8]>) -> Result<Decoded<'_>, ParseError> {
    let (form, mark) = form(&bytes).map_err(|fault| fault.locate(&bytes))?;
    let text = match form {
        Form::Utf8 => utf8(bytes, mark)?,
        Form::Utf16 { little_endian } => Cow::Owned(utf16(&bytes, mark, little_endian)?),
    };
    let decoded = normalize_line_ends(text);
    match agree(form, &decoded.text) {
        Ok(()) => Ok(decoded),
        Err(fault) => Err(fault.locate(decoded.text.as_bytes())),
    }
}

/// Detects the encoding and the length of the byte order mark.
fn form(bytes: &[u8]) -> Result<(Form, usize), Fault> {
    const LITTLE: Form = Form::Utf16 { little_endian: true };
    const BIG: Form = Form::Utf16 { little_endian: false };
    match bytes {
        [0xFF, 0xFE, 0, 0, ..]
        | [0, 0, 0xFE, 0xFF, ..]
        | [b'<', 0, 0, 0, ..]
        | [0, 0, 0, b'<', ..] => {
            Err(Fault::new(0, "the document is in UTF-32; only UTF-8 and UTF-16 are read"))
        }
        [0x4C, 0x6F, 0xA7, 0x94, ..] => {
            Err(Fault::new(0, "the document is in EBCDIC; only UTF-8 and UTF-16 are read"))
        }
        [0xEF, 0xBB, 0xBF, ..] => Ok((Form::Utf8, 3)),
        [0xFF, 0xFE, ..] => Ok((LITTLE, 2)),
        [0xFE, 0xFF, ..] => Ok((BIG, 2)),
        [b'<', 0, b'?', 0, ..] => Ok((LITTLE, 0)),
        [0, b'<', 0, b'?', ..] => Ok((BIG, 0)),
        _ => Ok((Form::Utf8, 0)),
    }
}

fn utf8(bytes: Cow<'_, [u8]>, mark: usize) -> Result<Cow<'_, str>, ParseError> {
    let fault =
        |at: usize, content: &[u8]| Fault::new(at, "here the bytes are not UTF-8").locate(content);
    match bytes {
        Cow::Owned(mut bytes) => {
            bytes.drain(..mark);
            String::from_utf8(bytes)
                .map(Cow::Owned)
                .map_err(|error| fault(error.utf8_error().valid_up_to(), error.as_bytes()))
        }
        Cow::Borrowed(bytes) => {
            let content = bytes.get(mark..).unwrap_or_default();
            let text = std::str::from_utf8(content);
            text.map(Cow::Borrowed).map_err(|error| fault(error.valid_up_to(), content))
        }
    }
}

/// Decodes UTF-16. An encoding error has no position in a text, so it is reported at the start.
fn utf16(bytes: &[u8], mark: usize, little_endian: bool) -> Result<String, ParseError> {
    let fault = |message: &str| Fault::new(0, message).locate(b"");
    let (pairs, odd) = bytes.get(mark..).unwrap_or_default().as_chunks::<2>();
    let read = if little_endian { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = pairs.iter().map(|pair| read(*pair));
    let mut text = String::with_capacity(bytes.len() / 2);
    for c in char::decode_utf16(units) {
        text.push(c.map_err(|_| fault("the bytes are not UTF-16: half of a pair"))?);
    }
    if odd.is_empty() {
        Ok(text)
    } else {
        Err(fault("the bytes are not UTF-16: their number is odd"))
    }
}

/// Maximum number of lone carriage returns whose positions are kept. Otherwise a document full of them would need many
/// times its size in memory, only for line numbers.
const MOST_RETURNS: usize = 100_000;

/// Section 2.11: `\r\n` and a lone `\r` both become one `\n`.
fn normalize_line_ends(text: Cow<'_, str>) -> Decoded<'_> {
    let mut returns = Vec::new();
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Decoded { text, returns };
    }
    let mut normal = String::with_capacity(text.len());
    let mut parts = text.split('\r');
    normal.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.strip_prefix('\n');
        if rest.is_none() && returns.len() < MOST_RETURNS {
            returns.push(index(normal.len()));
        }
        normal.push('\n');
        normal.push_str(rest.unwrap_or(part));
    }
    Decoded { text: Cow::Owned(normal), returns }
}

/// Checks that the declared encoding is the detected one.
fn agree(form: Form, text: &str) -> Result<(), Fault> {
    let declared = match declaration(text)? {
        Some(declaration) => declaration.encoding,
        None => None,
    };
    let Some(declared) = declared else { return Ok(()) };
    let is = |name: &str| declared.eq_ignore_ascii_case(name);
    let agrees = match form {
        Form::Utf8 => is("UTF-8") || is("UTF8"),
        Form::Utf16 { little_endian: true } => is("UTF-16") || is("UTF-16LE"),
        Form::Utf16 { little_endian: false } => is("UTF-16") || is("UTF-16BE"),
    };
    let actual = if form == Form::Utf8 { "UTF-8" } else { "UTF-16" };
    if agrees {
        Ok(())
    } else if is("UTF-8") || is("UTF-16") {
        let message =
            format!("the document says that it is {declared}, but its bytes are {actual}");
        Err(Fault::new(0, message))
    } else {
        let name = shown(declared);
        Err(Fault::new(0, format!("the encoding {name} is not read; only UTF-8 and UTF-16 are")))
    }
}

/// The relevant part of an XML declaration (production 23).
#[derive(Debug)]
struct XmlDeclaration<'t> {
    encoding: Option<&'t str>,
}

fn declaration(text: &str) -> Result<Option<XmlDeclaration<'_>>, Fault> {
    let Some(rest) = text.strip_prefix("<?xml") else { return Ok(None) };
    if !rest.starts_with([' ', '\t', '\n', '?']) {
        return Ok(None); // an instruction such as xml-stylesheet
    }
    let mut rest = rest;
    let fault = |rest: &str, message: &str| Fault::new(text.len() - rest.len(), message);
    let version = pseudo_attribute(&mut rest, "version")
        .ok_or_else(|| fault(rest, "the XML declaration must begin with a version"))?;
    if !is_version(version) {
        return Err(fault(rest, "the XML version is not 1.0"));
    }
    let encoding = pseudo_attribute(&mut rest, "encoding");
    if encoding.is_some_and(|name| !is_encoding_name(name)) {
        return Err(fault(rest, "the encoding in the XML declaration is not an encoding name"));
    }
    let standalone = pseudo_attribute(&mut rest, "standalone");
    if standalone.is_some_and(|value| value != "yes" && value != "no") {
        return Err(fault(rest, "standalone in the XML declaration is neither yes nor no"));
    }
    if rest.trim_start_matches([' ', '\t', '\n']).starts_with("?>") {
        Ok(Some(XmlDeclaration { encoding }))
    } else {
        Err(fault(rest, "the XML declaration is malformed"))
    }
}

/// Reads the attribute if its name comes next, and moves `rest` behind it.
fn pseudo_attribute<'t>(rest: &mut &'t str, name: &str) -> Option<&'t str> {
    let space: [char; 3] = [' ', '\t', '\n'];
    let after = rest.strip_prefix(space)?.trim_start_matches(space).strip_prefix(name)?;
    let after = after.trim_start_matches(space).strip_prefix('=')?.trim_start_matches(space);
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, after) = after[1..].split_once(quote)?;
    *rest = after;
    Some(value)
}

/// Production 26, and also `1.`, which libxml2 accepts. A later 1.x is read as 1.0 (section 2.8).
fn is_version(text: &str) -> bool {
    text.strip_prefix("1.").is_some_and(|minor| minor.bytes().all(|b| b.is_ascii_digit()))
}

/// Production 81.
fn is_encoding_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
