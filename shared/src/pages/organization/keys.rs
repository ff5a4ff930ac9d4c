//! The API keys of the organization.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{Form, Frame, House, PageError, Visit},
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
/// How many a page has: each with its form.
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
    /// A key that was just made: it is shown this once.
    new: Option<&'a str>,
    keys: Vec<ApiKey>,
    first: Option<String>,
    next: Option<String>,
}

/// What a page of keys says beside them.
#[derive(Default)]
struct Says<'a> {
    done: Option<&'static str>,
    problem: Option<&'static str>,
    label: &'a str,
    new: Option<&'a str>,
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let done = said(&visit, &[("revoked", "keys-done-revoked")])?;
    page(&house, &visit, &member, Says { done, ..Says::default() }).await
}

async fn page(
    house: &House,
    visit: &Visit,
    signed_in: &SignedInMember,
    says: Says<'_>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let mut keys = organizations::list_keys(&house.ctx, visit.mode, organization_id).await?;
    // Those that work come first, the youngest before the others.
    keys.sort_by(|a, b| {
        let order = |key: &ApiKey| key.status != KeyStatus::Active;
        order(a).cmp(&order(b)).then(b.created_at.cmp(&a.created_at))
    });
    let part = Part::of(visit, PATH, keys, MOST, |key| key.key_id.to_string())?;
    let Says { done, problem, label, new } = says;
    let page = KeysPage {
        frame: frame(visit, signed_in),
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
    visit.page(status, &page)
}

pub(super) async fn create(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit_to(PATH);
    let (signed_in, by) = visit.acting(&house, Permission::Develop).await?;
    let (organization_id, label) = (&signed_in.member.organization_id, form.field("label"));
    let made = organizations::create_key(&house.ctx, visit.mode, organization_id, label, &by).await;
    match made {
        Ok((key, _)) => {
            let says = Says { new: Some(key.reveal()), ..Says::default() };
            page(&house, visit, &signed_in, says).await
        }
        Err(failure) if failure.code == Code::InvalidRequest => {
            let says = Says { problem: Some("keys-label-wrong"), label, ..Says::default() };
            page(&house, visit, &signed_in, says).await
        }
        Err(failure) => Err(failure.into()),
    }
}

pub(super) async fn revoke(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit;
    let (signed_in, by) = visit.acting(&house, Permission::Develop).await?;
    let id: KeyId = identifier(form.field("key"))?;
    let organization_id = &signed_in.member.organization_id;
    organizations::revoke_key(&house.ctx, visit.mode, organization_id, &id, &by).await?;
    Ok(done(visit, PATH, "revoked"))
}
