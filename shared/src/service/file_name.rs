//! File names: of a document's files, from its kind and number, and of files about an import, from the name of its file.

use crate::{rendering, store::DocumentRecord, types::DocumentId};

/// Maximum characters of the number in a name, since file systems allow 255 bytes.
const LONGEST: usize = 60;

/// The name of a file that is saved, without the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    name: String,
    /// The name for programs that accept ASCII only.
    in_ascii: String,
}

impl FileName {
    /// The file name of a document.
    pub(super) fn of(document: &DocumentRecord) -> Self {
        let kind = rendering::title(&document.document_type_code);
        let kind = kind.unwrap_or_else(|| document.operation.as_str());
        Self::new(kind, &document.number, &document.document_id)
    }

    fn new(kind: &str, number: &str, document_id: &DocumentId) -> Self {
        let kind = kind.replace(['_', ' '], "-");
        Self::or(format!("{kind}-{}", safe(number)), document_id.as_str())
    }

    /// The name of a file about an imported file, such as `july-result` about `july.csv`.
    pub fn about_import(file: Option<&str>, import_id: &str, what: &str) -> Self {
        let file = file.unwrap_or_default();
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let stem = if stem.is_empty() { import_id.to_owned() } else { safe(stem) };
        Self::or(format!("{stem}-{what}"), &format!("{import_id}-{what}"))
    }

    /// A name, or another one for programs that accept ASCII only.
    fn or(name: String, in_ascii: &str) -> Self {
        let in_ascii = if name.is_ascii() { name.clone() } else { in_ascii.to_owned() };
        FileName { name, in_ascii }
    }

    /// The name itself.
    #[cfg(feature = "pdf")]
    pub(super) fn text(&self) -> &str {
        &self.name
    }

    /// `Content-Disposition` of a file that is saved (RFC 6266, section 4).
    pub fn attachment(&self, extension: &str) -> String {
        self.disposition("attachment", extension)
    }

    /// `Content-Disposition` of a file that is shown and may be saved.
    pub fn inline(&self, extension: &str) -> String {
        self.disposition("inline", extension)
    }

    /// `filename*` follows `filename`, for programs that do not know it (RFC 6266, section 4.3; RFC 8187, section 3.2).
    fn disposition(&self, how: &str, extension: &str) -> String {
        let FileName { name, in_ascii } = self;
        let plain = format!("{how}; filename=\"{in_ascii}.{extension}\"");
        if name == in_ascii {
            return plain;
        }
        // The attr-chars of RFC 8187 that a name can contain: letters, digits, "-", "." and "_".
        let encoded: String = name
            .bytes()
            .map(|byte| match byte {
                b'-' | b'.' | b'_' => char::from(byte).to_string(),
                byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
                byte => format!("%{byte:02X}"),
            })
            .collect();
        format!("{plain}; filename*=UTF-8''{encoded}.{extension}")
    }
}

/// A caller's text in a name. Only letters, digits, dots, dashes and underscores are kept, so that a name is no path and
/// is not misleading.
fn safe(text: &str) -> String {
    let safe = |it: char| if it.is_alphanumeric() || ".-_".contains(it) { it } else { '-' };
    text.trim().chars().take(LONGEST).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_about_an_import_is_named_by_the_imported_file() {
        let named = |file| FileName::about_import(file, "imp_1", "result").attachment("csv");
        for (file, name) in [
            (Some("july.csv"), "july-result.csv"),
            (Some("July <b>.csv.gz"), "July--b--result.csv"),
            (Some("../x.ndjson"), "..-x-result.csv"),
            (Some(""), "imp_1-result.csv"),
            (None, "imp_1-result.csv"),
        ] {
            assert_eq!(named(file), format!("attachment; filename=\"{name}\""), "{file:?}");
        }
        let arabic = named(Some("يوليو.csv"));
        assert!(arabic.starts_with("attachment; filename=\"imp_1-result.csv\"; filename*=UTF-8''"));
    }

    #[test]
    fn a_file_is_named_by_kind_and_number_whatever_somebody_wrote_there() {
        let id: DocumentId = "doc_1".parse().unwrap();
        let named = |number: &str| FileName::new("Tax Invoice", number, &id).attachment("pdf");
        let plain = |number: &str| format!("attachment; filename=\"Tax-Invoice-{number}.pdf\"");
        for (number, name) in [
            ("INV-1206", "INV-1206"),
            ("2026/12 7", "2026-12-7"),
            ("../../etc/passwd", "..-..-etc-passwd"),
            ("A\"; x=\"\r\nB", "A---x----B"),
            ("a%b\u{202e}c", "a-b-c"),
        ] {
            assert_eq!(named(number), plain(name), "{number}");
        }
        let arabic =
            format!("attachment; filename=\"{id}.pdf\"; filename*=UTF-8''Tax-Invoice-%D9%81-1.pdf");
        assert_eq!(named("\u{641}-1"), arabic);
        assert!(named(&"9".repeat(64)).len() < 120);
        let shown = FileName::new("self_billed_credit_note", "7", &id).inline("html");
        assert_eq!(shown, "inline; filename=\"self-billed-credit-note-7.html\"");
    }
}
