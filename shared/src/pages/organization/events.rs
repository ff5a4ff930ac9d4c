//! The organization's events, their deliveries, and every attempt of a delivery.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    super::{
        App, Form, Frame, PageError, PageRequest,
        conditions::Conditions,
        excerpt::{Excerpt, cut},
    },
    CURSOR, Part, Who, correctable, deliveries, done, frame, identifier, path_of_document,
    path_of_taxpayer, said,
};
use crate::{
    access::Permission,
    error::{Code, Failure},
    service::{
        overview::{self, Subjects},
        page::{Page, PageQuery},
        webhooks::{
            events::{
                EventFilter, Looked, Made, Spread, deliveries_of_event, get_event, list_events,
                look,
            },
            tools,
        },
    },
    store::{AttemptExchange, AttemptResult, EndpointStatus, EventType, PublishedEvent},
    types::{EndpointId, EventId},
};

const PATH: &str = "/organization/events";
/// The conditions of the form.
const CONDITIONS: [&str; 5] = ["type", "taxpayer", "document", "from", "to"];
/// Events on a page, each with links to its business and its document.
const EVENTS: u8 = 40;
/// Deliveries on the page of an event: with the maximum number of endpoints the page stays below 50 kB.
const DELIVERIES: usize = 15;
/// Attempts on the page of a delivery, each with its answer.
const ATTEMPTS: usize = 4;
/// Maximum bytes of a request body and of an answer on a page. An answer that is stored completely is shown completely,
/// unless more than a twelfth of its characters need escaping.
const BODY_SHOWN: usize = 8_000;
const ANSWER_SHOWN: usize = 4_800;
/// Characters of a name or a number.
const NAME_SHOWN: usize = 40;
/// Characters of an endpoint's URL in the selection.
const CHOICE_SHOWN: usize = 40;

#[derive(Template)]
#[template(path = "organization/events.html")]
struct EventsPage<'a> {
    frame: Frame<'a>,
    wanted: &'a Conditions,
    /// The invalid condition.
    problem: Option<&'static str>,
    /// Every type, and whether it is selected.
    types: Vec<(&'static str, bool)>,
    events: Vec<ShownEvent>,
    first: Option<String>,
    next: Option<String>,
}

/// An event on a page, and its subject.
struct ShownEvent {
    /// The paths of business and document, below the path of the mode; a test event has neither.
    taxpayer: Option<String>,
    document: Option<String>,
    /// What business and document are called, if the organization may still read them.
    business: Option<String>,
    number: Option<String>,
    published: PublishedEvent,
}

impl ShownEvent {
    fn of(published: PublishedEvent, subjects: &Subjects) -> Self {
        let (taxpayer, document) = (&published.event.taxpayer_id, published.event.document_id());
        let is_real = !published.test;
        let business = subjects.businesses.get(taxpayer);
        let number = document.and_then(|id| subjects.numbers.get(id));
        ShownEvent {
            business: business.filter(|_| is_real).map(|name| cut(name, NAME_SHOWN)),
            number: number.map(|number| cut(number, NAME_SHOWN)),
            taxpayer: is_real.then(|| path_of_taxpayer(taxpayer)),
            document: document.filter(|_| is_real).map(|id| path_of_document(taxpayer, id)),
            published,
        }
    }
}

/// The filter, or the name of the invalid condition.
fn filter(wanted: &Conditions) -> Result<EventFilter, &'static str> {
    Ok(EventFilter {
        event_type: wanted.read("type", |text| {
            EventType::ALL.into_iter().find(|event_type| event_type.as_str() == text)
        })?,
        taxpayer_id: wanted.read("taxpayer", |text| text.parse().ok())?,
        document_id: wanted.read("document", |text| text.parse().ok())?,
        from: wanted.day_begins("from")?,
        to: wanted.day_ends("to")?,
    })
}

pub(super) async fn show(
    State(app): State<App>,
    request: PageRequest,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let wanted = Conditions::of(&request, request.path(PATH), &CONDITIONS)?;
    let cursor = request.parameter(CURSOR)?;
    let asked = PageQuery { cursors: &app.cursors, cursor: cursor.as_deref(), limit: EVENTS };
    let (ctx, organization_id) = (&app.ctx, &member.member.organization_id);
    let (found, problem) = match filter(&wanted) {
        Ok(filter) => {
            (list_events(ctx, request.mode, organization_id, &filter, asked).await?, None)
        }
        Err(condition) => (Page::empty(), Some(condition)),
    };
    let subjects = overview::subjects(ctx, request.mode, organization_id, &found.items).await?;
    let is_wanted = |event_type: EventType| event_type.as_str() == wanted.get("type");
    let page = EventsPage {
        frame: frame(&request, &member),
        types: EventType::ALL.map(|it| (it.as_str(), is_wanted(it))).into(),
        events: found.items.into_iter().map(|it| ShownEvent::of(it, &subjects)).collect(),
        first: cursor.is_some().then(|| wanted.page(None)),
        next: found.next_cursor.map(|cursor| wanted.page(Some(&cursor))),
        wanted: &wanted,
        problem,
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    request.page(status, &page)
}

/// Indented JSON, shortened to the size of a page; the text unchanged if it is not JSON.
fn laid_out(json: &str) -> Excerpt {
    let read = serde_json::from_str::<serde_json::Value>(json);
    let written = read.and_then(|value| serde_json::to_string_pretty(&value));
    Excerpt::of(written.as_deref().unwrap_or(json), BODY_SHOWN)
}

#[derive(Template)]
#[template(path = "organization/event.html")]
struct EventPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    /// Whether a delivery is not final.
    is_open: bool,
    event: ShownEvent,
    body: Excerpt,
    deliveries: Part<deliveries::ShownDelivery>,
    /// The endpoints that have no delivery of this event yet, with their URLs.
    choices: Vec<(EndpointId, String)>,
}

pub(super) async fn one(
    State(app): State<App>,
    request: PageRequest,
    Path(event_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let id: EventId = event_id.parse().map_err(|_| PageError::NotFound)?;
    let (ctx, mode, organization_id) = (&app.ctx, request.mode, &member.member.organization_id);
    let spread = deliveries_of_event(ctx, mode, organization_id, &id).await?;
    let Spread { published, made, without } = spread;
    let of_event = std::slice::from_ref(&published);
    let subjects = overview::subjects(ctx, mode, organization_id, of_event).await?;
    let shown: Vec<_> = made.into_iter().map(deliveries::ShownDelivery::made).collect();
    let here = format!("{PATH}/{id}");
    let endpoint = |it: &deliveries::ShownDelivery| it.delivery.endpoint_id.to_string();
    let takes = without.into_iter().filter(|it| it.status == EndpointStatus::Enabled);
    let page = EventPage {
        frame: frame(&request, &member),
        who: Who { member: &member },
        is_open: shown.iter().any(deliveries::ShownDelivery::is_open),
        body: laid_out(&published.event.body),
        event: ShownEvent::of(published, &subjects),
        deliveries: Part::of(&request, &here, shown, DELIVERIES, endpoint)?,
        choices: takes.map(|it| (it.endpoint_id, cut(&it.url, CHOICE_SHOWN))).collect(),
    };
    request.page_in_progress(StatusCode::OK, &page)
}

/// The exact body of an event.
pub(super) async fn body(
    State(app): State<App>,
    request: PageRequest,
    Path(event_id): Path<String>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let id: EventId = event_id.parse().map_err(|_| PageError::NotFound)?;
    let organization_id = &member.member.organization_id;
    let published = get_event(&app.ctx, request.mode, organization_id, &id).await?;
    let name = HeaderValue::try_from(format!("attachment; filename=\"{id}.json\""));
    let name = name
        .map_err(|error| Failure::new(Code::InternalError, "A file has no name.").because(error))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, published.event.body).into_response())
}

#[derive(Template)]
#[template(path = "organization/delivery.html")]
struct DeliveryPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    delivery: deliveries::ShownDelivery,
    /// Whether its endpoint exists. A deleted endpoint has no page and gets no deliveries.
    is_endpoint_there: bool,
    body: Option<Excerpt>,
    attempts: Part<Attempt>,
}

/// An attempt on the page: its outcome, and request and answer if they were stored.
struct Attempt {
    result: AttemptResult,
    exchange: Option<AttemptExchange>,
}

impl Attempt {
    /// The answer, shortened to the size of a page.
    fn answer(&self) -> Option<Excerpt> {
        let answer = self.exchange.as_ref()?.answer.as_ref()?;
        Some(Excerpt::of(&answer.body, ANSWER_SHOWN))
    }

    /// Whether the stored answer is cut.
    fn is_truncated(&self) -> bool {
        let answer = self.exchange.as_ref().and_then(|exchange| exchange.answer.as_ref());
        answer.is_some_and(|answer| answer.truncated)
    }

    /// Its unique id on the page.
    fn id(&self) -> String {
        self.result.number.map_or_else(|| self.result.at.to_string(), |number| number.to_string())
    }
}

pub(super) async fn delivery(
    State(app): State<App>,
    request: PageRequest,
    Path((event_id, endpoint_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = request.member(&app, Permission::Look).await?;
    let none = |_| PageError::NotFound;
    let event_id: EventId = event_id.parse().map_err(none)?;
    let endpoint_id: EndpointId = endpoint_id.parse().map_err(none)?;
    let organization_id = &member.member.organization_id;
    let found = look(&app.ctx, request.mode, organization_id, &event_id, &endpoint_id).await?;
    let Looked { delivery, event, mut exchanges, is_endpoint_there, deleted } = found;
    let attempt = |result: &AttemptResult| {
        let at = exchanges.iter().position(|exchange| Some(exchange.number) == result.number);
        Attempt { exchange: at.map(|at| exchanges.swap_remove(at)), result: result.clone() }
    };
    // The latest first.
    let shown: Vec<_> = delivery.results.iter().rev().map(attempt).collect();
    let here = format!("{PATH}/{event_id}/{endpoint_id}");
    let page = DeliveryPage {
        frame: frame(&request, &member),
        who: Who { member: &member },
        done: said(&request, &[("retried", "delivery-done-retried")])?,
        delivery: deliveries::ShownDelivery::made(Made { delivery, deleted }),
        is_endpoint_there,
        body: event.map(|published| laid_out(&published.event.body)),
        attempts: Part::of(&request, &here, shown, ATTEMPTS, Attempt::id)?,
    };
    request.page_in_progress(StatusCode::OK, &page)
}

/// Sends an event to an endpoint again.
pub(super) async fn retry(State(app): State<App>, form: Form) -> Result<Response, PageError> {
    let request = &form.request;
    let (signed_in, by) = request.acting(&app, Permission::Develop).await?;
    let event_id: EventId = identifier(form.field("event"))?;
    let endpoint_id: EndpointId = identifier(form.field("endpoint"))?;
    let delivered = !form.field("delivered").is_empty();
    let organization_id = &signed_in.member.organization_id;
    let (ctx, mode) = (&app.ctx, request.mode);
    let retried = tools::retry(ctx, mode, organization_id, &event_id, &endpoint_id, delivered, &by);
    match retried.await {
        Ok(_) => Ok(done(request, &format!("{PATH}/{event_id}/{endpoint_id}"), "retried")),
        Err(failure) => Err(PageError::Explained {
            status: StatusCode::CONFLICT,
            title: "delivery-not-retried-title",
            text: "delivery-not-retried-text",
            cause: correctable(failure)?.in_english(),
        }),
    }
}
