//! The workbook to start with: it has the content of the table, and its cells offer the codes of the rules.

use std::{collections::BTreeMap, fs, io::Read, path::Path};

use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, DocProperties, ExcelDateTime, Format, Formula,
    Workbook, XlsxError,
};
use zip::ZipArchive;

use crate::{
    codes::{COUNTRIES, UNITS},
    document::Operation,
    i18n::Language,
    import_tables::File,
    rendering::choices,
};

const CSV: &str = include_str!("../../../../events/imports/invoices.csv");
const WORKBOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../events/imports/invoices.xlsx");
/// Rows whose cells offer codes and keep identifiers as text.
const ROWS: u32 = 5_000;

/// The codes that the cells of a column offer.
fn codes(heading: &str) -> Vec<&'static str> {
    let of_term =
        |term| choices(Language::English, term).into_iter().map(|(code, _)| code).collect();
    match heading {
        "customer.address.country_subdivision" => of_term("IBT-054"),
        "customer.address.country_code" => COUNTRIES.iter().collect(),
        "line_items.item.type_code" => of_term("BTAE-13"),
        "line_items.unit_code" => UNITS.iter().collect(),
        "line_items.vat.category_code" => of_term("IBT-151"),
        "payment_means.means_code" => of_term("IBT-081"),
        "payment_means.credit_transfer.account_identifier.scheme_id" => vec!["IBAN"],
        _ => Vec::new(),
    }
}

/// Whether the values of a column are numbers. All others are texts, so that Excel changes no identifier.
fn is_number(heading: &str) -> bool {
    ["line_items.quantity", "line_items.price.net_price"].contains(&heading)
}

#[expect(clippy::disallowed_types, reason = "a workbook stores numbers as binary64")]
fn workbook() -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2026, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(CSV.as_bytes());
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let (bold, plain) = (Format::new().set_bold(), Format::new().set_num_format("@"));
    workbook.add_worksheet().set_name("Invoices")?;
    workbook.add_worksheet().set_name("Codes")?.set_hidden(true);
    for (column, heading) in rows[0].iter().enumerate() {
        let column = u16::try_from(column).unwrap();
        let codes = codes(heading);
        let lists = workbook.worksheet_from_name("Codes")?;
        lists.write(0, column, heading)?;
        for (row, code) in (1..).zip(&codes) {
            lists.write(row, column, *code)?;
        }
        let sheet = workbook.worksheet_from_name("Invoices")?;
        sheet.set_column_width(column, u32::try_from(heading.len().max(14)).unwrap())?;
        sheet.write_with_format(0, column, heading, &bold)?;
        if !is_number(heading) {
            sheet.set_column_format(column, &plain)?;
        }
        for (row, record) in (1..).zip(&rows[1..]) {
            let value = &record[usize::from(column)];
            if is_number(heading) && !value.is_empty() {
                sheet.write(row, column, value.parse::<f64>().unwrap())?;
            } else if !value.is_empty() {
                sheet.write_with_format(row, column, value, &plain)?;
            }
        }
        if !codes.is_empty() {
            let letters = rust_xlsxwriter::utility::column_number_to_name(column);
            let range = format!("=Codes!${letters}$2:${letters}${}", codes.len() + 1);
            let list = DataValidation::new()
                .allow_list_formula(Formula::new(range))
                // The rules of the service decide; Excel only asks.
                .set_error_style(DataValidationErrorStyle::Warning)
                .set_error_title("Unknown code")?
                .set_error_message("The list of this column does not have this code.")?;
            sheet.add_data_validation(1, column, ROWS, column, &list)?;
        }
    }
    workbook.worksheet_from_name("Invoices")?.set_freeze_panes(1, 1)?;
    workbook.save_to_buffer()
}

/// The inflated parts of a workbook.
fn parts(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut archive = ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let part = |at| {
        let (mut part, mut text) = (archive.by_index(at).unwrap(), String::new());
        part.read_to_string(&mut text).unwrap();
        (part.name().unwrap().into_owned(), text)
    };
    (0..count).map(part).collect()
}

#[expect(clippy::disallowed_methods, reason = "the workbook is written by this test alone")]
fn is_written() -> bool {
    std::env::var_os("UPDATE_WORKBOOK").is_some()
}

/// With `UPDATE_WORKBOOK`, writes the workbook.
#[test]
fn the_workbook_has_the_content_of_the_table_and_offers_the_codes() {
    let made = workbook().unwrap();
    if is_written() {
        fs::write(Path::new(WORKBOOK), &made).unwrap();
    }
    let kept = fs::read(WORKBOOK).unwrap();
    assert!(parts(&kept) == parts(&made), "UPDATE_WORKBOOK=1 writes it anew");
    let open = |bytes: Vec<u8>| File::open(Operation::Invoice, bytes).unwrap();
    let (workbook, table) = (open(kept), open(CSV.into()));
    assert_eq!(workbook.documents(), table.documents());
    for document in 0..table.documents() {
        let json = |file: &File| -> serde_json::Value {
            serde_json::from_slice(&file.body(document).unwrap().unwrap()).unwrap()
        };
        let (workbook, table) = (json(&workbook), json(&table));
        assert_eq!(workbook["customer"], table["customer"]);
        assert_eq!(workbook["payment_means"], table["payment_means"]);
    }
    let sheet = &parts(&made)["xl/worksheets/sheet1.xml"];
    assert_eq!(sheet.matches("<dataValidation ").count(), 7, "each list has its cells");
}
