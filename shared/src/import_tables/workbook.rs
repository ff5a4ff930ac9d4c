//! Excel workbooks (`.xlsx`, ECMA-376): the first visible sheet as CSV, which is then read like any other table.
//!
//! **Numbers.** A workbook stores a number as IEEE 754 binary64, and Excel shows at most 15 significant digits ("Excel
//! specifications and limits": number precision). So a number is written with 15 significant digits: the `0.1 + 0.2`
//! that the file holds as `0.30000000000000004` becomes the `0.3` that the person sees. Decimals of at most 15 digits
//! come through unchanged.
//!
//! **Dates.** A date without a time of day becomes `YYYY-MM-DD`. The file says by the format of a cell what is a date.
//!
//! **Limits.** Every part of the archive is inflated once, with a limit on the total, before the library reads it. So
//! neither a ZIP bomb nor overlapping parts take more memory than a CSV file of the maximum size.

use std::io::{Cursor, Read, sink};

use calamine::{DataRef, Reader, SheetVisible, Xlsx};
use rust_decimal::Decimal;
use zip::ZipArchive;

use super::{MAX_COLUMNS, MAX_FILE_BYTES, one};
use crate::error::Finding;

/// Maximum parts of a workbook; a usual one has about ten.
const MAX_PARTS: usize = 1_000;
/// Maximum rows, those between used rows included.
pub(super) const MAX_ROWS: u32 = 200_000;
/// Maximum cells with a value.
const MAX_CELLS: usize = 2_000_000;

const RULE: &str = "AP-IMPORT-workbook";

/// The first visible sheet of a workbook as CSV. Its rows keep their numbers.
pub(super) fn to_csv(bytes: &[u8]) -> Result<String, Vec<Finding>> {
    check_size(bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(unreadable)?;
    let mut sheets = workbook.sheets_metadata().iter();
    let first = sheets.find(|sheet| sheet.visible == SheetVisible::Visible);
    let Some(name) = first.map(|sheet| sheet.name.clone()) else {
        return Err(one(RULE, "the workbook has no visible sheet"));
    };
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(unreadable)?;
    let mut rows = Rows::default();
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        rows.add((row, column), text(cell.get_value(), (row, column))?)?;
    }
    rows.into_csv()
}

/// Checks the inflated size of a workbook, part by part. Sizes that the archive claims are not trusted.
fn check_size(bytes: &[u8]) -> Result<(), Vec<Finding>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    if archive.len() > MAX_PARTS {
        return Err(one(RULE, format!("the workbook has more than {MAX_PARTS} parts")));
    }
    let mut left = MAX_FILE_BYTES as u64;
    for part in 0..archive.len() {
        let part = archive.by_index(part).map_err(unreadable)?;
        let read = std::io::copy(&mut part.take(left + 1), &mut sink()).map_err(unreadable)?;
        left = left.checked_sub(read).ok_or_else(too_large)?;
    }
    Ok(())
}

fn unreadable(error: impl std::fmt::Display) -> Vec<Finding> {
    let message = format!(
        "the file cannot be read as a workbook (.xlsx): {error}. Save its sheet as .xlsx again, or as CSV in UTF-8"
    );
    one(RULE, message)
}

fn too_large() -> Vec<Finding> {
    let message =
        format!("the workbook holds more than {MAX_FILE_BYTES} bytes (64 MiB): import it in parts");
    one("AP-IMPORT-size", message)
}

/// The text of a cell.
fn text(value: &DataRef<'_>, (row, column): (u32, u32)) -> Result<String, Vec<Finding>> {
    let refused = |what: &str| {
        let message = format!("row {}, column {}: the cell {what}", row + 1, column + 1);
        one("AP-IMPORT-row", message)
    };
    Ok(match value {
        DataRef::Empty => String::new(),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => Decimal::from_scientific(&format!("{number:.14e}"))
            .map_err(|_| refused("has a number that is too large or too small"))?
            .normalize()
            .to_string(),
        DataRef::Bool(is_true) => if *is_true { "true" } else { "false" }.to_owned(),
        DataRef::DateTime(instant) if instant.is_datetime() => {
            let (year, month, day, hour, minute, second, milli) = instant.to_ymd_hms_milli();
            match (hour, minute, second, milli) {
                (0, 0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
                // Excel knows no time of day to the millisecond; the rules say what is wrong with one.
                _ => format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"),
            }
        }
        DataRef::DateTimeIso(text) => text.strip_suffix("T00:00:00").unwrap_or(text).to_owned(),
        DataRef::DateTime(_) | DataRef::DurationIso(_) => {
            return Err(refused("has a duration: enter a number, a date or a text"));
        }
        DataRef::Error(error) => {
            return Err(refused(&format!("has the error {error}: correct it")));
        }
    })
}

/// The rows of a sheet that were read so far.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<String>>,
    cells: usize,
    bytes: usize,
}

impl Rows {
    fn add(&mut self, (row, column): (u32, u32), text: String) -> Result<(), Vec<Finding>> {
        if text.is_empty() {
            return Ok(());
        }
        if row >= MAX_ROWS {
            let message = format!("the sheet has more than {MAX_ROWS} rows: import it in parts");
            return Err(one(RULE, message));
        }
        let (row, column) = (row as usize, column as usize);
        if column >= MAX_COLUMNS {
            return Err(one(RULE, format!("the sheet has more than {MAX_COLUMNS} columns")));
        }
        self.cells += 1;
        self.bytes += text.len();
        if self.cells > MAX_CELLS {
            let message = format!("the sheet has more than {MAX_CELLS} cells: import it in parts");
            return Err(one(RULE, message));
        }
        // A shared text may be in many cells.
        if self.bytes > MAX_FILE_BYTES {
            return Err(too_large());
        }
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        if let Some(values) = self.rows.get_mut(row) {
            if values.len() <= column {
                values.resize(column + 1, String::new());
            }
            if let Some(value) = values.get_mut(column) {
                *value = text;
            }
        }
        Ok(())
    }

    /// The rows as CSV. A sheet has no torn rows: each gets as many values as the first one.
    fn into_csv(mut self) -> Result<String, Vec<Finding>> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        for values in &mut self.rows {
            if values.len() < columns && !values.is_empty() {
                values.resize(columns, String::new());
            }
            // An empty row is an empty line, which counts as a row.
            let written = match values.is_empty() {
                true => writer.write_record([""]),
                false => writer.write_record(&*values),
            };
            written.map_err(unreadable)?;
        }
        let bytes = writer.into_inner().map_err(unreadable)?;
        String::from_utf8(bytes).map_err(unreadable)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    /// A workbook with the rows of one sheet, and further parts.
    fn workbook(rows: &str, further: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let parts = [
            (
                "[Content_Types].xml",
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"
                    .to_owned(),
            ),
            (
                "_rels/.rels",
                format!(
                    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
                ),
            ),
            (
                "xl/workbook.xml",
                format!(
                    "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets><sheet name=\"Hidden\" sheetId=\"1\" state=\"hidden\" r:id=\"r1\"/><sheet name=\"July\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
                ),
            ),
            (
                "xl/_rels/workbook.xml.rels",
                format!(
                    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r1\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet2.xml\"/><Relationship Id=\"r3\" Type=\"{RELATIONS}/styles\" Target=\"styles.xml\"/><Relationship Id=\"r4\" Type=\"{RELATIONS}/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
                ),
            ),
            (
                "xl/styles.xml",
                format!(
                    "<styleSheet xmlns=\"{MAIN}\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
                ),
            ),
            (
                "xl/sharedStrings.xml",
                format!(
                    "<sst xmlns=\"{MAIN}\"><si><t>invoice_number</t></si><si><t>a \"b\", c</t></si></sst>"
                ),
            ),
            (
                "xl/worksheets/sheet1.xml",
                format!("<worksheet xmlns=\"{MAIN}\"><sheetData/></worksheet>"),
            ),
            (
                "xl/worksheets/sheet2.xml",
                format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>"),
            ),
        ];
        let parts = parts.iter().map(|(name, text)| (*name, text.as_bytes()));
        let further = further.iter().map(|(name, bytes)| (*name, &bytes[..]));
        for (name, bytes) in parts.chain(further) {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn refused(rows: &str) -> String {
        to_csv(&workbook(rows, &[])).unwrap_err().remove(0).message.to_string()
    }

    #[test]
    fn a_sheet_becomes_the_table_that_the_person_sees() {
        let rows = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>due_date</t></is></c>\
                    <c r=\"C1\" t=\"str\"><v>price</v></c></row>\
                    <row r=\"3\"><c r=\"A3\" t=\"s\"><v>1</v></c><c r=\"B3\" s=\"1\"><v>47514</v></c>\
                    <c r=\"C3\"><v>0.30000000000000004</v></c></row>\
                    <row r=\"4\"><c r=\"A4\"><v>100123450200003</v></c><c r=\"C4\"><v>1499.99</v></c></row>\
                    <row r=\"5\"><c r=\"A5\" t=\"b\"><v>1</v></c><c r=\"C5\"><v>1E3</v></c></row>";
        let csv = to_csv(&workbook(rows, &[])).unwrap();
        let expected = "invoice_number,due_date,price\n\"\"\n\"a \"\"b\"\", c\",2030-01-31,0.3\n\
                        100123450200003,,1499.99\ntrue,,1000\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn a_cell_that_has_no_value_to_send_is_named() {
        let cell = |cell: &str| format!("<row r=\"2\">{cell}</row>");
        let error = refused(&cell("<c r=\"C2\" t=\"e\"><v>#REF!</v></c>"));
        assert!(error.starts_with("row 2, column 3") && error.contains("#REF!"), "{error}");
        let error = refused(&cell("<c r=\"C2\"><v>1e300</v></c>"));
        assert!(error.contains("too large"), "{error}");
    }

    #[test]
    fn a_workbook_beyond_a_limit_is_refused_before_it_fills_the_memory() {
        let far = |cell: &str| refused(&format!("<row><c r=\"{cell}\"><v>1</v></c></row>"));
        assert!(far("A1048576").contains("200000 rows"));
        assert!(far("XFD1").contains("1000 columns"));
        let bomb = workbook("", &[("xl/media/image1.png", vec![0; MAX_FILE_BYTES])]);
        assert!(bomb.len() < 500_000, "{}", bomb.len());
        let found = to_csv(&bomb).unwrap_err();
        assert_eq!(found[0].rule, "AP-IMPORT-size");
        let found = to_csv(b"PK\x03\x04 and nothing more").unwrap_err();
        assert_eq!(found[0].rule, "AP-IMPORT-workbook");
    }
}
