//! Files of many documents, as an import takes them: JSON Lines, a send's body on each line, or CSV, a line of a
//! document on each row. What is wrong with the file itself is found before anything of it is sent; what is wrong with
//! a document is told by the row and column where somebody can mend it.

#![expect(
    clippy::disallowed_types,
    reason = "what serde derives for a flattened field; no money is here"
)]

mod columns;
mod table;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, collections::BTreeMap, io::Read, ops::Range};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize, de::IgnoredAny};

use self::table::Table;
use crate::{document::Operation, error::Finding};

/// The most documents of a file.
pub const MAX_DOCUMENTS: usize = 10_000;
/// The most bytes of a file, as it is before it is compressed.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;
/// The most columns of a table.
pub const MAX_COLUMNS: usize = 1_000;
/// How many findings about a file are told.
const MAX_FINDINGS: usize = 100;

/// How a file says what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JSON Lines: the body of a send on each line.
    Ndjson,
    /// Comma-separated values (RFC 4180): a line of a document on each row, below the names of their fields.
    Csv,
    /// A word of a newer version.
    #[serde(other, skip_serializing)]
    Unknown,
}

/// A file whose form is right; what its documents say is not looked at yet.
#[derive(Debug)]
pub struct File {
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// The text, and where in it each document is, with its row.
    Lines(String, Vec<(u32, Range<usize>)>),
    Table(Table),
}

/// A finding about a document, with where in the file that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The row, from 1: of JSON Lines the line, of CSV as a spreadsheet counts them, which counts empty ones, and one over
    /// several lines once.
    pub row: u32,
    /// The column by its name, or the name that it would have; none in JSON Lines, and where no column is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What is wrong.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What is in a file, without the compression (gzip) that it may have.
pub fn unpacked(file: Vec<u8>) -> Result<Vec<u8>, Vec<Finding>> {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return Ok(file);
    }
    let mut text = Vec::new();
    // One byte more than allowed tells that it is too large, without unpacking what somebody made to be huge.
    let most = MAX_FILE_BYTES as u64 + 1;
    match MultiGzDecoder::new(&file[..]).take(most).read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(one("AP-IMPORT-gzip", format!("the file is not whole as gzip: {error}"))),
    }
}

/// Whether a file of so many bytes is not too large.
pub fn fits(bytes: usize) -> Result<(), Vec<Finding>> {
    if bytes > MAX_FILE_BYTES {
        let message =
            format!("the file has more than {MAX_FILE_BYTES} bytes (64 MiB): import it in parts");
        return Err(one("AP-IMPORT-size", message));
    }
    Ok(())
}

impl File {
    /// Opens a file of documents of one kind: everything that is wrong with its form.
    pub fn open(operation: Operation, bytes: Vec<u8>) -> Result<Self, Vec<Finding>> {
        fits(bytes.len())?;
        let text = text(bytes)?;
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
            0 => Err(one("AP-IMPORT-empty", "there is no document in the file")),
            many if many > MAX_DOCUMENTS => {
                // A table that is not sorted has more documents than numbers.
                if let Content::Table(table) = &file.content
                    && let Some(parted) = table.any_parted()
                {
                    return Err(vec![parted]);
                }
                let message = format!(
                    "the file has {many} documents, and an import at most {MAX_DOCUMENTS}: import it in parts"
                );
                Err(one("AP-IMPORT-documents", message))
            }
            _ => Ok(file),
        }
    }

    /// How it says what it says.
    pub fn format(&self) -> Format {
        match &self.content {
            Content::Lines(..) => Format::Ndjson,
            Content::Table(_) => Format::Csv,
        }
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        match &self.content {
            Content::Lines(_, lines) => lines.len(),
            Content::Table(table) => table.documents(),
        }
    }

    /// How many rows say something.
    pub fn rows_in_all(&self) -> usize {
        match &self.content {
            Content::Lines(_, lines) => lines.len(),
            Content::Table(table) => table.rows_in_all(),
        }
    }

    /// The first and the last row of a document, of those that there are.
    pub fn rows(&self, document: usize) -> Option<(u32, u32)> {
        match &self.content {
            Content::Lines(_, lines) => lines.get(document).map(|(row, _)| (*row, *row)),
            Content::Table(table) => table.rows(document),
        }
    }

    /// A document as the body of a send; or what keeps its rows from being one.
    pub fn body(&self, document: usize) -> Option<Result<Vec<u8>, Vec<Placed>>> {
        match &self.content {
            Content::Lines(text, lines) => {
                let (_, range) = lines.get(document)?;
                Some(Ok(text.get(range.clone())?.as_bytes().to_vec()))
            }
            Content::Table(table) => table.body(document),
        }
    }

    /// The number of a document whose rows are no body, where they say it for certain.
    pub fn number(&self, document: usize) -> Option<&str> {
        match &self.content {
            Content::Lines(..) => None,
            Content::Table(table) => table.number(document),
        }
    }

    /// Where in the file a finding about a document's body is.
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

/// How workbooks begin: ZIP (.xlsx, .ods), and the compound files of before (.xls).
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"];

/// The text of a file: UTF-8, whose mark at the beginning is none of it.
fn text(bytes: Vec<u8>) -> Result<String, Vec<Finding>> {
    if WORKBOOKS.iter().any(|begin| bytes.starts_with(begin)) {
        let message = "the file is a workbook or another archive, and not a table: save its sheet as CSV in UTF-8";
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

/// No column has a name that begins like an object or a list.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Whether lines of JSON may be documents of a kind, one on each: what is wrong with all of them alike is told once.
fn are_documents(
    operation: Operation,
    text: &str,
    lines: &[(u32, Range<usize>)],
) -> Result<(), Vec<Finding>> {
    let line = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let Some((row, first)) = lines.first() else { return Ok(()) };
    if line(first).starts_with('[') {
        let message = "the file is a JSON array: write one document on each line (JSON Lines), without the brackets \
            around them and the commas between them, as jq -c '.[]' does";
        return Err(one("AP-IMPORT-json", message));
    }
    // An object that does not end on its line, but on one below.
    if serde_json::from_str::<IgnoredAny>(line(first)).is_err_and(|error| error.is_eof()) {
        let rest = text.get(first.start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        if let Some(Ok(_)) = values.next() {
            let ends = rest.get(..values.byte_offset()).unwrap_or_default().matches('\n').count();
            let message = format!(
                "the document that begins on line {row} goes over {} lines: write each document on one line \
                 (JSON Lines), as jq -c . does",
                ends + 1
            );
            return Err(one("AP-IMPORT-json", message));
        }
    }
    // The kinds whose number the documents have, where none has the number of its own kind.
    let others = Operation::ALL.into_iter().filter(|other| {
        other.number_field() != operation.number_field()
            && lines.iter().all(|(_, range)| names_number(*other, operation, line(range)))
    });
    match others.collect::<Vec<_>>() {
        others if others.is_empty() => Ok(()),
        others => Err(is_of_type("the documents are", operation, &others)),
    }
}

/// Whether a line is an object with the number of one kind of document and not that of another.
fn names_number(this: Operation, and_not: Operation, line: &str) -> bool {
    let members: Result<BTreeMap<Cow<'_, str>, IgnoredAny>, _> = serde_json::from_str(line);
    members.is_ok_and(|members| {
        members.contains_key(this.number_field()) && !members.contains_key(and_not.number_field())
    })
}

/// What is wrong with a file of other kinds of document than was said.
fn is_of_type(what: &str, said: Operation, fitting: &[Operation]) -> Vec<Finding> {
    let types: Vec<String> = fitting.iter().map(|other| format!("type={other}")).collect();
    let message = format!(
        "{what} those of another kind than {said}: import the file with {}",
        types.join(" or ")
    );
    one("AP-IMPORT-type", message)
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> Vec<(u32, Range<usize>)> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        // Of files that were put together each may begin with a mark of its own.
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
