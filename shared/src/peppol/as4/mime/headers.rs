//! The headers of one part: RFC 2045, 3 and RFC 5322, 2.2.

use super::super::{
    refusal::Refusal,
    rule::Rule::{PartHeaders, TransferEncoding},
};
use super::content_type::ContentType;

/// Longest headers of one part, in bytes.
const MOST_BYTES: usize = 8 * 1024;
/// Maximum number of headers of one part.
const MOST_HEADERS: usize = 32;

/// The transfer encoding of a part: RFC 2045, 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::peppol::as4) enum Encoding {
    /// No encoding.
    #[default]
    Plain,
    /// Base64.
    Base64,
}

/// The relevant headers of a part.
#[derive(Debug, Default)]
pub(super) struct Headers {
    pub(super) content_id: Option<String>,
    pub(super) media_type: Option<String>,
    pub(super) encoding: Option<Encoding>,
}

/// Reads headers, up to their empty line.
pub(super) fn read(block: &[u8]) -> Result<Headers, Refusal> {
    if block.len() > MOST_BYTES {
        return Err(Refusal::new(PartHeaders, format!("{} bytes of headers", block.len())));
    }
    let text = str::from_utf8(block).map_err(|_| Refusal::new(PartHeaders, "other than UTF-8"))?;
    if let Some(at) = stray(text) {
        return Err(Refusal::new(PartHeaders, format!("a control character at byte {at}")));
    }
    let unfolded = text.replace("\r\n ", " ").replace("\r\n\t", " ");
    let mut headers = Headers::default();
    for (count, line) in unfolded.split("\r\n").filter(|line| !line.is_empty()).enumerate() {
        if count == MOST_HEADERS {
            return Err(Refusal::new(PartHeaders, format!("more than {MOST_HEADERS} headers")));
        }
        let (name, value) = line.split_once(':').ok_or_else(|| Refusal::new(PartHeaders, line))?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Refusal::new(PartHeaders, line));
        }
        headers.take(name, value.trim())?;
    }
    Ok(headers)
}

impl Headers {
    fn take(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        match name.to_ascii_lowercase().as_str() {
            "content-id" => once(&mut self.content_id, super::content_id(value).to_owned(), name),
            "content-type" => {
                let media_type = ContentType::parse(value)?.media_type().to_owned();
                once(&mut self.media_type, media_type, name)
            }
            "content-transfer-encoding" => once(&mut self.encoding, encoding(value)?, name),
            _ => Ok(()),
        }
    }
}

/// Sets a header. A repeated one is an error: two readers could use different values.
fn once<T>(header: &mut Option<T>, value: T, name: &str) -> Result<(), Refusal> {
    match header.replace(value) {
        Some(_) => Err(Refusal::new(PartHeaders, format!("{name} twice"))),
        None => Ok(()),
    }
}

/// RFC 2045, 6.
fn encoding(value: &str) -> Result<Encoding, Refusal> {
    match value.to_ascii_lowercase().as_str() {
        "binary" | "8bit" | "7bit" => Ok(Encoding::Plain),
        "base64" => Ok(Encoding::Base64),
        _ => Err(Refusal::new(TransferEncoding, value)),
    }
}

/// The position of a control character other than a tab or CRLF.
fn stray(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let alone = |at: usize, byte: u8| match byte {
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        b'\n' => at == 0 || bytes.get(at - 1) != Some(&b'\r'),
        b'\t' => false,
        byte => byte.is_ascii_control(),
    };
    bytes.iter().enumerate().find(|(at, byte)| alone(*at, **byte)).map(|(at, _)| at)
}
