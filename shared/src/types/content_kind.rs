//! What bytes hold, by the first of them.

/// The kind of a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// Nothing but white space.
    Empty,
    /// It begins as an element or a declaration.
    Xml,
    /// It begins as an object or an array.
    Json,
    /// A PDF (ISO 32000, 7.5.2).
    Pdf,
    /// A ZIP archive, such as an Excel workbook.
    Zip,
    /// Anything else.
    Other,
}

impl ContentKind {
    /// The kind of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match text {
            [] => ContentKind::Empty,
            [b'<', ..] => ContentKind::Xml,
            [b'{' | b'[', ..] => ContentKind::Json,
            _ if text.starts_with(b"%PDF-") => ContentKind::Pdf,
            _ if text.starts_with(b"PK\x03\x04") => ContentKind::Zip,
            _ => ContentKind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_its_beginning() {
        for (bytes, kind) in [
            (&b""[..], ContentKind::Empty),
            (b" \n", ContentKind::Empty),
            (b"\xef\xbb\xbf <a/>", ContentKind::Xml),
            (b"\t{}", ContentKind::Json),
            (b"[1]", ContentKind::Json),
            (b"%PDF-1.7", ContentKind::Pdf),
            (b"PK\x03\x04x", ContentKind::Zip),
            (b"hello", ContentKind::Other),
        ] {
            assert_eq!(ContentKind::of(bytes), kind);
        }
    }
}
