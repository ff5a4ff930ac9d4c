//! An organization's webhook endpoints (specification 6.1 and 6.4). Each has a signing secret that is shown once.
//!
//! Every change is conditional on the version that was read. Concurrent changes are applied one after the other, each
//! to the result of the one before. A caller that names a version is refused when the endpoint has another one.

pub mod events;
pub(crate) mod samples;
pub mod tools;

use jiff::{SignedDuration, Timestamp};

use super::{Context, Notifying, audit, later};
pub use crate::store::MAX_ENDPOINTS;
use crate::{
    access::{Action, AuditRecord, By, Deed, Trail},
    egress::EgressError,
    error::{Code, Failure, Finding},
    store::{
        Disabled, DisabledReason, EndpointRecord, EndpointStatus, EventType, PreviousSecret,
        Recorded, Watched,
    },
    types::{EndpointId, Mode, OrganizationId, TaxpayerId},
    webhook::{SealingKeys, Secret},
};

/// Maximum characters of an endpoint's URL.
pub const MAX_URL: usize = 2_048;
/// Maximum characters of an endpoint's description.
pub const MAX_DESCRIPTION: usize = 200;
/// Maximum taxpayers that an endpoint may be limited to.
pub const MAX_TAXPAYERS: usize = 100;
/// "Rotating a signing secret gives a 24-hour overlap in which both secrets are valid" (specification 6.4, point 4).
pub const OVERLAP: SignedDuration = SignedDuration::from_hours(24);

/// Maximum attempts of a change that meets concurrent changes.
const ATTEMPTS: u32 = 12;

/// The settings of a new endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Where deliveries go.
    pub url: String,
    /// The event types that it takes; all when empty.
    pub event_types: Vec<EventType>,
    /// The taxpayers whose events it takes; all when empty.
    pub taxpayer_ids: Vec<TaxpayerId>,
    /// Its owner's description.
    pub description: Option<String>,
    /// Whether it is created as disabled.
    pub disabled: bool,
}

/// A change of an endpoint. A part that is `None` stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// Where deliveries go.
    pub url: Option<String>,
    /// The event types that it takes.
    pub event_types: Option<Vec<EventType>>,
    /// The taxpayers whose events it takes.
    pub taxpayer_ids: Option<Vec<TaxpayerId>>,
    /// Its owner's description; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// Whether it takes deliveries.
    pub enabled: Option<bool>,
    /// The version that the change is based on. Without it, the change applies to the current version.
    pub version: Option<u64>,
}

/// An endpoint with its signing secret. Only its owner sees the secret, and only once.
#[derive(Debug)]
pub struct Revealed {
    /// The endpoint.
    pub endpoint: EndpointRecord,
    /// Its secret.
    pub secret: Secret,
}

/// The endpoints of an organization, in the order of their creation.
pub async fn list(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Vec<Watched>, Failure> {
    Ok(ctx.store.watch_endpoints(mode, organization_id, None).await?)
}

/// An endpoint of an organization.
pub async fn get(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
) -> Result<Watched, Failure> {
    let found = ctx.store.watch_endpoints(mode, organization_id, Some(endpoint_id)).await?;
    found.into_iter().next().ok_or_else(unknown_endpoint)
}

/// Creates an endpoint, after a check of its URL. The URL is stored in the form in which requests use it.
pub async fn create(
    notifying: &Notifying,
    mode: Mode,
    organization_id: &OrganizationId,
    wanted: EndpointSettings,
    by: &By,
) -> Result<Revealed, Failure> {
    let url = check_url(notifying, &wanted.url).await?;
    check_taxpayers(&notifying.ctx, mode, organization_id, &wanted.taxpayer_ids, &[]).await?;
    let wanted = EndpointSettings { url, ..wanted };
    let secret = Secret::new(&*notifying.ctx.random);
    let keys = &notifying.sealing_keys;
    make(&notifying.ctx, keys, (mode, organization_id), wanted, secret, by).await
}

/// Creates an endpoint with a given secret, at a URL that the caller vouches for.
pub(crate) async fn make(
    ctx: &Context,
    keys: &SealingKeys,
    (mode, organization_id): (Mode, &OrganizationId),
    wanted: EndpointSettings,
    secret: Secret,
    by: &By,
) -> Result<Revealed, Failure> {
    let EndpointSettings { url, event_types, taxpayer_ids, description, disabled } = wanted;
    let now = ctx.now();
    let endpoint_id = EndpointId::new(now, &*ctx.random);
    let endpoint = EndpointRecord {
        sealed_secret: sealed(ctx, keys, mode, &endpoint_id, &secret)?,
        endpoint_id,
        mode,
        organization_id: organization_id.clone(),
        url,
        event_types,
        taxpayer_ids,
        description,
        status: if disabled { EndpointStatus::Disabled } else { EndpointStatus::Enabled },
        disabled: disabled.then_some(Disabled { reason: DisabledReason::Requested, at: now }),
        previous_secret: None,
        version: 1,
        created_at: now,
    };
    let entry = entry(ctx, &endpoint, Action::EndpointCreated, by, now);
    for attempt in 0..ATTEMPTS {
        let (endpoints, counted) = ctx.store.count_endpoints(mode, organization_id).await?;
        let exists = endpoints.iter().any(|it| it.endpoint_id == endpoint.endpoint_id);
        if !exists && endpoints.len() >= MAX_ENDPOINTS {
            let message = format!(
                "The organization has {MAX_ENDPOINTS} webhook endpoints, which is the maximum: delete one first."
            );
            return Err(Failure::new(Code::EndpointLimitReached, message));
        }
        if exists || ctx.store.add_endpoint(&endpoint, counted, &entry).await? == Recorded::Done {
            return Ok(Revealed { endpoint, secret });
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// Changes an endpoint. An endpoint that is enabled again, or has another URL, starts without failures.
pub async fn patch(
    notifying: &Notifying,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    patch: &Patch,
    by: &By,
) -> Result<Watched, Failure> {
    let ctx = &notifying.ctx;
    let mut checked = None;
    for attempt in 0..ATTEMPTS {
        let read = get(ctx, mode, organization_id, endpoint_id).await?;
        let present = read.endpoint.version;
        if let Some(version) = patch.version.filter(|version| *version != present) {
            let message = format!(
                "The endpoint has changed: its version is {present}, not {version}. Read it again, and change the \
                 current version."
            );
            return Err(Failure::new(Code::VersionConflict, message));
        }
        let now = ctx.now();
        let mut new = patched(&read.endpoint, patch, now);
        new.url = as_called(&new.url).unwrap_or(new.url);
        // A patch without effect is no change, and the version stays.
        if new == read.endpoint {
            return Ok(read);
        }
        let has_moved = new.url != read.endpoint.url;
        if has_moved && checked.as_ref() != Some(&new.url) {
            check_url(notifying, &new.url).await?;
            checked = Some(new.url.clone());
        }
        let before = &read.endpoint.taxpayer_ids;
        check_taxpayers(ctx, mode, organization_id, &new.taxpayer_ids, before).await?;
        let new = EndpointRecord { version: present + 1, ..new };
        let entry = entry(ctx, &new, Action::EndpointUpdated, by, now);
        let enabled = |it: &EndpointRecord| it.status == EndpointStatus::Enabled;
        let starts_anew = has_moved || enabled(&new) && !enabled(&read.endpoint);
        let store = &ctx.store;
        let recorded = store.change_endpoint(&read.endpoint, &new, starts_anew, &entry);
        if recorded.await? == Recorded::Done {
            let failing_since = read.failing_since.filter(|_| !starts_anew);
            return Ok(Watched { endpoint: new, failing_since });
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// An endpoint after a patch.
fn patched(read: &EndpointRecord, patch: &Patch, now: Timestamp) -> EndpointRecord {
    let mut new = read.clone();
    new.url = patch.url.clone().unwrap_or(new.url);
    new.event_types = patch.event_types.clone().unwrap_or(new.event_types);
    new.taxpayer_ids = patch.taxpayer_ids.clone().unwrap_or(new.taxpayer_ids);
    new.description = patch.description.clone().unwrap_or(new.description);
    let enabled = read.status == EndpointStatus::Enabled;
    match patch.enabled {
        Some(true) if !enabled => {
            new.status = EndpointStatus::Enabled;
            new.disabled = None;
        }
        Some(false) if enabled => {
            new.status = EndpointStatus::Disabled;
            new.disabled = Some(Disabled { reason: DisabledReason::Requested, at: now });
        }
        _ => {}
    }
    new
}

/// Gives an endpoint a new secret. The old secret signs too for [`OVERLAP`]. With `immediately`, for a leaked secret,
/// only the new one signs from now on. A still older secret is dropped at once.
pub async fn rotate(
    notifying: &Notifying,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    immediately: bool,
    by: &By,
) -> Result<Revealed, Failure> {
    let ctx = &notifying.ctx;
    let secret = Secret::new(&*ctx.random);
    for attempt in 0..ATTEMPTS {
        let read = get(ctx, mode, organization_id, endpoint_id).await?.endpoint;
        let now = ctx.now();
        let previous = PreviousSecret {
            sealed_secret: read.sealed_secret.clone(),
            until: later(now, OVERLAP),
        };
        let new = EndpointRecord {
            sealed_secret: sealed(ctx, &notifying.sealing_keys, mode, endpoint_id, &secret)?,
            previous_secret: (!immediately).then_some(previous),
            version: read.version + 1,
            ..read.clone()
        };
        let entry = entry(ctx, &new, Action::EndpointSecretRotated, by, now);
        if ctx.store.change_endpoint(&read, &new, false, &entry).await? == Recorded::Done {
            return Ok(Revealed { endpoint: new, secret });
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// Deletes an endpoint. Its waiting deliveries end as failed at their next turn.
pub async fn delete(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    endpoint_id: &EndpointId,
    by: &By,
) -> Result<(), Failure> {
    let endpoint = get(ctx, mode, organization_id, endpoint_id).await?.endpoint;
    let entry = entry(ctx, &endpoint, Action::EndpointDeleted, by, ctx.now());
    match ctx.store.delete_endpoint(&endpoint, &entry).await? {
        Recorded::Done => Ok(()),
        Recorded::Lost => Err(unknown_endpoint()),
    }
}

/// Refuses a URL that nothing may be sent to, by the rules of [`egress`](crate::egress). Returns the URL in the form in
/// which requests use it.
async fn check_url(notifying: &Notifying, url: &str) -> Result<String, Failure> {
    notifying.client.check_url(url).await.map_err(|error| unsendable(&error))?;
    Ok(as_called(url).unwrap_or_else(|| url.to_owned()))
}

/// A URL in the form in which requests use it (WHATWG URL, "URL serializing"), so that its reader sees which host is
/// called. The fragment is removed, since it is not sent (RFC 9110, section 4.2.5). `None` for a text that is no URL.
fn as_called(url: &str) -> Option<String> {
    let mut url = url::Url::parse(url).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// Refuses taxpayers that the organization never had a grant on, since an endpoint for them would never get an event.
/// Taxpayers that the endpoint has already may stay.
async fn check_taxpayers(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    wanted: &[TaxpayerId],
    before: &[TaxpayerId],
) -> Result<(), Failure> {
    let mut findings = Vec::new();
    for (at, id) in wanted.iter().enumerate().filter(|(_, id)| !before.contains(id)) {
        if ctx.store.get_connection(mode, organization_id, id).await?.is_none() {
            let message = "the organization has no grant on this taxpayer; GET /taxpayers lists the taxpayers with a \
                           grant";
            let place = format!("/taxpayer_ids/{at}");
            findings.push(Finding::error(place, "AP-JSON-code", message));
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(invalid(findings)) }
}

/// The refusal of a URL that nothing may be sent to.
pub(crate) fn unsendable(error: &EgressError) -> Failure {
    let message = format!("the service cannot send to this URL: {}", error.message);
    invalid(vec![Finding::error("/url", "AP-WEBHOOK-url", message)])
}

/// The refusal of an invalid request about webhooks.
pub(crate) fn invalid(findings: Vec<Finding>) -> Failure {
    let message = match findings.len() {
        1 => "The body has 1 error; see errors.".to_owned(),
        count => format!("The body has {count} errors; see errors."),
    };
    Failure { message, ..Failure::invalid(findings) }
}

fn sealed(
    ctx: &Context,
    keys: &SealingKeys,
    mode: Mode,
    endpoint_id: &EndpointId,
    secret: &Secret,
) -> Result<String, Failure> {
    keys.seal(secret, mode, endpoint_id, &*ctx.random).map_err(|error| {
        Failure::new(Code::InternalError, "The endpoint's secret cannot be encrypted.")
            .because(error)
    })
}

fn entry(
    ctx: &Context,
    endpoint: &EndpointRecord,
    action: Action,
    by: &By,
    at: Timestamp,
) -> AuditRecord {
    let EndpointRecord { mode, organization_id, endpoint_id, .. } = endpoint;
    let deed = Deed { mode: *mode, by, action, subject: endpoint_id.as_str(), at };
    audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()))
}

/// The refusal for an endpoint that does not exist or belongs to another organization.
pub fn unknown_endpoint() -> Failure {
    Failure::new(Code::NotFound, "The organization has no webhook endpoint with that id.")
}

fn busy() -> Failure {
    let message =
        "The organization's webhook endpoints are changing too often at the moment: retry.";
    Failure::new(Code::ServiceUnavailable, message)
}
