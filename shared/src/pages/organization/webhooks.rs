//! The webhook endpoints of the organization: create, change, test, and recover failing ones.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use jiff::{SignedDuration, Timestamp, civil::DateTime};
use url::form_urlencoded;

use super::{
    super::{
        App, Form, Frame, PageError, PageRequest,
        conditions::Conditions,
        excerpt::{Excerpt, cut},
        page_request::DONE,
        see_other,
    },
    CURSOR, Part, Refusal, Who, caller, deliveries, done, frame, identifier, mend, said,
};
use crate::{
    access::Permission,
    error::Failure,
    service::{
        Notifying,
        page::{Page, PageQuery},
        sessions::SignedInMember,
        taxpayers,
        webhooks::{
            self, EndpointSettings, MAX_DESCRIPTION, MAX_TAXPAYERS, MAX_URL, OVERLAP, Patch,
            events::deliveries_to_endpoint,
            tools::{self, Again, Outcome, Retried},
        },
    },
    store::{DisabledReason, EndpointRecord, EndpointStatus, EventType, Watched},
    types::{EndpointId, TaxpayerId, UAE_OFFSET},
};

const PATH: &str = "/organization/webhooks";
/// Maximum endpoints and deliveries on a page: this many stay below 50 kB, whatever the length of other texts.
const ENDPOINTS: usize = 10;
const DELIVERIES: u8 = 15;
/// Characters of an endpoint's description, and of a business name, in a row.
const DESCRIPTION_SHOWN: usize = 60;
const NAME_SHOWN: usize = 40;
/// Maximum bytes of typed text on a page, more than the identifiers of an endpoint need.
const TYPED_SHOWN: usize = 5_000;
/// Characters of an entered time that the form shows again.
const SINCE_SHOWN: usize = 40;
/// The default period of deliveries that are sent again.
const AGAIN: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Template)]
#[template(path = "organization/webhooks.html")]
struct WebhooksPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    url: &'a str,
    description: &'a str,
    longest_url: usize,
    longest_description: usize,
    /// A new endpoint and its secret, which is shown only once.
    new: Option<(&'a EndpointId, &'a str)>,
    types: [EventType; 7],
    businesses: Businesses,
    endpoints: Part<ShownEndpoint>,
}

/// The businesses to which an endpoint may be limited. The form has checkboxes if there are few, otherwise a text field
/// with their identifiers.
#[derive(Default)]
struct Businesses {
    few: Vec<Business>,
    /// The chosen identifiers, one on each line, if there are many.
    many: Option<String>,
}

/// A business with a checkbox.
struct Business {
    id: TaxpayerId,
    name: String,
    is_chosen: bool,
}

impl Businesses {
    /// Maximum number of checkboxes: a form has 50 fields.
    const FEW: u8 = 20;

    /// The connected businesses and the chosen ones, whose grants may have ended since. Typed text is kept. A member
    /// who may not send the form gets no choice.
    async fn of(
        app: &App,
        signed_in: &SignedInMember,
        chosen: &[TaxpayerId],
        typed: Option<&str>,
    ) -> Result<Self, PageError> {
        if !(Who { member: signed_in }).may_develop() {
            return Ok(Businesses::default());
        }
        let asked = PageQuery { cursors: &app.cursors, cursor: None, limit: Self::FEW };
        let filter = taxpayers::Filter::default();
        let found = taxpayers::list(&app.ctx, &caller(signed_in), &filter, asked).await?;
        let connected = found.items.into_iter().map(|it| Business {
            is_chosen: chosen.contains(&it.taxpayer.taxpayer_id),
            name: match it.shows_details() {
                true => cut(&it.taxpayer.name, NAME_SHOWN),
                false => it.taxpayer.taxpayer_id.to_string(),
            },
            id: it.taxpayer.taxpayer_id,
        });
        let mut few: Vec<Business> = connected.collect();
        for id in chosen {
            if !few.iter().any(|business| business.id == *id) {
                few.push(Business { id: id.clone(), name: id.to_string(), is_chosen: true });
            }
        }
        if found.next_cursor.is_none() && few.len() <= usize::from(Self::FEW) {
            return Ok(Businesses { few, many: None });
        }
        let ids = || chosen.iter().map(|id| id.as_str()).collect::<Vec<_>>().join("\n");
        let typed = typed.map(|typed| Excerpt::of(typed, TYPED_SHOWN).text);
        Ok(Businesses { few: Vec::new(), many: Some(typed.unwrap_or_else(ids)) })
    }

    /// Whether there is a choice.
    fn is_offered(&self) -> bool {
        self.many.is_some() || !self.few.is_empty()
    }
}

/// The prefix of the checkboxes for businesses.
const BUSINESS: &str = "taxpayer ";
/// The text field with identifiers of businesses.
const BUSINESSES: &str = "taxpayers";

/// The businesses to which a form limits an endpoint; empty for all businesses.
fn chosen_businesses(form: &Form) -> Result<Vec<TaxpayerId>, Refusal> {
    let separators = |c: char| c.is_whitespace() || c == ',';
    let typed = form.field(BUSINESSES).split(separators).filter(|text| !text.is_empty());
    let mut chosen: Vec<TaxpayerId> = Vec::new();
    for text in form.chosen(BUSINESS).chain(typed) {
        let id = text.parse().map_err(|_| Refusal::said("webhooks-taxpayers-wrong"))?;
        if !chosen.contains(&id) {
            chosen.push(id);
        }
    }
    match chosen.len() <= MAX_TAXPAYERS {
        true => Ok(chosen),
        false => Err(Refusal::said("webhooks-taxpayers-many")),
    }
}

/// An endpoint on the page.
pub(super) struct ShownEndpoint {
    pub(super) watched: Watched,
    /// The CSS class of its state, and the name of its message.
    pub(super) tone: &'static str,
    pub(super) state: &'static str,
}

impl ShownEndpoint {
    pub(super) fn of(watched: Watched) -> Self {
        let reason = watched.endpoint.disabled.map(|disabled| disabled.reason);
        let (tone, state) = match (watched.endpoint.status, reason, watched.failing_since) {
            (EndpointStatus::Enabled, _, None) => ("good", "webhooks-enabled"),
            (EndpointStatus::Enabled, _, Some(_)) => ("warn", "webhooks-failing"),
            (_, Some(DisabledReason::Failing), _) => ("bad", "webhooks-disabled-failing"),
            (_, Some(DisabledReason::Gone), _) => ("bad", "webhooks-disabled-gone"),
            _ => ("", "webhooks-disabled"),
        };
        ShownEndpoint { watched, tone, state }
    }

    /// Whether it fails, or was disabled for failures.
    pub(super) fn wants_attention(&self) -> bool {
        ["warn", "bad"].contains(&self.tone)
    }

    /// Its shortened URL, for headings and rows.
    pub(super) fn address(&self) -> String {
        deliveries::address(&self.watched.endpoint.url)
    }

    /// Its shortened description, for rows.
    fn description(&self) -> Option<String> {
        let description = self.watched.endpoint.description.as_deref()?;
        Some(cut(description, DESCRIPTION_SHOWN))
    }

    fn is_enabled(&self) -> bool {
        self.watched.endpoint.status == EndpointStatus::Enabled
    }
}

/// The notices of a page of endpoints.
#[derive(Default)]
struct EndpointsNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    url: &'a str,
    description: &'a str,
    chosen: &'a [TaxpayerId],
    typed: Option<&'a str>,
    new: Option<(&'a EndpointId, &'a str)>,
}

/// The use cases for endpoints; only the function of the portal has them.
fn notifying(app: &App) -> Result<&Notifying, PageError> {
    app.notifying.as_deref().ok_or(PageError::NotFound)
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let done = said(&request, &[("deleted", "webhooks-done-deleted")])?;
    page(&app, &request, &member, EndpointsNotice { done, ..EndpointsNotice::default() }).await
}

async fn page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    notice: EndpointsNotice<'_>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let EndpointsNotice { done, problem, url, description, chosen, typed, new } = notice;
    let (found, businesses) = tokio::try_join!(
        async {
            Ok::<_, PageError>(webhooks::list(&app.ctx, request.mode, organization_id).await?)
        },
        Businesses::of(app, signed_in, chosen, typed),
    )?;
    let shown = found.into_iter().map(ShownEndpoint::of).collect();
    let id = |shown: &ShownEndpoint| shown.watched.endpoint.endpoint_id.to_string();
    let page = WebhooksPage {
        frame: frame(request, signed_in),
        who: Who { member: signed_in },
        done,
        problem,
        // A longer value was not typed into the form.
        url: &cut(url, MAX_URL),
        description: &cut(description, MAX_DESCRIPTION),
        longest_url: MAX_URL,
        longest_description: MAX_DESCRIPTION,
        new,
        types: EventType::ALL,
        businesses,
        endpoints: Part::of(request, PATH, shown, ENDPOINTS, id)?,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// The chosen types of a form; all types if none was chosen.
fn chosen_types(form: &Form) -> Vec<EventType> {
    let chosen = |it: &EventType| !form.field(&format!("type {}", it.as_str())).is_empty();
    EventType::ALL.into_iter().filter(chosen).collect()
}

/// The entered description.
fn description(form: &Form) -> Option<String> {
    Some(form.field("description").trim().to_owned()).filter(|text| !text.is_empty())
}

pub(super) async fn create(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request_to(PATH);
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let (url, entered) = (form.field("url").trim(), form.field("description"));
    let typed = Some(form.field(BUSINESSES));
    let notice = EndpointsNotice { url, description: entered, typed, ..EndpointsNotice::default() };
    let chosen = match chosen_businesses(&form) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            return page(
                &app,
                request,
                &signed_in,
                EndpointsNotice { problem: Some(&refusal), ..notice },
            )
            .await;
        }
    };
    let wanted = EndpointSettings {
        url: url.to_owned(),
        event_types: chosen_types(&form),
        taxpayer_ids: chosen.clone(),
        description: description(&form),
        ..EndpointSettings::default()
    };
    let organization_id = &signed_in.member.organization_id;
    let made = webhooks::create(notifying(&app)?, request.mode, organization_id, wanted, &by).await;
    match made {
        Ok(made) => {
            let secret = made.secret.expose();
            let new = Some((&made.endpoint.endpoint_id, secret.as_str()));
            page(&app, request, &signed_in, EndpointsNotice { new, ..EndpointsNotice::default() })
                .await
        }
        Err(failure) => {
            let problem = mend(failure)?;
            let notice = EndpointsNotice { problem: Some(&problem), chosen: &chosen, ..notice };
            page(&app, request, &signed_in, notice).await
        }
    }
}

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

/// The path of an endpoint's page, below the path of the mode.
fn path_of(id: &EndpointId) -> String {
    format!("{PATH}/{id}")
}

/// The notices of an endpoint's page.
#[derive(Default)]
struct EndpointNotice<'a> {
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

pub(super) async fn one(
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

async fn page_of(
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
        deliveries: found.items.into_iter().map(deliveries::ShownDelivery::of).collect(),
        first: cursor.is_some().then(|| wanted.page(None)),
        next: found.next_cursor.map(|cursor| wanted.page(Some(&cursor))),
        wanted: &wanted,
        unreadable,
        since: since.map_or_else(usual, |since| cut(since, SINCE_SHOWN)),
        rest: Rest::of(request)?,
    };
    let is_wrong = problem.is_some() || unreadable.is_some();
    let status = if is_wrong { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

#[derive(Template)]
#[template(path = "organization/verify.html")]
struct VerifyPage<'a> {
    frame: Frame<'a>,
    snippets: &'static [deliveries::Snippet],
}

/// The page with code that verifies deliveries.
pub(super) async fn verify(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let page = VerifyPage { frame: frame(&request, &member), snippets: deliveries::VERIFY };
    request.page(StatusCode::OK, &page)
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
            let problem = mend(failure)?;
            let notice = EndpointNotice { problem: Some(&problem), ..EndpointNotice::default() };
            page_of(app, &form.request_to(&path_of(id)), signed_in, id, notice).await
        }
    }
}

#[derive(Template)]
#[template(path = "organization/webhook_change.html")]
struct ChangePage<'a> {
    frame: Frame<'a>,
    problem: Option<&'a Refusal>,
    endpoint_id: &'a EndpointId,
    /// Its shortened URL, for the heading.
    address: String,
    entered: Entered,
    longest_url: usize,
    longest_description: usize,
    types: [EventType; 7],
    businesses: Businesses,
}

/// The values of the form that changes an endpoint.
struct Entered {
    url: String,
    description: String,
    /// The chosen types; empty for all types.
    types: Vec<EventType>,
    chosen: Vec<TaxpayerId>,
    /// The typed identifiers of businesses.
    typed: Option<String>,
    enabled: bool,
    /// The version that the form changes.
    version: u64,
}

impl Entered {
    /// The values of a stored endpoint.
    fn of(endpoint: EndpointRecord) -> Self {
        Entered {
            url: endpoint.url,
            description: endpoint.description.unwrap_or_default(),
            types: endpoint.event_types,
            chosen: endpoint.taxpayer_ids,
            typed: None,
            enabled: endpoint.status == EndpointStatus::Enabled,
            version: endpoint.version,
        }
    }

    /// The entered values after a refusal.
    fn again(form: &Form, endpoint: &EndpointRecord) -> Self {
        // Checked boxes stay checked, whatever is wrong with the typed text.
        let checked = || form.chosen(BUSINESS).filter_map(|text| text.parse().ok());
        Entered {
            // A longer value was not typed into the form.
            url: cut(form.field("url").trim(), MAX_URL),
            description: cut(form.field("description"), MAX_DESCRIPTION),
            types: chosen_types(form),
            chosen: chosen_businesses(form).unwrap_or_else(|_| checked().collect()),
            typed: Some(form.field(BUSINESSES).to_owned()),
            enabled: !form.field("enabled").is_empty(),
            // The version at which the form was opened, so that a stale form cannot overwrite another change.
            version: form.field("version").parse().unwrap_or(endpoint.version),
        }
    }
}

/// The path of the form that changes an endpoint, below the path of the mode.
fn path_of_change(id: &EndpointId) -> String {
    format!("{}/change", path_of(id))
}

/// The form that changes an endpoint. It has its own page, since it lists the businesses.
pub(super) async fn changing(
    State(app): State<App>,
    request: PageRequest,
    Path(endpoint_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let id: EndpointId = endpoint_id.parse().map_err(|_| PageError::NotFound)?;
    change_page(&app, &request, &member, &id, None).await
}

/// The page of that form, with the stored values, or with the entered values and their errors.
async fn change_page(
    app: &App,
    request: &PageRequest,
    signed_in: &SignedInMember,
    id: &EndpointId,
    refused: Option<(&Form, &Refusal)>,
) -> Result<Response, PageError> {
    let organization_id = &signed_in.member.organization_id;
    let endpoint = webhooks::get(&app.ctx, request.mode, organization_id, id).await?.endpoint;
    let address = deliveries::address(&endpoint.url);
    let entered = match refused {
        Some((form, _)) => Entered::again(form, &endpoint),
        None => Entered::of(endpoint),
    };
    let (chosen, typed) = (&entered.chosen, entered.typed.as_deref());
    let page = ChangePage {
        frame: frame(request, signed_in),
        problem: refused.map(|(_, problem)| problem),
        endpoint_id: id,
        address,
        businesses: Businesses::of(app, signed_in, chosen, typed).await?,
        entered,
        longest_url: MAX_URL,
        longest_description: MAX_DESCRIPTION,
        types: EventType::ALL,
    };
    let status = if refused.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

pub(super) async fn change(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let (signed_in, by) = form.request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let request = &form.request_to(&path_of_change(&id));
    let chosen = match chosen_businesses(&form) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            return change_page(&app, request, &signed_in, &id, Some((&form, &refusal))).await;
        }
    };
    let patch = Patch {
        url: Some(form.field("url").trim().to_owned()),
        event_types: Some(chosen_types(&form)),
        taxpayer_ids: Some(chosen),
        description: Some(description(&form)),
        enabled: Some(!form.field("enabled").is_empty()),
        version: form.field("version").parse().ok(),
    };
    let organization_id = &signed_in.member.organization_id;
    let notifying = notifying(&app)?;
    match webhooks::patch(notifying, request.mode, organization_id, &id, &patch, &by).await {
        Ok(_) => Ok(done(request, &path_of(&id), "changed")),
        Err(failure) => {
            let refused = Some((&form, &mend(failure)?));
            change_page(&app, request, &signed_in, &id, refused).await
        }
    }
}

pub(super) async fn rotate(State(app): State<App>, form: Form) -> Result<Response, PageError> {
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

pub(super) async fn delete(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let id: EndpointId = identifier(form.field("endpoint"))?;
    let organization_id = &signed_in.member.organization_id;
    webhooks::delete(&app.ctx, request.mode, organization_id, &id, &by).await?;
    Ok(done(request, PATH, "deleted"))
}

/// Sends a test event, or in Sandbox the simulated outcome of a report (specification 1, Sandbox 6).
pub(super) async fn test(State(app): State<App>, form: Form) -> Result<Response, PageError> {
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
pub(super) async fn retry_failed(
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
                .map_err(mend)
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
