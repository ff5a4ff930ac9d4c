//! Events outside of the sender's control, in words and in the types of the service.

use std::iter;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use super::checks::{PARTICIPANT, RECIPIENT, TAXPAYER, refused};
use crate::{
    error::Finding,
    peppol::{
        identifiers::{DocumentType, Process},
        lookup::{Defective, LookupError, NotRegistered, Query, dns_name, zone},
        pki::Network,
        smp::NotCapable,
    },
    service::{
        later,
        oauth::clients,
        onboarding::{Business, Standing, confirm},
        report, transmit,
    },
    store::{AttemptOutcome, TransmissionAttempt, TransmissionRecord},
    types::{DocumentId, Random, ReportId, SeededRandom, TaxpayerId},
};

/// A circumstance.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::docs) struct Circumstance {
    /// In words.
    pub(in crate::docs) words: String,
    state: State,
}

/// The same circumstance in the types of the service.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case", deny_unknown_fields)]
enum State {
    /// The lookup of the recipient's access point failed.
    Lookup { error: Missing },
    /// An attempt to send the document was made.
    Document(Tried),
    /// An attempt to send a report was made.
    Report(Tried),
    /// An organization with this number of OAuth clients creates another one.
    Clients { there: usize },
    /// A field of the details of a business contains nested lists, this many levels deep.
    Details { lists: usize },
}

/// The reason of a failed lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Missing {
    NotRegistered,
    NotCapable,
    Defective,
}

/// The last attempt so far.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Tried {
    /// Its outcome.
    outcome: AttemptOutcome,
    /// The cause, in the words of the other side.
    #[serde(default)]
    cause: String,
    /// Whether an earlier attempt had no answer.
    #[serde(default)]
    silent: bool,
    /// Number of attempts.
    tried: u32,
    /// Hours since the first attempt began.
    #[serde(default)]
    hours: i64,
}

/// The time of all circumstances.
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

impl Circumstance {
    /// The findings of the service; `None` if the circumstance is impossible.
    pub(super) fn findings(&self) -> Option<Vec<Finding>> {
        let random = SeededRandom::new(1);
        let at: (Timestamp, &dyn Random) = (NOW, &random);
        let document_id = DocumentId::floor(NOW);
        let of_document = || TransmissionRecord::new(TaxpayerId::floor(NOW), document_id.clone());
        let finding = match &self.state {
            State::Lookup { error } => {
                let query = Query {
                    participant: RECIPIENT.parse().ok()?,
                    document_type: DocumentType::INVOICE,
                    process: Process::BILLING,
                    sought: None,
                };
                let error = error.of(&query)?;
                transmit::final_finding_of_lookup(at, of_document(), &query, &error)
            }
            State::Document(tried) => {
                transmit::final_finding(at, &tried.after(of_document()), tried.outcome)
            }
            State::Report(tried) => {
                let report_id = ReportId::first_of(&document_id);
                let transmission = TransmissionRecord::of_report(
                    TaxpayerId::floor(NOW),
                    document_id.clone(),
                    report_id,
                );
                let transmission = tried.after(transmission);
                report::outcome::final_finding(at, tried.first(), &transmission, tried.outcome)
            }
            State::Clients { there } => return refused(clients::room(*there)),
            State::Details { lists } => return defects(*lists),
        };
        Some(finding.into_iter().collect())
    }
}

impl Missing {
    fn of(self, query: &Query) -> Option<LookupError> {
        let name = dns_name(&query.participant, zone(Network::Production)?);
        let url = || format!("https://smp.example/{}", query.participant);
        Some(match self {
            Missing::NotRegistered => NotRegistered::Dns(name).into(),
            Missing::NotCapable => NotCapable::DocumentType.into(),
            Missing::Defective => Defective::Unlisted { url: url() }.into(),
        })
    }
}

impl Tried {
    /// When the first attempt began.
    fn first(&self) -> Timestamp {
        later(NOW, -SignedDuration::from_hours(self.hours))
    }

    /// The transmission record after the attempt.
    fn after(&self, transmission: TransmissionRecord) -> TransmissionRecord {
        let attempt = |(number, started_at)| TransmissionAttempt {
            outcome: Some(self.outcome),
            cause: Some(self.cause.clone()),
            ..TransmissionAttempt::begun(number, started_at)
        };
        let last = (self.tried > 1).then_some((self.tried, NOW));
        let attempts = iter::once((1, self.first())).chain(last).map(attempt).collect();
        TransmissionRecord { attempts, tried: self.tried, silent: self.silent, ..transmission }
    }
}

/// The defects of a business with such details in the national portal.
fn defects(lists: usize) -> Option<Vec<Finding>> {
    let mut details: Value = serde_json::from_str(TAXPAYER).ok()?;
    if lists > 0 {
        let nested = (0..lists).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        details.as_object_mut()?.insert("name".to_owned(), nested);
    }
    let business =
        Business { standing: Standing::Active, email: None, details, confirm_from: None };
    let (_, tin) = PARTICIPANT.split_once(':')?;
    Some(confirm::profile(&business, &tin.parse().ok()?).1)
}
