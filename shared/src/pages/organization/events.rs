//! What the organization heard: events, their deliveries, and every attempt at one.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use super::{
    super::{Form, Frame, House, PageError, Visit},
    CURSOR, PAGE, Who, deliveries, done, frame, identifier, mend, said,
};
use crate::{
    access::Permission,
    service::{
        page::Asked,
        webhooks::{
            events::{EventFilter, Looked, deliveries_of_event, get_event, list_events, look},
            tools,
        },
    },
    store::{AttemptRecord, AttemptResult, EventType, ToldEvent},
    types::{DocumentId, EndpointId, EventId, TaxpayerId},
};

const PATH: &str = "/organization/events";

#[derive(Template)]
#[template(path = "organization/events.html")]
struct EventsPage<'a> {
    frame: Frame<'a>,
    /// Every type, and whether it is looked for.
    types: Vec<(&'static str, bool)>,
    taxpayer: String,
    document: String,
    events: Vec<ToldEvent>,
    first: Option<String>,
    next: Option<String>,
}

pub(super) async fn show(State(house): State<House>, visit: Visit) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let wanted = visit.parameter("type")?;
    let event_type = EventType::ALL.into_iter().find(|it| Some(it.as_str()) == wanted.as_deref());
    let given = |name| -> Result<String, PageError> {
        Ok(visit.parameter(name)?.unwrap_or_default().trim().to_owned())
    };
    let (taxpayer, document) = (given("taxpayer")?, given("document")?);
    let filter = EventFilter {
        event_type,
        taxpayer_id: taxpayer.parse::<TaxpayerId>().ok(),
        document_id: document.parse::<DocumentId>().ok(),
        ..EventFilter::default()
    };
    let cursor = visit.parameter(CURSOR)?;
    let asked = Asked { cursors: &house.cursors, cursor: cursor.as_deref(), limit: PAGE };
    let organization_id = &member.member.organization_id;
    let found = list_events(&house.ctx, visit.mode, organization_id, &filter, asked).await?;
    let page = EventsPage {
        frame: frame(&visit, &member),
        types: EventType::ALL.map(|it| (it.as_str(), Some(it) == event_type)).into(),
        taxpayer,
        document,
        events: found.items,
        first: cursor.is_some().then(|| visit.path(PATH)),
        next: found.next_cursor.map(|cursor| visit.with(CURSOR, &cursor)),
    };
    visit.page(StatusCode::OK, &page)
}

/// JSON as people read it; the text as it is where it is none.
fn laid_out(json: &str) -> String {
    let read = serde_json::from_str::<serde_json::Value>(json);
    let written = read.and_then(|value| serde_json::to_string_pretty(&value));
    written.unwrap_or_else(|_| json.to_owned())
}

#[derive(Template)]
#[template(path = "organization/event.html")]
struct EventPage<'a> {
    frame: Frame<'a>,
    told: ToldEvent,
    body: String,
    deliveries: Vec<deliveries::Shown>,
}

pub(super) async fn one(
    State(house): State<House>,
    visit: Visit,
    Path(event_id): Path<String>,
) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let id: EventId = event_id.parse().map_err(|_| PageError::NotFound)?;
    let (ctx, mode, organization_id) = (&house.ctx, visit.mode, &member.member.organization_id);
    let told = get_event(ctx, mode, organization_id, &id).await?;
    let found = deliveries_of_event(ctx, mode, organization_id, &id).await?;
    let page = EventPage {
        frame: frame(&visit, &member),
        body: laid_out(&told.event.body),
        told,
        deliveries: found.into_iter().map(deliveries::Shown::made).collect(),
    };
    visit.page(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "organization/delivery.html")]
struct DeliveryPage<'a> {
    frame: Frame<'a>,
    who: Who<'a>,
    done: Option<&'static str>,
    delivery: deliveries::Shown,
    body: Option<String>,
    attempts: Vec<Attempt>,
}

/// An attempt on the page: what came of it, and what was sent and answered where that was written down.
struct Attempt {
    result: AttemptResult,
    record: Option<AttemptRecord>,
}

pub(super) async fn delivery(
    State(house): State<House>,
    visit: Visit,
    Path((event_id, endpoint_id)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let member = visit.member(&house, Permission::Look).await?;
    let none = |_| PageError::NotFound;
    let event_id: EventId = event_id.parse().map_err(none)?;
    let endpoint_id: EndpointId = endpoint_id.parse().map_err(none)?;
    let organization_id = &member.member.organization_id;
    let found = look(&house.ctx, visit.mode, organization_id, &event_id, &endpoint_id).await?;
    let Looked { delivery, event, mut attempts } = found;
    let attempt = |result: &AttemptResult| {
        let at = attempts.iter().position(|record| Some(record.number) == result.number);
        Attempt { record: at.map(|at| attempts.swap_remove(at)), result: result.clone() }
    };
    // The latest first.
    let shown = delivery.results.iter().rev().map(attempt).collect();
    let page = DeliveryPage {
        frame: frame(&visit, &member),
        who: Who { member: &member },
        done: said(&visit, &[("retried", "delivery-done-retried")])?,
        delivery: deliveries::Shown::of(delivery),
        body: event.map(|told| laid_out(&told.event.body)),
        attempts: shown,
    };
    visit.page(StatusCode::OK, &page)
}

/// Sends an event to an endpoint again.
pub(super) async fn retry(State(house): State<House>, form: Form) -> Result<Response, PageError> {
    let visit = &form.visit;
    let (signed_in, by) = visit.acting(&house, Permission::Develop).await?;
    let event_id: EventId = identifier(form.field("event"))?;
    let endpoint_id: EndpointId = identifier(form.field("endpoint"))?;
    let delivered = !form.field("delivered").is_empty();
    let organization_id = &signed_in.member.organization_id;
    let (ctx, mode) = (&house.ctx, visit.mode);
    let retried = tools::retry(ctx, mode, organization_id, &event_id, &endpoint_id, delivered, &by);
    match retried.await {
        Ok(_) => Ok(done(visit, &format!("{PATH}/{event_id}/{endpoint_id}"), "retried")),
        Err(failure) => Err(PageError::Told {
            status: StatusCode::CONFLICT,
            title: "delivery-not-retried-title",
            text: "delivery-not-retried-text",
            cause: mend(failure)?.in_english(),
        }),
    }
}
