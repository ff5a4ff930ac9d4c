//! Writes events: their envelope (specification 6.3). The bytes are made here once, and every delivery carries them
//! unchanged.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Context;
use crate::{
    access::{Audience, Grant, Scope, Taxpayer, TaxpayerStatus},
    error::{Code, Failure},
    i18n::Language,
    store::{Awaited, EventRecord, EventType, Reached, Subject, TaxpayerSettings, instant},
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
pub(super) struct NewEvent<'a, D, P> {
    pub(super) mode: Mode,
    pub(super) event_type: EventType,
    pub(super) taxpayer_id: &'a TaxpayerId,
    pub(super) participant_id: &'a ParticipantId,
    pub(super) subject: Subject,
    pub(super) audience: Audience,
    pub(super) data: D,
    /// The old values of changed attributes, where the event has them.
    pub(super) previous: Option<P>,
    pub(super) at: Timestamp,
    /// The result that the document has reached, if the event concerns one.
    pub(super) reached: Option<Reached>,
    /// The results of other parties that the document waits for from then on.
    pub(super) awaits: Vec<Awaited>,
}

/// Writes an event.
pub(super) fn write<D: Serialize, P: Serialize>(
    ctx: &Context,
    event: NewEvent<'_, D, P>,
) -> Result<EventRecord, serde_json::Error> {
    let event_id = EventId::new(event.at, &*ctx.random);
    let envelope = Envelope {
        id: &event_id,
        r#type: event.event_type,
        version: "1",
        created_at: instant(event.at),
        participant_id: event.participant_id,
        environment: event.mode,
        test: false,
        data: event.data,
        previous_attributes: event.previous,
    };
    let body = serde_json::to_string(&envelope)?;
    Ok(EventRecord {
        event_id,
        mode: event.mode,
        taxpayer_id: event.taxpayer_id.clone(),
        event_type: event.event_type,
        subject: event.subject,
        audience: event.audience,
        body,
        created_at: event.at,
        reached: event.reached,
        awaits: event.awaits,
    })
}

/// A change of a taxpayer, for one organization.
pub(super) struct TaxpayerChange<'a> {
    pub(super) event_type: EventType,
    pub(super) audience: Audience,
    /// The taxpayer after the change.
    pub(super) taxpayer: &'a Taxpayer,
    /// The organization's grants after the change.
    pub(super) grants: &'a [Grant],
    /// The organization's metadata after the change.
    pub(super) metadata: &'a BTreeMap<String, String>,
    /// The settings after the change.
    pub(super) settings: &'a TaxpayerSettings,
    /// The old values; only for an update.
    pub(super) before: Option<Before<'a>>,
}

/// The old values of each changed part.
#[derive(Default)]
pub(super) struct Before<'a> {
    pub(super) status: Option<TaxpayerStatus>,
    pub(super) grants: Option<&'a [Grant]>,
    pub(super) metadata: Option<&'a BTreeMap<String, String>>,
    pub(super) settings: Option<&'a TaxpayerSettings>,
    /// The taxpayer with its old details.
    pub(super) details: Option<&'a Taxpayer>,
}

/// The data of a taxpayer event. It has the grants and metadata of one organization only.
#[derive(Serialize)]
struct TaxpayerData<'a> {
    taxpayer_id: &'a TaxpayerId,
    participant_id: &'a ParticipantId,
    status: &'static str,
    grants: Vec<GrantData<'a>>,
    metadata: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<SettingsData<'a>>,
    /// Name and profile are long, so only an event about their change has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Value>,
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
struct SettingsData<'a> {
    language: Language,
    mls_to: Option<String>,
    notification_email: Option<&'a str>,
}

/// "previous_attributes holds only the changed attributes with their old values" (specification 6.3).
#[derive(Serialize)]
struct PreviousTaxpayer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grants: Option<Vec<GrantData<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<BTreeMap<&'a str, Option<&'a str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Value>,
}

/// An event about a taxpayer, for an organization.
pub(super) fn of_taxpayer(
    ctx: &Context,
    change: TaxpayerChange<'_>,
    at: Timestamp,
) -> Result<EventRecord, Failure> {
    let TaxpayerChange { event_type, audience, taxpayer, grants, metadata, settings, before } =
        change;
    // Settings, name and profile are details that need a scope (specification 5.3). An organization without that scope
    // is notified of the change, without the values.
    let reads = grants.iter().any(|grant| grant.scopes.contains(&Scope::TaxpayerRead));
    let details = before.as_ref().and_then(|before| before.details);
    let readable = details.filter(|_| reads);
    let data = TaxpayerData {
        taxpayer_id: &taxpayer.taxpayer_id,
        participant_id: &taxpayer.participant_id,
        status: TaxpayerStatus::as_str(taxpayer.status),
        grants: shown(grants),
        metadata,
        settings: reads.then(|| settings_shown(settings)),
        name: readable.map(|_| taxpayer.name.as_str()),
        profile: readable.map(|_| profile_shown(taxpayer)),
    };
    let previous = before.map(|before| PreviousTaxpayer {
        status: before.status.map(TaxpayerStatus::as_str),
        grants: before.grants.map(shown),
        metadata: before.metadata.map(|before| changed_pairs(before, metadata)),
        settings: before.settings.map(|before| match reads {
            true => changed_settings(before, settings),
            false => Map::new(),
        }),
        name: readable.filter(|old| old.name != taxpayer.name).map(|old| old.name.as_str()),
        profile: match (readable, details) {
            (Some(old), _) => (old.profile != taxpayer.profile).then(|| profile_shown(old)),
            (None, Some(_)) => Some(Value::Object(Map::new())),
            (None, None) => None,
        },
    });
    let event = NewEvent {
        mode: taxpayer.mode,
        event_type,
        taxpayer_id: &taxpayer.taxpayer_id,
        participant_id: &taxpayer.participant_id,
        subject: Subject::Taxpayer,
        audience,
        data,
        previous,
        at,
        reached: None,
        awaits: Vec::new(),
    };
    write(ctx, event).map_err(|error| {
        Failure::new(Code::InternalError, "an event cannot be serialized").because(error)
    })
}

/// The old values of the keys that differ: "a newly added metadata key has a null previous value" (specification
/// 6.3).
fn changed_pairs<'a>(
    before: &'a BTreeMap<String, String>,
    now: &'a BTreeMap<String, String>,
) -> BTreeMap<&'a str, Option<&'a str>> {
    let old = |key: &'a String| (key.as_str(), before.get(key).map(String::as_str));
    let keys = before.keys().chain(now.keys());
    keys.filter(|key| before.get(*key) != now.get(*key)).map(old).collect()
}

/// A profile in the form that callers see.
fn profile_shown(taxpayer: &Taxpayer) -> Value {
    serde_json::from_str(&taxpayer.profile).unwrap_or_default()
}

fn settings_shown(settings: &TaxpayerSettings) -> SettingsData<'_> {
    SettingsData {
        language: settings.language,
        mls_to: settings.mls_to.as_ref().map(|spid| spid.participant().to_string()),
        notification_email: settings.notification_email.as_deref(),
    }
}

/// The old values of the settings that differ.
fn changed_settings(before: &TaxpayerSettings, now: &TaxpayerSettings) -> Map<String, Value> {
    let shown = |settings| match serde_json::to_value(settings_shown(settings)) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    let now = shown(now);
    shown(before).into_iter().filter(|(name, old)| now.get(name) != Some(old)).collect()
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
