//! What happens to a document without its sender's doing, told in words, and as whoever decides about it has it.

use std::iter;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use super::judging::{PARTICIPANT, RECIPIENT, TAXPAYER, refused};
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
    pub(in crate::docs) told: String,
    state: State,
}

/// The same for the service.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case", deny_unknown_fields)]
enum State {
    /// The recipient's access point was looked for, and not found.
    Lookup { error: Missing },
    /// A message with the document was tried.
    Document(Tried),
    /// A message with a report was tried.
    Report(Tried),
    /// An organization has so many OAuth clients, and wants one more.
    Clients { there: usize },
    /// The details of a business are lists in lists, so many, in one of their fields.
    Details { lists: usize },
}

/// Why an access point is not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Missing {
    NotRegistered,
    NotCapable,
    Defective,
}

/// An attempt, which is the last one so far.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Tried {
    /// What came of it.
    outcome: AttemptOutcome,
    /// What was met with; the words of others.
    #[serde(default)]
    cause: String,
    /// Whether one before it had no answer.
    #[serde(default)]
    silent: bool,
    /// How many attempts there were.
    tried: u32,
    /// How many hours ago the first one began.
    #[serde(default)]
    hours: i64,
}

/// When all of it happens.
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

impl Circumstance {
    /// What the service finds; none where that cannot be so.
    pub(super) fn findings(&self) -> Option<Vec<Finding>> {
        let random = SeededRandom::new(1);
        let at: (Timestamp, &dyn Random) = (NOW, &random);
        let document_id = DocumentId::floor(NOW);
        let of_document = || TransmissionRecord::new(TaxpayerId::floor(NOW), document_id.clone());
        let told = match &self.state {
            State::Lookup { error } => {
                let query = Query {
                    participant: RECIPIENT.parse().ok()?,
                    document_type: DocumentType::INVOICE,
                    process: Process::BILLING,
                    sought: None,
                };
                let error = error.of(&query)?;
                transmit::told_of_lookup(at, of_document(), &query, &error)
            }
            State::Document(tried) => {
                transmit::told(at, &tried.after(of_document()), tried.outcome)
            }
            State::Report(tried) => {
                let report_id = ReportId::first_of(&document_id);
                let transmission = TransmissionRecord::of_report(
                    TaxpayerId::floor(NOW),
                    document_id.clone(),
                    report_id,
                );
                let transmission = tried.after(transmission);
                report::outcome::told(at, tried.first(), &transmission, tried.outcome)
            }
            State::Clients { there } => return refused(clients::room(*there)),
            State::Details { lists } => return defects(*lists),
        };
        Some(told.into_iter().collect())
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

    /// What is known of the way after it.
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

/// What is wrong with a business of which the national portal has such details.
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
