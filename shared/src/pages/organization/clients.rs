//! The OAuth clients of the organization.

use std::collections::BTreeSet;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;

use super::{
    super::{App, Form, Frame, PageError, PageRequest},
    Part, Refusal, Who, correctable, done, frame, identifier, said, scope_name,
};
use crate::{
    access::{Permission, Scope, oauth::OAuthClient},
    error::{Code, Failure},
    service::{
        oauth::clients::{self, MAX_NAME, NewClient, SECRET_OVERLAP},
        sessions::SignedInMember,
    },
    types::ClientId,
};

const PATH: &str = "/organization/clients";
/// Clients on a page, each with its forms.
const MOST: usize = 4;

#[derive(Template)]
#[template(path = "organization/clients.html")]
struct ClientsPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    /// The reason of a refusal.
    problem: Option<&'a Refusal>,
    name: &'a str,
    redirects: &'a str,
    longest: usize,
    overlap_hours: u32,
    /// A new or rotated client and its secret, which is shown only once.
    new: Option<(&'a ClientId, &'a str)>,
    scopes: [(&'static str, &'static str); 4],
    clients: Vec<ShownClient>,
    first: Option<String>,
    next: Option<String>,
}

/// A client on the page.
struct ShownClient {
    client: OAuthClient,
    /// The names of the messages for its scopes.
    permissions: Vec<&'static str>,
    /// The end of the previous secret, if it is still valid.
    old_secret_until: Option<Timestamp>,
    /// One URI on each line.
    redirects: String,
}

impl ShownClient {
    fn of(client: OAuthClient, now: Timestamp) -> Self {
        let ends = client.secrets.iter().filter_map(|secret| secret.expires_at);
        let uris: Vec<_> = client.redirect_uris.iter().map(|uri| uri.as_str()).collect();
        ShownClient {
            permissions: client.scopes.iter().map(|scope| scope_name(*scope)).collect(),
            old_secret_until: ends.filter(|end| *end > now).max(),
            redirects: uris.join("\n"),
            client,
        }
    }
}

/// The notices of a page of clients.
#[derive(Default)]
struct ClientsNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    name: &'a str,
    redirects: &'a str,
    new: Option<(&'a ClientId, &'a str)>,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let known = [("changed", "clients-done-changed"), ("deleted", "clients-done-deleted")];
    let done = said(&request, &known)?;
    page(&app, &request, &member, ClientsNotice { done, ..ClientsNotice::default() }).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    notice: ClientsNotice<'_>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let found = clients::list(&app.ctx, request.mode, organization_id).await?;
    let part = Part::of(request, PATH, found, MOST, |client| client.client_id.to_string())?;
    let now = app.ctx.now();
    let ClientsNotice { done, problem, name, redirects, new } = notice;
    let page = ClientsPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        name,
        redirects,
        longest: MAX_NAME,
        overlap_hours: u32::try_from(SECRET_OVERLAP.as_hours()).unwrap_or_default(),
        new,
        scopes: Scope::ALL.map(|scope| (scope.as_str(), scope_name(scope))),
        clients: part.items.into_iter().map(|client| ShownClient::of(client, now)).collect(),
        first: part.first,
        next: part.next,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// The non-empty lines of a field.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

pub(super) async fn create(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let chosen = |scope: &Scope| !form.field(&format!("scope {}", scope.as_str())).is_empty();
    let scopes: BTreeSet<Scope> = Scope::ALL.into_iter().filter(chosen).collect();
    let (name, redirects) = (form.field("name"), form.field("redirects"));
    let new = NewClient {
        mode: request.mode,
        organization_id: signed_in.member.organization_id.clone(),
        name: name.to_owned(),
        redirect_uris: lines(redirects),
        scopes,
    };
    match clients::create(&app.ctx, new, &by).await {
        Ok((client, secret)) => {
            let new = Some((&client.client_id, secret.reveal()));
            page(&app, request, &signed_in, ClientsNotice { new, ..ClientsNotice::default() }).await
        }
        Err(failure) => refused(&app, &form, &signed_in, failure).await,
    }
}

/// The page with the errors, if the sender can correct them.
async fn refused(
    app: &App,
    form: &Form,
    signed_in: &SignedInMember,
    failure: Failure,
) -> Result<Response, PageError> {
    if failure.code != Code::InvalidRequest {
        return Err(failure.into());
    }
    let (name, redirects) = (form.field("name"), form.field("redirects"));
    let problem = correctable(failure)?;
    let notice =
        ClientsNotice { problem: Some(&problem), name, redirects, ..ClientsNotice::default() };
    page(app, &form.request_to(PATH), signed_in, notice).await
}

/// A client of the organization.
async fn own(app: &App, form: &Form, signed_in: &SignedInMember) -> Result<OAuthClient, PageError> {
    let id: ClientId = identifier(form.field("client"))?;
    let organization_id = &signed_in.member.organization_id;
    let found = clients::list(&app.ctx, form.request.mode, organization_id).await?;
    found.into_iter().find(|client| client.client_id == id).ok_or(PageError::NotFound)
}

pub(super) async fn change(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let client = own(&app, &form, &signed_in).await?;
    let uris = lines(form.field("redirects"));
    let to = (Some(form.field("name")), &*uris);
    match clients::change(&app.ctx, request.mode, &client.client_id, to, &by).await {
        Ok(()) => Ok(done(request, PATH, "changed")),
        Err(failure) => refused(&app, &form, &signed_in, failure).await,
    }
}

pub(super) async fn delete(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let client = own(&app, &form, &signed_in).await?;
    clients::delete(&app.ctx, request.mode, &client.client_id, &by).await?;
    Ok(done(request, PATH, "deleted"))
}

pub(super) async fn rotate(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let client = own(&app, &form, &signed_in).await?;
    let (id, leaked) = (&client.client_id, !form.field("leaked").is_empty());
    let secret = clients::rotate_secret(&app.ctx, request.mode, id, leaked, &by).await?;
    let new = Some((id, secret.reveal()));
    page(&app, request, &signed_in, ClientsNotice { new, ..ClientsNotice::default() }).await
}
