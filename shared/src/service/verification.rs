//! Links with which the holder of a paper verifies that this service sent the document.
//!
//! The token of a link has the identifiers of the taxpayer and the document, and an HMAC-SHA-256 of both and of the
//! mode, cut to 128 bits (RFC 2104, section 5). Its key is known to the service alone, so nobody can guess or list
//! documents. The link shows only what the paper says, and what became of the document.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use jiff::SignedDuration;
use sha2::Sha256;
use uuid::Uuid;

use super::{
    Reading, documents,
    mac_key::{MacKey, SecretText},
};
use crate::{
    error::Failure,
    rendering::{Standing, View},
    store::{Direction, DocumentRecord, Payload, Rate},
    types::{DocumentId, Mode, TaxpayerId},
    xml,
};

/// The path of links, below the path of the mode.
pub const PATH: &str = "/verify";

/// Maximum documents that one network address verifies. An office has one address for many people.
pub const BY_PLACE: Rate =
    Rate { what: "VERIFY", most: 120, window: SignedDuration::from_mins(15) };

/// Maximum bytes of UBL that are read for the seller's tax number.
const MAX_READ: u64 = if cfg!(test) { 50_000 } else { 2_000_000 };

const TAG_BYTES: usize = 16;
/// Domain separation of the MAC. A change would break the links on all papers.
const PURPOSE: &str = "verification link 1";
const UNAVAILABLE: &str = "Links cannot be verified at the moment: retry.";

/// Makes and opens the links.
#[derive(Debug, Clone)]
pub struct VerificationLinks {
    origin: String,
    key: MacKey,
}

impl VerificationLinks {
    /// Links to the pages at this origin, with a key from a secret text.
    pub fn new(origin: String, secret: impl SecretText + 'static) -> Self {
        VerificationLinks { origin, key: MacKey::new(secret) }
    }

    /// The link of a document. `None` for one that this service did not send.
    pub(crate) async fn link(
        &self,
        mode: Mode,
        document: &DocumentRecord,
    ) -> Result<Option<String>, Failure> {
        let DocumentRecord { taxpayer_id, document_id, .. } = document;
        let ids = [bytes(taxpayer_id.as_str()), bytes(document_id.as_str())];
        let ([Some(taxpayer), Some(id)], Direction::Outbound) = (ids, document.direction) else {
            return Ok(None);
        };
        let tag = self.mac(mode, taxpayer_id, document_id).await?.finalize().into_bytes();
        let token = URL_SAFE_NO_PAD.encode([&taxpayer[..], &id, &tag[..TAG_BYTES]].concat());
        let mode = match mode {
            Mode::Live => "",
            Mode::Sandbox => "/sandbox",
        };
        Ok(Some(format!("{}{mode}{PATH}/{token}", self.origin)))
    }

    /// The document of a token; `None` if this service did not make the token for this mode.
    async fn open(
        &self,
        mode: Mode,
        token: &str,
    ) -> Result<Option<(TaxpayerId, DocumentId)>, Failure> {
        let Some((taxpayer_id, document_id, tag)) = parts(token) else { return Ok(None) };
        let mac = self.mac(mode, &taxpayer_id, &document_id).await?;
        // The comparison takes constant time.
        let is_genuine = mac.verify_truncated_left(&tag).is_ok();
        Ok(is_genuine.then_some((taxpayer_id, document_id)))
    }

    async fn mac(
        &self,
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        document_id: &DocumentId,
    ) -> Result<Hmac<Sha256>, Failure> {
        let mut mac = self.key.mac(UNAVAILABLE).await?;
        mac.update(format!("{PURPOSE}\n{mode}\n{taxpayer_id}\n{document_id}").as_bytes());
        Ok(mac)
    }
}

/// The UUID of an identifier.
fn bytes(id: &str) -> Option<[u8; 16]> {
    let (_, hex) = id.split_once('_')?;
    let uuid = Uuid::try_parse(hex).ok()?;
    // Another form of the UUID would not lead back to the identifier.
    (uuid.simple().to_string() == hex).then(|| uuid.into_bytes())
}

/// The parts of a token, genuine or not.
fn parts(token: &str) -> Option<(TaxpayerId, DocumentId, Vec<u8>)> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (taxpayer, rest) = bytes.split_first_chunk()?;
    let (document, tag) = rest.split_first_chunk()?;
    let id =
        |prefix: &str, bytes: &[u8; 16]| format!("{prefix}{}", Uuid::from_bytes(*bytes).simple());
    let taxpayer_id = id(TaxpayerId::PREFIX, taxpayer).parse().ok()?;
    let document_id = id(DocumentId::PREFIX, document).parse().ok()?;
    (tag.len() == TAG_BYTES).then(|| (taxpayer_id, document_id, tag.to_vec()))
}

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
