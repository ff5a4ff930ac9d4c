//! The API keys of the organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{App, Form, Frame, PageError, PageRequest},
    Part, Who, done, frame, identifier, said,
};
use crate::{
    access::{ApiKey, KeyStatus, Permission},
    error::Code,
    service::{
        organizations::{self, MAX_NAME},
        sessions::SignedInMember,
    },
    types::KeyId,
};

const PATH: &str = "/organization/keys";
/// Keys on a page, each with its form.
const MOST: usize = 30;

#[derive(Template)]
#[template(path = "organization/keys.html")]
struct KeysPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    problem: Option<&'static str>,
    label: &'a str,
    longest: usize,
    /// A new key, which is shown only once.
    new: Option<&'a str>,
    keys: Vec<ApiKey>,
    first: Option<String>,
    next: Option<String>,
}

/// The notices of a page of keys.
#[derive(Default)]
struct KeysNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'static str>,
    label: &'a str,
    new: Option<&'a str>,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let done = said(&request, &[("revoked", "keys-done-revoked")])?;
    page(&app, &request, &member, KeysNotice { done, ..KeysNotice::default() }).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    notice: KeysNotice<'_>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let mut keys = organizations::list_keys(&app.ctx, request.mode, organization_id).await?;
    // Active keys come first, the newest at the top.
    keys.sort_by(|a, b| {
        let order = |key: &ApiKey| key.status != KeyStatus::Active;
        order(a).cmp(&order(b)).then(b.created_at.cmp(&a.created_at))
    });
    let part = Part::of(request, PATH, keys, MOST, |key| key.key_id.to_string())?;
    let KeysNotice { done, problem, label, new } = notice;
    let page = KeysPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        label,
        longest: MAX_NAME,
        new,
        keys: part.items,
        first: part.first,
        next: part.next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(super) async fn create(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let (organization_id, label) = (&signed_in.member.organization_id, form.field("label"));
    let made = organizations::create_key(&app.ctx, request.mode, organization_id, label, &by).await;
    match made {
        Ok((key, _)) => {
            let notice = KeysNotice { new: Some(key.reveal()), ..KeysNotice::default() };
            page(&app, request, &signed_in, notice).await
        }
        Err(failure) if failure.code == Code::InvalidRequest => {
            let notice =
                KeysNotice { problem: Some("keys-label-wrong"), label, ..KeysNotice::default() };
            page(&app, request, &signed_in, notice).await
        }
        Err(failure) => Err(failure.into()),
    }
}

pub(super) async fn revoke(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let id: KeyId = identifier(form.field("key"))?;
    let organization_id = &signed_in.member.organization_id;
    organizations::revoke_key(&app.ctx, request.mode, organization_id, &id, &by).await?;
    Ok(done(request, PATH, "revoked"))
}
