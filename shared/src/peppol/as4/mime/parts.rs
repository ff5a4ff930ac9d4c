//! Boundaries: RFC 2046, 5.1.1.

use std::borrow::Cow;
use std::ops::Range;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use memchr::memmem;

use super::super::{
    refusal::Refusal,
    rule::Rule::{Boundary, PartCount, PartHeaders, TransferEncoding},
};
use super::headers;
use crate::peppol::dom::unwrap_base64;

/// Parts that are looked at, so that a body of boundaries alone costs nothing.
const MOST_PARTS: usize = 8;

/// How a part's bytes are written: RFC 2045, 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::peppol::as4) enum Encoding {
    /// As they are.
    #[default]
    Plain,
    /// In base64.
    Base64,
}

/// One part, as a place in the body.
#[derive(Debug)]
pub(in crate::peppol::as4) struct Part {
    /// Without brackets.
    pub(in crate::peppol::as4) content_id: Option<String>,
    /// In lower case, without parameters.
    pub(super) media_type: Option<String>,
    encoding: Encoding,
    content: Range<usize>,
}

impl Part {
    /// The part that is all of a body.
    pub(super) fn whole(length: usize) -> Self {
        let content = 0..length;
        Part { content_id: None, media_type: None, encoding: Encoding::Plain, content }
    }

    /// The part's bytes as they were before the transfer encoding.
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

    /// The part's bytes, as a place in `body`. Base64 is decoded there, so that a large part is not held thrice.
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

    /// How many bytes it has as it is written.
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
        // The boundary's own CRLF may be the one that ended the line before.
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

/// Where the first boundary ends. It may open the body, or follow a preamble.
fn first(body: &[u8], delimiter: &[u8], finder: &memmem::Finder<'_>) -> Result<usize, Refusal> {
    let opening = delimiter.get(2..).unwrap_or_default();
    if body.starts_with(opening) {
        return Ok(opening.len());
    }
    let found = finder.find(body).map(|at| at + delimiter.len());
    found.ok_or_else(|| Refusal::new(Boundary, "no line that is the boundary of the Content-Type"))
}

/// How a boundary line goes on.
enum Line {
    /// A part follows, from there.
    Between(usize),
    /// It was the last.
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
    Err(Refusal::new(Boundary, "a boundary line that goes on or does not end with CRLF"))
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
