//! The events that were published to an organization, with or without an endpoint, for 30 days. Also their deliveries,
//! with the request and the answer of each attempt.
//!
//! An event that was published under an active grant stays visible after the grant has ended. Its body is the delivered
//! one. Events from before a grant are not listed ([`Audience`](crate::access::Audience)), and are not sent again.

use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp};

use super::unknown_endpoint;
use crate::{
    access::{Actor, CredentialId, OrganizationCaller, Permission},
    error::{Code, Failure},
    service::{
        Context,
        page::{List, Page, PageQuery},
    },
    store::{
        AttemptExchange, DeletedEndpoint, DeliveryRecord, DeliveryState, EVENT_SHOWN,
        EndpointRecord, EndpointStatus, EventSelection, EventType, Position, PositionedPage,
        PublishedEvent, Watched,
    },
    types::{DocumentId, EndpointId, EventId, Mode, OrganizationId, TaxpayerId},
};

/// Maximum bytes of bodies on a page. One taxpayer event may list a hundred grants.
const PAGE_BYTES: usize = 2_000_000;

/// Which events to list. An event must match every given part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// The type of the event.
    pub event_type: Option<EventType>,
    /// The taxpayer that it concerns.
    pub taxpayer_id: Option<TaxpayerId>,
    /// The document that it concerns.
    pub document_id: Option<DocumentId>,
    /// First instant, inclusive.
    pub from: Option<Timestamp>,
    /// Last instant, inclusive.
    pub to: Option<Timestamp>,
}

/// A delivery with everything that its endpoint's owner may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// The delivery.
    pub delivery: DeliveryRecord,
    /// The event that was sent. `None` when it has expired.
    pub event: Option<PublishedEvent>,
    /// The recorded requests and answers of the attempts, the first attempt first.
    pub exchanges: Vec<AttemptExchange>,
    /// Whether the endpoint still exists.
    pub is_endpoint_there: bool,
    /// The record of a deleted endpoint. `None` for endpoints that were deleted before this was recorded.
    pub deleted: Option<DeletedEndpoint>,
}

/// Lists the events that were published to an organization, newest first. Returns the page and the cursor of the next
/// one. There may be more items as long as there is a cursor.
pub async fn list_events(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    filter: &EventFilter,
    asked: PageQuery<'_>,
) -> Result<Page<PublishedEvent>, Failure> {
    let list = List { name: "events", mode, owner: organization_id.as_str(), filter };
    let from = position(asked.after(&list).await?)?;
    // Events that DynamoDB has not removed yet are expired nevertheless.
    let oldest = ctx.now().checked_sub(EVENT_SHOWN).unwrap_or(Timestamp::MIN);
    let selection = EventSelection {
        event_type: filter.event_type,
        taxpayer_id: filter.taxpayer_id.as_ref(),
        document_id: filter.document_id.as_ref(),
        created: (Some(filter.from.unwrap_or(oldest).max(oldest)), filter.to),
    };
    let limit = asked.limit();
    let store = &ctx.store;
    let page = store.list_events(mode, organization_id, &selection, from.as_ref(), limit).await?;
    let (items, next) = fitting(page);
    asked.page(&list, items, next.map(|next| next.to_text())).await
}

/// The items of a page that fit into an answer, and the position of the next page.
fn fitting(page: PositionedPage<PublishedEvent>) -> (Vec<PublishedEvent>, Option<Position>) {
    let (mut items, mut bytes, mut last) = (Vec::new(), 0, None);
    for (published, position) in page.items {
        bytes += published.event.body.len();
        if bytes > PAGE_BYTES && last.is_some() {
            return (items, last);
        }
        items.push(published);
        last = Some(position);
    }
    (items, page.next)
}

/// An event that was published to an organization.
pub async fn get_event(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    event_id: &EventId,
) -> Result<PublishedEvent, Failure> {
    let published = ctx.store.get_published_event(mode, organization_id, event_id).await?;
    let oldest = ctx.now().checked_sub(EVENT_SHOWN).unwrap_or(Timestamp::MIN);
    let published = published.filter(|published| published.event.created_at >= oldest);
    published.ok_or_else(unknown_event)
}

/// A delivery of an event, and the record of its endpoint if that was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The delivery.
    pub delivery: DeliveryRecord,
    /// The endpoint, if it was deleted.
    pub deleted: Option<DeletedEndpoint>,
}

/// An event and the organization's endpoints, with or without a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// The event.
    pub published: PublishedEvent,
    /// Its deliveries: first those to current endpoints, then those to deleted ones.
    pub made: Vec<Made>,
    /// The current endpoints that it was never sent to.
    pub without: Vec<EndpointRecord>,
}

/// An event with its deliveries, and the endpoints that have none.
pub async fn deliveries_of_event(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    event_id: &EventId,
) -> Result<Spread, Failure> {
    let published = get_event(ctx, mode, organization_id, event_id).await?;
    let store = &ctx.store;
    let (mut endpoints, mut deleted) =
        store.list_endpoints_and_deleted(mode, organization_id).await?;
    let had = deleted.iter().map(|it| &it.endpoint_id);
    let ids: Vec<_> = endpoints.iter().map(|it| &it.endpoint_id).chain(had).collect();
    let found = store.get_deliveries_of(mode, organization_id, &ids, event_id).await?;
    endpoints.retain(|it| found.iter().all(|delivery| delivery.endpoint_id != it.endpoint_id));
    let made = found.into_iter().map(|delivery| {
        let at = deleted.iter().position(|it| it.endpoint_id == delivery.endpoint_id);
        Made { delivery, deleted: at.map(|at| deleted.swap_remove(at)) }
    });
    Ok(Spread { published, made: made.collect(), without: endpoints })
}

/// Lists the deliveries to an endpoint, those of the newest events first.
pub async fn deliveries_to_endpoint(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    state: Option<DeliveryState>,
    asked: PageQuery<'_>,
) -> Result<Page<DeliveryRecord>, Failure> {
    let filter = (endpoint_id, state);
    let list = List { name: "deliveries", mode, owner: organization_id.as_str(), filter: &filter };
    let from = position(asked.after(&list).await?)?;
    let (owner, limit) = ((organization_id, endpoint_id), asked.limit());
    let (states, from) = (state.as_slice(), from.as_ref());
    let page = ctx.store.list_deliveries(mode, owner, states, None, from, limit).await?;
    let page = page.ok_or_else(unknown_endpoint)?;
    let items = page.items.into_iter().map(|(delivery, _)| delivery).collect();
    asked.page(&list, items, page.next.map(|next| next.to_text())).await
}

/// Maximum endpoints whose stopped deliveries are counted: each takes a query of each shard and a batch read.
pub const STOPPED_ENDPOINTS: usize = 5;
/// Maximum stopped deliveries that are counted for an endpoint.
const STOPPED_COUNTED: usize = 50;
/// How long a stopped delivery needs attention, from the creation of its event. The schedule of a delivery takes four
/// days.
const STOPPED_SHOWN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// An endpoint with events whose delivery stopped: all attempts failed, or the service parked the delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The endpoint.
    pub endpoint: EndpointRecord,
    /// How many deliveries stopped.
    pub count: u32,
    /// Whether there are more than were counted.
    pub is_more: bool,
}

/// The first [`STOPPED_ENDPOINTS`] enabled endpoints that have events whose delivery stopped lately.
pub async fn stopped(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoints: &[Watched],
) -> Result<Vec<Stopped>, Failure> {
    let since = ctx.now().checked_sub(STOPPED_SHOWN).ok();
    let states = &[DeliveryState::Failed];
    let enabled = endpoints.iter().map(|watched| &watched.endpoint);
    let enabled = enabled.filter(|endpoint| endpoint.status == EndpointStatus::Enabled);
    let read = enabled.take(STOPPED_ENDPOINTS).map(async |endpoint| {
        let of = (organization_id, &endpoint.endpoint_id);
        let page =
            ctx.store.list_deliveries(mode, of, states, since, None, STOPPED_COUNTED).await?;
        let page = page.filter(|page| !page.items.is_empty());
        Ok::<_, Failure>(page.map(|page| Stopped {
            endpoint: endpoint.clone(),
            count: u32::try_from(page.items.len()).unwrap_or(u32::MAX),
            is_more: page.next.is_some(),
        }))
    });
    Ok(try_join_all(read).await?.into_iter().flatten().collect())
}

/// A delivery, with the request and the answer of each attempt.
pub async fn look(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    event_id: &EventId,
    endpoint_id: &EndpointId,
) -> Result<Looked, Failure> {
    let delivery = ctx.store.get_delivery(mode, organization_id, event_id, endpoint_id).await?;
    let delivery = delivery.ok_or_else(unknown_delivery)?;
    let store = &ctx.store;
    let (event, exchanges, endpoint) = tokio::try_join!(
        store.get_published_event(mode, organization_id, event_id),
        store.list_exchanges_of(&delivery),
        store.get_endpoint(mode, organization_id, endpoint_id),
    )?;
    let deleted = match &endpoint {
        Some(_) => None,
        None => store.get_deleted_endpoint(mode, organization_id, endpoint_id).await?,
    };
    Ok(Looked { delivery, event, exchanges, is_endpoint_there: endpoint.is_some(), deleted })
}

impl Looked {
    /// Without the answers, for callers that may not see them.
    pub fn without_answers(mut self) -> Self {
        self.exchanges.iter_mut().for_each(|exchange| exchange.answer = None);
        self
    }
}

/// Whether a caller may see the answers of endpoints, which can reveal systems behind them. Owners may
/// ([`Permission::Govern`]), by their sessions and by keys that they created. Keys that the operator created may too.
/// The current role of a key's creator counts.
pub async fn may_see_answers(ctx: &Context, caller: &OrganizationCaller) -> Result<bool, Failure> {
    let OrganizationCaller { mode, organization_id, credential } = caller;
    let maker = match credential {
        CredentialId::ApiKey(id) => {
            let key = ctx.store.find_api_key(*mode, organization_id, id).await?;
            key.map(|key| key.created_by)
        }
        CredentialId::Session(id) => Some(Actor::Member(id.clone())),
        CredentialId::AccessToken(_) => None,
    };
    match maker {
        Some(Actor::Operator) => Ok(true),
        Some(Actor::Member(id)) => {
            let member = ctx.store.get_member(*mode, organization_id, &id).await?;
            Ok(member.is_some_and(|member| member.role.may(Permission::Govern)))
        }
        _ => Ok(false),
    }
}

/// Parses the position of a list.
pub(super) fn position(text: Option<String>) -> Result<Option<Position>, Failure> {
    Ok(text.as_deref().map(Position::from_text).transpose()?)
}

/// The refusal for an event that does not exist or was not published to the organization.
pub fn unknown_event() -> Failure {
    let message = "The organization received no event with that id in the last 30 days.";
    Failure::new(Code::NotFound, message)
}

/// The refusal for a delivery that was never made.
pub fn unknown_delivery() -> Failure {
    Failure::new(Code::NotFound, "There was no delivery of that event to that endpoint.")
}
