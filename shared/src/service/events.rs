//! What an event says: its envelope (specification 6.3), whose bytes are made here, once. Every
//! delivery carries them as they are.

use jiff::Timestamp;
use serde::Serialize;

use super::Context;
use crate::{
    access::{Audience, Grant, Scope, Taxpayer, TaxpayerStatus},
    store::{EventRecord, EventType, Subject, instant},
    types::{EventId, GrantId, Mode, ParticipantId, TaxpayerId},
};

#[derive(Serialize)]
struct Envelope<'a, D, P> {
    id: &'a EventId,
    r#type: EventType,
    version: &'static str,
    created_at: String,
    participant_id: &'a ParticipantId,
    environment: Mode,
    test: bool,
    data: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_attributes: Option<P>,
}

/// An event to be written.
pub(super) struct Told<'a, D, P> {
    pub(super) mode: Mode,
    pub(super) event_type: EventType,
    pub(super) taxpayer_id: &'a TaxpayerId,
    pub(super) participant_id: &'a ParticipantId,
    pub(super) subject: Subject,
    pub(super) audience: Audience,
    pub(super) data: D,
    /// The old values of what changed, where that is told.
    pub(super) previous: Option<P>,
    pub(super) at: Timestamp,
}

/// Writes an event.
pub(super) fn write<D: Serialize, P: Serialize>(
    ctx: &Context,
    told: Told<'_, D, P>,
) -> Result<EventRecord, serde_json::Error> {
    let event_id = EventId::new(told.at, &*ctx.random);
    let envelope = Envelope {
        id: &event_id,
        r#type: told.event_type,
        version: "1",
        created_at: instant(told.at),
        participant_id: told.participant_id,
        environment: told.mode,
        test: false,
        data: told.data,
        previous_attributes: told.previous,
    };
    let body = serde_json::to_string(&envelope)?;
    Ok(EventRecord {
        event_id,
        mode: told.mode,
        taxpayer_id: told.taxpayer_id.clone(),
        event_type: told.event_type,
        subject: told.subject,
        audience: told.audience,
        body,
        created_at: told.at,
    })
}

/// A change of the grants that one organization holds on a taxpayer.
pub(super) struct TaxpayerChange<'a> {
    pub(super) event_type: EventType,
    pub(super) audience: Audience,
    /// What it held before; told of an update alone.
    pub(super) before: Option<&'a [Grant]>,
    /// What it holds now.
    pub(super) now: &'a [Grant],
}

/// What a taxpayer event tells: that of one organization, whose grants alone are in it.
#[derive(Serialize)]
struct TaxpayerData<'a> {
    taxpayer_id: &'a TaxpayerId,
    participant_id: &'a ParticipantId,
    status: &'static str,
    grants: Vec<GrantData<'a>>,
}

#[derive(Serialize)]
struct GrantData<'a> {
    grant_id: &'a GrantId,
    scopes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grant_label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
    created_at: String,
}

#[derive(Serialize)]
struct PreviousGrants<'a> {
    grants: Vec<GrantData<'a>>,
}

/// An event about a taxpayer, for an organization.
pub(super) fn of_taxpayer(
    ctx: &Context,
    taxpayer: &Taxpayer,
    change: TaxpayerChange<'_>,
    at: Timestamp,
) -> Result<EventRecord, serde_json::Error> {
    let TaxpayerChange { event_type, audience, before, now } = change;
    let data = TaxpayerData {
        taxpayer_id: &taxpayer.taxpayer_id,
        participant_id: &taxpayer.participant_id,
        status: TaxpayerStatus::as_str(taxpayer.status),
        grants: shown(now),
    };
    let told = Told {
        mode: taxpayer.mode,
        event_type,
        taxpayer_id: &taxpayer.taxpayer_id,
        participant_id: &taxpayer.participant_id,
        subject: Subject::Taxpayer,
        audience,
        data,
        previous: before.map(|before| PreviousGrants { grants: shown(before) }),
        at,
    };
    write(ctx, told)
}

/// Grants as events show them, the oldest first.
fn shown(grants: &[Grant]) -> Vec<GrantData<'_>> {
    let mut shown: Vec<_> = grants
        .iter()
        .map(|grant| GrantData {
            grant_id: &grant.grant_id,
            scopes: grant.scopes.iter().copied().map(Scope::as_str).collect(),
            grant_label: grant.grant_label.as_deref(),
            external_id: grant.external_id.as_deref(),
            created_at: instant(grant.created_at),
        })
        .collect();
    shown.sort_by_key(|grant| grant.grant_id);
    shown
}
