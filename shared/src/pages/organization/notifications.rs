//! The notifications that a member gets by mail. Each mail links here.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use super::{
    super::{App, Form, Frame, PageError, PageRequest},
    done, frame, said,
};
use crate::{
    access::{Member, Notification},
    i18n::Language,
    service::notifications::{self, MAX_MAILS},
};

const PATH: &str = "/organization/notifications";
/// The prefix of the fields with the chosen notifications.
const CHOSEN: &str = "get ";

#[derive(Template)]
#[template(path = "organization/notifications.html")]
struct NotificationsPage<'a> {
    frame: Frame<'a>,
    email: &'a str,
    done: Option<&'static str>,
    /// The reason of a refusal, which is about the language.
    problem: Option<&'static str>,
    /// The message that names the mode, since each mode has a choice of its own.
    of_mode: &'static str,
    events: Vec<Choice>,
    daily: Vec<Choice>,
    language: Language,
    most: u32,
}

/// A notification on the page.
struct Choice {
    kind: Notification,
    /// The names of the messages with its label and its hint.
    label: &'static str,
    hint: &'static str,
    is_on: bool,
}

impl Choice {
    fn of(member: &Member, kind: Notification) -> Self {
        let (label, hint) = words(kind);
        Choice { kind, label, hint, is_on: member.gets(kind) }
    }
}

/// The names of the messages with the label and the hint of a notification.
fn words(kind: Notification) -> (&'static str, &'static str) {
    match kind {
        Notification::Rejected => ("notifications-rejected", "notifications-rejected-hint"),
        Notification::Failed | Notification::Unknown => {
            ("notifications-failed", "notifications-failed-hint")
        }
        Notification::Endpoint => ("notifications-endpoint", "notifications-endpoint-hint"),
        Notification::Seats => ("notifications-seats", "notifications-seats-hint"),
        Notification::Quota => ("notifications-quota", "notifications-quota-hint"),
        Notification::Certificate => {
            ("notifications-certificate", "notifications-certificate-hint")
        }
        Notification::SignIn => ("notifications-sign-in", "notifications-sign-in-hint"),
        Notification::Digest => ("notifications-digest", "notifications-digest-hint"),
    }
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    page(&app, &request, None).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    problem: Option<&'static str>,
) -> Result<Response, PageError> {
    let signed_in = request.any_member(app).await?;
    let member = &signed_in.member;
    let kinds = Notification::ALL.into_iter();
    let kinds = kinds.filter(|kind| kind.is_for(member.role, member.mode));
    let (daily, events) = kinds
        .map(|kind| Choice::of(member, kind))
        .partition::<Vec<_>, _>(|choice| notifications::is_daily(choice.kind));
    let frame = frame(request, &signed_in);
    let of_mode = match frame.is_sandbox() {
        true => "notifications-sandbox",
        false => "notifications-live",
    };
    let page = NotificationsPage {
        frame,
        email: member.email.as_str(),
        done: said(request, &[("saved", "notifications-saved")])?,
        problem,
        of_mode,
        events,
        daily,
        // Until the first choice, it is the language of the page.
        language: member.language.unwrap_or(request.language),
        most: u32::try_from(MAX_MAILS).unwrap_or(u32::MAX),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(super) async fn save(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let member = request.who_of_organization(&app).await?;
    let member = member.ok_or(PageError::Forged("the session of the member has ended"))?.member;
    let tag = form.field("language");
    let Some(language) = Language::ALL.into_iter().find(|language| language.tag() == tag) else {
        return page(&app, request, Some("notifications-language-wrong")).await;
    };
    let chosen: Vec<_> = form.chosen(CHOSEN).collect();
    let is_chosen = |kind: Notification| chosen.contains(&kind.as_str());
    notifications::choose(&app.ctx, &member, is_chosen, language).await?;
    Ok(done(request, PATH, "saved"))
}
