//! Tables with foreign headings: which field each column is, and the table with the headings that an import knows.
//!
//! Only the heading row is written anew. All other rows keep their text and their numbers.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, Trim, WriterBuilder};

use super::{Finding, ZIP, columns::Column, fits, is_json, one, text, workbook};
use crate::document::Operation;

/// Maximum headings that a person can be asked about.
pub const MAX_HEADINGS: usize = 200;
/// Maximum characters of a heading.
const MAX_HEADING: usize = 100;

/// The field of each heading; an empty field leaves the column out.
pub type Mapping = BTreeMap<String, String>;

/// A table whose headings may be foreign.
#[derive(Debug)]
pub struct Headed {
    /// The headings, from left to right.
    pub headings: Vec<String>,
    /// The rows below.
    rows: String,
}

impl Headed {
    /// Reads the headings of a table; `None` if the file is not a table, or has too many or repeated headings.
    pub fn read(bytes: Vec<u8>) -> Result<Option<Self>, Vec<Finding>> {
        fits(bytes.len())?;
        let text = match bytes.starts_with(ZIP) {
            true => workbook::to_csv(&bytes)?,
            false => text(bytes)?,
        };
        if is_json(&text) {
            return Ok(None);
        }
        let mut reader =
            ReaderBuilder::new().trim(Trim::Headers).flexible(true).from_reader(text.as_bytes());
        let unreadable = |error: csv::Error| one("AP-IMPORT-row", error.to_string());
        let headings: Vec<String> =
            reader.headers().map_err(unreadable)?.iter().map(str::to_owned).collect();
        let below = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
        let (head, rows) = text.split_at_checked(below).unwrap_or_default();
        // The reader stops between the characters of a CRLF.
        let half = if head.ends_with('\r') { rows.strip_prefix('\n') } else { None };
        let rows = half.unwrap_or(rows).to_owned();
        let distinct: std::collections::BTreeSet<_> = headings.iter().collect();
        let is_fit = (2..=MAX_HEADINGS).contains(&headings.len())
            && distinct.len() == headings.len()
            && headings.iter().all(|it| it.chars().count() <= MAX_HEADING);
        Ok(is_fit.then_some(Headed { headings, rows }))
    }

    /// The most likely field of each heading: the known one, the field of this name, or the one that people call so.
    pub fn guesses(&self, operation: Operation, known: &Mapping) -> Mapping {
        let guess = |heading: &String| {
            let field = known.get(heading).cloned().or_else(|| guess(operation, heading));
            (heading.clone(), field.unwrap_or_default())
        };
        self.headings.iter().map(guess).collect()
    }

    /// Whether a mapping says of each heading what it is.
    pub fn is_covered_by(&self, mapping: &Mapping) -> bool {
        self.headings.iter().all(|heading| mapping.contains_key(heading))
    }

    /// The table as CSV with the fields of a mapping as its headings.
    pub fn mapped(&self, mapping: &Mapping) -> Result<Vec<u8>, Vec<Finding>> {
        let name = |(place, heading): (usize, &String)| match mapping.get(heading) {
            Some(field) if !field.is_empty() => field.clone(),
            _ => format!("{}{place}", super::columns::IGNORED),
        };
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        let unreadable = |error: csv::Error| one("AP-IMPORT-row", error.to_string());
        writer.write_record(self.headings.iter().enumerate().map(name)).map_err(unreadable)?;
        let mut table =
            writer.into_inner().map_err(|error| one("AP-IMPORT-row", error.to_string()))?;
        table.extend_from_slice(self.rows.as_bytes());
        Ok(table)
    }
}

/// The fields that are offered for a column. Any other field may be entered too.
pub fn offered(operation: Operation) -> Vec<&'static str> {
    let fields = NAMES.iter().map(|(field, _)| *field);
    fields.filter(|field| Column::read(operation, field).is_ok()).collect()
}

/// The field that a heading probably names.
fn guess(operation: Operation, heading: &str) -> Option<String> {
    if Column::read(operation, heading).is_ok() {
        return Some(heading.to_owned());
    }
    let plain: String = heading.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    let named = NAMES.iter().filter(|(_, names)| names.contains(&plain.as_str()));
    let mut fields = named.map(|(field, _)| *field);
    fields.find(|field| Column::read(operation, field).is_ok()).map(str::to_owned)
}

/// Fields with the headings that people give them, in lower case without spaces and marks.
const NAMES: &[(&str, &[&str])] = &[
    (
        "invoice_number",
        &["number", "no", "invoiceno", "invoicenumber", "invno", "invoice", "رقمالفاتورة", "الرقم"],
    ),
    (
        "credit_note_number",
        &["number", "no", "creditnoteno", "creditnotenumber", "creditnote", "رقمالإشعار"],
    ),
    ("issue_date", &["date", "issuedate", "invoicedate", "التاريخ", "تاريخالإصدار"]),
    ("due_date", &["due", "duedate", "paymentdue", "تاريخالاستحقاق"]),
    ("currency", &["currency", "ccy", "العملة"]),
    ("currency_exchange_rate", &["exchangerate", "fxrate", "سعرالصرف"]),
    ("note", &["note", "notes", "remarks", "ملاحظة", "ملاحظات"]),
    ("purchase_order_reference", &["po", "ponumber", "purchaseorder", "أمرالشراء"]),
    ("credit_note_reason_code", &["reason", "reasoncode"]),
    ("previous_document_id", &["previousdocumentid", "documentid"]),
    ("original_invoice_number", &["originalinvoice", "originalinvoicenumber", "creditedinvoice"]),
    ("original_issue_date", &["originaldate", "originalissuedate"]),
    (
        "customer.name",
        &[
            "customer",
            "customername",
            "buyer",
            "buyername",
            "client",
            "العميل",
            "اسمالعميل",
            "المشتري",
        ],
    ),
    ("customer.electronic_address.id", &["tin", "customertin", "buyertin", "endpoint"]),
    (
        "customer.vat_identifier",
        &["trn", "customertrn", "buyertrn", "vatnumber", "taxnumber", "الرقمالضريبي"],
    ),
    ("customer.address.line_1", &["address", "street", "customeraddress", "العنوان"]),
    ("customer.address.city", &["city", "customercity", "المدينة"]),
    ("customer.address.country_subdivision", &["emirate", "region", "state", "الإمارة"]),
    ("customer.address.country_code", &["country", "countrycode", "الدولة"]),
    ("payment_means.means_code", &["paymentmeans", "paymentmethod", "paymentcode"]),
    ("payment_means.credit_transfer.account_identifier.id", &["iban", "account", "accountnumber"]),
    ("payment_means.credit_transfer.account_name", &["accountname", "accountholder"]),
    (
        "line_items.item.name",
        &["item", "itemname", "description", "product", "service", "الوصف", "البند", "الصنف"],
    ),
    ("line_items.item.type_code", &["itemtype", "goodsorservices"]),
    ("line_items.item.classifications.code", &["hscode", "hs", "commoditycode"]),
    ("line_items.item.service_accounting_codes.code", &["sac", "servicecode"]),
    ("line_items.quantity", &["quantity", "qty", "الكمية"]),
    ("line_items.unit_code", &["unit", "uom", "unitcode", "الوحدة"]),
    ("line_items.price.net_price", &["price", "unitprice", "netprice", "السعر", "سعرالوحدة"]),
    (
        "line_items.vat.category_code",
        &["vat", "vatcategory", "taxcategory", "vatcode", "taxcode", "الضريبة"],
    ),
    ("line_items.vat.exemption_reason_code", &["exemption", "exemptionreason"]),
    ("line_items.note", &["linenote"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::Operation::Invoice, import_tables::File};

    const CSV: &str = include_str!("../../../events/imports/invoices.csv");

    #[test]
    fn every_offered_field_is_a_column_of_some_kind_of_document() {
        for (field, _) in NAMES {
            let is_column = |operation| Column::read(operation, field).is_ok();
            assert!(Operation::ALL.into_iter().any(is_column), "{field}");
        }
    }

    #[test]
    fn foreign_headings_are_guessed_and_the_rows_below_keep_their_numbers() {
        let table = "Invoice No.,Colour,Customer,Qty\r\nA-1,red,\"Oasis, LLC\",2\r\n\r\nA-2,blue,Palm,3\r\n";
        let headed = Headed::read(table.into()).unwrap().unwrap();
        let mut mapping = headed.guesses(Invoice, &Mapping::new());
        let field = |mapping: &Mapping, heading: &str| mapping[heading].clone();
        assert_eq!(field(&mapping, "Invoice No."), "invoice_number");
        assert_eq!(field(&mapping, "Customer"), "customer.name");
        assert_eq!(field(&mapping, "Qty"), "line_items.quantity");
        assert_eq!(field(&mapping, "Colour"), "");
        let file = File::open(Invoice, headed.mapped(&mapping).unwrap()).unwrap();
        assert_eq!(file.documents(), 2);
        assert_eq!(file.rows(1), Some((4, 4)));
        let body = String::from_utf8(file.body(0).unwrap().unwrap()).unwrap();
        assert!(body.contains("Oasis, LLC") && !body.contains("red"), "{body}");
        // What was said before is the guess of the next time.
        mapping.insert("Colour".to_owned(), "line_items.note".to_owned());
        assert_eq!(field(&headed.guesses(Invoice, &mapping), "Colour"), "line_items.note");
        assert!(headed.is_covered_by(&mapping) && !headed.is_covered_by(&Mapping::new()));
    }

    #[test]
    fn a_file_that_is_no_table_of_distinct_headings_is_not_asked_about() {
        for file in ["{\"invoice_number\": \"A\"}\n", "one\n1\n", "a,a\n1,2\n"] {
            assert!(Headed::read(file.into()).unwrap().is_none(), "{file}");
        }
    }

    #[test]
    fn the_refused_documents_of_a_table_are_a_table_that_can_be_imported_again() {
        let file = File::open(Invoice, CSV.into()).unwrap();
        let only = file.only(&[(1, "due_date: this must be a date".to_owned())]);
        let text = String::from_utf8(only.clone()).unwrap();
        assert!(text.lines().next().unwrap().ends_with(",import_errors"), "{text}");
        assert!(text.lines().nth(1).unwrap().ends_with(",due_date: this must be a date"), "{text}");
        let again = File::open(Invoice, only).unwrap();
        assert_eq!(again.documents(), 1);
        assert_eq!(again.body(0).unwrap().unwrap(), file.body(1).unwrap().unwrap());
        // The column of reasons is not written twice.
        let twice = String::from_utf8(again.only(&[(0, String::new())])).unwrap();
        assert_eq!(twice.matches("import_errors").count(), 1);
    }
}
