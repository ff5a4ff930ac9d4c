//! Changes at the national portal. A schedule reads them page by page, each after the cursor of the page before.

use super::{national_portal::NationalPortal, standing::reconcile};
use crate::{
    error::{Code, Failure},
    service::{Context, Registering},
    store::PortalCursor,
    types::{Mode, ParticipantId, Tin},
};

/// Maximum pages of one run. The next run reads the rest.
const PAGES: usize = 50;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangesRead {
    /// Changes of our taxpayers that were checked.
    pub looked_at: usize,
    /// Changes that failed through a fault of ours. The log has the reasons, and an operator must act.
    pub failed: usize,
}

/// Reads the changes at the national portal since the last run, and applies them. Does nothing where the operator
/// onboards businesses. A temporary failure ends the run, and the next run reads the same page again.
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
                // A change that can never be applied does not block the others.
                Err(failure) if failure.code == Code::InternalError => {
                    sum.failed += 1;
                    let cause = failure.source.map(|source| source.to_string());
                    tracing::error!(cause, "a change at the national portal was ignored");
                }
                Err(failure) => return Err(failure),
            }
        }
        // The cursor is written after the changes of its page: after an interruption they are applied twice rather than
        // never.
        let cursor = PortalCursor { cursor: changes.cursor, read_at: ctx.now() };
        let is_unchanged = read.as_ref().is_some_and(|read| read.cursor == cursor.cursor);
        if !is_unchanged {
            ctx.store.put_portal_cursor(read.as_ref(), &cursor).await?;
        }
        if !changes.more || is_unchanged {
            break;
        }
    }
    Ok(sum)
}

/// Applies the portal's data to a business, if it is one of our taxpayers. Returns whether it is.
async fn look_at(ctx: &Context, portal: &dyn NationalPortal, tin: &Tin) -> Result<bool, Failure> {
    let found = ctx.store.find_participant(Mode::Live, &ParticipantId::from(tin)).await?;
    let Some(found) = found else { return Ok(false) };
    reconcile(ctx, portal, tin, &found.taxpayer_id).await?;
    Ok(true)
}
