//! The fields of the form. The name of a field is its path in the body of a send: names and positions joined by dots.

use crate::document::Operation;

/// A field of the form.
pub(super) struct Field {
    /// Its path in the body, or in a line.
    pub(super) path: &'static str,
    /// The message name of its label.
    pub(super) label: &'static str,
    /// The message name of its hint.
    pub(super) hint: Option<&'static str>,
    pub(super) kind: Kind,
    /// Maximum characters.
    pub(super) most: usize,
}

/// How a field is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A text of several lines.
    Long,
    Number,
    Day,
    /// A code of a business term's list.
    Code(&'static str),
    /// A code of a list, by value and message name.
    Choice(&'static [(&'static str, &'static str)]),
}

/// Fields under a heading.
pub(super) struct Group {
    /// The message name of its heading.
    pub(super) title: &'static str,
    pub(super) fields: &'static [Field],
}

const fn text(path: &'static str, label: &'static str, most: usize) -> Field {
    Field { path, label, hint: None, kind: Kind::Text, most }
}

impl Field {
    const fn kind(self, kind: Kind) -> Self {
        Field { kind, ..self }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Field { hint: Some(hint), ..self }
    }

    /// Whether the operation has the field.
    fn is_of(&self, operation: Operation) -> bool {
        let first = self.path.split('.').next().unwrap_or_default();
        let is_entered = first != SELLER || operation.is_self_billed();
        is_entered && operation.fields().any(|(field, _)| field == first)
    }
}

const DAY: usize = 10;
const NUMBER: usize = 30;
const TEXT: usize = 500;

/// The fields of a party. Only one party is entered: the other one is the business that issues the document.
macro_rules! party_fields {
    ($party:literal) => {
        &[
            text(concat!($party, ".name"), "write-name", TEXT),
            text(concat!($party, ".electronic_address.id"), "write-tin", TEXT)
                .hint("write-tin-hint"),
            text(concat!($party, ".vat_identifier"), "write-trn", TEXT),
            text(concat!($party, ".legal_registration.id"), "write-registration", TEXT),
            text(concat!($party, ".legal_registration.type"), "write-registration-type", 3).kind(
                Kind::Choice(&[
                    ("TL", "write-registration-tl"),
                    ("CL", "write-registration-cl"),
                    ("EID", "write-registration-eid"),
                    ("PAS", "write-registration-pas"),
                    ("CD", "write-registration-cd"),
                ]),
            ),
            text(concat!($party, ".legal_registration.authority_name"), "write-authority", TEXT),
            text(concat!($party, ".address.line_1"), "write-address", TEXT),
            text(concat!($party, ".address.city"), "write-city", TEXT),
            text(concat!($party, ".address.country_subdivision"), "write-emirate", TEXT)
                .hint("write-emirate-hint"),
            text(concat!($party, ".address.country_code"), "write-country", 2)
                .hint("write-country-hint"),
        ]
    };
}

/// The party that a person enters: the buyer, or in self-billing the seller.
pub(super) fn party(operation: Operation) -> &'static str {
    if operation.is_self_billed() { SELLER } else { "customer" }
}

/// The path of that party's TIN.
pub(super) fn party_tin(operation: Operation) -> &'static str {
    match operation.is_self_billed() {
        true => "supplier.electronic_address.id",
        false => "customer.electronic_address.id",
    }
}

/// The seller is in every body, and entered in self-billing only.
pub(super) const SELLER: &str = "supplier";

/// The fields above the lines.
pub(super) const ABOVE: [Group; 4] = [
    Group {
        title: "write-document",
        fields: &[
            text("invoice_number", "write-number", 64),
            text("credit_note_number", "write-number", 64),
            text("issue_date", "write-issue-date", DAY)
                .kind(Kind::Day)
                .hint("write-issue-date-hint"),
            text("due_date", "write-due-date", DAY).kind(Kind::Day),
            text("currency", "write-currency", 3).hint("write-currency-hint"),
            text("currency_exchange_rate", "write-rate", NUMBER)
                .kind(Kind::Number)
                .hint("write-rate-hint"),
            text("purchase_order_reference", "write-order", TEXT),
        ],
    },
    Group {
        title: "write-credited",
        fields: &[
            text("original_reference_kind", "write-original-kind", 8).kind(Kind::Choice(&[
                ("ap", "write-original-ap"),
                ("external", "write-original-external"),
            ])),
            text("previous_document_id", "write-previous", 64).hint("write-previous-hint"),
            text("original_invoice_number", "write-original-number", 64)
                .hint("write-original-hint"),
            text("original_issue_date", "write-original-date", DAY).kind(Kind::Day),
            text("credit_note_reason_code", "write-reason", 16).kind(Kind::Code("BTAE-03")),
        ],
    },
    Group { title: "write-buyer", fields: party_fields!("customer") },
    Group { title: "write-seller", fields: party_fields!("supplier") },
];

/// The fields below the lines.
pub(super) const BELOW: [Group; 1] = [Group {
    title: "write-payment",
    fields: &[
        text("payment_means.0.means_code", "write-means", 3).kind(Kind::Code("IBT-081")),
        text("payment_means.0.credit_transfer.account_identifier.id", "write-account", TEXT),
        text("payment_means.0.credit_transfer.account_name", "write-account-name", TEXT),
        text("payment_means.0.credit_transfer.service_provider_identifier", "write-bic", TEXT),
        text("payment_terms.0.note", "write-terms", TEXT),
        text("note", "write-note", 2000).kind(Kind::Long),
    ],
}];

/// The path of a line's classification: an HS code of goods, or an accounting code of services.
pub(super) const LINE_CODE: &str = "item.code";

/// The fields of a line. The first one is its heading.
pub(super) const LINE: [Field; 8] = [
    text("item.name", "write-line-name", TEXT),
    text("item.type_code", "write-line-type", 1).kind(Kind::Code("BTAE-13")),
    text(LINE_CODE, "write-line-code", TEXT),
    text("quantity", "write-line-quantity", NUMBER).kind(Kind::Number),
    text("unit_code", "write-line-unit", 3),
    text("price.net_price", "write-line-price", NUMBER).kind(Kind::Number),
    text("vat.category_code", "write-line-vat", 2).kind(Kind::Code("IBT-151")),
    text("vat.exemption_reason_code", "write-line-exemption", 8).kind(Kind::Code("IBT-186")),
];

/// The fields of a line that make it a line: one without any of them is left out.
pub(super) const LINE_CONTENT: [&str; 4] = ["item.name", LINE_CODE, "quantity", "price.net_price"];

/// The fields of a document of this operation, group by group.
pub(super) fn of_operation<'a>(
    groups: &'a [Group],
    operation: Operation,
) -> impl Iterator<Item = (&'a Group, Vec<&'a Field>)> {
    let fields = move |group: &'a Group| {
        let fields = group.fields.iter().filter(|field| field.is_of(operation)).collect();
        (group, fields)
    };
    groups.iter().map(fields).filter(|(_, fields): &(_, Vec<_>)| !fields.is_empty())
}

/// The paths of all fields outside the lines.
pub(super) fn paths(operation: Operation) -> impl Iterator<Item = &'static str> {
    const GROUPS: [&[Group]; 2] = [&ABOVE, &BELOW];
    let groups = GROUPS.into_iter().flatten();
    let fields = groups.flat_map(|group| group.fields);
    fields.filter(move |field| field.is_of(operation)).map(|field| field.path)
}

/// The name of a line's field.
pub(super) fn in_line(line: usize, path: &str) -> String {
    format!("line_items.{line}.{path}")
}

/// Fields of the body that a copy of a document does not take over: identities, what the service computes, and files.
/// The seller is not copied either, unless it is the entered party.
pub(super) const NOT_COPIED: [&str; 11] = [
    "invoice_number",
    "credit_note_number",
    "uuid",
    "issue_date",
    "issue_time",
    "due_date",
    "vat_point_date",
    "supporting_documents",
    "totals",
    "vat_breakdown",
    "profile",
];

/// Fields of a line that a copy does not take over, since the service computes them or knows their defaults.
pub(super) const NOT_COPIED_OF_LINE: [&str; 7] = [
    "id",
    "net_amount",
    "amount_in_aed",
    "vat_amount_in_aed",
    "vat.rate",
    "price.gross_price",
    "price.base_quantity_unit_code",
];

/// Fields that a correction takes over beside those of a copy. A correction has the number of the corrected document.
pub(super) const CORRECTED: [&str; 4] =
    ["invoice_number", "credit_note_number", "issue_date", "due_date"];

/// Fields of an invoice that its credit note does not take over.
pub(super) const NOT_CREDITED: [&str; 5] =
    ["payment_means", "payment_terms", "paid_amounts", "delivery", "purchase_order_reference"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Body;

    #[test]
    fn every_field_of_the_form_is_a_field_of_a_send() {
        let is_known = |path: &str| {
            let first = path.split('.').next().unwrap();
            Body::FIELDS.iter().any(|(field, _)| *field == first)
        };
        for group in ABOVE.iter().chain(&BELOW) {
            for field in group.fields {
                assert!(is_known(field.path), "{}", field.path);
            }
        }
        for path in NOT_COPIED.iter().chain(&NOT_CREDITED) {
            assert!(*path == "profile" || is_known(path), "{path}");
        }
    }
}
