//! Who may act for whom: grants made and revoked (specification 3.1), each with the event that
//! tells the organization (6.2).
//!
//! The number of active grants decides which event that is. It is kept in the connection between
//! organization and taxpayer, and every change is made on the condition that the connection, and what is granted to
//! others, are as they were read: of changes at once one is first, and the others look again.
//!
//! In Live an organization's first grant on a taxpayer takes one of the seats that it pays for, and the end of its last
//! one frees it (specification 1), in the same transaction. What a taxpayer decided about an authorization request is
//! written there too: an approval that can make no grant now decides nothing, and can be repeated once it can.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::{
    Context, RELAY_GRACE, audit, events, later,
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
        GrantSelection, Recorded, Seat, SeatChange, TaxpayerState,
    },
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

/// How many active grants an organization may hold on one taxpayer: the event that tells of one
/// lists all of them.
pub const MAX_GRANTS: usize = 100;

/// How many organizations may be connected to one taxpayer: each is told of a change of its status or settings, all in
/// the one transaction that makes it.
pub const MAX_ORGANIZATIONS: usize = 50;

/// How many active grants there may be on one taxpayer, of all organizations: one item holds them, for one read.
pub const MAX_GRANTS_OF_ALL: usize = 500;

/// How often a change that met others looks again.
pub(super) const ATTEMPTS: u32 = 12;

/// Which grants to list. Every part that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Those that stand, or that do not.
    pub status: Option<GrantStatus>,
    /// Those on this taxpayer.
    pub taxpayer_id: Option<TaxpayerId>,
}

/// Lists the grants of an organization, active and revoked, the youngest first: the page that is asked
/// for, and the cursor of the next one. There may be more as long as there is a cursor.
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

/// A grant as the taxpayer that gave it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The grant, which stands.
    pub grant: Grant,
    /// Who was approved.
    pub organization_name: String,
    /// When it was last used, to the hour, if that was noted yet.
    pub last_used_at: Option<Timestamp>,
    /// For what, then.
    pub last_used_for: Option<Scope>,
}

/// What a taxpayer granted that still stands, the youngest first: two reads, whatever their number.
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
        // Of several that act together, only those that allow it were used for it.
        let last_used_for = used_for.get(&grant.grant_id).copied();
        let last_used_for = last_used_for.filter(|scope| grant.scopes.contains(scope));
        Given { grant, organization_name, last_used_at, last_used_for }
    };
    Ok(grants.into_iter().map(given).collect())
}

/// Takes back what a taxpayer granted, by its own wish (specification 3.1). What is not its own is not there.
pub async fn take_back(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    grant_id: &GrantId,
    origin: &Origin,
) -> Result<(), Failure> {
    let grants = ctx.store.list_active_grants(mode, taxpayer_id).await?;
    let grant = grants.into_iter().find(|grant| grant.grant_id == *grant_id);
    // One that has ended meanwhile is well taken back.
    let Some(grant) = grant else { return Ok(()) };
    let by = By { actor: Actor::Taxpayer(taxpayer_id.clone()), origin: origin.clone() };
    revoke(ctx, mode, &grant.organization_id, grant_id, &by).await.map(drop)
}

/// What a taxpayer approved. Its identifier is fixed before, so that approving again after an
/// answer was lost is the same grant.
#[derive(Debug, Clone)]
pub struct Approval {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The grant that it makes.
    pub grant_id: GrantId,
    /// Who approved.
    pub taxpayer_id: TaxpayerId,
    /// Who was approved.
    pub organization_id: OrganizationId,
    /// What was approved.
    pub scopes: BTreeSet<Scope>,
    /// Name of the connection.
    pub grant_label: Option<String>,
    /// The integrator's own account or workspace.
    pub external_id: Option<String>,
    /// The request that is decided with it; none where nobody asked.
    pub request: Option<AuthorizationRequest>,
}

impl Approval {
    /// What is decided about the request.
    fn decision(&self) -> Decision {
        Decision::Approved { taxpayer_id: self.taxpayer_id.clone() }
    }

    /// Whether another decision about the request is known.
    fn comes_late(&self, request: Option<&AuthorizationRequest>) -> bool {
        let decided = request.and_then(|request| request.decision.as_ref());
        decided.is_some_and(|decided| *decided != self.decision())
    }
}

/// Why an approval made no grant and decided nothing, though nothing is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalRefusal {
    /// Something else was decided about the request before.
    Decided,
    /// The organization has no active subscription.
    Unsubscribed,
    /// Whether it has one is not known at the moment.
    Stale,
    /// Every taxpayer that it pays for is connected.
    NoSeat,
}

/// On what terms a grant is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Terms {
    /// In Live on a subscription that is relied on for so long, with a seat. The organization hears of it.
    Approved(Freshness),
    /// Whatever was paid, and nobody hears of it.
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

/// Makes a grant of which nobody is told: for demo data.
pub(crate) async fn seed(ctx: &Context, approval: &Approval) -> Result<Grant, Failure> {
    let made = make(ctx, approval, &By::operator(), Terms::Seeded).await?;
    made.map_err(|_| Failure::new(Code::InternalError, "Demo data were refused."))
}

/// Ends a grant of an organization, by the taxpayer's wish or its own. One that has ended stays as it
/// is.
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
            return Err(corrupt("a grant is on a taxpayer that is gone"));
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
        let change = Change { grant: &revoked, by, now, is_told: true, seat, decides: None };
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
        return Err(Failure::new(Code::InvalidRequest, "A grant needs scopes, each a known one."));
    }
    for attempt in 0..ATTEMPTS {
        if let Some(stands) = ctx.store.get_grant(*mode, organization_id, grant_id).await? {
            let is_own = stands.taxpayer_id == *taxpayer_id;
            return Ok(if is_own { Ok(stands) } else { Err(ApprovalRefusal::Decided) });
        }
        // What was read of the request counts at first; who met another change looks again.
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
        let standing = standing.ok_or_else(|| not_found("There is no taxpayer by that id."))?;
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
        let is_told = terms != Terms::Seeded;
        let change = Change { grant: &grant, by, now, is_told, seat, decides };
        if standing.change(ctx, change, held).await? == Recorded::Done {
            return Ok(Ok(grant));
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

impl Terms {
    /// The seat that a first grant takes (specification 1): "for a new connection, an active subscription and an
    /// available taxpayer seat".
    fn seat(self, billing: &Billing, now: Timestamp) -> Result<SeatChange<'_>, ApprovalRefusal> {
        let freshness = match self {
            Terms::Seeded => return Ok(SeatChange { seat: Seat::Given, billing }),
            Terms::Approved(freshness) => freshness,
        };
        match freshness.judge(billing.subscription.as_ref(), now) {
            BillingStatus::Unsubscribed => Err(ApprovalRefusal::Unsubscribed),
            BillingStatus::Stale => Err(ApprovalRefusal::Stale),
            BillingStatus::Active if !billing.has_room() => Err(ApprovalRefusal::NoSeat),
            BillingStatus::Active => Ok(SeatChange { seat: Seat::Taken, billing }),
        }
    }
}

/// A grant as it will stand, who makes it so, and what goes with it.
#[derive(Clone, Copy)]
struct Change<'a> {
    grant: &'a Grant,
    by: &'a By,
    now: Timestamp,
    /// Whether the organization hears of it.
    is_told: bool,
    seat: Option<SeatChange<'a>>,
    decides: Option<(&'a AuthorizationRequest, &'a Decision)>,
}

/// What an organization holds on a taxpayer, as it was read.
struct Standing {
    state: TaxpayerState,
    /// The organization's active ones.
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

    /// Whether there is room for one more.
    fn admits_one_more(&self) -> Result<(), Failure> {
        let all = &self.state.access.grants;
        let refuse = |message| Err(Failure::new(Code::InvalidRequest, message));
        if self.grants.len() >= MAX_GRANTS {
            return refuse(format!(
                "The organization holds {MAX_GRANTS} active grants on this taxpayer, the most \
                 there may be: revoke one first."
            ));
        }
        let organizations: BTreeSet<_> = all.iter().map(|grant| &grant.organization_id).collect();
        if self.grants.is_empty() && organizations.len() >= MAX_ORGANIZATIONS {
            return refuse(format!(
                "{MAX_ORGANIZATIONS} organizations are connected to this taxpayer, the most there \
                 may be: it must disconnect one first."
            ));
        }
        if all.len() >= MAX_GRANTS_OF_ALL {
            return refuse(format!(
                "There are {MAX_GRANTS_OF_ALL} active grants on this taxpayer, the most there may \
                 be: it must revoke one first."
            ));
        }
        Ok(())
    }

    /// Writes a grant after which the organization holds `held`.
    async fn change(
        &self,
        ctx: &Context,
        change: Change<'_>,
        held: Vec<Grant>,
    ) -> Result<Recorded, Failure> {
        let Change { grant, by, now, is_told, seat, decides } = change;
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
        let event = match is_told {
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
            event: event.as_ref().map(|event| (event, later(now, RELAY_GRACE))),
            seat,
            decides,
        };
        Ok(ctx.store.record_grant(change).await?)
    }

    /// First and last decide (specification 6.2). The last one is told to the organization that has
    /// none any more; the others only as long as it has one.
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

/// The refusal of who names a grant that is not his own, or is none.
pub fn unknown_grant() -> Failure {
    not_found("The organization has no grant by that id.")
}

fn not_found(message: &str) -> Failure {
    Failure::new(Code::NotFound, message)
}

fn busy() -> Failure {
    Failure::new(
        Code::ServiceUnavailable,
        "The organization's grants on this taxpayer change too often just now: retry.",
    )
}

fn corrupt(message: &str) -> Failure {
    Failure::new(Code::InternalError, message)
}
