//! The first filing about a document, as it is made in the transaction of what it reports. Whoever makes it
//! gives it the same name, which is the document's own: there is never a second.

use crate::{
    peppol::identifiers::InstanceId,
    service::{Context, RELAY_GRACE, later},
    store::{
        DocumentRecord, Due, FilingKind, FilingRecord, FilingRole, FilingStatus, MessageRecord,
        NewFiling, Status,
    },
    types::{MessageId, Mode, ReportId},
};

/// Whether a document is exchanged before it is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::service) enum Exchange {
    /// It goes to its recipient.
    Sent,
    /// Its recipient is a predefined endpoint: it reaches the tax authority alone.
    None,
}

/// What is filed about a document that our taxpayer sends; nothing about one of the Sandbox.
pub(in crate::service) fn of_sent(
    ctx: &Context,
    mode: Mode,
    document: &DocumentRecord,
    exchange: Exchange,
) -> Option<NewFiling> {
    let transport_header_id = match exchange {
        Exchange::Sent => Some((&document.message_id).into()),
        Exchange::None => None,
    };
    let filing = FilingRecord {
        supersedes_id: document.corrects_document_id.clone(),
        ..new(ctx, document, FilingKind::Submit, FilingRole::Sender, transport_header_id)
    };
    (mode == Mode::Live).then(|| NewFiling { filing, due: at_once(ctx) })
}

/// What is filed about a document that our taxpayer received. A valid one is reported when its positive
/// status is due (MoF process page, step 2), or at once where none is owed.
pub(in crate::service) fn of_received(
    ctx: &Context,
    mode: Mode,
    message: &MessageRecord,
    document: &DocumentRecord,
    status_due: Option<Due>,
) -> Option<NewFiling> {
    let (kind, due) = match (document.status, status_due) {
        (Status::Rejected, _) => (FilingKind::Failed, at_once(ctx)),
        (_, Some(due)) => (FilingKind::Submit, Due::watched(due.at)),
        (_, None) => (FilingKind::Submit, at_once(ctx)),
    };
    let exchanged = Some(message.instance_id.clone());
    let filing = new(ctx, document, kind, FilingRole::Receiver, exchanged);
    (mode == Mode::Live).then_some(NewFiling { filing, due })
}

fn at_once(ctx: &Context) -> Due {
    Due::relayed(later(ctx.now(), RELAY_GRACE))
}

fn new(
    ctx: &Context,
    document: &DocumentRecord,
    kind: FilingKind,
    role: FilingRole,
    transport_header_id: Option<InstanceId>,
) -> FilingRecord {
    let now = ctx.now();
    FilingRecord {
        report_id: ReportId::first_of(&document.document_id),
        taxpayer_id: document.taxpayer_id.clone(),
        document_id: document.document_id.clone(),
        kind,
        role,
        status: FilingStatus::Due,
        instance_id: MessageId::new(now, &*ctx.random),
        document_type_code: document.document_type_code.clone(),
        supersedes_id: None,
        transport_header_id,
        created_at: document.created_at,
        updated_at: now,
        begun_at: None,
        turn: None,
        authority: None,
        tax_data: None,
        submitted_at: None,
        verdict: None,
        reasons: Vec::new(),
        lease: None,
        tries: 0,
    }
}
