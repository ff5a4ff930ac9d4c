//! The page of an endpoint: its deliveries, and what can be done with it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::{SignedDuration, Timestamp, civil::DateTime};
use url::form_urlencoded;

use super::{PATH, ShownEndpoint, notifying, path_of};
use crate::{
    access::Permission,
    error::Failure,
    pages::{
        App, Form, Frame, PageError, PageRequest,
        conditions::Conditions,
        excerpt::cut,
        organization::{
            CURSOR, Refusal, Who, correctable, deliveries, done, frame, identifier, said,
        },
        page_request::DONE,
        see_other,
    },
    service::{
        page::{Page, PageQuery},
        sessions::SignedInMember,
        webhooks::{
            self, OVERLAP,
            events::deliveries_to_endpoint,
            tools::{self, Again, Outcome, Retried},
        },
    },
    store::EventType,
    types::{EndpointId, UAE_OFFSET},
};

/// Maximum deliveries on a page: this many stay below 50 kB, whatever the length of other texts.
const DELIVERIES: u8 = 15;

/// Characters of an entered time that the form shows again.
const SINCE_SHOWN: usize = 40;

/// The default period of deliveries that are sent again.
const AGAIN: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Template)]
#[template(path = "organization/webhook.html")]
struct WebhookPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    /// A new secret, which is shown only once.
    secret: Option<&'a str>,
    overlap_hours: u32,
    types: [EventType; 7],
    is_sandbox: bool,
    endpoint: ShownEndpoint,
    wanted: &'a Conditions,
    /// The invalid condition.
    unreadable: Option<&'static str>,
    /// Every state of a delivery, the name of its message, and whether it is selected.
    states: Vec<(&'static str, &'static str, bool)>,
    deliveries: Vec<deliveries::ShownDelivery>,
    /// Whether a shown delivery is not final.
    is_busy: bool,
    first: Option<String>,
    next: Option<String>,
    /// The entered start of the period of deliveries to send again.
    since: String,
    /// The remaining deliveries to send again.
    rest: Option<Rest>,
}

/// The remaining deliveries to send again: the fields of the form that continues.
struct Rest {
    since: String,
    delivered: bool,
    cursor: String,
}

/// The fields of the form that sends again; the page that continues has them as parameters.
const SINCE: &str = "since";

const DELIVERED: &str = "delivered";

const REST: &str = "rest";

impl Rest {
    /// The parameters that continue an earlier request.
    fn of(request: &PageRequest) -> Result<Option<Self>, PageError> {
        let cursor = request.parameter(REST)?;
        let (since, delivered) = (request.parameter(SINCE)?, request.parameter(DELIVERED)?);
        Ok(cursor.map(|cursor| Rest {
            since: since.unwrap_or_default(),
            delivered: delivered.is_some(),
            cursor,
        }))
    }

    /// The path of the page that continues.
    fn path(&self, endpoint: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(DONE, "more").append_pair(SINCE, &self.since);
        if self.delivered {
            query.append_pair(DELIVERED, "yes");
        }
        format!("{endpoint}?{}", query.append_pair(REST, &self.cursor).finish())
    }
}

/// The notices of an endpoint's page.
#[derive(Default)]
pub(super) struct EndpointNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    secret: Option<&'a str>,
    since: Option<&'a str>,
}

/// The actions that these pages report, and the names of their messages.
const SAID: [(&str, &str); 5] = [
    ("changed", "webhooks-done-changed"),
    ("test", "webhooks-done-test"),
    ("retried", "webhooks-done-retried"),
    ("more", "webhooks-done-more"),
    ("none", "webhooks-done-none"),
];

/// The filter of the list of deliveries.
const STATUS: &str = "status";

pub(in crate::pages::organization) async fn one(
    State(app): State<App>,
    request: PageRequest,
    Path(endpoint_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let id: EndpointId = endpoint_id.parse().map_err(|_| PageError::NotFound)?;
    let done = said(&request, &SAID)?;
    page_of(&app, &request, &member, &id, EndpointNotice { done, ..EndpointNotice::default() })
        .await
}

pub(super) async fn page_of(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    id: &EndpointId,
    notice: EndpointNotice<'_>,
) -> Result<Response, PageError> {
    let (ctx, mode, organization_id) = (&app.ctx, request.mode, &signed_in.member.organization_id);
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: DELIVERIES };
    let wanted = Conditions::of(request, request.path(&path_of(id)), &[STATUS])?;
    let state = wanted.read(STATUS, |text| {
        let known = deliveries::STATES.into_iter().find(|(_, name, _)| *name == text);
        known.map(|(state, ..)| state)
    });
    let (endpoint, found) =
        tokio::try_join!(webhooks::get(ctx, mode, organization_id, id), async {
            match state {
                Ok(state) => {
                    deliveries_to_endpoint(ctx, mode, organization_id, id, state, asked).await
                }
                Err(_) => Ok(Page::empty()),
            }
        },)?;
    let EndpointNotice { done, problem, secret, since } = notice;
    let unreadable = state.err();
    let usual = || {
        let since = app.ctx.now().checked_sub(AGAIN).unwrap_or(Timestamp::UNIX_EPOCH);
        UAE_OFFSET.to_datetime(since).strftime("%Y-%m-%dT%H:%M").to_string()
    };
    let shown: Vec<_> = found.items.into_iter().map(deliveries::ShownDelivery::of).collect();
    let page = WebhookPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        secret,
        overlap_hours: u32::try_from(OVERLAP.as_hours()).unwrap_or_default(),
        types: EventType::ALL,
        is_sandbox: mode == crate::types::Mode::Sandbox,
        endpoint: ShownEndpoint::of(endpoint),
        states: deliveries::STATES
            .map(|(_, name, message)| (name, message, name == wanted.get(STATUS)))
            .into(),
        is_busy: shown.iter().any(deliveries::ShownDelivery::is_open),
        deliveries: shown,
        first: cursor.is_some().then(|| wanted.page(None)),
        next: found.next_cursor.map(|cursor| wanted.page(Some(&cursor))),
        wanted: &wanted,
        unreadable,
        since: since.map_or_else(usual, |since| cut(since, SINCE_SHOWN)),
        rest: Rest::of(request)?,
    };
    let is_wrong = problem.is_some() || unreadable.is_some();
    let status = if is_wrong { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page_in_progress(status, &page)
}

/// Redirects to the endpoint, or shows the page with the errors.
async fn outcome<T>(
    app: &App,
    form: &Form,
    signed_in: &SignedInMember,
    id: &EndpointId,
    (result, what): (Result<T, Failure>, &str),
) -> Result<Response, PageError> {
    match result {
        Ok(_) => Ok(done(&form.request, &path_of(id), what)),
        Err(failure) => {
            let problem = correctable(failure)?;
            let notice = EndpointNotice { problem: Some(&problem), ..EndpointNotice::default() };
            page_of(app, &form.request_to(&path_of(id)), signed_in, id, notice).await
        }
    }
}

pub(in crate::pages::organization) async fn rotate(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let immediately = !form.field("leaked").is_empty();
    let organization_id = &signed_in.member.organization_id;
    let notifying = notifying(&app)?;
    let rotated =
        webhooks::rotate(notifying, request.mode, organization_id, &id, immediately, &by).await?;
    let secret = rotated.secret.expose();
    let notice = EndpointNotice { secret: Some(&secret), ..EndpointNotice::default() };
    page_of(&app, &form.request_to(&path_of(&id)), &signed_in, &id, notice).await
}

pub(in crate::pages::organization) async fn delete(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let organization_id = &signed_in.member.organization_id;
    webhooks::delete(&app.ctx, request.mode, organization_id, &id, &by).await?;
    Ok(done(request, PATH, "deleted"))
}

/// Sends a test event, or in Sandbox the simulated outcome of a report (specification 1, Sandbox 6).
pub(in crate::pages::organization) async fn test(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let (signed_in, by) = form.request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let wanted = form.field("event");
    let (name, outcome_of_report) = match wanted.split_once(' ') {
        Some((name, "rejected")) => (name, Some(Outcome::Rejected)),
        Some((name, "failed")) => (name, Some(Outcome::Failed)),
        Some((name, "accepted")) => (name, Some(Outcome::Accepted)),
        _ => (wanted, None),
    };
    let event_type = EventType::ALL.into_iter().find(|it| it.as_str() == name);
    let event_type = event_type
        .ok_or_else(|| PageError::Unreadable("the event type does not exist".to_owned()))?;
    let organization_id = &signed_in.member.organization_id;
    let mode = form.request.mode;
    let (ctx, wanted) = (&app.ctx, outcome_of_report);
    let sent = tools::test(ctx, mode, organization_id, &id, event_type, wanted, &by).await;
    outcome(&app, &form, &signed_in, &id, (sent, "test")).await
}

/// Parses a time in the UAE.
fn instant(text: &str) -> Option<Timestamp> {
    UAE_OFFSET.to_timestamp(text.parse::<DateTime>().ok()?).ok()
}

/// Retries deliveries that failed since a time, up to the limit of one request. The next page continues with the rest.
pub(in crate::pages::organization) async fn retry_failed(
    State(app): State<App>,
    form: Form,
) -> Result<Response, PageError> {
    let (signed_in, by) = form.request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let since = form.field(SINCE);
    let delivered = !form.field(DELIVERED).is_empty();
    let cursor = Some(form.field(CURSOR)).filter(|cursor| !cursor.is_empty());
    let (organization_id, mode) = (&signed_in.member.organization_id, form.request.mode);
    let retried = match instant(since) {
        Some(instant) => {
            let again = Again { since: instant, include_delivered: delivered };
            let notifying = notifying(&app)?;
            tools::retry_failed(notifying, mode, organization_id, &id, &again, cursor, &by)
                .await
                .map_err(correctable)
        }
        None => Err(Ok(Refusal::said("webhooks-since-wrong"))),
    };
    let request = &form.request_to(&path_of(&id));
    match retried {
        Ok(Retried { next_cursor: Some(rest), .. }) => {
            let rest = Rest { since: since.to_owned(), delivered, cursor: rest };
            Ok(see_other(&rest.path(&request.path(&path_of(&id)))))
        }
        Ok(Retried { retried: 0, .. }) if cursor.is_none() => {
            Ok(done(request, &path_of(&id), "none"))
        }
        Ok(_) => Ok(done(request, &path_of(&id), "retried")),
        Err(problem) => {
            let problem = problem?;
            let notice = EndpointNotice {
                problem: Some(&problem),
                since: Some(since),
                ..EndpointNotice::default()
            };
            page_of(&app, request, &signed_in, &id, notice).await
        }
    }
}
