//! The outcomes of an import's documents in its result: one line of JSON for each document, or one line of CSV for each
//! finding.

use csv::Writer;
use serde::{Deserialize, Serialize};

use crate::{
    error::{Code, Finding, Severity},
    import_tables::{Format, Placed},
    store::{PayloadKind, StoreError},
    types::DocumentId,
};

/// The approximate maximum of findings' bytes in a result, since a result is in memory as a whole, and again as a
/// table.
const FINDING_BYTES: usize = 160 * 1024 * 1024;

/// The outcome of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// This import sent it.
    Accepted,
    /// An earlier import or row sent it.
    AlreadySent,
    /// It was not sent.
    Refused,
}

impl OutcomeKind {
    fn as_str(self) -> &'static str {
        match self {
            OutcomeKind::Accepted => "accepted",
            OutcomeKind::AlreadySent => "already_sent",
            OutcomeKind::Refused => "refused",
        }
    }
}

/// The outcome of a document: one line of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its first row.
    pub row: u32,
    /// Its last row.
    pub last_row: u32,
    /// Its number, if it has one.
    pub number: Option<String>,
    /// What became of it.
    pub outcome: OutcomeKind,
    /// Its identifier, if it was sent.
    pub document_id: Option<DocumentId>,
    /// Why it was refused: an error code of the API.
    pub code: Option<Code>,
    /// The reason in a sentence.
    pub message: Option<String>,
    /// The findings, errors and warnings. When there are too many, the last one counts the rest.
    pub findings: Vec<Placed>,
}

impl Outcome {
    /// Keeps as many findings as fit into `room` bytes.
    fn within(self, room: usize) -> Self {
        let mut places = self.findings.iter().map(|placed| (placed.row, placed.column.clone()));
        let plain: Vec<Finding> =
            self.findings.iter().map(|placed| placed.finding.clone()).collect();
        // The finding that counts the rest applies to the whole document.
        let findings = Finding::fitting(&plain, room).into_iter().map(|finding| {
            let of_all = finding.rule == "AP-FINDINGS";
            let (row, column) = places.next().filter(|_| !of_all).unwrap_or((self.row, None));
            Placed { row, column, finding }
        });
        Outcome { findings: findings.collect(), ..self }
    }

    /// The bytes of its findings.
    fn size(&self) -> usize {
        serde_json::to_vec(&self.findings).map_or(0, |json| json.len())
    }
}

/// Limits the findings of a chunk to its share of the bytes. `chunks` is the count of all chunks. Documents with few
/// findings leave their share to the others.
pub(super) fn fitted(outcomes: Vec<Outcome>, chunks: usize) -> Vec<Outcome> {
    let mut left = FINDING_BYTES / chunks.max(1);
    let mut sizes: Vec<usize> = outcomes.iter().map(Outcome::size).collect();
    sizes.sort_unstable();
    let mut others = sizes.len();
    for size in sizes {
        let share = left / others;
        if size > share {
            let fit = |outcome: Outcome| match outcome.size() > share {
                true => outcome.within(share),
                false => outcome,
            };
            return outcomes.into_iter().map(fit).collect();
        }
        left -= size;
        others -= 1;
    }
    outcomes
}

/// Outcomes as JSON Lines.
pub(super) fn to_lines(outcomes: &[Outcome]) -> Result<Vec<u8>, StoreError> {
    let mut lines = Vec::new();
    for outcome in outcomes {
        serde_json::to_writer(&mut lines, outcome).map_err(|error| corrupt(error.into()))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// The result of an import, from the outcomes of its chunks as JSON Lines.
pub(super) fn result(format: Format, lines: Vec<u8>) -> Result<(PayloadKind, Vec<u8>), StoreError> {
    match format {
        Format::Ndjson => Ok((PayloadKind::Outcomes, lines)),
        Format::Csv => Ok((PayloadKind::OutcomesTable, to_table(&lines)?)),
        Format::Unknown => Err(corrupt("the format is one of a newer version".into())),
    }
}

/// The columns of a result.
const COLUMNS: [&str; 12] = [
    "row",
    "last_row",
    "number",
    "outcome",
    "document_id",
    "code",
    "severity",
    "rule",
    "finding_row",
    "column",
    "message",
    "fix",
];

fn to_table(lines: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut table = Writer::from_writer(Vec::new());
    let mut write = |cells: [&str; 12]| {
        table.write_record(cells.map(harmless)).map_err(|error| corrupt(error.into()))
    };
    write(COLUMNS)?;
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let outcome: Outcome =
            serde_json::from_slice(line).map_err(|error| corrupt(error.into()))?;
        let (row, last_row) = (outcome.row.to_string(), outcome.last_row.to_string());
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let (number, message) = (text(&outcome.number), text(&outcome.message));
        let code = serde_json::to_value(outcome.code).unwrap_or_default();
        let code = code.as_str().unwrap_or_default();
        let id = outcome.document_id.as_ref().map(DocumentId::as_str).unwrap_or_default();
        let of = |[severity, rule, finding_row, column, message, fix]: [&str; 6]| {
            let kind = outcome.outcome.as_str();
            [
                &row,
                &last_row,
                &number,
                kind,
                id,
                code,
                severity,
                rule,
                finding_row,
                column,
                message,
                fix,
            ]
            .map(str::to_owned)
        };
        if outcome.findings.is_empty() {
            let cells = of(["", "", "", "", &message, ""]);
            write(cells.each_ref().map(String::as_str))?;
        }
        for Placed { row, column, finding } in &outcome.findings {
            let severity = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let (at, column) = (row.to_string(), text(column));
            let fix = finding.fix.as_deref().unwrap_or_default();
            let cells = of([severity, &finding.rule, &at, &column, &finding.message, fix]);
            write(cells.each_ref().map(String::as_str))?;
        }
    }
    table.into_inner().map_err(|error| corrupt(error.to_string().into()))
}

/// Protects a value from being a formula in a spreadsheet, since numbers and messages contain text of callers.
fn harmless(value: &str) -> String {
    match value.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{value}"),
        false => value.to_owned(),
    }
}

fn corrupt(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Corrupt(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(findings: usize) -> Outcome {
        let finding = |row| {
            let finding = Finding::error("/line_items/0/quantity", "AP-TEST", "x".repeat(100));
            Placed { row, column: Some("line_items.quantity".to_owned()), finding }
        };
        Outcome {
            row: 2,
            last_row: 9,
            number: None,
            outcome: OutcomeKind::Refused,
            document_id: None,
            code: None,
            message: None,
            findings: (2..).take(findings).map(finding).collect(),
        }
    }

    #[test]
    fn many_findings_have_the_room_that_others_leave() {
        let chunks = 10_000;
        let room = FINDING_BYTES / chunks;
        let few = outcome(3);
        assert!(few.size() < room / 3);
        let [large, kept, other] =
            fitted(vec![outcome(500), few.clone(), outcome(400)], chunks).try_into().unwrap();
        assert_eq!(kept, few);
        for (cut, of) in [(large, 500), (other, 400)] {
            let (last, listed) = cut.findings.split_last().unwrap();
            assert_eq!(last.finding.message, format!("and {} more findings", of - listed.len()));
            assert_eq!((last.row, &last.column), (2, &None));
            assert_eq!(listed.last().unwrap().row as usize, listed.len() + 1);
            assert!((room / 4..room / 2).contains(&(listed.len() * 130)), "{}", listed.len());
        }
        let one = outcome(500);
        assert_eq!(fitted(vec![one.clone()], 1), [one]);
    }
}
