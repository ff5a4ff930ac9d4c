//! Test events: the events that the service would publish about a taxpayer and documents that do not exist, marked as
//! tests.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    access::{Audience, Grant, GrantStatus, Scope, Taxpayer, TaxpayerStatus},
    document::Operation,
    error::{Code, Failure, Finding},
    service::{
        Context, events,
        onboarding::{self, Details},
        record, tax_report_event,
    },
    store::{
        Direction, DocumentRecord, EventRecord, EventType, PartySummary, ReportedDocument, Status,
        TaxReportKind, TaxReportRecord, TaxReportRole, TaxReportStatus, TaxpayerSettings,
    },
    types::{
        DocumentId, GrantId, MessageId, Mode, OrganizationId, ParticipantId, ReportId, TaxpayerId,
    },
};

/// The outcome of a simulated report (specification 1, Sandbox 6).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The authority accepts it: REPORTED.
    #[default]
    Accepted,
    /// The authority refuses it: NOT_COMPLIANT.
    Rejected,
    /// It does not reach the authority: FAILED.
    Failed,
}

/// The invented business of the events, and its customer.
const OURS: (&str, &str) = ("Test Trading LLC", "1999999998");
const THEIRS: (&str, &str) = ("Test Customer LLC", "1999999999");

/// A test event of a type, for an organization.
pub(super) fn event(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    event_type: EventType,
    outcome: Outcome,
) -> Result<EventRecord, Failure> {
    let now = ctx.now();
    let taxpayer = taxpayer(ctx, mode, now)?;
    let direction = match event_type {
        EventType::DocumentReceived => Direction::Inbound,
        _ => Direction::Outbound,
    };
    let document = |status| document(ctx, &taxpayer, organization_id, direction, status, now);
    let participant_id = &taxpayer.participant_id;
    let made = match event_type {
        EventType::TaxpayerCreated | EventType::TaxpayerUpdated | EventType::TaxpayerDeleted => {
            of_taxpayer(ctx, &taxpayer, organization_id, event_type, now)?
        }
        EventType::DocumentSent => {
            record::event(ctx, mode, event_type, participant_id, &document(Status::Sent)?)
                .map_err(unwritten)?
        }
        EventType::DocumentReceived => {
            record::event(ctx, mode, event_type, participant_id, &document(Status::Received)?)
                .map_err(unwritten)?
        }
        EventType::DocumentStatus => {
            let document = document(Status::Delivered)?;
            record::status_event(ctx, mode, participant_id, Status::Sent, &document)
                .map_err(unwritten)?
        }
        EventType::DocumentReported => {
            reported(ctx, participant_id, &document(Status::Sent)?, outcome, now)?
        }
        EventType::Unknown => {
            let message = "No test event of this type can be created.";
            return Err(Failure::new(Code::InvalidRequest, message));
        }
    };
    as_test(made, mode)
}

/// The event as a test: "They carry test: true" (specification 1, Sandbox 6). It has the mode of the request.
fn as_test(event: EventRecord, mode: Mode) -> Result<EventRecord, Failure> {
    let mut envelope: Value = serde_json::from_str(&event.body).map_err(unwritten)?;
    envelope["test"] = Value::Bool(true);
    envelope["environment"] = mode.as_str().into();
    let body = serde_json::to_string(&envelope).map_err(unwritten)?;
    Ok(EventRecord { mode, body, ..event })
}

fn of_taxpayer(
    ctx: &Context,
    taxpayer: &Taxpayer,
    organization_id: &OrganizationId,
    event_type: EventType,
    now: Timestamp,
) -> Result<EventRecord, Failure> {
    let grant = Grant {
        grant_id: GrantId::new(now, &*ctx.random),
        mode: taxpayer.mode,
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: organization_id.clone(),
        scopes: Scope::ALL.into(),
        status: GrantStatus::Active,
        grant_label: Some("Test".to_owned()),
        external_id: None,
        application: None,
        tokens_ended_at: None,
        created_at: now,
        revoked_at: None,
        revoked_by: None,
    };
    let second = Grant { grant_id: GrantId::new(now, &*ctx.random), ..grant.clone() };
    let (first, both) = ([grant.clone()], [grant, second]);
    let (grants, before): (&[Grant], _) = match event_type {
        EventType::TaxpayerDeleted => (&[], None),
        EventType::TaxpayerUpdated => {
            (&both, Some(events::Before { grants: Some(&first), ..events::Before::default() }))
        }
        _ => (&first, None),
    };
    let change = events::TaxpayerChange {
        event_type,
        audience: Audience::Organization { organization_id: organization_id.clone() },
        taxpayer,
        grants,
        metadata: &[("erp_customer".to_owned(), "4711".to_owned())].into(),
        settings: &TaxpayerSettings::default(),
        before,
    };
    events::of_taxpayer(ctx, change, now)
}

fn reported(
    ctx: &Context,
    participant_id: &ParticipantId,
    document: &DocumentRecord,
    outcome: Outcome,
    now: Timestamp,
) -> Result<EventRecord, Failure> {
    let about = ReportedDocument {
        taxpayer_id: document.taxpayer_id.clone(),
        document_id: document.document_id.clone(),
        document_type_code: document.document_type_code.clone(),
        role: TaxReportRole::Sender,
    };
    let report_id = ReportId::first_of(&document.document_id);
    let instance_id = MessageId::new(now, &*ctx.random);
    let tax_report =
        TaxReportRecord::due(about, TaxReportKind::Submit, report_id, instance_id, now);
    let (status, reasons) = end(outcome);
    let reported = (&tax_report, status, reasons.as_slice());
    Ok(tax_report_event::event(ctx, participant_id, document, reported, now)?)
}

/// How a simulated report ends, and why.
pub(crate) fn end(outcome: Outcome) -> (TaxReportStatus, Vec<Finding>) {
    match outcome {
        Outcome::Accepted => (TaxReportStatus::Reported, Vec::new()),
        Outcome::Rejected => {
            let message = "A test: the tax authority refuses the report.";
            (TaxReportStatus::NotCompliant, vec![Finding::error("", "AP-TEST-refused", message)])
        }
        Outcome::Failed => {
            let message = "A test: the report does not reach the tax authority.";
            (TaxReportStatus::Failed, vec![Finding::error("", "AP-TEST-failed", message)])
        }
    }
}

fn taxpayer(ctx: &Context, mode: Mode, now: Timestamp) -> Result<Taxpayer, Failure> {
    let (name, tin) = OURS;
    let address = ["Sheikh Zayed Road 1", "Dubai", "DXB"];
    let licence = ["CN-0000001", "Dubai Department of Economy and Tourism"];
    Ok(Taxpayer {
        taxpayer_id: TaxpayerId::new(now, &*ctx.random),
        mode,
        participant_id: participant(tin)?,
        name: name.to_owned(),
        status: TaxpayerStatus::Active,
        suspended_by: None,
        confirmed: None,
        profile: onboarding::profile(&Details { name, tin, address, licence }),
        email: None,
        created_at: now,
    })
}

fn document(
    ctx: &Context,
    taxpayer: &Taxpayer,
    organization_id: &OrganizationId,
    direction: Direction,
    status: Status,
    now: Timestamp,
) -> Result<DocumentRecord, Failure> {
    let party = |(name, tin): (&str, &str)| {
        Ok::<_, Failure>(PartySummary {
            name: name.to_owned(),
            participant_id: Some(participant(tin)?),
        })
    };
    let (supplier, customer) = match direction {
        Direction::Outbound => (party(OURS)?, party(THEIRS)?),
        Direction::Inbound => (party(THEIRS)?, party(OURS)?),
    };
    let amount = |fils| rust_decimal::Decimal::new(fils, 2);
    Ok(DocumentRecord {
        document_id: DocumentId::new(now, &*ctx.random),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: (direction == Direction::Outbound).then(|| organization_id.clone()),
        direction,
        operation: Operation::Invoice,
        document_type_code: "380".to_owned(),
        status,
        number: "TEST-0001".to_owned(),
        uuid: ctx.new_uuid(),
        issue_date: now.to_zoned(jiff::tz::TimeZone::UTC).date(),
        due_date: None,
        currency: "AED".to_owned(),
        transaction_type_code: "00000000".to_owned(),
        profile: "urn:peppol:pint:billing-1@ae-1".to_owned(),
        mls_type: "ALWAYS_SEND".to_owned(),
        total_without_vat: amount(100_000),
        total_vat: amount(5_000),
        total_with_vat: amount(105_000),
        amount_due: amount(105_000),
        supplier,
        customer,
        source_id: Some("test-0001".to_owned()),
        metadata: Default::default(),
        previous_document_id: None,
        corrects_document_id: None,
        corrected_by: None,
        message_id: MessageId::new(now, &*ctx.random),
        ubl: None,
        envelope: None,
        warnings: Vec::new(),
        message_level_status: None,
        reporting: None,
        later_reports: Vec::new(),
        created_at: now,
        converted_at: None,
        dispatching_at: None,
        updated_at: now,
        version: 1,
        request: None,
        lease: None,
        tries: 0,
        unanswered: None,
    })
}

fn participant(tin: &str) -> Result<ParticipantId, Failure> {
    ParticipantId::new(ParticipantId::TIN_SCHEME, tin).map_err(unwritten)
}

fn unwritten(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::new(Code::InternalError, "A test event cannot be serialized.").because(error)
}
