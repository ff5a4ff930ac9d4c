//! CSV: the names of fields, and below them a row for each line of a document. Rows that follow each other and have the
//! same number are one document, whose own fields may stand in the first of them alone.
//!
//! A row of more or fewer values than there are columns is torn: what stands behind the comma that is too much or missing
//! has moved, and the number with it. Its document is refused, as far as the number tells which that is; and so is a
//! neighbour that the row may be of, since a document without one of its lines would be a wrong one.

use csv::{ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Value};

use super::{
    MAX_FINDINGS, Placed,
    columns::{Column, LINES, name_of},
    one,
};
use crate::{document::Operation, error::Finding};

/// A table whose columns and rows are right.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    /// The column of the documents' numbers.
    number: usize,
    /// The rows that say something, with their numbers.
    rows: Vec<(u32, StringRecord)>,
    documents: Vec<Rows>,
}

/// The rows of a document.
#[derive(Debug)]
struct Rows {
    /// The place of the first one.
    first: usize,
    /// How many there are.
    many: usize,
    /// The places of torn ones that are, or may be, among them.
    torn: Vec<usize>,
}

impl Table {
    /// Reads a table, or says everything that is wrong with its form.
    pub(super) fn read(operation: Operation, text: &str) -> Result<Self, Vec<Finding>> {
        // The crate takes what follows a quotation mark for its value, and the rows below for lines of it.
        if !are_closed(text) {
            let message =
                "a quotation mark is not closed: every one within a quoted value is doubled";
            return Err(one("AP-IMPORT-quotes", message));
        }
        let mut reader =
            ReaderBuilder::new().trim(Trim::Headers).flexible(true).from_reader(text.as_bytes());
        let unreadable = |error: csv::Error| one("AP-IMPORT-row", error.to_string());
        let names = reader.headers().map_err(unreadable)?.clone();
        let (columns, number) = columns(operation, &names)?;
        let mut rows = Vec::new();
        let mut at = 1 + empty_lines(text, 0);
        for row in reader.records() {
            let row = row.map_err(unreadable)?;
            at += 1 + empty_lines(text, row.position().map_or(0, csv::Position::byte));
            // Spreadsheets write what lies below the last line, too.
            if !row.iter().all(|value| value.trim().is_empty()) {
                rows.push((at, row));
            }
        }
        let mut table = Table { columns, number, rows, documents: Vec::new() };
        table.group();
        let torn: Vec<usize> = (0..table.rows.len()).filter(|row| table.is_torn(*row)).collect();
        if !torn.is_empty() && torn.len() == table.rows.len() {
            // No row is as the columns are: it is they that are wrong.
            let told = torn.into_iter().take(MAX_FINDINGS);
            return Err(told.map(|row| table.torn(row, true).finding).collect());
        }
        // Where quotation marks of two rows make one of all rows between them, nobody knows whose lines those are.
        let swallows = |row: &&usize| {
            let values = table.rows.get(**row).into_iter().flat_map(|(_, values)| values);
            values.into_iter().any(|value| value.contains(['\n', '\r']))
        };
        if let Some(row) = torn.iter().find(swallows) {
            let said = table.torn(*row, true).finding.message;
            let message = format!("a quotation mark is not closed, or too much: {said}");
            return Err(one("AP-IMPORT-quotes", message));
        }
        table.tear(&torn);
        Ok(table)
    }

    /// Makes documents of the rows.
    fn group(&mut self) {
        let mut last = "";
        for place in 0..self.rows.len() {
            let own = number_of(&self.rows, self.number, place);
            match self.documents.last_mut() {
                // A row that names no number is a further line of the document above it.
                Some(document) if own.is_empty() || last == own => document.many += 1,
                _ => {
                    self.documents.push(Rows { first: place, many: 1, torn: Vec::new() });
                    last = own;
                }
            }
        }
    }

    /// Notes torn rows at each document that they may be of: the one that they stand in, and those around it where their
    /// number stands in the row.
    fn tear(&mut self, torn: &[usize]) {
        let number = |row| number_of(&self.rows, self.number, row);
        // Where whole rows name no number, a torn one may have named none, too.
        let may_name_none =
            (0..self.rows.len()).any(|row| !self.is_torn(row) && number(row).is_empty());
        // Of each document the next ones that begin with a whole row: up to it, and below it.
        let whole = |(at, document): (usize, &Rows)| (!self.is_torn(document.first)).then_some(at);
        let up_to = self.documents.iter().enumerate().scan(None, |last, document| {
            *last = whole(document).or(*last);
            Some(*last)
        });
        let up_to: Vec<Option<usize>> = up_to.collect();
        let below = self.documents.iter().enumerate().rev().scan(None, |next, document| {
            let below = *next;
            *next = whole(document).or(below);
            Some(below)
        });
        let mut below: Vec<Option<usize>> = below.collect();
        below.reverse();
        let named =
            |at: usize| self.documents.get(at).map_or("", |document| number(document.first));
        let mut noted = Vec::new();
        for row in torn {
            let own =
                self.documents.partition_point(|document| document.first <= *row).saturating_sub(1);
            let above = up_to.get(own).copied().flatten().filter(|above| {
                *above == own || may_name_none || self.may_name(*row, named(*above))
            });
            let below = below.get(own).copied().flatten().filter(|below| {
                // It may stand amid the rows of one document.
                above.is_some_and(|above| named(above) == named(*below))
                    || self.may_name(*row, named(*below))
            });
            noted.extend(
                [above.filter(|above| *above != own), Some(own), below].map(|at| (at, *row)),
            );
        }
        for (at, row) in noted {
            if let Some(document) = at.and_then(|at| self.documents.get_mut(at)) {
                document.torn.push(row);
            }
        }
    }

    /// Whether a number may stand in a torn row: as far beside its column as there are commas too many or too few, and one
    /// with its neighbour where a comma is missing.
    fn may_name(&self, row: usize, number: &str) -> bool {
        let Some((_, values)) = self.rows.get(row) else { return false };
        let by = values.len().abs_diff(self.columns.len());
        let (from, many) = (self.number.saturating_sub(by), 2 * by + 1);
        values.iter().skip(from).take(many).map(str::trim).any(|value| {
            match values.len() > self.columns.len() {
                true => value == number,
                false => value.starts_with(number) || value.ends_with(number),
            }
        })
    }

    fn is_torn(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|(_, values)| values.len() != self.columns.len())
    }

    /// What is wrong with a torn row.
    fn torn(&self, row: usize, is_own: bool) -> Placed {
        let (at, values) = self.rows.get(row).map_or((0, 0), |(at, row)| (*at, row.len()));
        let columns = self.columns.len();
        let perhaps = if is_own { "" } else { "; it may be one of this document" };
        let message =
            format!("row {at} has {values} values, and there are {columns} columns{perhaps}");
        Placed { row: at, column: None, finding: Finding::error("", "AP-IMPORT-row", message) }
    }

    pub(super) fn documents(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn rows(&self, document: usize) -> Option<(u32, u32)> {
        let Rows { first, many, .. } = self.documents.get(document)?;
        Some((self.row(*first), self.row(first + many - 1)))
    }

    pub(super) fn body(&self, document: usize) -> Option<Result<Vec<u8>, Vec<Placed>>> {
        let Rows { first, many, torn } = self.documents.get(document)?;
        let own = *first..first + many;
        if !torn.is_empty() {
            let told = torn.iter().take(MAX_FINDINGS);
            return Some(Err(told.map(|row| self.torn(*row, own.contains(row))).collect()));
        }
        let rows = self.rows.get(own)?;
        let mut body = Value::Object(Map::new());
        let mut lines = Vec::with_capacity(rows.len());
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
        let (first, many) = self.documents.get(document).map_or((0, 0), |it| (it.first, it.many));
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

/// The number that a row names; none where it names none.
fn number_of(rows: &[(u32, StringRecord)], column: usize, row: usize) -> &str {
    rows.get(row).and_then(|(_, values)| values.get(column)).unwrap_or_default().trim()
}

/// Whether each value that begins with a quotation mark ends with one, and has those within it doubled (RFC 4180).
fn are_closed(text: &str) -> bool {
    let mut bytes = text.bytes().peekable();
    let mut begins = true;
    while let Some(byte) = bytes.next() {
        if byte == b'"' && begins {
            loop {
                match bytes.next() {
                    None => return false,
                    Some(b'"') if bytes.next_if_eq(&b'"').is_none() => break,
                    Some(_) => {}
                }
            }
            if !matches!(bytes.peek(), None | Some(b',' | b'\r' | b'\n')) {
                return false;
            }
        }
        begins = matches!(byte, b',' | b'\r' | b'\n');
    }
    true
}

/// How many empty lines there are from the end of a record on: who reads records passes over them, and spreadsheets count
/// them.
fn empty_lines(text: &str, from: u64) -> u32 {
    let (before, rest) =
        usize::try_from(from).ok().and_then(|at| text.split_at_checked(at)).unwrap_or_default();
    // The second half of a line end of two characters is no line.
    let half = if before.ends_with('\r') { rest.strip_prefix('\n') } else { None };
    let rest = half.unwrap_or(rest);
    let (ends, _) = rest.split_at(rest.len() - rest.trim_start_matches(['\r', '\n']).len());
    let pairs = ends.matches("\r\n").count();
    u32::try_from(ends.len() - pairs).unwrap_or(u32::MAX)
}

/// The name of a column without the numbers of what is first.
fn bare(name: &str) -> String {
    name.split('.').filter(|part| *part != "0").collect::<Vec<_>>().join(".")
}

/// The columns by their names, and which has the number; or everything that is wrong with them.
fn columns(
    operation: Operation,
    names: &StringRecord,
) -> Result<(Vec<Column>, usize), Vec<Finding>> {
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
    let name = operation.number_field();
    let number = columns.iter().position(|column| column.name == name);
    if found.is_empty() && number.is_none() {
        found.push(wrong(format!("there is no column {name}, by which rows are documents")));
    }
    found.truncate(MAX_FINDINGS);
    match number {
        Some(number) if found.is_empty() => Ok((columns, number)),
        _ => Err(found),
    }
}

fn wrong(message: String) -> Finding {
    Finding::error("", "AP-IMPORT-column", message)
}
