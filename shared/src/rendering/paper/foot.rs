//! The foot of the paper: the state of the document, its way through the network, and a code for machines.

use qrcode::{Color, EcLevel, QrCode};
use serde::Serialize;

use super::{
    super::{Row, Standing, Value, View},
    text::{Field, Item, Label},
    writer::Writer,
};

/// The foot.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Foot {
    /// What became of the document, and when.
    pub(in crate::rendering) standing: Option<Label>,
    /// The participants, the identifier and the like.
    pub(in crate::rendering) items: Vec<Item>,
    /// The note on the legal effect of the paper.
    pub(in crate::rendering) legal: Label,
    pub(in crate::rendering) qr: Option<Qr>,
    /// The words around the number of a page: "Page", "of".
    pub(in crate::rendering) page: [Label; 2],
}

/// A QR code as modules of a square grid.
#[derive(Debug, Clone, Serialize)]
pub(in crate::rendering) struct Qr {
    /// Modules at a side, with the quiet zone.
    pub(in crate::rendering) size: usize,
    /// The dark modules as an SVG path.
    pub(in crate::rendering) path: String,
    pub(in crate::rendering) label: Label,
    /// The link in the code, to be followed where there is no paper.
    pub(in crate::rendering) link: Option<String>,
}

#[cfg(feature = "pdf")]
impl Qr {
    /// The code as a picture.
    pub(in crate::rendering) fn svg(&self) -> String {
        let Qr { size, path, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
             shape-rendering=\"crispEdges\"><path d=\"{path}\"/></svg>"
        )
    }
}

/// Modules around a code that stay light (ISO/IEC 18004, section 6.3.8).
const QUIET: usize = 4;
/// Bytes of a value in the code; a longer one is left out.
const LONGEST: usize = 60;

impl Writer {
    pub(super) fn foot(
        &self,
        view: &mut View,
        standing: Option<&Standing>,
        qr: Option<Qr>,
    ) -> Foot {
        let View { document, seller, buyer, .. } = view;
        let is_self_billed = matches!(document.text("IBT-003"), Some("389" | "261"));
        let mut address = [(seller, "IBT-034"), (buyer, "IBT-049")].map(|(block, term)| {
            let scheme = if term == "IBT-034" { "IBT-034-1" } else { "IBT-049-1" };
            let scheme = block.take(scheme).map(|row| self.text(&row));
            let row = block.take(term)?;
            let text = scheme.into_iter().chain([self.text(&row)]).collect::<Vec<_>>().join(":");
            Some(Field::new(row.term, text))
        });
        if is_self_billed {
            // The buyer issues and sends it.
            address.reverse();
        }
        let mut items = Vec::new();
        let peppol = self.words("paper-peppol");
        items.extend(Item::several(peppol, address.into_iter().flatten(), " › "));
        items.extend(self.item(document, "BTAE-07", "paper-uuid"));
        Foot {
            standing: standing.map(|standing| self.label(|language| Some(standing.text(language)))),
            items,
            legal: self.words("paper-legal-effect"),
            qr: qr.map(|qr| Qr { label: self.words("paper-qr"), ..qr }),
            page: ["paper-page", "paper-page-of"].map(|message| self.words(message)),
        }
    }
}

/// The code for machines: identifiers, date, tax numbers, totals and the link, a line each. A document that says too
/// much for a code has none.
pub(super) fn qr(view: &View, verify: Option<&str>) -> Option<Qr> {
    let lines = qr_lines(view, verify);
    if lines.is_empty() {
        return None;
    }
    let code = QrCode::with_error_correction_level(lines.join("\n"), EcLevel::L).ok()?;
    Some(Qr {
        size: code.width() + 2 * QUIET,
        path: path(&code),
        label: Label::default(),
        link: verify.map(str::to_owned),
    })
}

fn qr_lines(view: &View, verify: Option<&str>) -> Vec<String> {
    let View { document, seller, buyer, totals, .. } = view;
    let mut lines = Vec::new();
    for (name, block, term) in [
        ("No", document, "IBT-001"),
        ("UUID", document, "BTAE-07"),
        ("Date", document, "IBT-002"),
        ("Seller TRN", seller, "IBT-031"),
        ("Buyer TRN", buyer, "IBT-048"),
        ("Total", totals, "IBT-112"),
        ("VAT", totals, "IBT-110"),
    ] {
        let text = block
            .row(term)
            .map(machine_text)
            .filter(|text| text.len() <= LONGEST && !text.contains('\n'));
        lines.extend(text.map(|text| format!("{name}: {text}")));
    }
    lines.extend(verify.map(str::to_owned));
    lines
}

/// A value as software reads it: ISO 8601 days, and amounts without separators of thousands.
fn machine_text(row: &Row) -> String {
    match &row.value {
        Value::Text(text) | Value::Code(text) => text.clone(),
        Value::Date(day) => day.to_string(),
        Value::Amount { currency, amount } => format!("{currency} {amount}").trim().to_owned(),
        Value::Number(number) | Value::Percent(number) => number.to_string(),
        Value::File(bytes) => bytes.to_string(),
    }
}

/// The dark modules as an SVG path, with one rectangle for neighbours in a row.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(code.width().max(1)).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            let width = run.len();
            if run.first() == Some(&Color::Dark) {
                let (left, top) = (x + QUIET, y + QUIET);
                path.push_str(&format!("M{left} {top}h{width}v1h-{width}z"));
            }
            x += width;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{super::super::tests, *};

    #[test]
    fn software_reads_from_the_code_what_the_document_says() {
        let view = tests::view(&tests::maximal());
        let lines = qr_lines(&view, Some("https://portal.example/verify/token"));
        assert_eq!(
            lines,
            [
                "No: INV-1",
                "UUID: 6b7b6e4e-4f39-4b57-9d30-0d1a3b3f0a11",
                "Date: 2026-11-19",
                "Seller TRN: 100123450100003",
                "Buyer TRN: 100123450200003",
                "Total: USD 1239.45",
                "VAT: USD 11.14",
                "https://portal.example/verify/token",
            ]
        );
    }

    #[test]
    fn a_code_has_four_light_modules_around_it() {
        let Qr { size, path, .. } = qr(&tests::view(&tests::maximal()), None).unwrap();
        // The finder pattern begins the code.
        assert!(path.starts_with("M4 4h7v1h-7z"), "{path}");
        assert!(path.contains(&format!("M{} 4h7v1h-7z", size - 4 - 7)), "{path}");
    }

    #[test]
    fn a_document_that_says_too_much_for_a_code_has_none_of_the_long_values() {
        let long =
            tests::maximal().replace("<cbc:ID>INV-1<", &format!("<cbc:ID>{}<", "9".repeat(200)));
        let lines = qr_lines(&tests::view(&long), None);
        assert!(lines.iter().all(|line| !line.starts_with("No: ")), "{lines:?}");
        assert_eq!(lines.len(), 6);
    }
}
