//! Splits at boundaries: RFC 2046, 5.1.1.

use std::borrow::Cow;
use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use memchr::memmem;

use super::super::{
    refusal::Refusal,
    rule::Rule::{Boundary, PartCount, PartHeaders, TransferEncoding},
};
use super::headers::{self, Encoding};
use crate::peppol::dom::unwrap_base64;

/// Maximum number of parts, so that a body of many boundaries costs little.
const MOST_PARTS: usize = 8;

/// One part, as a range of the body.
#[derive(Debug)]
pub(in crate::peppol::as4) struct Part {
    /// The Content-ID without brackets.
    pub(in crate::peppol::as4) content_id: Option<String>,
    /// The media type in lower case, without parameters.
    pub(super) media_type: Option<String>,
    encoding: Encoding,
    content: Range<usize>,
}

impl Part {
    /// The part that is the whole body.
    pub(super) fn whole(length: usize) -> Self {
        let content = 0..length;
        Part { content_id: None, media_type: None, encoding: Encoding::Plain, content }
    }

    /// The decoded bytes of the part.
    pub(in crate::peppol::as4) fn bytes<'b>(
        &self,
        body: &'b [u8],
    ) -> Result<Cow<'b, [u8]>, Refusal> {
        let written = super::slice(body, self.content.clone());
        match self.encoding {
            Encoding::Plain => Ok(Cow::Borrowed(written)),
            Encoding::Base64 => decoded(written).map(Cow::Owned),
        }
    }

    /// The range of the decoded part in `body`. Base64 is decoded in place, so a large part is not held three times.
    pub(in crate::peppol::as4) fn place(
        &self,
        body: &mut Vec<u8>,
    ) -> Result<Range<usize>, Refusal> {
        if self.encoding == Encoding::Plain {
            return Ok(self.content.clone());
        }
        body.truncate(self.content.end);
        body.drain(..self.content.start.min(body.len()));
        body.retain(|byte| !byte.is_ascii_whitespace());
        *body = BASE64.decode(&body).map_err(|_| not_base64())?;
        Ok(0..body.len())
    }

    /// Its encoded length in bytes.
    pub(super) fn length(&self) -> usize {
        self.content.len()
    }
}

fn not_base64() -> Refusal {
    Refusal::new(TransferEncoding, "content that is not base64")
}

fn decoded(written: &[u8]) -> Result<Vec<u8>, Refusal> {
    let text = str::from_utf8(written).map_err(|_| not_base64())?;
    unwrap_base64(text).ok_or_else(not_base64)
}

/// Splits a body at its boundary lines.
pub(super) fn split(body: &[u8], boundary: impl AsRef<str>) -> Result<Vec<Part>, Refusal> {
    let delimiter = format!("\r\n--{}", boundary.as_ref());
    let finder = memmem::Finder::new(delimiter.as_bytes());
    let mut at = first(body, delimiter.as_bytes(), &finder)?;
    let mut parts = Vec::new();
    while let Line::Between(start) = line(body, at)? {
        if parts.len() == MOST_PARTS {
            return Err(Refusal::new(PartCount, format!("more than {MOST_PARTS} parts")));
        }
        // The CRLF before the boundary may also be the CRLF that ended the line before.
        let from = start.saturating_sub(2);
        let Some(length) = finder.find(super::slice(body, from..body.len())) else {
            return Err(Refusal::new(Boundary, "no closing boundary: the body is cut"));
        };
        let end = from + length;
        parts.push(part(body, start..end.max(start))?);
        at = end + delimiter.len();
    }
    Ok(parts)
}

/// The end of the first boundary. It may start the body, or follow a preamble.
fn first(body: &[u8], delimiter: &[u8], finder: &memmem::Finder<'_>) -> Result<usize, Refusal> {
    let opening = delimiter.get(2..).unwrap_or_default();
    if body.starts_with(opening) {
        return Ok(opening.len());
    }
    let found = finder.find(body).map(|at| at + delimiter.len());
    found.ok_or_else(|| Refusal::new(Boundary, "no line that is the boundary of the Content-Type"))
}

/// The kind of a boundary line.
enum Line {
    /// A part follows; its start.
    Between(usize),
    /// The boundary is the last one.
    Closing,
}

fn line(body: &[u8], after: usize) -> Result<Line, Refusal> {
    let rest = super::slice(body, after..body.len());
    if rest.starts_with(b"--") {
        return Ok(Line::Closing);
    }
    let padding = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if rest.get(padding..).is_some_and(|rest| rest.starts_with(b"\r\n")) {
        return Ok(Line::Between(after + padding + 2));
    }
    Err(Refusal::new(Boundary, "a boundary line with further text, or without CRLF at its end"))
}

fn part(body: &[u8], range: Range<usize>) -> Result<Part, Refusal> {
    let bytes = super::slice(body, range.clone());
    let (header, content) = if bytes.starts_with(b"\r\n") {
        (0, 2)
    } else {
        let end = memmem::find(bytes, b"\r\n\r\n");
        let end =
            end.ok_or_else(|| Refusal::new(PartHeaders, "no empty line after the headers"))?;
        (end, end + 4)
    };
    let headers::Headers { content_id, media_type, encoding } =
        headers::read(super::slice(bytes, 0..header))?;
    let encoding = encoding.unwrap_or_default();
    Ok(Part { content_id, media_type, encoding, content: range.start + content..range.end })
}
