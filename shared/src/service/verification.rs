//! The holder of a paper verifies by its link that this service sent the document.
//!
//! A link shows only what the paper says, and what became of the document.

use jiff::SignedDuration;

use super::{Reading, documents};
use crate::{
    error::Failure,
    rendering::{Standing, View},
    store::{Direction, DocumentRecord, Payload, Rate},
    types::{DocumentId, Mode, TaxpayerId},
    xml,
};

/// Maximum documents that one network address verifies. An office has one address for many people.
pub const BY_PLACE: Rate =
    Rate { what: "VERIFY", most: 120, window: SignedDuration::from_mins(15) };

/// Maximum bytes of UBL that are read for the seller's tax number.
const MAX_READ: u64 = if cfg!(test) { 50_000 } else { 2_000_000 };

/// What the holder of a link may know of its document.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The document.
    pub document: DocumentRecord,
    /// The seller's tax number. `None` if the document has none, or its UBL is large or was removed.
    pub seller_tax_number: Option<String>,
    /// What became of it. `None` on its way, and in Sandbox.
    pub standing: Option<Standing>,
}

/// The identifiers of a link's document. `None` if the link is not genuine; it is decided without the table.
pub async fn open(
    reading: &Reading,
    mode: Mode,
    token: &str,
) -> Result<Option<(TaxpayerId, DocumentId)>, Failure> {
    match reading.letterheads.links() {
        Some(links) => links.open(mode, token).await,
        None => Ok(None),
    }
}

/// The document of a genuine link; `None` if it was removed.
pub async fn verify(
    reading: &Reading,
    mode: Mode,
    (taxpayer_id, document_id): &(TaxpayerId, DocumentId),
) -> Result<Option<Verified>, Failure> {
    let found = reading.ctx.store.get_document(mode, taxpayer_id, document_id).await?;
    let Some(document) = found.filter(|it| it.direction == Direction::Outbound) else {
        return Ok(None);
    };
    let seller_tax_number = match &document.ubl {
        Some(ubl) if ubl.bytes <= MAX_READ => tax_number(reading, ubl).await?,
        _ => None,
    };
    let standing = documents::standing(mode, &document);
    Ok(Some(Verified { document, seller_tax_number, standing }))
}

async fn tax_number(reading: &Reading, ubl: &Payload) -> Result<Option<String>, Failure> {
    let Some(bytes) = reading.bucket.find(ubl).await? else { return Ok(None) };
    let view = xml::parse(&bytes).ok().and_then(|tree| View::of(&tree).ok());
    Ok(view.and_then(|view| view.seller_tax_number().map(str::to_owned)))
}
