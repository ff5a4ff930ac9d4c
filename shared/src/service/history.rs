//! All that is known of a document: itself, its way through the network, and what was reported of it.

use jiff::Timestamp;

use super::{Context, documents, reports};
use crate::{
    access::Reader,
    error::Failure,
    store::{
        Direction, DocumentRecord, EVENT_SHOWN, EventOfDocument, MlsOutboundRecord, StoreError,
        TransmissionRecord,
    },
    types::{Mode, OrganizationId},
};

/// How many events about a document are read: more than one ever has, but for what is filed again and again.
const EVENTS: i32 = 25;

/// A document and what became of it.
#[derive(Debug)]
pub struct History {
    /// The document.
    pub document: DocumentRecord,
    /// Its way through the network; none where it did not go there, as what was received.
    pub transmission: Option<TransmissionRecord>,
    /// The status that we owe the sender's access point for it, and the way of that; none where it did not come over the network.
    pub answer: Option<(MlsOutboundRecord, Option<TransmissionRecord>)>,
    /// What was reported of it, the first report first.
    pub reports: Vec<reports::Report>,
    /// What the organization heard about it in the last 30 days, the latest first; nothing where none asks.
    pub told: Vec<EventOfDocument>,
}

/// What became of a document that the reader may see, in four reads; of a received one two more, of the answer to it, and for
/// an organization one more, of what it heard.
pub async fn of(
    ctx: &Context,
    reader: Reader<'_>,
    organization_id: Option<&OrganizationId>,
    document_id: &str,
) -> Result<History, Failure> {
    let document = documents::get(ctx, reader, document_id).await?;
    let (mode, id) = (reader.mode, &document.document_id);
    let told = async {
        let Some(organization_id) = organization_id else { return Ok(Vec::new()) };
        let told = ctx.store.list_events_about(mode, organization_id, id, EVENTS).await?;
        // What DynamoDB has not removed yet is over all the same.
        let oldest = ctx.now().checked_sub(EVENT_SHOWN).unwrap_or(Timestamp::MIN);
        let told = told.into_iter().filter(|event| event.created_at >= oldest);
        Ok::<Vec<_>, StoreError>(told.collect())
    };
    let answer = async {
        // Only what came in over the network is answered over it.
        if mode != Mode::Live || document.direction != Direction::Inbound {
            return Ok::<_, StoreError>(None);
        }
        let (answer, way) = tokio::try_join!(
            ctx.store.get_mls_outbound(mode, id),
            ctx.store.get_mls_transmission(mode, id)
        )?;
        Ok(answer.map(|answer| (answer, way)))
    };
    let (transmission, answer, reports, told) = tokio::try_join!(
        ctx.store.get_transmission(mode, reader.taxpayer_id, id),
        answer,
        reports::of(ctx, reader, &document),
        told,
    )?;
    let reports = reports.unwrap_or_default();
    let reports = reports.into_iter().map(|known| reports::with_attempts(ctx, known)).collect();
    Ok(History { document, transmission, answer, reports, told })
}
