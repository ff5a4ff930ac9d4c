//! What a rendering shows beside the document itself: the seller's logo, and the link that verifies the document.
//!
//! A rendering never fails because of these: what cannot be fetched is logged and left out.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{
    error::Failure,
    rendering::{Languages, Logo, Rendering, Standing},
    service::{Reading, verification_links::VerificationLinks},
    store::{DocumentRecord, Payload},
    types::Mode,
};

/// Maximum logos that a process keeps. Each has at most [`logos::MAX_BYTES`](crate::service::logos::MAX_BYTES).
const KEPT: usize = 32;

/// The source of letterheads, for one process.
#[derive(Debug, Clone, Default)]
pub struct Letterheads {
    /// `None` where the deployment does not know its own address.
    links: Option<VerificationLinks>,
    /// The logos that were fetched last, newest last. An object's key contains its hash, so none becomes stale.
    logos: Arc<Mutex<Vec<KeptLogo>>>,
}

/// A logo with the key of its object.
type KeptLogo = (String, Arc<[u8]>);

impl Letterheads {
    /// With links to verify documents, if the deployment knows its address.
    pub fn new(links: Option<VerificationLinks>) -> Self {
        Letterheads { links, ..Letterheads::default() }
    }

    /// The links to verify documents.
    pub(crate) fn links(&self) -> Option<&VerificationLinks> {
        self.links.as_ref()
    }

    /// A logo; `None` if its object was removed.
    async fn logo(
        &self,
        reading: &Reading,
        payload: &Payload,
    ) -> Result<Option<Arc<[u8]>>, Failure> {
        let kept = || self.logos.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, logo)) = kept().iter().find(|(key, _)| *key == payload.key) {
            return Ok(Some(logo.clone()));
        }
        let Some(bytes) = reading.bucket.find(payload).await? else { return Ok(None) };
        let logo: Arc<[u8]> = bytes.into();
        let mut kept = kept();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((payload.key.clone(), logo.clone()));
        Ok(Some(logo))
    }
}

/// The letterhead of one document.
#[derive(Debug, Default)]
pub(super) struct Letterhead {
    logo: Option<Arc<[u8]>>,
    verify: Option<String>,
}

impl Letterhead {
    /// The letterhead of a document, as far as it can be fetched.
    pub(super) async fn of(reading: &Reading, mode: Mode, document: &DocumentRecord) -> Self {
        let logo = logo(reading, mode, document).await;
        let verify = match reading.letterheads.links() {
            Some(links) => links.link(mode, document).await,
            None => Ok(None),
        };
        Letterhead {
            logo: found(logo, "a rendering has no logo"),
            verify: found(verify, "a rendering has no link"),
        }
    }

    /// A rendering of the document under this letterhead.
    pub(super) fn rendering<'a>(
        &'a self,
        document: &'a DocumentRecord,
        languages: Languages,
        annex: bool,
        standing: Option<&'a Standing>,
    ) -> Rendering<'a> {
        Rendering {
            annex,
            standing,
            logo: self.logo.as_deref().map(|png| Logo { png }),
            verify: self.verify.as_deref(),
            ..Rendering::of(languages).with_findings(&document.warnings)
        }
    }
}

/// What was found; a failure is logged.
fn found<T>(result: Result<Option<T>, Failure>, without: &'static str) -> Option<T> {
    result.unwrap_or_else(|failure| {
        let cause = failure.source.map(|source| source.to_string());
        tracing::warn!(error.cause = cause, error.message = failure.message, "{without}");
        None
    })
}

/// The logo of the document's taxpayer, if it is the seller.
async fn logo(
    reading: &Reading,
    mode: Mode,
    document: &DocumentRecord,
) -> Result<Option<Arc<[u8]>>, Failure> {
    if !document.is_of_seller() {
        return Ok(None);
    }
    let found = reading.ctx.store.get_logo(mode, &document.taxpayer_id).await?;
    match found {
        Some(logo) => reading.letterheads.logo(reading, &logo.png).await,
        None => Ok(None),
    }
}
