//! CSV: the names of fields, and below them a row for each line of a document. Rows that follow each other and have the
//! same number are one document, whose own fields may stand in the first of them alone.

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Value};

use super::{
    MAX_FINDINGS, Placed,
    columns::{Column, LINES, name_of},
    one,
};
use crate::{document::Operation, error::Finding};

/// The row of the first record: the names of the columns are row 1.
const FIRST_ROW: u32 = 2;

/// A table whose columns and rows are right.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    /// The rows that say something, with their numbers.
    rows: Vec<(u32, StringRecord)>,
    /// Of each document the place of its first row, and how many it has.
    documents: Vec<(usize, usize)>,
}

impl Table {
    /// Reads a table, or says everything that is wrong with its form.
    pub(super) fn read(operation: Operation, text: &str) -> Result<Self, Vec<Finding>> {
        // Every quotation mark has a counterpart. The crate takes the rest of the file where one has not.
        if !text.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2) {
            let message =
                "a quotation mark is not closed: every one within a quoted value is doubled";
            return Err(one("AP-IMPORT-quotes", message));
        }
        let mut reader = ReaderBuilder::new().trim(Trim::Headers).from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| vec![unreadable(error)])?.clone();
        let columns = columns(operation, &names)?;
        let mut rows = Vec::new();
        let mut found = Vec::new();
        for (number, row) in (FIRST_ROW..).zip(reader.records()) {
            match row {
                // Spreadsheets write what lies below the last line, too.
                Ok(row) if row.iter().all(|value| value.trim().is_empty()) => {}
                Ok(row) => rows.push((number, row)),
                Err(error) => found.push(unreadable(error)),
            }
            if found.len() == MAX_FINDINGS {
                break;
            }
        }
        if !found.is_empty() {
            return Err(found);
        }
        let number = columns.iter().position(|column| column.name == operation.number_field());
        let number_of = |row: &StringRecord| {
            number.and_then(|at| row.get(at)).unwrap_or_default().trim().to_owned()
        };
        let mut documents: Vec<(usize, usize)> = Vec::new();
        let mut last = None;
        for (at, (_, row)) in rows.iter().enumerate() {
            let own = number_of(row);
            match documents.last_mut() {
                // A row that names no number is a further line of the document above it.
                Some((_, many)) if own.is_empty() || last.as_ref() == Some(&own) => *many += 1,
                _ => {
                    documents.push((at, 1));
                    last = Some(own);
                }
            }
        }
        Ok(Table { columns, rows, documents })
    }

    pub(super) fn documents(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn rows(&self, document: usize) -> Option<(u32, u32)> {
        let (first, many) = self.documents.get(document)?;
        Some((self.row(*first), self.row(first + many - 1)))
    }

    pub(super) fn body(&self, document: usize) -> Option<Result<Vec<u8>, Vec<Placed>>> {
        let (first, many) = *self.documents.get(document)?;
        let rows = self.rows.get(first..first + many)?;
        let mut body = Value::Object(Map::new());
        let mut lines = Vec::with_capacity(many);
        let mut found = Vec::new();
        for (at, (number, values)) in rows.iter().enumerate() {
            let mut line = Value::Object(Map::new());
            for (place, column) in self.columns.iter().enumerate() {
                let value = values.get(place).unwrap_or_default();
                if value.trim().is_empty() {
                    continue;
                }
                if column.of_line {
                    column.put(&mut line, value);
                    continue;
                }
                // What is the document's own is the same in each of its rows, where it is said at all.
                let earlier = rows.get(..at).unwrap_or_default().iter();
                let earlier =
                    earlier.filter_map(|(_, row)| row.get(place)).find(|it| !it.trim().is_empty());
                match earlier {
                    None => column.put(&mut body, value),
                    Some(earlier) if earlier == value => {}
                    Some(_) => {
                        let message =
                            "this is the document's own, and an earlier row of it says otherwise";
                        let finding = Finding::error("", "AP-IMPORT-row", message);
                        let column = Some(column.name.clone());
                        found.push(Placed { row: *number, column, finding });
                    }
                }
            }
            lines.push(line);
        }
        if !found.is_empty() {
            found.truncate(MAX_FINDINGS);
            return Some(Err(found));
        }
        if self.columns.iter().any(|column| column.of_line) {
            body[LINES] = Value::Array(lines);
        }
        Some(Ok(body.to_string().into_bytes()))
    }

    pub(super) fn place(&self, document: usize, finding: Finding) -> Placed {
        let (first, many) = self.documents.get(document).copied().unwrap_or_default();
        let (line, name) = name_of(&finding.pointer);
        // A finding about a line that nobody wrote is one about the document.
        let line = line.filter(|line| *line < many).unwrap_or(0);
        // As the column is called here: `charges.0.amount` and `charges.amount` are the same.
        let is_meant = |column: &&Column| column.name == name || bare(&column.name) == name;
        let known = self.columns.iter().find(is_meant).map(|column| column.name.clone());
        let column = known.or((!name.is_empty()).then_some(name));
        Placed { row: self.row(first + line), column, finding }
    }

    /// The number of the row at a place.
    fn row(&self, place: usize) -> u32 {
        self.rows.get(place).map_or(0, |(number, _)| *number)
    }
}

/// The name of a column without the numbers of what is first.
fn bare(name: &str) -> String {
    name.split('.').filter(|part| *part != "0").collect::<Vec<_>>().join(".")
}

/// The columns by their names, or everything that is wrong with those.
fn columns(operation: Operation, names: &StringRecord) -> Result<Vec<Column>, Vec<Finding>> {
    let (mut columns, mut found) = (Vec::<Column>::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        let column = match Column::read(operation, name) {
            Ok(column) => column,
            Err(_) if name.is_empty() => {
                found.push(wrong(format!("column {} has no name", place + 1)));
                continue;
            }
            Err(_) if names.len() == 1 && name.contains([';', '\t']) => {
                found.push(wrong("the columns are not separated by commas".to_owned()));
                continue;
            }
            Err(message) => {
                // A name may be a whole file.
                found.push(wrong(message.chars().take(300).collect()));
                continue;
            }
        };
        let same =
            |other: &&Column| (other.of_line, &other.steps) == (column.of_line, &column.steps);
        match columns.iter().find(same) {
            Some(other) => {
                found.push(wrong(format!("{name:?} and {:?} are the same column", other.name)));
            }
            None => columns.push(column),
        }
    }
    let number = operation.number_field();
    if found.is_empty() && !columns.iter().any(|column| column.name == number) {
        found.push(wrong(format!("there is no column {number}, by which rows are documents")));
    }
    found.truncate(MAX_FINDINGS);
    if found.is_empty() { Ok(columns) } else { Err(found) }
}

fn wrong(message: String) -> Finding {
    Finding::error("", "AP-IMPORT-column", message)
}

fn unreadable(error: csv::Error) -> Finding {
    let message = match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let row = pos.as_ref().map_or(0, |pos| pos.record() + 1);
            format!("row {row} has {len} values, and there are {expected_len} columns")
        }
        _ => error.to_string(),
    };
    Finding::error("", "AP-IMPORT-row", message)
}
