//! The links on papers that verify their documents.
//!
//! The token of a link has the identifiers of the taxpayer and the document, and an HMAC-SHA-256 of both and of the
//! mode, cut to 128 bits (RFC 2104, section 5). Its key is known to the service alone, so nobody can guess or list
//! documents.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

use super::mac_key::{MacKey, SecretText};
use crate::{
    error::Failure,
    store::{Direction, DocumentRecord},
    types::{DocumentId, Mode, TaxpayerId},
};

/// The path of links, below the path of the mode.
pub const PATH: &str = "/verify";

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
    pub(super) async fn open(
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
