//! Saves and deletes views of document lists.

use axum::{extract::State, response::Response};

use super::{
    super::{App, Form, PageError, documents::conditions, see_other},
    documents::path_of_list,
    identifier, recent,
};
use crate::{
    access::Permission,
    service::saved_views::{delete, save},
    store::SavedView,
};

/// Changes the views of the member, and shows the list again.
pub(super) async fn change(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, _) = request.acting(&app, Permission::Look).await?;
    let (ctx, mode, member) = (&app.ctx, request.mode, &member.member);
    let list = match form.field("taxpayer") {
        "" => recent::PATH.to_owned(),
        id => path_of_list(&identifier(id)?),
    };
    let name = form.field("name").trim();
    let wanted = conditions(form.field("query"), request.path(&list));
    match form.field("do") {
        "save" => {
            let view = SavedView { name: name.to_owned(), query: wanted.query(None) };
            save(ctx, mode, member, view).await?;
            Ok(see_other(&wanted.page(None)))
        }
        "delete" => {
            delete(ctx, mode, member, name).await?;
            Ok(see_other(&wanted.list))
        }
        _ => Err(PageError::Unreadable("the action is missing".to_owned())),
    }
}
