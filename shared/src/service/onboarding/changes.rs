//! What changed at the national portal: read by a schedule, page by page, each after the cursor of the one before.

use super::{national_portal::NationalPortal, standing::reconcile};
use crate::{
    error::{Code, Failure},
    service::{Context, Registering},
    store::PortalCursor,
    types::{Mode, ParticipantId, Tin},
};

/// How many pages are read at once: what is left the next time goes on with.
const PAGES: usize = 50;

/// What was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangesRead {
    /// Changes of taxpayers of ours that were looked at.
    pub looked_at: usize,
    /// Those of which something is wrong on our side: the log says what, and somebody must look.
    pub failed: usize,
}

/// Reads what changed at the national portal since the last time, and makes what follows of it. Nothing where this
/// deployment onboards by its operator. What fails for now ends it, and is read again the next time.
pub async fn read_changes(registering: &Registering) -> Result<ChangesRead, Failure> {
    let Some(portal) = registering.national_portal.as_deref() else {
        return Ok(ChangesRead::default());
    };
    let (ctx, mut sum) = (&registering.ctx, ChangesRead::default());
    for _ in 0..PAGES {
        let read = ctx.store.get_portal_cursor().await?;
        let changes = portal.changes(read.as_ref().map(|read| read.cursor.as_str())).await?;
        for tin in &changes.tins {
            match look_at(ctx, portal, tin).await {
                Ok(is_ours) => sum.looked_at += usize::from(is_ours),
                // One that can never be read must not keep all others from being looked at.
                Err(failure) if failure.code == Code::InternalError => {
                    sum.failed += 1;
                    let cause = failure.source.map(|source| source.to_string());
                    tracing::error!(cause, "a change at the national portal was passed over");
                }
                Err(failure) => return Err(failure),
            }
        }
        // After what it tells of: what breaks off between is looked at twice rather than never.
        let cursor = PortalCursor { cursor: changes.cursor, read_at: ctx.now() };
        let stands_still = read.as_ref().is_some_and(|read| read.cursor == cursor.cursor);
        if !stands_still {
            ctx.store.put_portal_cursor(read.as_ref(), &cursor).await?;
        }
        if !changes.more || stands_still {
            break;
        }
    }
    Ok(sum)
}

/// Looks at a business, if it is a taxpayer of ours; tells whether it is.
async fn look_at(ctx: &Context, portal: &dyn NationalPortal, tin: &Tin) -> Result<bool, Failure> {
    let found = ctx.store.find_participant(Mode::Live, &ParticipantId::from(tin)).await?;
    let Some(found) = found else { return Ok(false) };
    reconcile(ctx, portal, tin, &found.taxpayer_id).await?;
    Ok(true)
}
