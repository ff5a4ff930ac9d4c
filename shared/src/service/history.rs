//! All that is known of a document: itself, its way through the network, and what was reported of it.

use super::{Context, documents, reports};
use crate::{
    access::Reader,
    error::Failure,
    store::{DocumentRecord, TransmissionRecord},
};

/// A document and what became of it.
#[derive(Debug)]
pub struct History {
    /// The document.
    pub document: DocumentRecord,
    /// Its way through the network; none where it did not go there, as what was received.
    pub transmission: Option<TransmissionRecord>,
    /// What was reported of it, the first report first.
    pub reports: Vec<reports::Report>,
}

/// What became of a document that the reader may see, in four reads.
pub async fn of(ctx: &Context, reader: Reader<'_>, document_id: &str) -> Result<History, Failure> {
    let document = documents::get(ctx, reader, document_id).await?;
    let (transmission, reports) = tokio::try_join!(
        ctx.store.get_transmission(reader.mode, reader.taxpayer_id, &document.document_id),
        reports::of(ctx, reader, &document),
    )?;
    let reports = reports.unwrap_or_default();
    let reports = reports.into_iter().map(|known| reports::with_attempts(ctx, known)).collect();
    Ok(History { document, transmission, reports })
}
