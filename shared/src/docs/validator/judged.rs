//! The findings of a document, each at its place.

use std::sync::LazyLock;

use serde_json::Value;

use crate::{
    document::{Operation, Original, Profile, Unregistered, complete_unregistered},
    error::{Finding, Severity},
    service::inspect,
    types::{Clock, ContentKind, Random, SystemClock, SystemRandom, uae_date},
    ubl,
    validate::{self, ValidateError},
};

/// Findings that the page shows.
const MOST: usize = 200;
/// Lines above and below the line of a finding.
const AROUND: usize = 1;
/// Characters of a line that the page shows.
const LONGEST_LINE: usize = 200;

/// A taxpayer for a body that does not say who sends it.
const SAMPLE: &str = r#"{
    "name": "Your Business LLC",
    "electronic_address": {"id": "1000000000"},
    "vat_identifier": "100000000000003",
    "legal_registration": {"id": "CN-1000000", "type": "TL", "authority_name": "Department of Economy and Tourism"},
    "address": {"line_1": "Sheikh Zayed Road 1", "city": "Dubai", "country_subdivision": "DXB", "country_code": "AE"}
}"#;

static SAMPLE_PROFILE: LazyLock<Option<Profile>> =
    LazyLock::new(|| Profile::from_json(SAMPLE.as_bytes()).ok());

/// A document with its findings.
pub(super) struct Judged {
    /// What it is, such as `JSON of an invoice`.
    pub(super) what: String,
    pub(super) findings: Vec<Placed>,
    /// Whether the findings are complete.
    pub(super) is_complete: bool,
    /// The invoice or credit note.
    pub(super) ubl: Option<Vec<u8>>,
    /// What the page completed, in words.
    pub(super) notes: Vec<&'static str>,
}

/// A finding with the lines around it.
pub(super) struct Placed {
    pub(super) finding: Finding,
    pub(super) lines: Vec<Line>,
}

/// A line of the document.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    /// Whether the finding is about it.
    pub(super) is_found: bool,
}

impl Judged {
    pub(super) fn is_valid(&self) -> bool {
        self.is_complete && self.count(Severity::Error) == 0
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|placed| placed.finding.severity == severity).count()
    }

    /// `2 errors, 1 warning`.
    pub(super) fn counted(&self) -> String {
        let counts = [(Severity::Error, "error"), (Severity::Warning, "warning")];
        let counted = counts.map(|(severity, word)| match self.count(severity) {
            1 => format!("1 {word}"),
            count => format!("{count} {word}s"),
        });
        counted.join(", ")
    }

    /// The findings on the page.
    pub(super) fn shown(&self) -> &[Placed] {
        self.findings.get(..MOST).unwrap_or(&self.findings)
    }

    /// The findings that are not on the page.
    pub(super) fn hidden(&self) -> usize {
        self.findings.len().saturating_sub(MOST)
    }
}

impl Placed {
    pub(super) fn is_error(&self) -> bool {
        self.finding.severity == Severity::Error
    }
}

/// Validates a document of either kind. An error says why it cannot be read.
pub(super) fn judge(document: &[u8]) -> Result<Judged, String> {
    match ContentKind::of(document) {
        ContentKind::Xml => judge_xml(document),
        ContentKind::Json => judge_json(document),
        ContentKind::Empty | ContentKind::Pdf | ContentKind::Zip | ContentKind::Other => {
            Err("This is neither XML nor JSON. The validator takes UBL, or the JSON of a send."
                .to_owned())
        }
    }
}

fn judge_xml(document: &[u8]) -> Result<Judged, String> {
    let verdict = validate::validate(document).map_err(|error| match error {
        ValidateError::NotXml(why) => format!("This is not well-formed XML: {why}."),
        ValidateError::Unknown(root) => {
            format!("There are no rules for a document whose root element is {root}.")
        }
    })?;
    let text = String::from_utf8_lossy(document);
    let lines: Vec<_> = text.lines().collect();
    let is_paper = verdict.set.starts_with("pint");
    let placed = |finding: Finding| {
        let lines = finding.line.map(|line| around(&lines, line)).unwrap_or_default();
        Placed { finding, lines }
    };
    Ok(Judged {
        what: format!("{} {}", verdict.set, verdict.version),
        is_complete: verdict.complete,
        findings: verdict.findings.into_iter().map(|found| placed(found.finding)).collect(),
        ubl: is_paper.then(|| document.to_owned()),
        notes: Vec::new(),
    })
}

/// The lines around a line, which counts from 1.
fn around(lines: &[&str], line: u32) -> Vec<Line> {
    let found = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let shown = lines.iter().enumerate().skip(found.saturating_sub(AROUND)).take(2 * AROUND + 1);
    let shown = shown.filter(|(at, _)| at.abs_diff(found) <= AROUND);
    shown
        .map(|(at, text)| Line {
            number: at + 1,
            text: text.chars().take(LONGEST_LINE).collect(),
            is_found: at == found,
        })
        .collect()
}

fn judge_json(document: &[u8]) -> Result<Judged, String> {
    let body: Value = serde_json::from_slice(document)
        .map_err(|why| format!("This is not valid JSON: {why}."))?;
    let operation = Operation::of_body(&body).ok_or(
        "The JSON does not show its kind: give invoice_number or credit_note_number, and customer or supplier.",
    )?;
    let mut notes =
        vec!["It is a new document: nothing that was sent earlier is compared with it."];
    let names_itself = !operation.is_self_billed() && body["supplier"].is_object();
    let sample = SAMPLE_PROFILE.as_ref().filter(|_| !names_itself);
    if sample.is_some() {
        notes.push("Your business is an invented one: the service adds the registered profile.");
    }
    let today = uae_date(SystemClock.now());
    let original = body["previous_document_id"].is_string().then(|| {
        notes.push("The earlier invoice is an invented one.");
        Original { number: "EARLIER-1".to_owned(), issue_date: today }
    });
    let mut bytes = [0; 16];
    SystemRandom.fill(&mut bytes);
    let beside = Unregistered {
        taxpayer: sample,
        today,
        uuid: uuid::Builder::from_random_bytes(bytes).into_uuid(),
        original: original.as_ref(),
    };
    let what = format!("JSON of the operation {operation}");
    let judged = |findings: Vec<Finding>, is_complete, ubl| {
        let findings = findings.into_iter().map(unlined).collect();
        Judged { what, findings, is_complete, ubl, notes }
    };
    Ok(match complete_unregistered(operation, document, beside) {
        Err(findings) => judged(findings, true, None),
        Ok((document, warnings)) => match inspect::write(&document, warnings) {
            Ok((ubl, findings)) => judged(findings, true, Some(ubl)),
            Err(inspect::Refused { findings, complete }) => {
                judged(findings, complete, Some(ubl::write(&document)))
            }
        },
    })
}

/// A finding of JSON has a pointer; the lines of its UBL are of no use to the reader.
fn unlined(finding: Finding) -> Placed {
    Placed { finding: Finding { line: None, location: None, ..finding }, lines: Vec::new() }
}
