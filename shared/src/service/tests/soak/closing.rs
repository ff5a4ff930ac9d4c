//! The end of a day: every accepted document, and each of its consequences, must exist exactly once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    day::{Counts, Day},
    plan::{Document, Kind, To, Way},
};
use crate::{
    store::{
        DeliveryRecord, DeliveryStatus, DocumentRecord, EventRecord, EventType, Status,
        TaxReportOutcome, TaxReportRecord,
    },
    types::{DocumentId, OrganizationId, TaxpayerId},
};

/// At most so many findings are kept. Their number is not limited.
const MOST_FINDINGS: usize = 50;

/// What a day left.
#[derive(Debug, Default)]
pub(super) struct Closing {
    pub(super) documents: usize,
    pub(super) events: usize,
    pub(super) deliveries: usize,
    pub(super) repeats: usize,
    pub(super) counts: Counts,
    /// What does not exist and should.
    pub(super) lost: usize,
    /// What exists too often, or should not exist.
    pub(super) doubled: usize,
    /// What is not at its end.
    pub(super) open: usize,
    pub(super) findings: Vec<String>,
}

impl Closing {
    fn count(&mut self, what: impl FnOnce() -> String, found: usize, expected: usize) {
        self.lost += expected.saturating_sub(found);
        self.doubled += found.saturating_sub(expected);
        if found != expected {
            self.find(format!("{}: {found}, not {expected}", what()));
        }
    }

    fn ended(&mut self, what: impl FnOnce() -> String, has_ended: bool) {
        self.open += usize::from(!has_ended);
        if !has_ended {
            self.find(what());
        }
    }

    fn find(&mut self, what: String) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(what);
        }
    }

    /// Adds the closing of another day.
    pub(super) fn add(&mut self, other: Closing) {
        self.documents += other.documents;
        self.events += other.events;
        self.deliveries += other.deliveries;
        self.repeats += other.repeats;
        self.counts.deaths += other.counts.deaths;
        self.counts.redeliveries += other.counts.redeliveries;
        self.counts.jumps += other.counts.jumps;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.open += other.open;
        other.findings.into_iter().for_each(|finding| self.find(finding));
    }
}

/// The table, by document.
struct Found {
    documents: HashMap<String, Vec<DocumentRecord>>,
    tax_reports: HashMap<DocumentId, Vec<TaxReportRecord>>,
    events: HashMap<DocumentId, Vec<EventType>>,
}

impl Found {
    async fn of(day: &Day, events: &[EventRecord]) -> Found {
        let (mut documents, mut tax_reports) = (HashMap::new(), HashMap::new());
        for document in day.world.documents().await {
            let of_it = documents.entry(document.number.clone()).or_insert_with(Vec::new);
            of_it.push(document);
        }
        for tax_report in day.world.tax_reports().await {
            let document_id = tax_report.document_id.clone();
            tax_reports.entry(document_id).or_insert_with(Vec::new).push(tax_report);
        }
        let mut of_documents: HashMap<_, Vec<EventType>> = HashMap::new();
        for event in events {
            if let Some(document_id) = event.document_id() {
                of_documents.entry(document_id.clone()).or_default().push(event.event_type);
            }
        }
        Found { documents, tax_reports, events: of_documents }
    }
}

/// The final status of a document.
fn status(document: Document) -> Status {
    match document.kind {
        Kind::Received { is_valid: true } => Status::Received,
        Kind::Received { is_valid: false } => Status::Rejected,
        Kind::Sent(To::AccessPoint, _) if document.is_rejected() => Status::Rejected,
        Kind::Sent(To::AccessPoint, _) => Status::Delivered,
        Kind::Sent(To::Nobody, _) | Kind::Refused => Status::Sent,
    }
}

/// The events about a document.
fn events(document: Document) -> &'static [EventType] {
    match document.kind {
        Kind::Sent(To::AccessPoint, _) => {
            &[EventType::DocumentSent, EventType::DocumentStatus, EventType::DocumentReported]
        }
        Kind::Sent(To::Nobody, _) => &[EventType::DocumentSent, EventType::DocumentReported],
        Kind::Received { is_valid: true } => {
            &[EventType::DocumentReceived, EventType::DocumentReported]
        }
        // Its receiver never gets it.
        Kind::Received { is_valid: false } => &[EventType::DocumentReported],
        Kind::Refused => &[],
    }
}

impl Day {
    /// Closes the books.
    pub(super) async fn close(mut self) -> Closing {
        let mut closing = Closing { counts: self.counts, ..Closing::default() };
        let events = self.world.events().await;
        let mut found = Found::of(&self, &events).await;
        for document in std::mem::take(&mut self.documents) {
            self.close_document(&mut closing, document, &mut found);
        }
        let nobody_s = |name: &'static str| move || format!("{name} that belong to no document");
        closing.count(nobody_s("documents"), found.documents.len(), 0);
        closing.count(nobody_s("tax reports"), found.tax_reports.len(), 0);
        closing.count(nobody_s("events"), found.events.len(), 0);
        closing.count(nobody_s("messages"), self.books.documents.0.len(), 0);
        closing.count(nobody_s("messages to the authority"), self.books.tax_reports.0.len(), 0);
        closing.count(nobody_s("statuses"), self.books.statuses.0.len(), 0);
        self.close_events(&mut closing, &events).await;
        self.close_work(&mut closing).await;
        closing.repeats = self.books.repeats;
        closing
    }

    /// A document and its consequences.
    fn close_document(&mut self, closing: &mut Closing, document: Document, found: &mut Found) {
        let name = document.name();
        let records = found.documents.remove(&name).unwrap_or_default();
        let answers = self.books.answers.remove(&document.number).unwrap_or_default();
        // Without an answer and without a key, the client cannot know whether the document exists.
        let expected = match document.kind {
            Kind::Refused => 0,
            Kind::Sent(_, Way::Unkeyed) if answers.is_empty() => records.len().min(1),
            _ => 1,
        };
        closing.count(|| format!("{name}: records"), records.len(), expected);
        let of_it: BTreeSet<_> = records.iter().map(|record| record.document_id.clone()).collect();
        closing.count(|| format!("{name}: other answers"), answers.difference(&of_it).count(), 0);
        closing.documents += expected;
        let sent = matches!(document.kind, Kind::Sent(To::AccessPoint, _));
        let messages = self.books.documents.settle(&document.number);
        closing.count(|| format!("{name}: messages"), messages, if sent { expected } else { 0 });
        let at_authority = self.books.tax_reports.settle(&document.number);
        closing.count(|| format!("{name}: reports at the authority"), at_authority, expected);
        if let Some(envelope) = self.books.envelopes.remove(&document.number) {
            let statuses = self.books.statuses.settle(&envelope);
            closing.count(|| format!("{name}: statuses"), statuses, 1);
        }
        for record in records {
            let is_final = record.status == status(document);
            closing.ended(|| format!("{name}: is {:?}", record.status), is_final);
            let tax_reports = found.tax_reports.remove(&record.document_id).unwrap_or_default();
            closing.count(|| format!("{name}: tax reports"), tax_reports.len(), 1);
            let outcome = match document.is_not_compliant() {
                true => TaxReportOutcome::NotCompliant,
                false => TaxReportOutcome::Reported,
            };
            for tax_report in tax_reports {
                let has_verdict = tax_report.status.outcome() == Some(outcome);
                closing.ended(|| format!("{name}: {tax_report:?}"), has_verdict);
            }
            let published = found.events.remove(&record.document_id).unwrap_or_default();
            for event_type in EventType::ALL {
                let count =
                    |types: &[EventType]| types.iter().filter(|it| **it == event_type).count();
                let (found, expected) = (count(&published), count(events(document)));
                closing.count(|| format!("{name}: {}", event_type.as_str()), found, expected);
            }
        }
    }

    /// Each event is delivered to each endpoint of its taxpayer's organization.
    async fn close_events(&self, closing: &mut Closing, events: &[EventRecord]) {
        let owners: BTreeMap<TaxpayerId, OrganizationId> = self
            .senders
            .iter()
            .map(|it| (it.taxpayer.taxpayer_id.clone(), it.organization_id.clone()))
            .collect();
        let mut arrived = self.webhooks.noted();
        let deliveries: Vec<DeliveryRecord> = self.world.items("DELIVERY").await;
        let mut records: HashMap<_, usize> = HashMap::new();
        for delivery in &deliveries {
            *records.entry(delivery.event_id.clone()).or_default() += 1;
            let is_delivered = delivery.status == DeliveryStatus::Delivered;
            closing.ended(|| format!("{delivery:?}"), is_delivered);
        }
        for event in events.iter().filter(|event| event.document_id().is_some()) {
            closing.events += 1;
            let id = &event.event_id;
            let endpoints = &self.endpoints[&owners[&event.taxpayer_id]];
            let owed = records.remove(id).unwrap_or_default();
            closing.count(|| format!("{id}: deliveries"), owed, endpoints.len());
            for endpoint in endpoints {
                let came = arrived.remove(&(*endpoint, id.to_string())).is_some();
                closing.count(|| format!("{id}: at {endpoint}"), usize::from(came), 1);
                closing.deliveries += usize::from(came);
            }
        }
        closing.count(|| "deliveries of no event".to_owned(), records.len(), 0);
        closing.count(|| "webhooks of no event".to_owned(), arrived.len(), 0);
    }

    /// Nothing is left to do, and nothing is parked.
    async fn close_work(&self, closing: &mut Closing) {
        for (at, job_id) in self.world.due().await {
            closing.ended(|| format!("{job_id} is due at {at}"), false);
        }
        for item in self.world.raw_items("").await {
            let is_parked = item.contains_key("parked");
            closing.ended(|| format!("parked: {item:?}"), !is_parked);
        }
        let messages = self.world.cloud.messages();
        closing.ended(|| format!("messages are left: {messages:?}"), messages.is_empty());
        closing.ended(|| "tasks are left".to_owned(), self.agenda.next().is_none());
        for strange in &self.books.strange {
            closing.ended(|| strange.clone(), false);
        }
    }
}
