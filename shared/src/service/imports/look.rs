//! What a file would send, before anything of it is sent: how many documents, of which totals, and which of them would be
//! refused. It is judged as its sends are. Only whether a number was sent before is not looked at: that changes until then.

use std::{collections::BTreeMap, time::Duration};

use rust_decimal::Decimal;
use tokio::time::Instant;

use crate::{
    access::Taxpayer,
    document::{self, Document, Issuance, Operation, Profile, ReadError, Submission},
    error::{Failure, Finding, Severity},
    import_tables::{File, Placed},
    service::{
        Context, convert, inspect,
        references::{self, References},
        submit,
    },
    types::uae_date,
};

/// How many documents are read at a time: what they refer to is one read of the table.
const AT_ONCE: usize = 50;
/// How long documents are judged by every rule. The rest are read and summed up, and judged when they are sent: whoever looks
/// at a page waits no longer.
const JUDGING: Duration = Duration::from_secs(8);
/// How many findings are told.
const MAX_FINDINGS: usize = 20;

/// What a file would send.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// How many documents it has.
    pub documents: u32,
    /// On how many rows, or lines of JSON.
    pub rows: u32,
    /// Of those that nothing was found against, by currency.
    pub sums: Vec<Sum>,
    /// How many documents would be refused, of those that were judged.
    pub faulty: u32,
    /// How many documents would be sent, as far as is known.
    pub sendable: u32,
    /// How many documents were judged by every rule.
    pub judged: u32,
    /// The first errors.
    pub findings: Vec<Placed>,
}

impl Look {
    fn refuse(&mut self, found: impl IntoIterator<Item = Placed>) {
        self.faulty += 1;
        let errors = found.into_iter().filter(|it| it.finding.severity == Severity::Error);
        let room = MAX_FINDINGS.saturating_sub(self.findings.len());
        self.findings.extend(errors.take(room));
    }
}

/// The totals of documents in one currency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sum {
    /// The currency.
    pub currency: String,
    /// Of how many documents.
    pub documents: u32,
    /// IBT-109 of them all.
    pub without_vat: Decimal,
    /// IBT-110 of them all.
    pub vat: Decimal,
    /// IBT-112 of them all.
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

/// Looks through a file of a taxpayer.
pub(super) async fn look(
    ctx: &Context,
    taxpayer: &Taxpayer,
    operation: Operation,
    file: &File,
) -> Result<Look, Failure> {
    let profile = submit::profile(&taxpayer.profile)?;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut look = Look {
        documents: number(file.documents()),
        rows: number(file.rows_in_all()),
        ..Look::default()
    };
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let until = Instant::now() + JUDGING;
    let all: Vec<usize> = (0..file.documents()).collect();
    for some in all.chunks(AT_ONCE) {
        let mut read = Vec::with_capacity(some.len());
        for document in some {
            match submission(operation, file, *document) {
                Ok(submission) => read.push((*document, submission)),
                Err(found) => {
                    look.judged += 1;
                    look.refuse(found);
                }
            }
        }
        let (mode, id) = (taxpayer.mode, &taxpayer.taxpayer_id);
        let named: Vec<_> =
            read.iter().flat_map(|(_, it)| references::named(it)).flatten().collect();
        let there = ctx.store.get_documents(mode, id, &named).await?;
        for (at, submission) in read {
            let references = References::among(&submission, &there);
            let completed = complete(ctx, taxpayer, &profile, submission, references);
            let found = match completed {
                Ok((document, warnings)) => {
                    let is_judged = Instant::now() < until;
                    look.judged += u32::from(is_judged);
                    match is_judged.then(|| inspect::write(&document, warnings)) {
                        Some(Err(refused)) => refused.findings,
                        Some(Ok(_)) | None => {
                            let currency = document.body.currency.clone().unwrap_or_default();
                            sums.entry(currency).or_default().add(&document);
                            continue;
                        }
                    }
                }
                Err(found) => {
                    look.judged += 1;
                    found
                }
            };
            look.refuse(found.into_iter().map(|finding| file.place(at, finding)));
        }
    }
    look.sendable = look.documents.saturating_sub(look.faulty);
    look.sums = sums.into_iter().map(|(currency, sum)| Sum { currency, ..sum }).collect();
    Ok(look)
}

/// A document of a file as a send reads it.
fn submission(
    operation: Operation,
    file: &File,
    document: usize,
) -> Result<Submission, Vec<Placed>> {
    // Of those that there are.
    let body = file.body(document).unwrap_or_else(|| Err(Vec::new()))?;
    document::read(operation, &body).map_err(|error| {
        let findings = match error {
            ReadError::Malformed(why) => vec![Finding::error("", "AP-JSON-type", why)],
            ReadError::Invalid(findings) => findings,
        };
        findings.into_iter().map(|finding| file.place(document, finding)).collect()
    })
}

/// The document that a send would make of it.
fn complete(
    ctx: &Context,
    taxpayer: &Taxpayer,
    profile: &Profile,
    submission: Submission,
    references: References,
) -> Result<(Document, Vec<Finding>), Vec<Finding>> {
    let issuance = Issuance {
        taxpayer: profile,
        participant: &taxpayer.participant_id,
        today: uae_date(ctx.now()),
        uuid: ctx.new_uuid(),
        original: references.original.as_ref(),
    };
    let result = document::complete(submission, &issuance);
    references.judge(result).map_err(convert::refused)
}
