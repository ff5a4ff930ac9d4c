//! The text of a search box: a part of a number or of a name, an amount, or an identifier.

use icu_normalizer::ComposingNormalizerBorrowed;
use rust_decimal::Decimal;

use crate::store::DocumentRecord;

/// A text to find in documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Needle {
    /// As it was written, for exact matches.
    pub(super) written: String,
    /// Without differences of case and of spelling.
    plain: String,
    amount: Option<Decimal>,
}

impl Needle {
    /// The needle of a text; `None` if the text is empty.
    pub fn of(text: &str) -> Option<Self> {
        let written = text.trim();
        (!written.is_empty()).then(|| Needle {
            written: written.to_owned(),
            plain: plain(written),
            amount: amount(written),
        })
    }

    /// Whether a document has the text in its number, in the name of a party, as one of its totals, or at the beginning
    /// of one of its identifiers.
    pub(super) fn is_in(&self, document: &DocumentRecord) -> bool {
        let DocumentRecord { number, supplier, customer, .. } = document;
        let names = [number, &supplier.name, &customer.name];
        let totals = [document.total_with_vat, document.amount_due, document.total_without_vat];
        let uuid = document.uuid.to_string();
        let identifiers =
            [document.document_id.as_str(), &uuid].into_iter().chain(document.source_id.as_deref());
        names.into_iter().any(|name| plain(name).contains(&self.plain))
            || self.amount.is_some_and(|amount| totals.contains(&amount))
            || identifiers.into_iter().any(|id| plain(id).starts_with(&self.plain))
    }
}

/// A text in lower case, with compatible characters as one (UAX #15, form KC).
fn plain(text: &str) -> String {
    ComposingNormalizerBorrowed::new_nfkc().normalize(text).to_lowercase()
}

/// An amount, with or without separators of groups and a currency before or after it.
fn amount(text: &str) -> Option<Decimal> {
    let is_code = |it: &&str| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_alphabetic());
    let parts: Vec<_> = text.split_whitespace().filter(|part| !is_code(part)).collect();
    let [digits] = parts[..] else { return None };
    digits.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_whatever_its_case_and_spelling() {
        let document: DocumentRecord =
            serde_json::from_str(include_str!("../../store/fixtures/document.json")).unwrap();
        let mut document = DocumentRecord {
            number: "INV-2026-1206".to_owned(),
            total_with_vat: "16099.89".parse().unwrap(),
            source_id: Some("ERP-77".to_owned()),
            ..document
        };
        document.customer.name = "Caf\u{e9} Oasis – شركة الواحة".to_owned();
        let uuid = document.uuid.to_string();
        for text in [
            "inv-2026",
            "1206",
            "oasis",
            "cafe\u{301}",
            "الواحة",
            "16,099.89",
            "AED 16099.89",
            "16099.89 aed",
            "erp-77",
            &uuid[..8],
            document.document_id.as_str(),
            "  INV  ".trim(),
        ] {
            assert!(Needle::of(text).unwrap().is_in(&document), "{text}");
        }
        for text in ["INV-2027", "16099.8", "16.099,89", "rp-77", "Falcon Palace"] {
            assert!(!Needle::of(text).unwrap().is_in(&document), "{text}");
        }
        assert_eq!(Needle::of("  "), None);
    }
}
