//! The views of document lists that members save for themselves: conditions with a name. They hold in all lists of the
//! organization's documents.

use super::Context;
use crate::{
    access::Member,
    error::{Code, Failure},
    store::{SavedView, SavedViews},
    types::Mode,
};

/// Maximum views of a member.
pub const MAX_VIEWS: usize = 12;
/// Maximum characters of a name.
pub const MAX_NAME: usize = 40;
/// Maximum bytes of the conditions.
const MAX_QUERY: usize = 1_000;

/// The views of a member, in the order in which they were saved.
pub async fn list(ctx: &Context, mode: Mode, member: &Member) -> Result<Vec<SavedView>, Failure> {
    let Member { organization_id, member_id, .. } = member;
    Ok(ctx.store.get_saved_views(mode, organization_id, member_id).await?.views)
}

/// Saves a view. It replaces the view with the same name.
pub async fn save(
    ctx: &Context,
    mode: Mode,
    member: &Member,
    view: SavedView,
) -> Result<(), Failure> {
    let invalid = |message: String| Failure::new(Code::InvalidRequest, message);
    if view.name.is_empty() || view.name.chars().count() > MAX_NAME {
        return Err(invalid(format!("The name of a view has 1 to {MAX_NAME} characters.")));
    }
    if view.query.is_empty() || view.query.len() > MAX_QUERY {
        return Err(invalid(format!("The conditions of a view have 1 to {MAX_QUERY} bytes.")));
    }
    let mut views = list(ctx, mode, member).await?;
    match views.iter().position(|known| known.name == view.name) {
        Some(at) => views[at] = view,
        None if views.len() >= MAX_VIEWS => {
            return Err(invalid(format!("There are {MAX_VIEWS} views: delete one first.")));
        }
        None => views.push(view),
    }
    put(ctx, mode, member, views).await
}

/// Deletes a view, if it is there.
pub async fn delete(ctx: &Context, mode: Mode, member: &Member, name: &str) -> Result<(), Failure> {
    let mut views = list(ctx, mode, member).await?;
    views.retain(|view| view.name != name);
    put(ctx, mode, member, views).await
}

async fn put(
    ctx: &Context,
    mode: Mode,
    member: &Member,
    views: Vec<SavedView>,
) -> Result<(), Failure> {
    let Member { organization_id, member_id, .. } = member;
    let views = SavedViews { views };
    Ok(ctx.store.put_saved_views(mode, organization_id, member_id, &views).await?)
}
