//! Ends jobs that are abandoned, where a caller waits for them.
//!
//! Every abandoned job is parked: it stays in the table with the reason until an operator acts (`redrive`). A
//! caller does not see that, and must not wait for ever:
//!
//! | kind | what the caller sees |
//! |---|---|
//! | document | `failed`, or `unconfirmed` where a message may have arrived; event `document.status`; the saved reply |
//! | tax report | FAILED, with the reason; event `document.reported`; it can be resubmitted |
//! | archive, import, delivery | `failed`, as long as it is parked |
//! | registration, application | that it was abandoned, on its page and in the API, as long as it is parked |
//! | event, message, MLS, OpenPeppol report, mail, receipt, notice | nothing: no caller waits for a state of these |
//!
//! A document and a tax report have ended for good, since an event was published. A redrive only removes them from the
//! parked jobs. All other jobs continue after a redrive.

use super::{
    Context,
    record::{self, with},
    reply::abandoned,
    tax_report_event,
};
use crate::{
    error::Finding,
    store::{
        DocumentRecord, JobVersion, Parked, Progress, SettledTaxReport, Status, StoreError,
        TaxReportStatus, keys::JobId,
    },
    types::{DocumentId, EndpointId, EventId, Mode, OrganizationId, ReportId, TaxpayerId},
};

/// The rule id of findings about abandoned jobs.
const RULE: &str = "AP-SERVICE-given-up";

/// Parks a job, and ends it where its end is published. `false` when it has advanced.
pub(super) async fn park(
    ctx: &Context,
    version: &JobVersion,
    parked: &Parked,
) -> Result<bool, StoreError> {
    let ended = match &version.job_id {
        JobId::Document(mode, taxpayer_id, document_id) => {
            document(ctx, (version, parked), *mode, (taxpayer_id, document_id)).await
        }
        JobId::TaxReport(taxpayer_id, report_id) => {
            tax_report(ctx, (version, parked), (taxpayer_id, report_id)).await
        }
        JobId::Delivery(mode, organization_id, event_id, endpoint_id) => {
            let key = (organization_id, event_id, endpoint_id);
            delivery(ctx, (version, parked), *mode, key).await
        }
        _ => Ok(None),
    };
    match ended {
        Ok(Some(is_parked)) => return Ok(is_parked),
        // The job has no such end, or its record cannot be read: it is only parked.
        Ok(None) | Err(StoreError::Corrupt(_)) => {}
        Err(error) => return Err(error),
    }
    ctx.store.park(version, parked).await
}

async fn document(
    ctx: &Context,
    (version, parked): (&JobVersion, &Parked),
    mode: Mode,
    (taxpayer_id, document_id): (&TaxpayerId, &DocumentId),
) -> Result<Option<bool>, StoreError> {
    let Some(read) = ctx.store.get_document(mode, taxpayer_id, document_id).await? else {
        return Ok(None);
    };
    let Some(taxpayer) = ctx.store.get_taxpayer_lately(mode, taxpayer_id).await? else {
        return Ok(None);
    };
    let may_have_arrived = match read.status {
        Status::Accepted | Status::Converted => false,
        Status::Dispatching => {
            match ctx.store.get_transmission(mode, taxpayer_id, document_id).await {
                Ok(transmission) => transmission.is_some_and(|it| it.may_have_arrived()),
                // An unreadable transmission may have arrived.
                Err(StoreError::Corrupt(_)) => true,
                Err(error) => return Err(error),
            }
        }
        _ => return Ok(None),
    };
    let said = match may_have_arrived {
        true => "The service could not find out whether the document arrived, and stopped trying.",
        false => {
            "The service could not deliver the document because of its own fault, and stopped trying."
        }
    };
    let finding = Finding::error("", RULE, said);
    let warnings = with(&read, &finding);
    let progress = match may_have_arrived {
        true => Progress::Unconfirmed { warnings: warnings.clone() },
        false => Progress::Failed { warnings: warnings.clone() },
    };
    let (status, at) = (progress.status(), parked.at);
    let ended = DocumentRecord { status, warnings, updated_at: at, lease: None, ..read.clone() };
    let event = record::status_event(ctx, mode, &taxpayer.participant_id, read.status, &ended)
        .map_err(|error| StoreError::Corrupt(error.into()))?;
    let reply = abandoned(&ended, &finding);
    let end = (&progress, reply.saved()?, &event);
    ctx.store.abandon_document(mode, &read, end, (version, parked)).await.map(Some)
}

async fn delivery(
    ctx: &Context,
    (version, parked): (&JobVersion, &Parked),
    mode: Mode,
    (organization_id, event_id, endpoint_id): (&OrganizationId, &EventId, &EndpointId),
) -> Result<Option<bool>, StoreError> {
    let read = ctx.store.get_delivery(mode, organization_id, event_id, endpoint_id).await?;
    match read {
        Some(read) => ctx.store.park_delivery(&read, (version, parked)).await.map(Some),
        None => Ok(None),
    }
}

async fn tax_report(
    ctx: &Context,
    (version, parked): (&JobVersion, &Parked),
    (taxpayer_id, report_id): (&TaxpayerId, &ReportId),
) -> Result<Option<bool>, StoreError> {
    let read = ctx.store.get_tax_report(taxpayer_id, report_id).await?;
    // A submitted report needs no further work: its verdict ends it.
    let on_its_way = |status| matches!(status, TaxReportStatus::Due | TaxReportStatus::Filing);
    let Some(read) = read.filter(|read| on_its_way(read.status)) else { return Ok(None) };
    let (document, participant_id) = tax_report_event::about(ctx, &read).await?;
    let said =
        "The service could not deliver the report because of its own fault, and stopped trying.";
    let reasons = vec![Finding::error("", RULE, said)];
    let (status, at) = (TaxReportStatus::Failed, parked.at);
    let event =
        tax_report_event::event(ctx, &participant_id, &document, (&read, status, &reasons), at)?;
    let settled =
        SettledTaxReport { tax_report: read, status, verdict: None, reasons, document, event, at };
    ctx.store.abandon_tax_report(&settled, (version, parked)).await.map(Some)
}
