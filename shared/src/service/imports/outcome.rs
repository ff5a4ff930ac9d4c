//! What became of each document of an import, as its result tells it: a line of JSON a document, or of CSV a finding.

use csv::Writer;
use serde::{Deserialize, Serialize};

use crate::{
    bulk::{Format, Placed},
    error::{Code, Finding, Severity},
    store::{PayloadKind, StoreError},
    types::DocumentId,
};

/// How many bytes of findings are told of a document: as a send's answer would, but of ten thousand.
const FINDING_BYTES: usize = 16 * 1024;

/// What became of a document.
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

/// The outcome of a document: a line of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The row that it begins at.
    pub row: u32,
    /// The row that it ends at.
    pub last_row: u32,
    /// Its number, as far as it has one.
    pub number: Option<String>,
    /// What became of it.
    pub outcome: OutcomeKind,
    /// What it is called here, where it was sent.
    pub document_id: Option<DocumentId>,
    /// Why it was refused: a code of the API.
    pub code: Option<Code>,
    /// The same in a sentence.
    pub message: Option<String>,
    /// What was found, errors and warnings; of very many the first, and a last one that counts the others.
    pub findings: Vec<Placed>,
}

impl Outcome {
    /// With findings, as far as there is room for them.
    pub(super) fn finding(self, findings: Vec<Placed>) -> Self {
        let mut places = findings.iter().map(|placed| (placed.row, placed.column.clone()));
        let plain: Vec<Finding> = findings.iter().map(|placed| placed.finding.clone()).collect();
        // The one that counts the others is of the document as a whole.
        let findings = Finding::fitting(&plain, FINDING_BYTES).into_iter().map(|finding| {
            let of_all = finding.rule == "AP-FINDINGS";
            let (row, column) = places.next().filter(|_| !of_all).unwrap_or((self.row, None));
            Placed { row, column, finding }
        });
        Outcome { findings: findings.collect(), ..self }
    }
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

/// A value that no spreadsheet takes for a formula: numbers and messages hold what callers wrote.
fn harmless(value: &str) -> String {
    match value.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{value}"),
        false => value.to_owned(),
    }
}

fn corrupt(error: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
    StoreError::Corrupt(error)
}
