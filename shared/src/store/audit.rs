//! Audit trails. An entry is written in the transaction of the change that it records. No function changes or removes
//! an entry, and no role may.

use super::{
    CollectionPage, Store, StoreError,
    collections::Slice,
    dynamo::{Expression, Write, absent, to_item},
    keys::{self, Key},
};
use crate::{
    access::{Action, AuditRecord, Trail},
    types::{AuditId, Mode},
};

/// Which entries to list.
#[derive(Debug, Clone)]
pub struct AuditSelection {
    /// The action.
    pub action: Option<Action>,
    /// The first identifier, inclusive.
    pub from: AuditId,
    /// The last identifier, exclusive.
    pub to: AuditId,
}

/// The write that adds an entry, for the transaction of the change that it records.
pub(super) fn write(record: &AuditRecord) -> Result<Write, StoreError> {
    let key = Key::audit(record.mode, &record.trail, &record.audit_id);
    Ok(Write::Put { item: to_item(key, record)?, condition: absent() })
}

impl Store {
    /// A page of at most `limit` entries of a trail, the youngest first.
    pub async fn list_audit(
        &self,
        mode: Mode,
        trail: &Trail,
        selection: &AuditSelection,
        after: Option<&str>,
        limit: usize,
    ) -> Result<CollectionPage<AuditRecord>, StoreError> {
        let sort = Expression::new("sk BETWEEN :from AND :to")
            .text(":from", selection.from.as_str())
            .text(":to", selection.to.as_str());
        let filter = selection.action.map(|action| {
            let named = Expression::new("#action = :action").name("#action", "action");
            named.text(":action", action.as_str())
        });
        let slice = Slice { partition: keys::audit(mode, trail), prefix: "", sort, filter };
        self.collection(slice, after, limit).await
    }
}
