//! The webhook endpoints of the organization: made, changed, tried, and looked after when they fail.

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
/// How many endpoints and deliveries a page has at most: so many stay below 50 kB, however long what others wrote is.
const ENDPOINTS: usize = 10;
const DELIVERIES: u8 = 15;
/// How many characters of what is said of an endpoint a row has, and of the name of a business.
const DESCRIPTION_SHOWN: usize = 60;
const NAME_SHOWN: usize = 40;
/// How many bytes of a page what was typed takes at most: as many identifiers as an endpoint may be limited to are shorter.
const TYPED_SHOWN: usize = 5_000;
/// How many characters of a time that was entered stand in the form again.
const SINCE_SHOWN: usize = 40;
/// Since when deliveries are sent again, unless another time is said.
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
    /// An endpoint that was just made, and its secret: it is shown this once.
    new: Option<(&'a EndpointId, &'a str)>,
    types: [EventType; 7],
    businesses: Businesses,
    endpoints: Part<ShownEndpoint>,
}

/// The businesses whose events an endpoint may be limited to, as a form has them: boxes to check where there are few, else
/// their identifiers as a text.
#[derive(Default)]
struct Businesses {
    few: Vec<Business>,
    /// The identifiers of those that are chosen, one a line, where there are many.
    many: Option<String>,
}

/// A business to choose.
struct Business {
    id: TaxpayerId,
    name: String,
    is_chosen: bool,
}

impl Businesses {
    /// Up to how many there are boxes for: a form has 50 fields.
    const FEW: u8 = 20;

    /// Those that are connected, and those that were chosen, whose grants may have ended since. What was typed stays. Who may
    /// not send the form chooses nothing.
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

    /// Whether there is anything to choose.
    fn is_offered(&self) -> bool {
        self.many.is_some() || !self.few.is_empty()
    }
}

/// The prefix of the fields that choose businesses.
const BUSINESS: &str = "taxpayer ";
/// The field with identifiers of businesses, where there are many.
const BUSINESSES: &str = "taxpayers";

/// The businesses that a form limits an endpoint to; none when all are meant.
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
    /// How its state looks, and the name of the message that says it.
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

    /// Whether it fails, or was disabled for that.
    pub(super) fn wants_attention(&self) -> bool {
        ["warn", "bad"].contains(&self.tone)
    }

    /// Where it is, as a heading or a row has it.
    pub(super) fn address(&self) -> String {
        deliveries::address(&self.watched.endpoint.url)
    }

    /// What is said of it, as a row has it.
    fn description(&self) -> Option<String> {
        let description = self.watched.endpoint.description.as_deref()?;
        Some(cut(description, DESCRIPTION_SHOWN))
    }

    fn is_enabled(&self) -> bool {
        self.watched.endpoint.status == EndpointStatus::Enabled
    }
}

/// What a page of endpoints says beside them.
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

/// What endpoints are worked on with: the function of the portal has it.
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
        // What is longer than it may be was not typed into the form.
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

/// The types that were chosen in a form; all of them when none was.
fn chosen_types(form: &Form) -> Vec<EventType> {
    let chosen = |it: &EventType| !form.field(&format!("type {}", it.as_str())).is_empty();
    EventType::ALL.into_iter().filter(chosen).collect()
}

/// The description that was given.
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
    /// A secret that was just made: it is shown this once.
    secret: Option<&'a str>,
    overlap_hours: u32,
    types: [EventType; 7],
    is_sandbox: bool,
    endpoint: ShownEndpoint,
    wanted: &'a Conditions,
    /// The condition that says nothing.
    unreadable: Option<&'static str>,
    /// Every state of a delivery, the name of the message that says it, and whether it is looked for.
    states: Vec<(&'static str, &'static str, bool)>,
    deliveries: Vec<deliveries::ShownDelivery>,
    first: Option<String>,
    next: Option<String>,
    /// Since when deliveries are sent again, as the form has it.
    since: String,
    /// What is left of those that were to be sent again.
    rest: Option<Rest>,
}

/// What is left of the deliveries that were to be sent again: the fields of the form that goes on with it.
struct Rest {
    since: String,
    delivered: bool,
    cursor: String,
}

/// The fields of the form that sends again, which are parameters of the page that goes on with it.
const SINCE: &str = "since";
const DELIVERED: &str = "delivered";
const REST: &str = "rest";

impl Rest {
    /// What the page is asked to go on with.
    fn of(request: &PageRequest) -> Result<Option<Self>, PageError> {
        let cursor = request.parameter(REST)?;
        let (since, delivered) = (request.parameter(SINCE)?, request.parameter(DELIVERED)?);
        Ok(cursor.map(|cursor| Rest {
            since: since.unwrap_or_default(),
            delivered: delivered.is_some(),
            cursor,
        }))
    }

    /// The page that goes on with it, which says so.
    fn path(&self, endpoint: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(DONE, "more").append_pair(SINCE, &self.since);
        if self.delivered {
            query.append_pair(DELIVERED, "yes");
        }
        format!("{endpoint}?{}", query.append_pair(REST, &self.cursor).finish())
    }
}

/// Where one endpoint has its page, below the path of the mode.
fn path_of(id: &EndpointId) -> String {
    format!("{PATH}/{id}")
}

/// What a page of one endpoint says beside it.
#[derive(Default)]
struct EndpointNotice<'a> {
    done: Option<&'static str>,
    problem: Option<&'a Refusal>,
    secret: Option<&'a str>,
    since: Option<&'a str>,
}

/// What was done, and the name of the message that says so.
const SAID: [(&str, &str); 5] = [
    ("changed", "webhooks-done-changed"),
    ("test", "webhooks-done-test"),
    ("retried", "webhooks-done-retried"),
    ("more", "webhooks-done-more"),
    ("none", "webhooks-done-none"),
];
/// The condition of the list of deliveries.
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

/// Code that verifies what endpoints are sent.
pub(super) async fn verify(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let page = VerifyPage { frame: frame(&request, &member), snippets: deliveries::VERIFY };
    request.page(StatusCode::OK, &page)
}

/// Back to an endpoint, or the page again with what is wrong.
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
    /// Where it is, as a heading has it.
    address: String,
    entered: Entered,
    longest_url: usize,
    longest_description: usize,
    types: [EventType; 7],
    businesses: Businesses,
}

/// What stands in the form that changes an endpoint.
struct Entered {
    url: String,
    description: String,
    /// The types that are chosen; none when all are meant.
    types: Vec<EventType>,
    chosen: Vec<TaxpayerId>,
    /// The identifiers of businesses as they were typed.
    typed: Option<String>,
    enabled: bool,
    /// The version that is changed.
    version: u64,
}

impl Entered {
    /// An endpoint as it is.
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

    /// What was entered, which is refused.
    fn again(form: &Form, endpoint: &EndpointRecord) -> Self {
        // What was checked stays, whatever is wrong with what was typed.
        let checked = || form.chosen(BUSINESS).filter_map(|text| text.parse().ok());
        Entered {
            // What is longer than it may be was not typed into the form.
            url: cut(form.field("url").trim(), MAX_URL),
            description: cut(form.field("description"), MAX_DESCRIPTION),
            types: chosen_types(form),
            chosen: chosen_businesses(form).unwrap_or_else(|_| checked().collect()),
            typed: Some(form.field(BUSINESSES).to_owned()),
            enabled: !form.field("enabled").is_empty(),
            // That which the form was opened with: who saw none of another's change undoes none.
            version: form.field("version").parse().unwrap_or(endpoint.version),
        }
    }
}

/// Where the form that changes an endpoint is, below the path of the mode.
fn path_of_change(id: &EndpointId) -> String {
    format!("{}/change", path_of(id))
}

/// The form that changes an endpoint. It has a page of its own, since it lists the businesses that may be chosen.
pub(super) async fn changing(
    State(app): State<App>,
    request: PageRequest,
    Path(endpoint_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Develop).await?;
    let id: EndpointId = endpoint_id.parse().map_err(|_| PageError::NotFound)?;
    change_page(&app, &request, &member, &id, None).await
}

/// The page of that form, with the endpoint as it is, or with what was entered and what is wrong with it.
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

/// Sends an event that is made up, or in Sandbox the simulated outcome of a report (specification 1, Sandbox 6).
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
        .ok_or_else(|| PageError::Unreadable("there is no such type of event".to_owned()))?;
    let organization_id = &signed_in.member.organization_id;
    let mode = form.request.mode;
    let (ctx, wanted) = (&app.ctx, outcome_of_report);
    let sent = tools::test(ctx, mode, organization_id, &id, event_type, wanted, &by).await;
    outcome(&app, &form, &signed_in, &id, (sent, "test")).await
}

/// An instant that a person enters as a time in the UAE.
fn instant(text: &str) -> Option<Timestamp> {
    UAE_OFFSET.to_timestamp(text.parse::<DateTime>().ok()?).ok()
}

/// Sends again what failed since a time, as much as one go takes. What is left is gone on with by the page that follows.
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
