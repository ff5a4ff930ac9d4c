//! Grants: which organization may act for which taxpayer (specification 3.1). Each change publishes an event to the
//! organization (6.2).
//!
//! The count of active grants decides the type of the event. It is stored in the connection between organization and
//! taxpayer. Every change is conditional on the connection, and on the grants of other organizations, as they were
//! read. Of concurrent changes one succeeds, and the others read again.
//!
//! In Live an organization's first grant on a taxpayer takes one of its paid seats. The end of the last grant frees the
//! seat (specification 1). Both happen in the grant's transaction. The transaction also records the taxpayer's decision
//! about an authorization request. An approval that cannot make a grant records no decision, so it can be repeated
//! later.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::{
    Context, RELAY_GRACE, audit, events, later, notices,
    page::{List, Page, PageQuery},
};
use crate::{
    access::{
        Action, Actor, Audience, By, Connection, Deed, Grant, GrantStatus, OrganizationCaller,
        Origin, Scope, Trail,
        oauth::{AuthorizationRequest, Decision},
    },
    error::{Code, Failure},
    store::{
        Access, Billing, BillingStatus, EventRecord, EventType, Freshness, GrantChange,
        GrantSelection, MailRecord, Recorded, Seat, SeatChange, TaxpayerState,
    },
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

/// Maximum active grants of an organization on one taxpayer, since an event lists all of them.
pub const MAX_GRANTS: usize = 100;

/// Maximum organizations that are connected to one taxpayer. The transaction of a status or settings change holds an
/// event for each of them.
pub const MAX_ORGANIZATIONS: usize = 50;

/// Maximum active grants on one taxpayer, of all organizations, since one item holds them for one read.
pub const MAX_GRANTS_OF_ALL: usize = 500;

/// Maximum attempts of a change that meets concurrent changes.
pub(super) const ATTEMPTS: u32 = 12;

/// Which grants to list. A grant must match every given part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The status of the grants.
    pub status: Option<GrantStatus>,
    /// The taxpayer of the grants.
    pub taxpayer_id: Option<TaxpayerId>,
}

/// Lists the active and revoked grants of an organization, newest first. Returns the page and the cursor of the next
/// one. There may be more as long as there is a cursor.
pub async fn list(
    ctx: &Context,
    caller: &OrganizationCaller,
    filter: &Filter,
    asked: PageQuery<'_>,
) -> Result<Page<Grant>, Failure> {
    let OrganizationCaller { mode, organization_id, .. } = caller;
    let list = List { name: "grants", mode: *mode, owner: organization_id.as_str(), filter };
    let after = asked.after(&list).await?;
    let selection =
        GrantSelection { status: filter.status, taxpayer_id: filter.taxpayer_id.as_ref() };
    let (after, limit) = (after.as_deref(), asked.limit());
    let page = ctx.store.list_grants(*mode, organization_id, selection, after, limit).await?;
    asked.page(&list, page.items, page.next).await
}

/// A grant as its taxpayer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The active grant.
    pub grant: Grant,
    /// The name of the organization that has the grant.
    pub organization_name: String,
    /// When it was last used, to the hour, if that is recorded.
    pub last_used_at: Option<Timestamp>,
    /// The scope of that use.
    pub last_used_for: Option<Scope>,
}

/// The active grants of a taxpayer, newest first. Two reads, whatever their number.
pub async fn given_by(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<Vec<Given>, Failure> {
    let Access { mut grants, used, used_for, .. } = ctx.store.get_access(mode, taxpayer_id).await?;
    grants.sort_by(|a, b| b.grant_id.cmp(&a.grant_id));
    let ids: Vec<_> = grants.iter().map(|grant| grant.organization_id.clone()).collect();
    let organizations = ctx.store.get_organizations(mode, &ids).await?;
    let names: HashMap<_, _> =
        organizations.into_iter().map(|it| (it.organization_id, it.name)).collect();
    let given = |grant: Grant| {
        let organization_name = names.get(&grant.organization_id).cloned().unwrap_or_default();
        let last_used_at = used.get(&grant.grant_id).copied();
        // Of several grants that act together, only those with the scope were used for it.
        let last_used_for = used_for.get(&grant.grant_id).copied();
        let last_used_for = last_used_for.filter(|scope| grant.scopes.contains(scope));
        Given { grant, organization_name, last_used_at, last_used_for }
    };
    Ok(grants.into_iter().map(given).collect())
}

/// Revokes a grant on the taxpayer's own request (specification 3.1). Another taxpayer's grant is treated as missing.
pub async fn revoke_as_taxpayer(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    grant_id: &GrantId,
    origin: &Origin,
) -> Result<(), Failure> {
    let grants = ctx.store.list_active_grants(mode, taxpayer_id).await?;
    let grant = grants.into_iter().find(|grant| grant.grant_id == *grant_id);
    // A grant that has ended meanwhile counts as revoked.
    let Some(grant) = grant else { return Ok(()) };
    let by = By { actor: Actor::Taxpayer(taxpayer_id.clone()), origin: origin.clone() };
    revoke(ctx, mode, &grant.organization_id, grant_id, &by).await.map(drop)
}

/// A taxpayer's approval. The grant's identifier is fixed before, so that a repeated approval after a lost answer is
/// the same grant.
#[derive(Debug, Clone)]
pub struct Approval {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The grant that it makes.
    pub grant_id: GrantId,
    /// The taxpayer that approved.
    pub taxpayer_id: TaxpayerId,
    /// The approved organization.
    pub organization_id: OrganizationId,
    /// The approved scopes.
    pub scopes: BTreeSet<Scope>,
    /// Name of the connection.
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace.
    pub external_id: Option<String>,
    /// The authorization request that is decided with it. `None` where there was no request.
    pub request: Option<AuthorizationRequest>,
}

impl Approval {
    /// The decision about the request.
    fn decision(&self) -> Decision {
        Decision::Approved { taxpayer_id: self.taxpayer_id.clone() }
    }

    /// Whether another decision about the request is recorded.
    fn comes_late(&self, request: Option<&AuthorizationRequest>) -> bool {
        let decided = request.and_then(|request| request.decision.as_ref());
        decided.is_some_and(|decided| *decided != self.decision())
    }
}

/// Why a valid approval made no grant and recorded no decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalRefusal {
    /// Another decision about the request was recorded before.
    Decided,
    /// The organization has no active subscription.
    Unsubscribed,
    /// It is unknown at the moment whether the organization has a subscription.
    Stale,
    /// The organization uses every seat of its subscription.
    NoSeat,
}

/// The conditions for making a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Terms {
    /// In Live, an active subscription with a free seat, which may be unconfirmed for this long. The organization is
    /// notified.
    Approved(Freshness),
    /// No subscription is needed, and nobody is notified.
    Seeded,
}

/// Makes the grant that a taxpayer approved.
pub async fn approve(
    ctx: &Context,
    freshness: Freshness,
    approval: &Approval,
    by: &By,
) -> Result<Result<Grant, ApprovalRefusal>, Failure> {
    make(ctx, approval, by, Terms::Approved(freshness)).await
}

/// Makes a grant of demo data, and notifies nobody.
pub(crate) async fn seed(ctx: &Context, approval: &Approval) -> Result<Grant, Failure> {
    let made = make(ctx, approval, &By::operator(), Terms::Seeded).await?;
    made.map_err(|_| Failure::new(Code::InternalError, "Demo data were refused."))
}

/// Revokes a grant of an organization, on the taxpayer's or its own request. A revoked grant stays as it is.
pub async fn revoke(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    grant_id: &GrantId,
    by: &By,
) -> Result<Grant, Failure> {
    for attempt in 0..ATTEMPTS {
        let grant = ctx.store.get_grant(mode, organization_id, grant_id).await?;
        let grant = grant.ok_or_else(unknown_grant)?;
        if grant.status == GrantStatus::Revoked {
            return Ok(grant);
        }
        let Some(standing) = Standing::read(ctx, mode, organization_id, &grant.taxpayer_id).await?
        else {
            return Err(corrupt("a grant is on a taxpayer that no longer exists"));
        };
        let now = ctx.now();
        let revoked = Grant {
            status: GrantStatus::Revoked,
            revoked_at: Some(now),
            revoked_by: Some(by.actor.clone()),
            ..grant
        };
        let left = standing.grants.iter().filter(|grant| grant.grant_id != *grant_id);
        let left: Vec<Grant> = left.cloned().collect();
        let billing = match (mode, left.as_slice()) {
            (Mode::Live, []) => Some(ctx.store.get_billing(organization_id).await?),
            _ => None,
        };
        let seat = billing.as_ref().map(|billing| SeatChange { seat: Seat::Freed, billing });
        let mails = match &by.actor {
            // The taxpayer knows what it did.
            Actor::Taxpayer(_) => Vec::new(),
            _ => notices::of_revocation(ctx, &standing.state, &revoked, now).await?,
        };
        let change =
            Change { grant: &revoked, by, now, notifies: true, seat, decides: None, mails: &mails };
        if standing.change(ctx, change, left).await? == Recorded::Done {
            return Ok(revoked);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

async fn make(
    ctx: &Context,
    approval: &Approval,
    by: &By,
    terms: Terms,
) -> Result<Result<Grant, ApprovalRefusal>, Failure> {
    let Approval { mode, grant_id, taxpayer_id, organization_id, request, .. } = approval;
    if approval.scopes.is_empty() || approval.scopes.contains(&Scope::Unknown) {
        return Err(Failure::new(
            Code::InvalidRequest,
            "A grant needs at least one scope, and every scope must be known.",
        ));
    }
    for attempt in 0..ATTEMPTS {
        if let Some(current) = ctx.store.get_grant(*mode, organization_id, grant_id).await? {
            let is_own = current.taxpayer_id == *taxpayer_id;
            return Ok(if is_own { Ok(current) } else { Err(ApprovalRefusal::Decided) });
        }
        // The request as it was read counts at first. After a concurrent change, it is read again.
        let latest = match request {
            Some(read) if attempt > 0 => {
                let found = ctx.store.get_authorization_request(*mode, &read.hash).await?;
                Some(found.ok_or_else(|| not_found("The request has ended."))?)
            }
            read => read.clone(),
        };
        if approval.comes_late(latest.as_ref()) {
            return Ok(Err(ApprovalRefusal::Decided));
        }
        let standing = Standing::read(ctx, *mode, organization_id, taxpayer_id).await?;
        let standing = standing.ok_or_else(|| not_found("There is no taxpayer with that id."))?;
        standing.admits_one_more()?;
        let now = ctx.now();
        let billing = match (mode, standing.grants.as_slice()) {
            (Mode::Live, []) => Some(ctx.store.get_billing(organization_id).await?),
            // Further grants on a connected taxpayer take no seat, and Sandbox has none.
            _ => None,
        };
        let seat = match billing.as_ref().map(|billing| terms.seat(billing, now)).transpose() {
            Ok(seat) => seat,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let grant = Grant {
            grant_id: grant_id.clone(),
            mode: *mode,
            taxpayer_id: taxpayer_id.clone(),
            organization_id: organization_id.clone(),
            scopes: approval.scopes.clone(),
            status: GrantStatus::Active,
            grant_label: approval.grant_label.clone(),
            external_id: approval.external_id.clone(),
            application: request.as_ref().and_then(|request| request.application.clone()),
            tokens_ended_at: None,
            created_at: now,
            revoked_at: None,
            revoked_by: None,
        };
        let mut held = standing.grants.clone();
        held.push(grant.clone());
        let decision = approval.decision();
        let decides = request.as_ref().map(|request| (request, &decision));
        let notifies = terms != Terms::Seeded;
        let change = Change { grant: &grant, by, now, notifies, seat, decides, mails: &[] };
        if standing.change(ctx, change, held).await? == Recorded::Done {
            return Ok(Ok(grant));
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

impl Terms {
    /// The seat for a first grant (specification 1): "for a new connection, an active subscription and an available
    /// taxpayer seat".
    fn seat(self, billing: &Billing, now: Timestamp) -> Result<SeatChange<'_>, ApprovalRefusal> {
        let freshness = match self {
            Terms::Seeded => return Ok(SeatChange { seat: Seat::Given, billing }),
            Terms::Approved(freshness) => freshness,
        };
        match freshness.status(billing.subscription.as_ref(), now) {
            BillingStatus::Unsubscribed => Err(ApprovalRefusal::Unsubscribed),
            BillingStatus::Stale => Err(ApprovalRefusal::Stale),
            BillingStatus::Active if !billing.has_room() => Err(ApprovalRefusal::NoSeat),
            BillingStatus::Active => Ok(SeatChange { seat: Seat::Taken, billing }),
        }
    }
}

/// A grant after its change, with the actor and the related changes.
#[derive(Clone, Copy)]
struct Change<'a> {
    grant: &'a Grant,
    by: &'a By,
    now: Timestamp,
    /// Whether the organization is notified.
    notifies: bool,
    seat: Option<SeatChange<'a>>,
    decides: Option<(&'a AuthorizationRequest, &'a Decision)>,
    /// The mails to the taxpayer.
    mails: &'a [MailRecord],
}

/// The grants of an organization on a taxpayer, as they were read.
struct Standing {
    state: TaxpayerState,
    /// The organization's active grants.
    grants: Vec<Grant>,
}

impl Standing {
    /// `None` when there is no such taxpayer.
    async fn read(
        ctx: &Context,
        mode: Mode,
        organization_id: &OrganizationId,
        taxpayer_id: &TaxpayerId,
    ) -> Result<Option<Self>, Failure> {
        let state = ctx.store.get_taxpayer_state(mode, taxpayer_id, Some(organization_id)).await?;
        Ok(state.map(|state| {
            let theirs = |grant: &&Grant| grant.organization_id == *organization_id;
            let grants = state.access.grants.iter().filter(theirs).cloned().collect();
            Standing { state, grants }
        }))
    }

    /// Checks that another grant is allowed.
    fn admits_one_more(&self) -> Result<(), Failure> {
        let all = &self.state.access.grants;
        let refuse = |message| Err(Failure::new(Code::InvalidRequest, message));
        if self.grants.len() >= MAX_GRANTS {
            return refuse(format!(
                "The organization has {MAX_GRANTS} active grants on this taxpayer, which is the maximum: revoke one \
                 first."
            ));
        }
        let organizations: BTreeSet<_> = all.iter().map(|grant| &grant.organization_id).collect();
        if self.grants.is_empty() && organizations.len() >= MAX_ORGANIZATIONS {
            return refuse(format!(
                "{MAX_ORGANIZATIONS} organizations are connected to this taxpayer, which is the maximum: it must \
                 disconnect one first."
            ));
        }
        if all.len() >= MAX_GRANTS_OF_ALL {
            return refuse(format!(
                "There are {MAX_GRANTS_OF_ALL} active grants on this taxpayer, which is the maximum: it must revoke \
                 one first."
            ));
        }
        Ok(())
    }

    /// Writes a grant. Afterwards the organization has the grants `held`.
    async fn change(
        &self,
        ctx: &Context,
        change: Change<'_>,
        held: Vec<Grant>,
    ) -> Result<Recorded, Failure> {
        let Change { grant, by, now, notifies, seat, decides, mails } = change;
        let count = |grants: &[Grant]| u32::try_from(grants.len()).unwrap_or(u32::MAX);
        let read = self.state.connection.as_ref();
        let connection = Connection {
            mode: grant.mode,
            organization_id: grant.organization_id.clone(),
            taxpayer_id: grant.taxpayer_id.clone(),
            metadata: read.map(|read| read.metadata.clone()).unwrap_or_default(),
            active: count(&held),
            version: read.map_or(0, |read| read.version) + 1,
            created_at: read.map_or(now, |read| read.created_at),
            updated_at: now,
        };
        let event = match notifies {
            true => Some(self.event(ctx, &connection, &held, now)?),
            false => None,
        };
        let action = match grant.status {
            GrantStatus::Active => Action::GrantApproved,
            GrantStatus::Revoked | GrantStatus::Unknown => Action::GrantRevoked,
        };
        let subject = grant.grant_id.as_str();
        let deed = Deed { mode: grant.mode, by, action, subject, at: now };
        let entries = [
            audit::entry(ctx, &deed, Trail::Organization(grant.organization_id.clone())),
            audit::entry(ctx, &deed, Trail::Taxpayer(grant.taxpayer_id.clone())),
        ];
        let change = GrantChange {
            grant,
            entries: &entries,
            read: &self.state,
            connection: &connection,
            event: event.as_ref(),
            seat,
            decides,
            mails: (mails, later(now, RELAY_GRACE)),
        };
        Ok(ctx.store.record_grant(change).await?)
    }

    /// The first and the last grant decide the type (specification 6.2). The event of the last grant goes to an
    /// organization without a grant. The other events go only to an organization that still has one.
    fn event(
        &self,
        ctx: &Context,
        connection: &Connection,
        held: &[Grant],
        now: Timestamp,
    ) -> Result<EventRecord, Failure> {
        let organization_id = connection.organization_id.clone();
        let (event_type, audience, before) = match (self.grants.as_slice(), held) {
            ([], _) => (EventType::TaxpayerCreated, Audience::Connected { organization_id }, None),
            (_, []) => {
                (EventType::TaxpayerDeleted, Audience::Organization { organization_id }, None)
            }
            (before, _) => {
                let before = events::Before { grants: Some(before), ..Default::default() };
                (EventType::TaxpayerUpdated, Audience::Connected { organization_id }, Some(before))
            }
        };
        let change = events::TaxpayerChange {
            event_type,
            audience,
            taxpayer: &self.state.taxpayer,
            grants: held,
            metadata: &connection.metadata,
            settings: &self.state.settings,
            before,
        };
        events::of_taxpayer(ctx, change, now)
    }
}

/// The refusal for a grant that does not exist or belongs to another organization.
pub fn unknown_grant() -> Failure {
    not_found("The organization has no grant with that id.")
}

fn not_found(message: &str) -> Failure {
    Failure::new(Code::NotFound, message)
}

fn busy() -> Failure {
    Failure::new(
        Code::ServiceUnavailable,
        "The organization's grants on this taxpayer are changing too often at the moment: retry.",
    )
}

fn corrupt(message: &str) -> Failure {
    Failure::new(Code::InternalError, message)
}
