//! Notices about rejected and failed documents.

use std::collections::{BTreeMap, HashSet};

use jiff::SignedDuration;

use super::Turn;
use crate::{
    error::Failure,
    service::{Context, overview},
    store::{FailedDocument, NoticeRecord, Notified, NotifiedDocument},
};

/// How many of the latest failures are read. Of more failures in one time, a mail says that there are more.
const READ: i32 = 100;
/// How many documents a mail names.
const NAMED: usize = 10;
/// Older failures are not mentioned, such as those before this notice began.
const FRESH: SignedDuration = SignedDuration::from_hours(24);

pub(super) async fn turn(ctx: &Context, notice: &NoticeRecord) -> Result<Turn, Failure> {
    let NoticeRecord { mode, organization_id, kind, mentioned, .. } = notice;
    let failures = ctx.store.list_failures(*mode, organization_id, READ).await?;
    let mentioned: HashSet<&str> = mentioned.iter().map(String::as_str).collect();
    let is_full = failures.len() >= usize::try_from(READ).unwrap_or(usize::MAX);
    let own = failures.iter().filter(|failure| failure.reached.notification() == Some(*kind));
    let is_new = |failure: &&&FailedDocument| {
        let is_fresh = ctx.now().duration_since(failure.at) < FRESH;
        is_fresh && !mentioned.contains(failure.event_id.as_str())
    };
    let own: Vec<_> = own.collect();
    let new: Vec<_> = own.iter().filter(is_new).collect();
    let names = own.iter().map(|failure| failure.event_id.to_string()).collect();
    let keys: BTreeMap<_, _> =
        new.iter().take(NAMED).map(|it| (&it.document_id, &it.taxpayer_id)).collect();
    let read = ctx.store.get_documents_of(*mode, &keys).await?;
    // A document whose grant has ended since is counted, and not named.
    let readable = overview::readable(&read, organization_id, ctx.now());
    let named = new.iter().take(NAMED).filter_map(|failure| {
        let document = readable.get(&failure.document_id)?;
        Some(NotifiedDocument {
            document_id: failure.document_id.clone(),
            taxpayer_id: failure.taxpayer_id.clone(),
            number: document.number.clone(),
            other_party: document.parties().1.name.clone(),
            reached: failure.reached,
        })
    });
    let notified = (!new.is_empty()).then(|| Notified::Documents {
        outcome: *kind,
        count: u32::try_from(new.len()).unwrap_or(u32::MAX),
        // The failures that were read are all new: there may be more of them.
        is_more: is_full && new.len() == own.len(),
        documents: named.collect(),
    });
    Ok(Turn::of_events(ctx, notified, names))
}
