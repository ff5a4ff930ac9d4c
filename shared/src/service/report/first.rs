//! Makes tax reports. The first report about a document is made in the same transaction as the reported event. Its
//! identifier is derived from the document's, so there is never a second one. Later reports have identifiers of their
//! own.

use crate::{
    peppol::identifiers::InstanceId,
    service::Context,
    store::{
        Departure, DocumentRecord, Due, MessageRecord, NewTaxReport, ReportedDocument, Status,
        StoreError, TaxReportKind, TaxReportRecord, TaxReportRole, UsageRecord,
    },
    types::{MessageId, Mode, ReportId},
};

/// Whether a document is exchanged through the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::service) enum Exchanged {
    /// It is sent to its recipient.
    Sent,
    /// Its recipient is a predefined endpoint: only the tax authority gets it.
    None,
}

/// The tax report and the usage record of a document that our taxpayer sends. `None` in Sandbox, where "activity [...]
/// creates no Live billing usage" (specification 1).
pub(in crate::service) fn of_sent(
    ctx: &Context,
    mode: Mode,
    document: &DocumentRecord,
    exchanged: Exchanged,
) -> Result<Option<Departure>, StoreError> {
    if mode != Mode::Live {
        return Ok(None);
    }
    let sender = document.organization_id.clone();
    let usage = UsageRecord {
        document_id: document.document_id.clone(),
        organization_id: sender
            .ok_or_else(|| StoreError::Corrupt("the document has no sender".into()))?,
        taxpayer_id: document.taxpayer_id.clone(),
        document_type_code: document.document_type_code.clone(),
        at: ctx.now(),
        idempotency: document.unanswered.clone(),
    };
    let transport_header_id = match exchanged {
        Exchanged::Sent => Some((&document.message_id).into()),
        Exchanged::None => None,
    };
    let tax_report = TaxReportRecord {
        supersedes_id: document.corrects_document_id.clone(),
        ..new(ctx, document, TaxReportKind::Submit, TaxReportRole::Sender, transport_header_id)
    };
    let tax_report = NewTaxReport { tax_report, due: at_once(ctx) };
    Ok(Some(Departure { tax_report, usage }))
}

/// The tax report about a document that our taxpayer received. A valid document is reported when its positive status is
/// due (MoF process page, step 2), or at once if no status is owed.
pub(in crate::service) fn of_received(
    ctx: &Context,
    mode: Mode,
    message: &MessageRecord,
    document: &DocumentRecord,
    status_due: Option<Due>,
) -> Option<NewTaxReport> {
    if mode != Mode::Live {
        return None;
    }
    let (kind, due) = match (document.status, status_due) {
        (Status::Rejected, _) => (TaxReportKind::Failed, at_once(ctx)),
        (_, Some(due)) => (TaxReportKind::Submit, Due::begins(due.begin(), ctx.now())),
        (_, None) => (TaxReportKind::Submit, at_once(ctx)),
    };
    let exchanged = Some(message.instance_id.clone());
    let tax_report = new(ctx, document, kind, TaxReportRole::Receiver, exchanged);
    Some(NewTaxReport { tax_report, due })
}

/// A further tax report about the same transaction, with new identifiers.
pub(in crate::service) fn again(
    ctx: &Context,
    of: &TaxReportRecord,
    kind: TaxReportKind,
) -> NewTaxReport {
    let (now, random) = (ctx.now(), &*ctx.random);
    let about = ReportedDocument {
        taxpayer_id: of.taxpayer_id.clone(),
        document_id: of.document_id.clone(),
        document_type_code: of.document_type_code.clone(),
        role: of.role,
    };
    let (report_id, instance_id) = (ReportId::new(now, random), MessageId::new(now, random));
    let tax_report = TaxReportRecord {
        supersedes_id: of.supersedes_id.clone(),
        transport_header_id: of.transport_header_id.clone(),
        ..TaxReportRecord::due(about, kind, report_id, instance_id, now)
    };
    NewTaxReport { tax_report, due: at_once(ctx) }
}

fn at_once(ctx: &Context) -> Due {
    Due::queued(ctx.now())
}

fn new(
    ctx: &Context,
    document: &DocumentRecord,
    kind: TaxReportKind,
    role: TaxReportRole,
    transport_header_id: Option<InstanceId>,
) -> TaxReportRecord {
    let now = ctx.now();
    let about = ReportedDocument {
        taxpayer_id: document.taxpayer_id.clone(),
        document_id: document.document_id.clone(),
        document_type_code: document.document_type_code.clone(),
        role,
    };
    let report_id = ReportId::first_of(&document.document_id);
    let instance_id = MessageId::new(now, &*ctx.random);
    TaxReportRecord {
        transport_header_id,
        created_at: document.created_at,
        ..TaxReportRecord::due(about, kind, report_id, instance_id, now)
    }
}
