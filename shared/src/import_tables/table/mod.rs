//! CSV tables: a header with field names, then a row for each line of a document. Consecutive rows with the same
//! number are one document. The document's own fields are needed only in its first row.
//!
//! A torn row has more or fewer values than there are columns. The values behind the extra or missing comma have
//! moved, and the number may have moved too. Its document is refused, as far as the row's number shows which document
//! it is. Each neighbour that the row may belong to is refused too, because a document without one of its lines would
//! be wrong.
//!
//! A number is apart if its rows are in several places: one invoice would become several. All its documents are
//! refused. They are not joined, because a mistyped number would join the lines of two invoices.

mod header;
mod lines;

use std::collections::{BTreeSet, HashMap};

use csv::{ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Value};

use self::{
    header::{columns, of_another_kind},
    lines::{are_closed, empty_lines},
};
use super::{
    MAX_FINDINGS, Placed,
    columns::{Column, LINES, REASONS, name_of},
    one,
};
use crate::{document::Operation, error::Finding};

/// Maximum number of places of a number in a finding.
const MAX_PLACES: usize = 10;

/// Longest quotation of a number in a finding, in characters.
const MAX_SHOWN: usize = 100;

/// A table with valid columns.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    /// The column of the documents' numbers.
    number: usize,
    /// The rows that are not empty, with their row numbers.
    rows: Vec<(u32, StringRecord)>,
    documents: Vec<Rows>,
    /// The documents of each number that is apart.
    apart: Vec<Vec<usize>>,
}

/// The rows of a document, as positions in the table.
#[derive(Debug)]
struct Rows {
    /// The position of its first row.
    first: usize,
    /// The number of its rows.
    many: usize,
    /// The positions of torn rows that belong, or may belong, to it.
    torn: Vec<usize>,
    /// The index of its number among the numbers that are apart.
    apart: Option<usize>,
}

impl Table {
    /// Reads a table, or returns all errors of its form.
    pub(super) fn read(operation: Operation, text: &str) -> Result<Self, Vec<Finding>> {
        // The CSV crate would read the text after an unclosed quotation mark, and all rows below, as one value.
        if !are_closed(text) {
            let message = "a quotation mark is not closed: write each quotation mark inside a quoted value twice";
            return Err(one("AP-IMPORT-quotes", message));
        }
        let mut reader =
            ReaderBuilder::new().trim(Trim::Headers).flexible(true).from_reader(text.as_bytes());
        let unreadable = |error: csv::Error| one("AP-IMPORT-row", error.to_string());
        let names = reader.headers().map_err(unreadable)?.clone();
        let (columns, number) = columns(operation, &names)
            .map_err(|found| of_another_kind(operation, &names, found))?;
        let mut rows = Vec::new();
        let mut at = 1 + empty_lines(text, 0);
        for row in reader.records() {
            let row = row.map_err(unreadable)?;
            at += 1 + empty_lines(text, row.position().map_or(0, csv::Position::byte));
            // Spreadsheets also write empty rows below the last line.
            if !row.iter().all(|value| value.trim().is_empty()) {
                rows.push((at, row));
            }
        }
        let mut table = Table { columns, number, rows, documents: Vec::new(), apart: Vec::new() };
        table.group();
        let torn: Vec<usize> = (0..table.rows.len()).filter(|row| table.is_torn(*row)).collect();
        if !torn.is_empty() && torn.len() == table.rows.len() {
            // No row matches the columns: the columns are wrong.
            let shown = torn.into_iter().take(MAX_FINDINGS);
            return Err(shown.map(|row| table.torn(row, true).finding).collect());
        }
        // Quotation marks of two rows may join all rows between them. The owner of those lines is then unknown.
        let swallows = |row: &&usize| {
            let values = table.rows.get(**row).into_iter().flat_map(|(_, values)| values);
            values.into_iter().any(|value| value.contains(['\n', '\r']))
        };
        if let Some(row) = torn.iter().find(swallows) {
            let said = table.torn(*row, true).finding.message;
            let message =
                format!("a quotation mark is not closed, or there is one too many: {said}");
            return Err(one("AP-IMPORT-quotes", message));
        }
        table.tear(&torn);
        table.part(&torn);
        Ok(table)
    }

    /// The rows of some documents, with the reasons why these are refused in the last column.
    pub(super) fn only(&self, refused: &[(usize, String)]) -> Vec<u8> {
        let kept: Vec<usize> = {
            let named = self.columns.iter().enumerate();
            named.filter(|(_, column)| column.name != REASONS).map(|(at, _)| at).collect()
        };
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        let names = kept.iter().filter_map(|at| self.columns.get(*at));
        let names = names.map(|column| column.name.as_str()).chain([REASONS]);
        // Writing to memory does not fail.
        let _ = writer.write_record(names);
        for (document, reasons) in refused {
            let Some(rows) = self.documents.get(*document) else { continue };
            for place in rows.first..rows.first + rows.many {
                let values = self.rows.get(place).map(|(_, values)| values);
                let value = |at: &usize| values.and_then(|it| it.get(*at)).unwrap_or_default();
                let reasons = if place == rows.first { reasons.as_str() } else { "" };
                let _ = writer.write_record(kept.iter().map(value).chain([reasons]));
            }
        }
        writer.into_inner().unwrap_or_default()
    }

    /// Groups the rows into documents.
    fn group(&mut self) {
        let mut last = "";
        for place in 0..self.rows.len() {
            let own = number_of(&self.rows, self.number, place);
            match self.documents.last_mut() {
                // A row without a number is a further line of the document above it.
                Some(document) if own.is_empty() || last == own => document.many += 1,
                _ => {
                    self.documents.push(Rows {
                        first: place,
                        many: 1,
                        torn: Vec::new(),
                        apart: None,
                    });
                    last = own;
                }
            }
        }
    }

    /// Records torn rows at each document that they may belong to: the document at their position, and its neighbours
    /// if the row may contain their number.
    fn tear(&mut self, torn: &[usize]) {
        let number = |row| number_of(&self.rows, self.number, row);
        // If complete rows omit the number, a torn row may have omitted it too.
        let may_name_none =
            (0..self.rows.len()).any(|row| !self.is_torn(row) && number(row).is_empty());
        // For each document: the nearest document with a complete first row, up to it and below it.
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
                // The row may be between rows of one document.
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

    /// Finds the numbers that are apart, and documents elsewhere in the table whose number is in a torn row.
    fn part(&mut self, torn: &[usize]) {
        let mut places: HashMap<&str, (Vec<usize>, bool)> = HashMap::new();
        let mut last = None;
        for (at, document) in self.documents.iter().enumerate() {
            let number = number_of(&self.rows, self.number, document.first);
            // The number of a torn row may be another value.
            if number.is_empty() || self.is_torn(document.first) {
                continue;
            }
            let (documents, is_apart) = places.entry(number).or_default();
            // Torn rows between two rows of a document do not make it apart. The torn rows already refuse the
            // document.
            *is_apart |= !documents.is_empty() && last != Some(number);
            documents.push(at);
            last = Some(number);
        }
        let mut noted = Vec::new();
        for row in torn {
            let own = self.candidates(*row).map(str::trim).filter_map(|value| {
                places.get(value).and_then(|(documents, _)| documents.first().copied())
            });
            noted.extend(own.collect::<BTreeSet<_>>().into_iter().map(|at| (at, *row)));
        }
        let mut apart: Vec<Vec<usize>> = places
            .into_values()
            .filter_map(|(documents, is_apart)| is_apart.then_some(documents))
            .collect();
        apart.sort_unstable();
        for (at, row) in noted {
            if let Some(document) = self.documents.get_mut(at)
                && !document.torn.contains(&row)
            {
                document.torn.push(row);
            }
        }
        for (which, documents) in apart.iter().enumerate() {
            for at in documents {
                if let Some(document) = self.documents.get_mut(*at) {
                    document.apart = Some(which);
                }
            }
        }
        self.apart = apart;
    }

    /// The finding for a document whose number is apart.
    fn parted(&self, document: &Rows) -> Option<Placed> {
        let documents = self.apart.get(document.apart?)?;
        let places = documents.iter().take(MAX_PLACES).filter_map(|at| self.rows(*at));
        let mut places: Vec<String> = places
            .map(|(first, last)| match first == last {
                true => first.to_string(),
                false => format!("{first} to {last}"),
            })
            .collect();
        match (documents.len() - places.len(), places.pop()) {
            (0, Some(last)) => places.push(format!("and {last}")),
            (more, last) => {
                places.extend(last);
                places.push(format!("and those of {more} other places"));
            }
        }
        let separator = if places.len() == 2 { " " } else { ", " };
        let number = number_of(&self.rows, self.number, document.first);
        let number: String = number.chars().take(MAX_SHOWN).collect();
        let column = self.columns.get(self.number).map(|column| column.name.clone());
        let message = format!(
            "rows {} have the number {number:?} but do not follow each other, so no document of it was sent. Put them \
             together: for example, sort the table by {}",
            places.join(separator),
            column.as_deref().unwrap_or_default()
        );
        let finding = Finding::error("", "AP-IMPORT-apart", message);
        Some(Placed { row: self.row(document.first), column, finding })
    }

    /// A finding about the whole table, if any number is apart.
    pub(super) fn any_parted(&self) -> Option<Finding> {
        let document = self.apart.first()?.first()?;
        self.parted(self.documents.get(*document)?).map(|placed| placed.finding)
    }

    /// Whether a torn row may contain a number. The number may have moved by as many columns as there are extra or
    /// missing commas. With a missing comma, it may be joined with its neighbour.
    fn may_name(&self, row: usize, number: &str) -> bool {
        let is_longer =
            self.rows.get(row).is_some_and(|(_, values)| values.len() > self.columns.len());
        self.candidates(row).map(str::trim).any(|value| match is_longer {
            true => value == number,
            false => value.starts_with(number) || value.ends_with(number),
        })
    }

    /// The values of a torn row that may be its number.
    fn candidates(&self, row: usize) -> impl Iterator<Item = &str> {
        let values = self.rows.get(row).map(|(_, values)| values);
        let by = values.map_or(0, |values| values.len().abs_diff(self.columns.len()));
        let (from, many) = (self.number.saturating_sub(by), 2 * by + 1);
        values.into_iter().flat_map(move |values| values.iter().skip(from).take(many))
    }

    fn is_torn(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|(_, values)| values.len() != self.columns.len())
    }

    fn torn(&self, row: usize, is_own: bool) -> Placed {
        let (at, values) = self.rows.get(row).map_or((0, 0), |(at, row)| (*at, row.len()));
        let columns = self.columns.len();
        let perhaps = if is_own { "" } else { "; the row may belong to this document" };
        let message =
            format!("row {at} has {values} values, but there are {columns} columns{perhaps}");
        Placed { row: at, column: None, finding: Finding::error("", "AP-IMPORT-row", message) }
    }

    pub(super) fn rows_in_all(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn documents(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn rows(&self, document: usize) -> Option<(u32, u32)> {
        let Rows { first, many, .. } = self.documents.get(document)?;
        Some((self.row(*first), self.row(first + many - 1)))
    }

    /// The number of a document that is apart.
    pub(super) fn number(&self, document: usize) -> Option<&str> {
        let document = self.documents.get(document)?;
        document.apart.map(|_| number_of(&self.rows, self.number, document.first))
    }

    pub(super) fn body(&self, document: usize) -> Option<Result<Vec<u8>, Vec<Placed>>> {
        let document = self.documents.get(document)?;
        let Rows { first, many, torn, .. } = document;
        let own = *first..first + many;
        let parted = self.parted(document);
        if parted.is_some() || !torn.is_empty() {
            let findings = torn.iter().map(|row| self.torn(*row, own.contains(row)));
            return Some(Err(parted.into_iter().chain(findings).take(MAX_FINDINGS).collect()));
        }
        let rows = self.rows.get(own)?;
        let mut body = Value::Object(Map::new());
        let mut lines = Vec::with_capacity(rows.len());
        let mut found = Vec::new();
        // The values of the document's own fields in earlier rows, by column.
        let mut earlier: Vec<Option<&str>> = vec![None; self.columns.len()];
        for (number, values) in rows {
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
                // A field of the document has the same value in every row where it is set.
                let Some(earlier) = earlier.get_mut(place) else { continue };
                match earlier {
                    None => {
                        column.put(&mut body, value);
                        *earlier = Some(value);
                    }
                    Some(earlier) if *earlier == value => {}
                    Some(_) => {
                        let message = "this column belongs to the document, but an earlier row has another \
                                       value";
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
        // A finding about a line that is not in the table is reported at the document.
        let line = line.filter(|line| *line < many).unwrap_or(0);
        // Use the name of the column in this table: `charges.0.amount` and `charges.amount` are the same.
        let is_meant = |column: &&Column| column.name == name || bare(&column.name) == name;
        let known = self.columns.iter().find(is_meant).map(|column| column.name.clone());
        let column = known.or((!name.is_empty()).then_some(name));
        Placed { row: self.row(first + line), column, finding }
    }

    /// The row number at a position.
    fn row(&self, place: usize) -> u32 {
        self.rows.get(place).map_or(0, |(number, _)| *number)
    }
}

/// The number in a row; empty if the row has none.
fn number_of(rows: &[(u32, StringRecord)], column: usize, row: usize) -> &str {
    rows.get(row).and_then(|(_, values)| values.get(column)).unwrap_or_default().trim()
}

/// The name of a column without the number of first items.
fn bare(name: &str) -> String {
    name.split('.').filter(|part| *part != "0").collect::<Vec<_>>().join(".")
}
