//! The audit trail: what was done to keys, clients, grants, settings and sign-ins, by whom and from where.

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

/// Which entries to list. Every part that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// What was done.
    pub action: Option<Action>,
    /// First instant, inclusive.
    pub from: Option<Timestamp>,
    /// Last instant, inclusive.
    pub to: Option<Timestamp>,
}

/// Lists an organization's trail, the youngest entry first: the page that is asked for, and the cursor of the
/// next one. There may be more as long as there is a cursor.
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
        // Identifiers tell milliseconds: the whole of the last one is in.
        to: AuditId::floor(end.saturating_add(jiff::SignedDuration::from_millis(1)).unwrap_or(end)),
    };
    let trail = Trail::Organization(organization_id.clone());
    let (after, limit) = (after.as_deref(), asked.limit());
    let page = ctx.store.list_audit(*mode, &trail, &selection, after, limit).await?;
    asked.page(&list, page.items, page.next).await
}

/// The entry of a deed in a trail: for the transaction of what was done.
pub(crate) fn entry(ctx: &Context, deed: &Deed<'_>, trail: Trail) -> AuditRecord {
    deed.entry(AuditId::new(deed.at, &*ctx.random), trail)
}
