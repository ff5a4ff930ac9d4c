//! The drafts of a business.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    super::{
        super::{App, Form, Frame, PageError, PageRequest, excerpt::cut},
        connected, done, frame, identifier, imports, said,
    },
    Desk,
    entered::Entered,
    path_of,
};
use crate::{
    access::Permission,
    error::Code,
    service::{
        drafts::{self, MAX_DRAFTS, NewDraft},
        imports::{form_id, form_id_of},
    },
    store::DraftRecord,
    types::ImportId,
};

/// The actions that this page reports, and the names of their messages.
const DONE: [(&str, &str); 1] = [("deleted", "write-draft-deleted")];
/// Characters of a name that a list shows.
const NAME_SHOWN: usize = 80;

#[derive(Template)]
#[template(path = "organization/write_drafts.html")]
struct DraftsPage<'a> {
    frame: Frame<'a>,
    business: &'a str,
    taxpayer_id: &'a str,
    path: String,
    drafts: Vec<DraftRecord>,
    most: usize,
    done: Option<&'static str>,
}

impl Desk<'_> {
    /// Saves a draft; the message name of the reason if it is refused.
    pub(super) async fn save(
        &self,
        entered: &Entered,
        form_id: &ImportId,
    ) -> Result<Option<&'static str>, PageError> {
        let new = NewDraft {
            draft_id: form_id.clone(),
            operation: entered.operation,
            number: cut(&entered.number(), NAME_SHOWN),
            buyer: cut(&entered.value("customer.name"), NAME_SHOWN),
            body: entered.body.to_string(),
        };
        let owner = imports::owner(self.member, self.connected);
        match drafts::save(&self.app.ctx, owner, new).await {
            Ok(()) => Ok(None),
            Err(failure) => match failure.code {
                Code::InvalidRequest => Ok(Some("write-drafts-full")),
                Code::PayloadTooLarge => Ok(Some("write-draft-large")),
                _ => Err(failure.into()),
            },
        }
    }

    /// A saved draft. One of a form that has expired continues under a new identifier.
    pub(super) async fn draft(&self, draft_id: &str) -> Result<(Entered, ImportId), PageError> {
        let ctx = &self.app.ctx;
        let owner = imports::owner(self.member, self.connected);
        let draft = drafts::get(ctx, owner, draft_id).await?;
        let entered = Entered::of_stored(draft.operation, draft.body.as_bytes())?;
        let id = form_id_of(ctx, draft.draft_id.as_str());
        Ok((entered, id.unwrap_or_else(|| form_id(ctx))))
    }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
    Path(taxpayer_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let connected = connected(&app, &member, &taxpayer_id, imports::are_taken).await?;
    let page = DraftsPage {
        frame: frame(&request, &member),
        business: connected.name(),
        taxpayer_id: connected.taxpayer.taxpayer_id.as_str(),
        path: request.path(&path_of(&connected)),
        drafts: drafts::list(&app.ctx, imports::owner(&member, &connected)).await?,
        most: MAX_DRAFTS,
        done: said(&request, &DONE)?,
    };
    request.page(StatusCode::OK, &page)
}

pub(super) async fn delete(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (member, _) = request.acting(&app, Permission::Develop).await?;
    let connected = imports::named(&app, &member, &form).await?;
    let draft_id: ImportId = identifier(form.field("draft"))?;
    drafts::delete(&app.ctx, imports::owner(&member, &connected), &draft_id).await?;
    Ok(done(request, &format!("{}/drafts", path_of(&connected)), "deleted"))
}
