//! A preview of a file before it is sent: the count of its documents, their totals, and the documents that would be
//! refused. The checks are those of a send. Only one check is left out: whether a number was sent before, since that
//! may change until the send.

use std::{collections::BTreeMap, time::Duration};

use rust_decimal::Decimal;
use tokio::time::Instant;

use crate::{
    access::Taxpayer,
    document::{self, Document, Operation, ReadError, Submission},
    error::{Failure, Finding, Severity},
    import_tables::{File, Placed},
    service::{
        Context,
        pipeline::{self, Issue},
        references::{self, References},
    },
    types::uae_date,
};

/// How many documents are checked together. One read of the table fetches all documents that they refer to.
const AT_ONCE: usize = 50;
/// How long documents are checked by every rule, since a person waits for the page. The others are only read and
/// summed. They are checked when they are sent.
const CHECKING: Duration = Duration::from_secs(8);
/// Maximum findings that are shown.
const MAX_FINDINGS: usize = 20;
/// Maximum reasons of a document in the table of refused rows.
const MAX_REASONS: usize = 5;

/// The preview of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// How many documents the file has.
    pub documents: u32,
    /// How many rows or JSON lines the file has.
    pub rows: u32,
    /// The totals of the documents without errors, by currency.
    pub sums: Vec<Sum>,
    /// How many of the checked documents would be refused.
    pub faulty: u32,
    /// How many documents would be sent, as far as is known.
    pub sendable: u32,
    /// How many documents were checked by every rule.
    pub checked: u32,
    /// The first errors.
    pub findings: Vec<Placed>,
    /// The checked documents that would be refused, each with its reasons.
    pub refused: Vec<(usize, String)>,
    /// The first document that would be sent.
    pub example: Option<usize>,
}

impl Look {
    fn refuse(&mut self, document: usize, found: impl IntoIterator<Item = Placed>) {
        self.faulty += 1;
        let errors = found.into_iter().filter(|it| it.finding.severity == Severity::Error);
        let errors: Vec<_> = errors.collect();
        let reasons: Vec<_> = errors.iter().take(MAX_REASONS).map(reason).collect();
        self.refused.push((document, reasons.join("; ")));
        let room = MAX_FINDINGS.saturating_sub(self.findings.len());
        self.findings.extend(errors.into_iter().take(room));
    }
}

/// A finding as a text for the table of refused rows.
fn reason(placed: &Placed) -> String {
    let column = placed.column.as_deref().map(|name| format!("{name}: ")).unwrap_or_default();
    format!("{column}{} ({})", placed.finding.message, placed.finding.rule)
}

/// The totals of the documents in one currency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sum {
    /// The currency.
    pub currency: String,
    /// How many documents.
    pub documents: u32,
    /// The sum of IBT-109.
    pub without_vat: Decimal,
    /// The sum of IBT-110.
    pub vat: Decimal,
    /// The sum of IBT-112.
    pub with_vat: Decimal,
}

impl Sum {
    fn add(&mut self, document: &Document) {
        self.documents += 1;
        self.without_vat += document.totals.total_amount_without_vat;
        self.vat += document.totals.total_vat_amount;
        self.with_vat += document.totals.total_amount_with_vat;
    }
}

/// Makes the preview of a taxpayer's file.
pub(super) async fn look(
    ctx: &Context,
    taxpayer: &Taxpayer,
    operation: Operation,
    file: &File,
) -> Result<Look, Failure> {
    let profile = pipeline::profile(taxpayer)?;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut look = Look {
        documents: number(file.documents()),
        rows: number(file.rows_in_all()),
        ..Look::default()
    };
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let until = Instant::now() + CHECKING;
    let all: Vec<usize> = (0..file.documents()).collect();
    for some in all.chunks(AT_ONCE) {
        let mut read = Vec::with_capacity(some.len());
        for document in some {
            match submission(operation, file, *document) {
                Ok(submission) => read.push((*document, submission)),
                Err(found) => {
                    look.checked += 1;
                    look.refuse(*document, found);
                }
            }
        }
        let (mode, id) = (taxpayer.mode, &taxpayer.taxpayer_id);
        let named: Vec<_> =
            read.iter().flat_map(|(_, it)| references::named(it)).flatten().collect();
        let there = ctx.store.get_documents(mode, id, &named).await?;
        for (at, submission) in read {
            let references = References::among(&submission, &there);
            let issue = Issue {
                profile: &profile,
                participant: &taxpayer.participant_id,
                today: uae_date(ctx.now()),
                uuid: ctx.new_uuid(),
            };
            let is_checked = Instant::now() < until;
            let document = match issue.complete(submission, references) {
                Ok(completed) if is_checked => completed
                    .write()
                    .map(|prepared| prepared.document)
                    .map_err(|refused| refused.findings),
                Ok(completed) => Ok(completed.document),
                Err(failure) => Err(pipeline::findings(failure)),
            };
            look.checked += u32::from(is_checked || document.is_err());
            let found = match document {
                Ok(document) => {
                    let currency = document.body.currency.clone().unwrap_or_default();
                    sums.entry(currency).or_default().add(&document);
                    look.example.get_or_insert(at);
                    continue;
                }
                Err(found) => found,
            };
            look.refuse(at, found.into_iter().map(|finding| file.place(at, finding)));
        }
    }
    look.sendable = look.documents.saturating_sub(look.faulty);
    look.sums = sums.into_iter().map(|(currency, sum)| Sum { currency, ..sum }).collect();
    Ok(look)
}

/// Reads a document of a file as a send does.
fn submission(
    operation: Operation,
    file: &File,
    document: usize,
) -> Result<Submission, Vec<Placed>> {
    // The number is always that of an existing document.
    let body = file.body(document).unwrap_or_else(|| Err(Vec::new()))?;
    document::read(operation, &body).map_err(|error| {
        let findings = match error {
            ReadError::Malformed(why) => vec![Finding::error("", "AP-JSON-type", why)],
            ReadError::Invalid(findings) => findings,
        };
        findings.into_iter().map(|finding| file.place(document, finding)).collect()
    })
}
