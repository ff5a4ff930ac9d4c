//! A body as its parts: MIME multipart/related (RFC 2046, 2387) without copying, or plain SOAP.

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

/// Bytes of a SOAP part as it is written, before it is looked at: base64 makes it longer by a third.
const MOST_ROOT_BYTES: usize = 512 * 1024;
/// Attachments that a message may have.
const MOST_ATTACHMENTS: usize = 1;

/// A body's SOAP envelope and its attachment.
#[derive(Debug)]
pub(super) struct Message {
    /// Where the envelope stands.
    pub(super) soap: Part,
    /// Where the attachment stands, if there is one.
    pub(super) attachment: Option<Part>,
    attachments: usize,
}

impl Message {
    /// Whether there is no more than one attachment.
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
/// When the body is neither multipart/related nor a SOAP 1.2 envelope by its Content-Type, or when it is cut
/// or ambiguous.
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

/// RFC 2387, 3.2: the root is the part that `start` names, and every stack in the field puts it first.
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

/// A Content-ID without the brackets that some leave out.
fn content_id(written: &str) -> &str {
    let written = written.trim();
    written.strip_prefix('<').and_then(|id| id.strip_suffix('>')).unwrap_or(written)
}

/// The Content-ID that a `cid:` URL names (RFC 2392, 2: percent-encoding may hide characters).
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

/// The bytes of a range; none when it lies outside.
pub(super) fn slice(body: &[u8], range: Range<usize>) -> &[u8] {
    body.get(range).unwrap_or_default()
}
