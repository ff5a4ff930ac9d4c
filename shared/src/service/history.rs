//! The complete history of a document: the record, its transmission, and its tax reports.

use jiff::Timestamp;

use super::{Context, documents, record, reports};
use crate::{
    access::Reader,
    error::Failure,
    store::{
        Awaited, Direction, DocumentRecord, EVENT_SHOWN, EventOfDocument, MlsOutboundRecord,
        StoreError, TransmissionRecord,
    },
    types::{Mode, OrganizationId},
};

/// How many events about a document are read. A document never has more, unless its report is resubmitted many times.
const EVENTS: i32 = 25;

/// A document and its history.
#[derive(Debug)]
pub struct History {
    /// The document.
    pub document: DocumentRecord,
    /// The answers of other parties that it waits for.
    pub awaits: Vec<Awaited>,
    /// Its transmission through the network. `None` without one, as for a received document.
    pub transmission: Option<TransmissionRecord>,
    /// The status that we owe to the sender's access point, and its transmission. `None` if the document did not come
    /// over the network.
    pub answer: Option<(MlsOutboundRecord, Option<TransmissionRecord>)>,
    /// The tax reports about it, in the order of their creation.
    pub reports: Vec<reports::Report>,
    /// The events about it that were published to the organization in the last 30 days, the latest first. Empty without
    /// an organization.
    pub events: Vec<EventOfDocument>,
}

/// The history of a document that the reader may see, in four reads. A received document needs one more, for its status.
/// An organization's events need one more.
pub async fn of(
    ctx: &Context,
    reader: Reader<'_>,
    organization_id: Option<&OrganizationId>,
    document_id: &str,
) -> Result<History, Failure> {
    let document = documents::get(ctx, reader, document_id).await?;
    let (mode, id) = (reader.mode, &document.document_id);
    let events = async {
        let Some(organization_id) = organization_id else { return Ok(Vec::new()) };
        let events = ctx.store.list_events_about(mode, organization_id, id, EVENTS).await?;
        // Events that DynamoDB has not removed yet are expired nevertheless.
        let oldest = ctx.now().checked_sub(EVENT_SHOWN).unwrap_or(Timestamp::MIN);
        let events = events.into_iter().filter(|event| event.created_at >= oldest);
        Ok::<Vec<_>, StoreError>(events.collect())
    };
    let answer = async {
        // Only a document that came over the network has a status.
        if mode != Mode::Live || document.direction != Direction::Inbound {
            return Ok::<_, StoreError>(None);
        }
        let (answer, transmission) = tokio::try_join!(
            ctx.store.get_mls_outbound(mode, id),
            ctx.store.get_mls_transmission(mode, reader.taxpayer_id, id)
        )?;
        Ok(answer.map(|answer| (answer, transmission)))
    };
    let transmission = async {
        match document.direction {
            Direction::Outbound => ctx.store.get_transmission(mode, reader.taxpayer_id, id).await,
            Direction::Inbound => Ok(None),
        }
    };
    let (transmission, answer, reports, events) =
        tokio::try_join!(transmission, answer, reports::of(ctx, reader, &document), events,)?;
    let reports = reports.unwrap_or_default();
    let reports = reports.into_iter().map(|known| reports::with_attempts(ctx, known)).collect();
    let awaits = record::awaits(mode, &document);
    Ok(History { document, awaits, transmission, answer, reports, events })
}
