//! Drafts of documents that members write by hand. A draft is not checked, and nothing of it is sent.

use super::{Context, imports::Owner};
use crate::{
    document::Operation,
    error::{Code, Failure},
    store::DraftRecord,
    types::ImportId,
};

/// Maximum drafts of an organization for a taxpayer.
pub const MAX_DRAFTS: usize = 50;
/// Maximum bytes of a draft; an item of the table has 400 kB.
pub const MAX_BYTES: usize = 200 * 1024;

/// A draft to be saved.
#[derive(Debug, Clone)]
pub struct NewDraft {
    /// The identifier of its form. A draft with this identifier is replaced.
    pub draft_id: ImportId,
    /// The kind of document.
    pub operation: Operation,
    /// Its number, as far as it was written.
    pub number: String,
    /// The name of its buyer, as far as it was written.
    pub buyer: String,
    /// The body of the send, as JSON.
    pub body: String,
}

/// Saves a draft. A new draft is refused when there are [`MAX_DRAFTS`] already; members who save at the same moment may
/// exceed the maximum by their number.
pub async fn save(ctx: &Context, owner: Owner<'_>, new: NewDraft) -> Result<(), Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let NewDraft { draft_id, operation, number, buyer, body } = new;
    if body.len() > MAX_BYTES {
        let message = format!("A draft has at most {MAX_BYTES} bytes.");
        return Err(Failure::new(Code::PayloadTooLarge, message));
    }
    let others = list(ctx, owner).await?;
    let is_new = !others.iter().any(|draft| draft.draft_id == draft_id);
    if is_new && others.len() >= MAX_DRAFTS {
        let message = format!("There are {MAX_DRAFTS} drafts: delete one first.");
        return Err(Failure::new(Code::InvalidRequest, message));
    }
    let draft = DraftRecord {
        mode,
        organization_id: organization_id.clone(),
        taxpayer_id: taxpayer_id.clone(),
        draft_id,
        operation,
        number,
        buyer,
        body,
        saved_at: ctx.now(),
    };
    Ok(ctx.store.put_draft(&draft).await?)
}

/// The owner's drafts, the newest form first.
pub async fn list(ctx: &Context, owner: Owner<'_>) -> Result<Vec<DraftRecord>, Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let page = ctx.store.list_drafts(mode, organization_id, taxpayer_id, MAX_DRAFTS).await?;
    Ok(page.items)
}

/// A draft of the owner.
pub async fn get(ctx: &Context, owner: Owner<'_>, draft_id: &str) -> Result<DraftRecord, Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    let found = match draft_id.parse() {
        Ok(id) => ctx.store.get_draft(mode, organization_id, taxpayer_id, &id).await?,
        Err(_) => None,
    };
    found.ok_or_else(|| Failure::new(Code::NotFound, "There is no such draft."))
}

/// Deletes a draft, if it is there.
pub async fn delete(ctx: &Context, owner: Owner<'_>, draft_id: &ImportId) -> Result<(), Failure> {
    let Owner { mode, organization_id, taxpayer_id } = owner;
    Ok(ctx.store.delete_draft(mode, organization_id, taxpayer_id, draft_id).await?)
}
