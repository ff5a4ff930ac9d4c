//! What commands say of a file of another kind than they take.

use crate::types::ContentKind;

/// What a command that takes XML says. `None` for XML, whose parser finds the fault.
pub(super) fn instead_of_xml(bytes: &[u8]) -> Option<&'static str> {
    match ContentKind::of(bytes) {
        ContentKind::Xml => None,
        ContentKind::Json => {
            Some("this is JSON, not XML: `access-point convert` writes the UBL of a body")
        }
        other => Some(named(other)),
    }
}

/// What a command that takes JSON says. `None` for JSON, whose parser finds the fault.
pub(super) fn instead_of_json(bytes: &[u8]) -> Option<&'static str> {
    match ContentKind::of(bytes) {
        ContentKind::Json => None,
        ContentKind::Xml => {
            Some("this is XML, not JSON: `access-point content` reads UBL as a body")
        }
        other => Some(named(other)),
    }
}

fn named(kind: ContentKind) -> &'static str {
    match kind {
        ContentKind::Empty => "the file is empty",
        ContentKind::Pdf => "this is a PDF: give the XML or the JSON of the document",
        ContentKind::Zip => {
            "this is a ZIP archive or a workbook: give the XML or the JSON of the document"
        }
        ContentKind::Xml | ContentKind::Json | ContentKind::Other => "this is neither XML nor JSON",
    }
}
