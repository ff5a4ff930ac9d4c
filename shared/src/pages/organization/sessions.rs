//! The sessions of a member, and the form that ends one.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{App, Form, Frame, PageError, PageRequest},
    Part, done, frame, identifier, said,
};
use crate::{service::sessions, store::SessionRecord, types::TokenHash};

const PATH: &str = "/organization/sessions";
/// Sessions on a page.
const MOST: usize = 12;

#[derive(Template)]
#[template(path = "organization/sessions.html")]
struct SessionsPage<'a> {
    frame: Frame<'a>,
    email: &'a str,
    done: Option<&'static str>,
    sessions: Part<Open>,
}

/// A session on the page.
struct Open {
    /// The hash of its token.
    session: TokenHash,
    record: SessionRecord,
    is_this_one: bool,
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.any_member(&app).await?;
    let found = sessions::list(&app.ctx, request.mode, &member.member).await?;
    let open = |(session, record): (TokenHash, SessionRecord)| Open {
        is_this_one: session == member.session,
        session,
        record,
    };
    let sessions: Vec<_> = found.into_iter().map(open).collect();
    let id = |open: &Open| open.session.as_str().to_owned();
    let page = SessionsPage {
        frame: frame(&request, &member),
        email: member.member.email.as_str(),
        done: said(&request, &[("ended", "member-session-ended")])?,
        sessions: Part::of(&request, PATH, sessions, MOST, id)?,
    };
    request.page(StatusCode::OK, &page)
}

/// Ends another session of the member, or this one.
pub(super) async fn end(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let member = request.who_of_organization(&app).await?;
    let member = member.ok_or(PageError::Forged("the session of the member has ended"))?.member;
    let session: TokenHash = identifier(form.field("session"))?;
    sessions::end_one(&app.ctx, request.mode, &member, &session, request.origin()).await?;
    Ok(done(request, PATH, "ended"))
}
