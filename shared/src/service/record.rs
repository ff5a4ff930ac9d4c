//! Makes the record and the events of a checked document.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::{Context, events};
use crate::{
    access::{Audience, Scope},
    document::{Document, Operation, Party, is_predefined},
    error::Finding,
    peppol::identifiers::SeatId,
    store::{
        Awaited, Direction, DocumentRecord, EventRecord, EventType, MessageLevelStatus,
        PartySummary, Payload, Reached, SendFacts, Status, StatusCode, Subject, TaxReportOutcome,
        instant, submission_id,
    },
    types::{DocumentId, MessageId, Mode, OrganizationId, ParticipantId, TaxpayerId},
};

/// Maximum bytes of warnings in a record. With the caller's metadata (16 KiB) and the saved reply they must fit into
/// items of 400 KB.
const WARNING_BYTES: usize = 64 * 1024;

/// Fixes the identifiers and the time of a new send.
pub(super) fn fix(ctx: &Context, now: Timestamp, queued: bool) -> SendFacts {
    let document_id = DocumentId::new(now, &*ctx.random);
    SendFacts {
        message_id: MessageId::new(now, &*ctx.random),
        uuid: document_id.uuid().unwrap_or_else(|| ctx.new_uuid()),
        document_id,
        created_at: now,
        queued,
        import: None,
    }
}

/// The state of a new document.
#[derive(Debug)]
pub(crate) enum Start {
    /// It waits in the queue, with this request body.
    Accepted(Payload),
    /// It is sent. The caller adds its UBL, when that is stored.
    Sent,
}

/// BTAE-07: the caller's UUID, or the one that was fixed for the send.
pub(super) fn uuid(document: &Document, facts: &SendFacts) -> Uuid {
    document.body.uuid.as_deref().and_then(|uuid| uuid.parse().ok()).unwrap_or(facts.uuid)
}

/// The record of a new outbound document, with its taxpayer and its sending organization.
pub(crate) fn outbound(
    (taxpayer_id, organization_id): (&TaxpayerId, &OrganizationId),
    facts: &SendFacts,
    now: Timestamp,
    document: &Document,
    warnings: &[Finding],
    start: Start,
) -> DocumentRecord {
    let body = &document.body;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let id = |value: &Option<String>| value.as_deref().and_then(|id| id.parse().ok());
    let (status, request) = match start {
        Start::Accepted(request) => (Status::Accepted, Some(request)),
        Start::Sent => (Status::Sent, None),
    };
    DocumentRecord {
        document_id: facts.document_id.clone(),
        taxpayer_id: taxpayer_id.clone(),
        organization_id: Some(organization_id.clone()),
        direction: Direction::Outbound,
        operation: document.operation,
        document_type_code: document.type_code.to_owned(),
        status,
        number: document.number.clone(),
        uuid: uuid(document, facts),
        issue_date: body.issue_date.unwrap_or(crate::types::uae_date(facts.created_at)),
        // A credit note has its due date among the payment means.
        due_date: body
            .due_date
            .or_else(|| body.payment_means.iter().find_map(|means| means.due_date)),
        currency: text(&body.currency),
        transaction_type_code: text(&body.transaction_type_code),
        profile: text(&body.profile),
        mls_type: text(&body.mls_type),
        total_without_vat: document.totals.total_amount_without_vat,
        total_vat: document.totals.total_vat_amount,
        total_with_vat: document.totals.total_amount_with_vat,
        amount_due: document.totals.amount_due_for_payment,
        supplier: summary(&document.seller),
        customer: summary(&document.buyer),
        source_id: body.source_id.clone(),
        metadata: body.metadata.clone(),
        previous_document_id: id(&body.previous_document_id),
        corrects_document_id: id(&body.corrects_document_id),
        corrected_by: None,
        message_id: facts.message_id.clone(),
        ubl: None,
        envelope: None,
        message_level_status: None,
        reporting: None,
        later_reports: Vec::new(),
        warnings: bounded(warnings),
        created_at: facts.created_at,
        converted_at: None,
        dispatching_at: None,
        updated_at: now,
        version: 1,
        request,
        lease: None,
        tries: 0,
        unanswered: None,
    }
}

/// The summary of a party.
pub(super) fn summary(party: &Party) -> PartySummary {
    let address = party.electronic_address.as_ref();
    let name = party.name.as_deref().unwrap_or_default();
    PartySummary {
        name: name.chars().take(PartySummary::NAME_LIMIT).collect(),
        participant_id: address.and_then(|address| {
            let scheme = address.scheme_id.as_deref().unwrap_or(ParticipantId::TIN_SCHEME);
            ParticipantId::new(scheme, &address.id).ok()
        }),
    }
}

/// As many findings as fit into a record. If some are dropped, the last finding counts them.
pub(super) fn bounded(findings: &[Finding]) -> Vec<Finding> {
    Finding::fitting(findings, WARNING_BYTES)
}

/// The document's findings with one more.
pub(super) fn with(document: &DocumentRecord, finding: &Finding) -> Vec<Finding> {
    let mut findings = vec![finding.clone()];
    findings.extend(document.warnings.iter().cloned());
    bounded(&findings)
}

/// The participant at the other end: the receiver of an outbound document, or the sender of an inbound one. In
/// self-billing the buyer is the sender.
pub(super) fn counterparty(record: &DocumentRecord) -> &PartySummary {
    let taxpayer_sells = match record.direction {
        Direction::Outbound => !record.operation.is_self_billed(),
        Direction::Inbound => record.operation.is_self_billed(),
    };
    if taxpayer_sells { &record.customer } else { &record.supplier }
}

/// The data of a document event.
#[derive(Serialize)]
struct Data<'a> {
    taxpayer_id: &'a str,
    document_id: &'a DocumentId,
    message_id: &'a MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<&'a str>,
    document_type_code: &'a str,
    submission_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    submission_message_id: Option<&'a MessageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    supersedes_id: Option<&'a DocumentId>,
    r#type: &'static str,
    direction: Direction,
    number: &'a str,
    status: Status,
    issue_date: jiff::civil::Date,
    currency: &'a str,
    total_with_vat: String,
    amount_due: String,
    counterparty: &'a PartySummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Cause<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_level_status: Option<Said<'a>>,
}

/// The status of the recipient's access point, in the fields of the record.
#[derive(Serialize)]
struct Said<'a> {
    code: StatusCode,
    issued_at: String,
    received_at: String,
    sender: &'a SeatId,
    description: Option<&'a str>,
    findings: &'a [Finding],
}

impl<'a> Said<'a> {
    fn of(said: &'a MessageLevelStatus) -> Self {
        Said {
            code: said.code,
            issued_at: instant(said.issued_at),
            received_at: instant(said.received_at),
            sender: &said.sender,
            description: said.description.as_deref(),
            findings: &said.findings,
        }
    }
}

/// Why a document failed, is unconfirmed, or was rejected.
#[derive(Serialize)]
struct Cause<'a> {
    rule: &'a str,
    message: &'a str,
}

/// The old values in a document event.
#[derive(Serialize)]
struct Previous {
    status: Status,
}

/// An event about a document. It omits metadata, which belongs to the sender.
pub(super) fn event(
    ctx: &Context,
    mode: Mode,
    event_type: EventType,
    participant_id: &ParticipantId,
    record: &DocumentRecord,
) -> Result<EventRecord, serde_json::Error> {
    document_event(ctx, mode, event_type, participant_id, record, None)
}

/// The event of a document whose status has changed.
pub(super) fn status_event(
    ctx: &Context,
    mode: Mode,
    participant_id: &ParticipantId,
    before: Status,
    record: &DocumentRecord,
) -> Result<EventRecord, serde_json::Error> {
    let previous = Some(Previous { status: before });
    document_event(ctx, mode, EventType::DocumentStatus, participant_id, record, previous)
}

/// The cause is the first finding. For a rejected document it is the first finding of the recipient's access point.
fn cause(record: &DocumentRecord) -> Option<Cause<'_>> {
    let first = match record.status {
        Status::Failed | Status::Unconfirmed => record.warnings.first(),
        Status::Rejected => record.message_level_status.as_ref()?.findings.first(),
        _ => None,
    }?;
    Some(Cause { rule: &first.rule, message: &first.message })
}

fn document_event(
    ctx: &Context,
    mode: Mode,
    event_type: EventType,
    participant_id: &ParticipantId,
    record: &DocumentRecord,
    previous: Option<Previous>,
) -> Result<EventRecord, serde_json::Error> {
    let data = Data {
        taxpayer_id: record.taxpayer_id.as_str(),
        document_id: &record.document_id,
        message_id: &record.message_id,
        source_id: record.source_id.as_deref(),
        document_type_code: &record.document_type_code,
        submission_id: submission_id(&record.document_id),
        submission_message_id: record.submission_message_id(),
        supersedes_id: record.corrects_document_id.as_ref(),
        r#type: Operation::as_str(record.operation),
        direction: record.direction,
        number: &record.number,
        status: record.status,
        issue_date: record.issue_date,
        currency: &record.currency,
        total_with_vat: record.total_with_vat.to_string(),
        amount_due: record.amount_due.to_string(),
        counterparty: counterparty(record),
        cause: cause(record),
        message_level_status: record.message_level_status.as_ref().map(Said::of),
    };
    let event = events::NewEvent {
        mode,
        event_type,
        taxpayer_id: &record.taxpayer_id,
        participant_id,
        subject: Subject::Document { document_id: record.document_id.clone() },
        audience: audience(record),
        data,
        previous,
        at: record.updated_at,
        reached: reached(record.status),
        awaits: awaits(mode, record),
    };
    events::write(ctx, event)
}

/// The result of a status; `None` while the document is on its way.
fn reached(status: Status) -> Option<Reached> {
    match status {
        Status::Sent => Some(Reached::Sent),
        Status::Unconfirmed => Some(Reached::Unconfirmed),
        Status::Failed => Some(Reached::Failed),
        Status::Delivered => Some(Reached::Delivered),
        Status::Forwarded => Some(Reached::Forwarded),
        Status::Received => Some(Reached::Received),
        Status::Rejected => Some(Reached::Rejected),
        Status::Accepted | Status::Converted | Status::Dispatching | Status::Unknown => None,
    }
}

/// The answers that a document waits for. In Sandbox they are immediate or never come.
pub(super) fn awaits(mode: Mode, record: &DocumentRecord) -> Vec<Awaited> {
    if mode != Mode::Live {
        return Vec::new();
    }
    let status = match record.status {
        Status::Sent | Status::Unconfirmed => wants_status(record),
        _ => false,
    };
    let verdict = match record.status {
        Status::Sent | Status::Unconfirmed | Status::Received => outcome(record).is_none(),
        Status::Delivered | Status::Forwarded => still_awaits(record, Awaited::Verdict),
        Status::Rejected => {
            record.direction == Direction::Outbound && still_awaits(record, Awaited::Verdict)
        }
        Status::Accepted
        | Status::Converted
        | Status::Dispatching
        | Status::Failed
        | Status::Unknown => false,
    };
    let answers = [(status, Awaited::Status), (verdict, Awaited::Verdict)];
    answers.into_iter().filter_map(|(is_open, what)| is_open.then_some(what)).collect()
}

/// Whether an answer is still awaited.
pub(super) fn still_awaits(document: &DocumentRecord, what: Awaited) -> bool {
    match what {
        Awaited::Status => matches!(document.status, Status::Sent | Status::Unconfirmed),
        Awaited::Verdict => document.reporting.is_some() && outcome(document).is_none(),
        Awaited::Unknown => false,
    }
}

/// Whether the authority refused the report of a document, or did not get it.
pub(super) fn is_refused(document: &DocumentRecord) -> bool {
    matches!(outcome(document), Some(TaxReportOutcome::NotCompliant | TaxReportOutcome::Failed))
}

/// The outcome of a document's report, if there is one.
pub(super) fn outcome(document: &DocumentRecord) -> Option<TaxReportOutcome> {
    document.reporting.as_ref().and_then(|reporting| reporting.outcome)
}

/// Whether the recipient's access point owes a positive status. The predefined endpoints owe none.
fn wants_status(record: &DocumentRecord) -> bool {
    let is_nobody = counterparty(record).participant_id.as_ref().is_some_and(is_predefined);
    record.mls_type == "ALWAYS_SEND" && !is_nobody
}

/// The event goes to everybody who may read the document. `inbound:read` allows only received documents.
pub(super) fn audience(record: &DocumentRecord) -> Audience {
    Audience::Granted { any_of: readers(record), issuer: record.organization_id.clone() }
}

/// The scopes that each allow reading a document.
pub(super) fn readers(record: &DocumentRecord) -> BTreeSet<Scope> {
    match record.direction {
        Direction::Outbound => BTreeSet::from([Scope::InvoicesRead]),
        Direction::Inbound => BTreeSet::from([Scope::InvoicesRead, Scope::InboundRead]),
    }
}
