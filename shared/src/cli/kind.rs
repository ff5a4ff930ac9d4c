//! What a file holds by its first bytes, to say what is wrong with a file of another kind.

/// The kind of a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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

impl Kind {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        match text {
            [] => Kind::Empty,
            [b'<', ..] => Kind::Xml,
            [b'{' | b'[', ..] => Kind::Json,
            _ if text.starts_with(b"%PDF-") => Kind::Pdf,
            _ if text.starts_with(b"PK\x03\x04") => Kind::Zip,
            _ => Kind::Other,
        }
    }

    /// What a command that takes XML says. `None` for XML, whose parser finds the fault.
    pub(super) fn instead_of_xml(self) -> Option<&'static str> {
        Some(match self {
            Kind::Xml => return None,
            Kind::Json => "this is JSON, not XML: `access-point convert` writes the UBL of a body",
            other => other.named(),
        })
    }

    /// What a command that takes JSON says. `None` for JSON, whose parser finds the fault.
    pub(super) fn instead_of_json(self) -> Option<&'static str> {
        Some(match self {
            Kind::Json => return None,
            Kind::Xml => "this is XML, not JSON: `access-point content` reads UBL as a body",
            other => other.named(),
        })
    }

    fn named(self) -> &'static str {
        match self {
            Kind::Empty => "the file is empty",
            Kind::Pdf => "this is a PDF: give the XML or the JSON of the document",
            Kind::Zip => {
                "this is a ZIP archive or a workbook: give the XML or the JSON of the document"
            }
            Kind::Xml | Kind::Json | Kind::Other => "this is neither XML nor JSON",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_is_named() {
        for (bytes, kind) in [
            (&b""[..], Kind::Empty),
            (b" \n", Kind::Empty),
            (b"\xef\xbb\xbf <a/>", Kind::Xml),
            (b"\t{}", Kind::Json),
            (b"[1]", Kind::Json),
            (b"%PDF-1.7", Kind::Pdf),
            (b"PK\x03\x04x", Kind::Zip),
            (b"hello", Kind::Other),
        ] {
            assert_eq!(Kind::of(bytes), kind);
            assert_eq!(kind.instead_of_xml().is_none(), kind == Kind::Xml);
            assert_eq!(kind.instead_of_json().is_none(), kind == Kind::Json);
        }
        assert!(Kind::Json.instead_of_xml().is_some_and(|said| said.contains("convert")));
        assert!(Kind::Xml.instead_of_json().is_some_and(|said| said.contains("content")));
    }
}
