//! Splits a body into parts without copying: MIME multipart/related (RFC 2046, 2387), or plain SOAP.

mod content_type;
mod headers;
mod parts;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use super::{
    names::SOAP_XML,
    refusal::Refusal,
    rule::Rule::{ContentType as BadContentType, PartCount, RootPart, SoapSize},
};
use content_type::ContentType;
pub(super) use parts::Part;

/// Longest SOAP part in bytes, before decoding. Base64 makes it a third longer.
const MOST_ROOT_BYTES: usize = 512 * 1024;
const MOST_ATTACHMENTS: usize = 1;

/// The SOAP envelope of a body, and its attachment.
#[derive(Debug)]
pub(super) struct Message {
    /// The place of the envelope.
    pub(super) soap: Part,
    /// The place of the attachment, if there is one.
    pub(super) attachment: Option<Part>,
    attachments: usize,
}

impl Message {
    /// Checks that there is at most one attachment.
    pub(super) fn check_count(&self) -> Result<(), Refusal> {
        match self.attachments {
            0..=MOST_ATTACHMENTS => Ok(()),
            count => Err(Refusal::new(PartCount, format!("{count} attachments"))),
        }
    }
}

/// Finds the parts of a body.
///
/// # Errors
/// When the Content-Type is neither multipart/related nor SOAP 1.2, or when the body is truncated or ambiguous.
pub(super) fn split(content_type: &str, body: &[u8]) -> Result<Message, Refusal> {
    let content_type = ContentType::parse(content_type)?;
    if content_type.is(SOAP_XML) {
        return Ok(Message { soap: Part::whole(body.len()), attachment: None, attachments: 0 });
    }
    if !content_type.is("multipart/related") {
        return Err(Refusal::new(BadContentType, content_type.media_type()));
    }
    let boundary = content_type.boundary()?;
    let mut parts = parts::split(body, boundary)?.into_iter();
    let Some(soap) = parts.next() else {
        return Err(Refusal::new(RootPart, "no part"));
    };
    check_root(&content_type, &soap)?;
    let attachments = parts.len();
    Ok(Message { soap, attachment: parts.next(), attachments })
}

/// RFC 2387, 3.2: `start` names the root part. All known implementations put it first.
fn check_root(content_type: &ContentType<'_>, root: &Part) -> Result<(), Refusal> {
    if root.length() > MOST_ROOT_BYTES {
        return Err(Refusal::new(SoapSize, format!("{} bytes", root.length())));
    }
    if let (Some(start), Some(id)) = (content_type.parameter("start")?, &root.content_id)
        && content_id(&start) != id
    {
        return Err(Refusal::new(RootPart, format!("start {start}, but the first part is {id}")));
    }
    match &root.media_type {
        Some(media_type) if media_type != SOAP_XML => {
            Err(Refusal::new(RootPart, format!("a first part of {media_type}")))
        }
        _ => Ok(()),
    }
}

/// A Content-ID without its brackets. Some implementations omit them.
fn content_id(written: &str) -> &str {
    let written = written.trim();
    written.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(written)
}

/// The Content-ID in a `cid:` URL; it may be percent-encoded (RFC 2392, 2).
pub(super) fn content_id_of_url(url: &str) -> Option<Cow<'_, str>> {
    let id = url.strip_prefix("cid:")?;
    if !id.contains('%') {
        return Some(Cow::Borrowed(id));
    }
    let mut decoded = Vec::with_capacity(id.len());
    let mut bytes = id.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => hex(bytes.next()?)? * 16 + hex(bytes.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The bytes of a range; empty when the range is out of bounds.
pub(super) fn slice(body: &[u8], range: Range<usize>) -> &[u8] {
    body.get(range).unwrap_or_default()
}
