//! A sample invoice for the first send in Sandbox.

use jiff::{ToSpan, civil::Date};
use serde_json::json;

use super::entered::Entered;
use crate::{document::Operation, types::ImportId};

/// Digits of the form's identifier in the sample's number: a business sends each number once.
const DIGITS: usize = 8;
/// Days until it is due.
const DUE: i64 = 30;

impl Entered {
    /// An invoice to an invented buyer.
    pub(super) fn sample(form_id: &ImportId, today: Date) -> Self {
        let id = form_id.as_str();
        let digits = id.get(id.len().saturating_sub(DIGITS)..).unwrap_or(id).to_ascii_uppercase();
        let body = json!({
            "invoice_number": format!("SAMPLE-{digits}"),
            "due_date": today.saturating_add(DUE.days()).to_string(),
            "customer": {
                "name": "Oasis Supplies FZE",
                "electronic_address": {"id": "1001234502"},
                "vat_identifier": "100123450200003",
                "address": {
                    "line_1": "Jebel Ali Free Zone, Gate 5",
                    "city": "Dubai",
                    "country_subdivision": "DXB",
                    "country_code": "AE",
                },
            },
            "line_items": [{
                "quantity": "2",
                "unit_code": "C62",
                "item": {
                    "name": "Label printer",
                    "type_code": "G",
                    "classifications": [{"code": "84433250"}],
                },
                "vat": {"category_code": "S"},
                "price": {"net_price": "450.00"},
            }],
        });
        Entered { operation: Operation::Invoice, body, first: 0 }
    }
}
