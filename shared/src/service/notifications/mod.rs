//! Notifications of members by mail. Each kind of an organization is a notice: a job that knows what it has mentioned.
//!
//! | step | who | effect |
//! |---|---|---|
//! | something happens | the relay of an event, an attempt at a delivery | [`arrived`]: the notice becomes a job, or counts the arrival |
//! | the first turn, at once | relay, sweeper | one mail for each member who gets the kind |
//! | a turn after [`GATHERED`] | sweeper | one mail about everything since; the notice ends if there was nothing |
//! | every morning | sweeper | the digest and the certificate, as long as somebody chose them |
//!
//! A turn reads what is new from the lists that the portal shows, and compares it with what the notice has mentioned. One
//! transaction creates the mails and notes what they tell. So a turn that is repeated, or an event that is published
//! twice, makes no second mail.

mod daily;
mod documents;
mod endpoints;
mod quota;
mod seats;
mod sign_in;

use jiff::{SignedDuration, Timestamp, civil::Date};

use super::{Context, RELAY_GRACE, later, new_mail::NewMail, organizations};
use crate::{
    access::{Choices, Member, Notification},
    error::{Code, Failure},
    i18n::Language,
    store::{Due, JobVersion, MailRecord, MailSubject, NoticeRecord, Notified, StoreError},
    types::{Mode, OrganizationId},
};

pub(super) use endpoints::has_failed_for_long;
pub use quota::quota_level;
pub(super) use sign_in::mails as of_sign_in;

/// How long events of a kind are gathered after a mail, before the next mail about them.
pub const GATHERED: SignedDuration = SignedDuration::from_hours(1);
/// How long a notification is useful.
const USEFUL: SignedDuration = SignedDuration::from_hours(24);
/// Maximum members of an organization that get a mail about the same, since one transaction of 100 writes holds all of
/// the mails. The longest members come first.
pub const MAX_MAILS: usize = 90;

/// The result of a turn of a notice.
#[derive(Debug, Default)]
struct Turn {
    /// What is new, if anything is.
    notified: Option<Notified>,
    /// The names of everything that was mentioned by then.
    mentioned: Vec<String>,
    /// When the next turn is. `None` ends the notice.
    next: Option<Timestamp>,
}

impl Turn {
    /// A turn of events that are gathered: another one follows a mail.
    fn of_events(ctx: &Context, notified: Option<Notified>, mentioned: Vec<String>) -> Self {
        let next = notified.is_some().then(|| later(ctx.now(), GATHERED));
        Turn { notified, mentioned, next }
    }
}

/// Whether a kind is mentioned every morning, rather than when something happens.
pub fn is_daily(kind: Notification) -> bool {
    matches!(kind, Notification::Digest | Notification::Certificate)
}

/// Notes that something of a kind happened, after it was written. It may be noted twice.
pub(super) async fn arrived(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    kind: Notification,
) -> Result<(), StoreError> {
    let due = Due::relayed(later(ctx.now(), RELAY_GRACE));
    ctx.store.add_to_notice(mode, organization_id, kind, due).await
}

/// The turn of a notice that is due.
pub(super) async fn take_turn(
    ctx: &Context,
    version: &JobVersion,
    notice: &NoticeRecord,
) -> Result<(), Failure> {
    let NoticeRecord { mode, organization_id, kind, .. } = notice;
    let members = ctx.store.list_members(*mode, organization_id).await?;
    let turn = match kind {
        Notification::Rejected | Notification::Failed => documents::turn(ctx, notice).await?,
        Notification::Endpoint => endpoints::turn(ctx, notice).await?,
        Notification::Seats => seats::turn(ctx, notice).await?,
        Notification::Quota => quota::turn(ctx, notice).await?,
        Notification::Digest | Notification::Certificate => {
            let is_chosen = members.iter().any(|member| member.notifications.has(*kind));
            daily::turn(ctx, notice, is_chosen).await?
        }
        // A sign-in is mentioned with its session.
        Notification::SignIn => Turn::default(),
        Notification::Unknown => {
            return Err(Failure::new(
                Code::ServiceUnavailable,
                "The notice is of a newer version.",
            ));
        }
    };
    let mails = match turn.notified {
        Some(notified) => mails(ctx, notice, members, &notified).await?,
        None => Vec::new(),
    };
    // A notice of events that nobody gets ends at once. One of every morning is chosen by somebody.
    let next = turn.next.filter(|_| !mails.is_empty() || is_daily(*kind));
    let letters = (mails.as_slice(), later(ctx.now(), RELAY_GRACE));
    let noted = ctx.store.note_turn(version, notice, &turn.mentioned, letters, next).await?;
    tracing::info!(kind = kind.as_str(), mails = mails.len(), noted, "a notice had its turn");
    Ok(())
}

/// One mail for each member who gets this kind.
async fn mails(
    ctx: &Context,
    notice: &NoticeRecord,
    members: Vec<Member>,
    notified: &Notified,
) -> Result<Vec<MailRecord>, Failure> {
    let NoticeRecord { mode, organization_id, kind, .. } = notice;
    let gets = |member: &Member| member.joined_at.is_some() && member.gets(*kind);
    let addressees: Vec<_> = members.into_iter().filter(gets).collect();
    if addressees.is_empty() {
        return Ok(Vec::new());
    }
    if addressees.len() > MAX_MAILS {
        tracing::warn!(%organization_id, addressees = addressees.len(), "more members than mails");
    }
    let organization = organizations::get(ctx, *mode, organization_id).await?.name;
    let mail = |member| mail(ctx, &organization, member, notified.clone());
    Ok(addressees.into_iter().take(MAX_MAILS).map(mail).collect())
}

/// A mail to a member, in the language of the member.
fn mail(ctx: &Context, organization: &str, member: Member, notified: Notified) -> MailRecord {
    let now = ctx.now();
    NewMail {
        mode: member.mode,
        to: member.email,
        subject: MailSubject::Notification { organization: organization.to_owned(), notified },
        language: member.language.unwrap_or_default(),
        useful: USEFUL,
    }
    .waiting(ctx, now)
}

/// What of an organization comes to its end soon: in Live its seats and the certificate, in Sandbox its quota.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ending {
    /// The seats in use and the seats of the subscription, when they are nearly used.
    pub seats: Option<(u32, u32)>,
    /// The last day of the service's certificates, when it is near.
    pub certificate: Option<Date>,
    /// The documents of today and the daily quota, when it is nearly used.
    pub quota: Option<(u32, u32)>,
}

/// What of an organization comes to its end soon.
pub async fn ending(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Ending, Failure> {
    if mode == Mode::Sandbox {
        let quota = quota::ending_quota(ctx, organization_id).await?;
        return Ok(Ending { quota, ..Ending::default() });
    }
    let billing = async { Ok(ctx.store.get_billing(organization_id).await?) };
    let (billing, certificate) = tokio::try_join!(billing, daily::ending_certificate(ctx))?;
    let seats = seats::level(&billing).map(|(_, seats)| (billing.in_use, seats));
    Ok(Ending { seats, certificate, quota: None })
}

/// Sets which notifications a member gets in a mode, and in which language. Notifications of every morning begin.
pub async fn choose(
    ctx: &Context,
    member: &Member,
    chosen: impl Fn(Notification) -> bool,
    language: Language,
) -> Result<(), Failure> {
    let mut choices: Choices = member.notifications.clone();
    let mut begins = Vec::new();
    for kind in Notification::ALL.into_iter().filter(|kind| kind.is_for(member.role, member.mode)) {
        choices.set(kind, chosen(kind));
        begins.extend((is_daily(kind) && chosen(kind)).then_some(kind));
    }
    // The choice comes first: a notice ends at a turn at which nobody has chosen it.
    if !ctx.store.set_notifications(member, &choices, language).await? {
        return Err(Failure::new(Code::NotFound, "The organization has no member with that id."));
    }
    for kind in begins {
        let due = Due::watched(daily::next_morning(ctx.now(), &member.organization_id));
        ctx.store.add_to_notice(member.mode, &member.organization_id, kind, due).await?;
    }
    Ok(())
}
