//! The audit trail of an organization: changes of keys, clients, grants and settings.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{error::ApiError, request::OwnCall, response::three_digits, wire::AuditAction};
use crate::{
    access::{Actor, AuditRecord},
    api::{
        query,
        route::{Answer, Content, OWN, Route},
    },
    service::audit,
};

/// The type of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditActorKind {
    /// Whoever operates the access point.
    Operator,
    /// The organization, by an API key.
    ApiKey,
    /// The organization, by an OAuth client.
    Client,
    /// The taxpayer.
    Taxpayer,
    /// A member of the organization, in the portal.
    Member,
    /// The national tax portal, by what it says of the taxpayer.
    NationalPortal,
    /// The service itself, by a rule that it follows.
    Service,
    /// One that this version of the service does not know yet; only while it is being updated.
    Unknown,
}

/// The actor of an audit event.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditActorResponse {
    /// Type of the actor.
    pub kind: AuditActorKind,
    /// Identifier of the API key, client, taxpayer or member. Null for an operator, the national portal and the
    /// service.
    #[schema(required, example = "key_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub id: Option<String>,
}

/// An entry of the audit trail. Entries are never changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEventResponse {
    /// Identifier of the entry.
    #[schema(example = "aud_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub audit_id: String,
    /// Time of the action.
    #[serde(serialize_with = "three_digits")]
    #[schema(example = "2026-07-01T10:00:00.000Z")]
    pub at: Timestamp,
    /// The action.
    pub action: AuditAction,
    /// The actor who performed the action.
    pub actor: AuditActorResponse,
    /// Identifier of the object of the action.
    #[schema(example = "tgr_019f1c2e8a7b7cc1a1b2c3d4e5f60718")]
    pub subject: String,
    /// IP address of the client. Null when the organization did not act itself, or did not act over a network.
    #[schema(required, example = "192.0.2.1")]
    pub ip: Option<String>,
    /// User-Agent header of the client. Null in the same cases as `ip`.
    #[schema(required)]
    pub user_agent: Option<String>,
    /// Identifier of the request. Null in the same cases as `ip`.
    #[schema(required)]
    pub request_id: Option<String>,
}

/// A page of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListAuditEventsResponse {
    /// The entries, newest first.
    pub items: Vec<AuditEventResponse>,
    /// Opaque cursor of the next page. Pass it as `cursor`. Null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

impl From<Actor> for AuditActorResponse {
    fn from(actor: Actor) -> Self {
        let kind = match &actor {
            Actor::Operator => AuditActorKind::Operator,
            Actor::ApiKey(_) => AuditActorKind::ApiKey,
            Actor::Client(_) => AuditActorKind::Client,
            Actor::Taxpayer(_) => AuditActorKind::Taxpayer,
            Actor::Member(_) => AuditActorKind::Member,
            Actor::NationalPortal => AuditActorKind::NationalPortal,
            Actor::Service => AuditActorKind::Service,
            Actor::Unknown(_) => AuditActorKind::Unknown,
        };
        let id = match actor {
            Actor::Operator | Actor::NationalPortal | Actor::Service => None,
            named => Some(named.into()),
        };
        AuditActorResponse { kind, id }
    }
}

impl From<AuditRecord> for AuditEventResponse {
    fn from(record: AuditRecord) -> Self {
        AuditEventResponse {
            audit_id: record.audit_id.into(),
            at: record.at,
            action: record.action.into(),
            actor: record.actor.into(),
            subject: record.subject,
            ip: record.ip,
            user_agent: record.user_agent,
            request_id: record.request_id,
        }
    }
}

pub(super) const LIST: Route = Route {
    id: "list_audit_events",
    path: "/audit-events",
    summary: "List audit events",
    description: "Returns the audit trail, newest first: actor, action, time and origin. It covers the \
        organization's API keys, OAuth clients and grants. It also covers changes of metadata and settings of \
        taxpayers by the organization. Entries are never changed or removed. An entry about an action of a \
        taxpayer or an operator has no origin. Requires only Authorization. A page may be shorter than `limit`. \
        Continue until `next_cursor` is null.",
    query: query::LIST_AUDIT_EVENTS,
    answers: &[Answer::of(200, "A page", Content::AuditEvents)],
    ..OWN
};

pub(super) async fn list(call: OwnCall) -> Result<Response, ApiError> {
    let filter = audit::Filter {
        action: call.query.name::<AuditAction>("action")?.map(Into::into),
        from: call.query.instant("created_from")?,
        to: call.query.instant("created_to")?,
    };
    let page = audit::list(call.ctx(), &call.caller, &filter, call.asked()?).await?;
    let items = page.items.into_iter().map(Into::into).collect();
    Ok(Json(ListAuditEventsResponse { items, next_cursor: page.next_cursor }).into_response())
}
