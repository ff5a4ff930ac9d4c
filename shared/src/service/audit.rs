//! The audit trail: actions on keys, clients, grants, settings and sign-ins, with actor and origin.

use jiff::Timestamp;

use super::{
    Context,
    page::{List, Page, PageQuery},
};
use crate::{
    access::{Action, AuditRecord, Deed, OrganizationCaller, Trail},
    error::Failure,
    store::AuditSelection,
    types::AuditId,
};

/// Which entries to list. An entry must match every given part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The action.
    pub action: Option<Action>,
    /// First instant, inclusive.
    pub from: Option<Timestamp>,
    /// Last instant, inclusive.
    pub to: Option<Timestamp>,
}

/// Lists an organization's audit trail, newest first. Returns the page and the cursor of the next one. There may be
/// more as long as there is a cursor.
pub async fn list(
    ctx: &Context,
    caller: &OrganizationCaller,
    filter: &Filter,
    asked: PageQuery<'_>,
) -> Result<Page<AuditRecord>, Failure> {
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let list = List { name: "audit-events", mode: *mode, owner: organization_id.as_str(), filter };
    let after = asked.after(&list).await?;
    let end = filter.to.unwrap_or(Timestamp::MAX);
    let selection = AuditSelection {
        action: filter.action,
        from: AuditId::floor(filter.from.unwrap_or(Timestamp::UNIX_EPOCH)),
        // Identifiers have milliseconds: the whole last millisecond is included.
        to: AuditId::floor(end.saturating_add(jiff::SignedDuration::from_millis(1)).unwrap_or(end)),
    };
    let trail = Trail::Organization(organization_id.clone());
    let (after, limit) = (after.as_deref(), asked.limit());
    let page = ctx.store.list_audit(*mode, &trail, &selection, after, limit).await?;
    asked.page(&list, page.items, page.next).await
}

/// The entry of an action in a trail, for the transaction of that action.
pub(crate) fn entry(ctx: &Context, deed: &Deed<'_>, trail: Trail) -> AuditRecord {
    deed.entry(AuditId::new(deed.at, &*ctx.random), trail)
}
