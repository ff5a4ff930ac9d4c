//! Switches between Live and Sandbox without another mail: an organization has the same members in both.

use axum::{extract::State, http::StatusCode, response::Response};

use super::super::{App, Form, PageError, cookies, see_other};
use crate::{
    access::Holder,
    error::Code,
    service::{organizations, sessions, sign_in::Then},
    types::Mode,
};

/// Begins a session in the other mode, for a signed-in member who is a member there too.
pub(super) async fn switch(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let member = request.who_of_organization(&app).await?;
    let member = member.ok_or(PageError::Forged("the session of the member has ended"))?.member;
    let other = match request.mode {
        Mode::Live => Mode::Sandbox,
        Mode::Sandbox => Mode::Live,
    };
    let there = organizations::get(&app.ctx, other, &member.organization_id).await;
    there.map_err(|failure| match failure.code {
        Code::NotFound => PageError::Explained {
            status: StatusCode::NOT_FOUND,
            title: "switch-none-title",
            text: "switch-none-text",
            cause: failure.message,
        },
        _ => failure.into(),
    })?;
    let holder = Holder::from(&member);
    let session = sessions::begin(&app.ctx, other, holder, request.origin()).await?;
    let mut response = see_other(Then::organization(other).as_str());
    cookies::set_token(response.headers_mut(), cookies::session(other), &session);
    Ok(response)
}
