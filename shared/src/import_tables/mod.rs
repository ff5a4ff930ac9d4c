//! Import files with many documents. There are two formats:
//!
//! - JSON Lines: each line is the body of a send request.
//! - CSV: each row is a line of a document. An Excel workbook (`.xlsx`) is read as the table of its first sheet.
//!
//! Errors in the file itself are found before any document is sent. Errors in a document are reported with row and
//! column, so that people can correct them.

#![expect(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field; no money is here"
)]

mod columns;
pub mod mapping;
mod table;
#[cfg(test)]
mod tests;
mod workbook;

use std::{borrow::Cow, collections::BTreeMap, io::Read, ops::Range};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize, de::IgnoredAny};

use self::table::Table;
use crate::{document::Operation, error::Finding};

/// Maximum number of documents in a file.
pub const MAX_DOCUMENTS: usize = 10_000;
/// Maximum size of a file in bytes, uncompressed.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of columns of a table.
pub const MAX_COLUMNS: usize = 1_000;
/// Maximum number of reported findings about a file.
const MAX_FINDINGS: usize = 100;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JSON Lines: each line is the body of a send request.
    Ndjson,
    /// Comma-separated values (RFC 4180): a header with field names, then a row for each line of a document.
    Csv,
    /// A format from a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A well-formed file. Its documents are not validated yet.
#[derive(Debug)]
pub struct File {
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The text, and the range of each document in it with its row.
    Lines(String, Vec<(u32, Range<usize>)>),
    Table(Table),
}

/// A finding about a document, with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The row, from 1. In JSON Lines it is the line. In CSV it is counted as in a spreadsheet: empty rows count, and
    /// a row over several lines counts once.
    pub row: u32,
    /// The name of the column, or the name that a missing column would have. `None` in JSON Lines, and for findings
    /// without a column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The error.
    #[serde(flatten)]
    pub finding: Finding,
}

/// The content of a file, decompressed if it is gzip.
pub fn unpacked(file: Vec<u8>) -> Result<Vec<u8>, Vec<Finding>> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return Ok(file);
    }
    let mut text = Vec::new();
    // Reads at most one byte more than the limit: enough to detect a file that is too large, without unpacking a zip
    // bomb.
    let most = MAX_FILE_BYTES as u64 + 1;
    match MultiGzDecoder::new(&file[..]).take(most).read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(one("AP-IMPORT-gzip", format!("the file is not complete gzip: {error}"))),
    }
}

/// Checks that a file of this size is not too large.
pub fn fits(bytes: usize) -> Result<(), Vec<Finding>> {
    if bytes > MAX_FILE_BYTES {
        let message =
            format!("the file has more than {MAX_FILE_BYTES} bytes (64 MiB): import it in parts");
        return Err(one("AP-IMPORT-size", message));
    }
    Ok(())
}

impl File {
    /// Opens a file of documents of one kind, or returns all errors of its form.
    pub fn open(operation: Operation, bytes: Vec<u8>) -> Result<Self, Vec<Finding>> {
        fits(bytes.len())?;
        let text = match bytes.starts_with(ZIP) {
            true => workbook::to_csv(&bytes)?,
            false => text(bytes)?,
        };
        let content = match is_json(&text) {
            true => {
                let lines = lines(&text);
                are_documents(operation, &text, &lines)?;
                Content::Lines(text, lines)
            }
            false => Content::Table(Table::read(operation, &text)?),
        };
        let file = File { content };
        match file.documents() {
            0 => Err(one("AP-IMPORT-empty", "the file has no document")),
            many if many > MAX_DOCUMENTS => {
                // In an unsorted table, the rows of one number are counted as several documents.
                if let Content::Table(table) = &file.content
                    && let Some(parted) = table.any_parted()
                {
                    return Err(vec![parted]);
                }
                let message = format!(
                    "the file has {many} documents, but an import has at most {MAX_DOCUMENTS}: import it in parts"
                );
                Err(one("AP-IMPORT-documents", message))
            }
            _ => Ok(file),
        }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        match &self.content {
            Content::Lines(..) => Format::Ndjson,
            Content::Table(_) => Format::Csv,
        }
    }

    /// The number of documents.
    pub fn documents(&self) -> usize {
        match &self.content {
            Content::Lines(_, lines) => lines.len(),
            Content::Table(table) => table.documents(),
        }
    }

    /// The number of rows that are not empty.
    pub fn rows_in_all(&self) -> usize {
        match &self.content {
            Content::Lines(_, lines) => lines.len(),
            Content::Table(table) => table.rows_in_all(),
        }
    }

    /// The first and the last row of a document; `None` if there is no such document.
    pub fn rows(&self, document: usize) -> Option<(u32, u32)> {
        match &self.content {
            Content::Lines(_, lines) => lines.get(document).map(|(row, _)| (*row, *row)),
            Content::Table(table) => table.rows(document),
        }
    }

    /// A document as the body of a send request, or the errors of its rows. `None` if there is no such document.
    pub fn body(&self, document: usize) -> Option<Result<Vec<u8>, Vec<Placed>>> {
        match &self.content {
            Content::Lines(text, lines) => {
                let (_, range) = lines.get(document)?;
                Some(Ok(text.get(range.clone())?.as_bytes().to_vec()))
            }
            Content::Table(table) => table.body(document),
        }
    }

    /// The number of a document whose rows are invalid, if it is known for certain.
    pub fn number(&self, document: usize) -> Option<&str> {
        match &self.content {
            Content::Lines(..) => None,
            Content::Table(table) => table.number(document),
        }
    }

    /// Some of the documents, each with the reasons why it is refused, as a file of this format.
    pub fn only(&self, refused: &[(usize, String)]) -> Vec<u8> {
        match &self.content {
            Content::Lines(text, lines) => {
                let ranges = refused.iter().filter_map(|(document, _)| lines.get(*document));
                let lines = ranges.filter_map(|(_, range)| text.get(range.clone()));
                lines.flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
            }
            Content::Table(table) => table.only(refused),
        }
    }

    /// The place in the file of a finding about a document's body.
    pub fn place(&self, document: usize, finding: Finding) -> Placed {
        match &self.content {
            Content::Lines(..) => {
                let row = self.rows(document).map_or(0, |(row, _)| row);
                Placed { row, column: None, finding }
            }
            Content::Table(table) => table.place(document, finding),
        }
    }
}

/// The first bytes of a ZIP archive, such as a workbook (.xlsx).
const ZIP: &[u8] = b"PK\x03\x04";
/// The first bytes of the older compound files (.xls).
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The text of a file: UTF-8 without its byte order mark.
fn text(bytes: Vec<u8>) -> Result<String, Vec<Finding>> {
    if bytes.starts_with(COMPOUND) {
        let message = "the file is a workbook of an older format (.xls): save it as .xlsx, or its sheet as CSV in UTF-8";
        return Err(one("AP-IMPORT-workbook", message));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(one("AP-IMPORT-utf8", "the file is in UTF-16: save it in UTF-8"));
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line =
            1 + bytes.get(..at).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        one(
            "AP-IMPORT-utf8",
            format!("the file is not UTF-8 (line {line}, byte {}): save it in UTF-8", at + 1),
        )
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// No column name starts like an object or a list.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Checks that lines of JSON can be documents of a kind. An error that all lines share is reported once.
fn are_documents(
    operation: Operation,
    text: &str,
    lines: &[(u32, Range<usize>)],
) -> Result<(), Vec<Finding>> {
    let line = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let Some((row, first)) = lines.first() else { return Ok(()) };
    if line(first).starts_with('[') {
        let message = "the file is a JSON array: write one document on each line (JSON Lines), without brackets around \
                       and commas between the documents. jq -c '.[]' converts it";
        return Err(one("AP-IMPORT-json", message));
    }
    // The object does not end on its line, but on a later one.
    if serde_json::from_str::<IgnoredAny>(line(first)).is_err_and(|error| error.is_eof()) {
        let rest = text.get(first.start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        if let Some(Ok(_)) = values.next() {
            let ends = rest.get(..values.byte_offset()).unwrap_or_default().matches('\n').count();
            let message = format!(
                "the document that begins on line {row} has {} lines: write each document on one line (JSON Lines). jq \
                 -c . converts it",
                ends + 1
            );
            return Err(one("AP-IMPORT-json", message));
        }
    }
    // The kinds whose number field every document has, if no document has the number field of its own kind.
    let others = Operation::ALL.into_iter().filter(|other| {
        other.number_field() != operation.number_field()
            && lines.iter().all(|(_, range)| names_number(*other, operation, line(range)))
    });
    match others.collect::<Vec<_>>() {
        others if others.is_empty() => Ok(()),
        others => Err(is_of_type("the documents are", operation, &others)),
    }
}

/// Whether a line is an object with the number field of one kind of document and not of another.
fn names_number(this: Operation, and_not: Operation, line: &str) -> bool {
    let members: Result<BTreeMap<Cow<'_, str>, IgnoredAny>, _> = serde_json::from_str(line);
    members.is_ok_and(|members| {
        members.contains_key(this.number_field()) && !members.contains_key(and_not.number_field())
    })
}

/// The error for a file with documents of another kind than the request names.
fn is_of_type(what: &str, said: Operation, fitting: &[Operation]) -> Vec<Finding> {
    let types: Vec<String> = fitting.iter().map(|other| format!("type={other}")).collect();
    let message = format!(
        "{what} those of another kind than {said}: import the file with {}",
        types.join(" or ")
    );
    one("AP-IMPORT-type", message)
}

/// The lines that are not empty, with their numbers.
fn lines(text: &str) -> Vec<(u32, Range<usize>)> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        // In concatenated files, each may start with a byte order mark.
        let begun = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let said = begun.trim_end();
        if !said.is_empty() {
            let from = begin + (line.len() - begun.len());
            found.push((number, from..from + said.len()));
        }
        begin += line.len();
    }
    found
}

/// A finding about the file as a whole.
fn one(rule: &'static str, message: impl Into<std::borrow::Cow<'static, str>>) -> Vec<Finding> {
    vec![Finding::error("", rule, message)]
}
