//! A taxpayer's changes of its own settings.

use jiff::Timestamp;

use super::change::{Now, busy, event, organizations};
use crate::{
    access::{Action, Actor, By, Deed, Origin, Trail},
    error::{Code, Failure},
    i18n::Language,
    service::{Context, RELAY_GRACE, audit, events, grants::ATTEMPTS, later, notices},
    store::{
        MailRecord, MailSubject, Rate, Recorded, Taken, TaxpayerChanged, TaxpayerSettings,
        TaxpayerState, TaxpayerWrites,
    },
    types::{Mode, TaxpayerId},
};

/// Maximum changes of the notification address, since each change sends mails to addresses that the taxpayer chose.
pub const ADDRESS_CHANGES: Rate =
    Rate { what: "NOTICES", most: 5, window: jiff::SignedDuration::from_hours(1) };

/// The settings on a taxpayer's own pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSettings {
    /// The language of mails to it.
    pub language: Language,
    /// The address for notices besides the registered one.
    pub notification_email: Option<String>,
}

/// The outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// The settings are as requested.
    Done,
    /// The address was changed too often.
    TooOften(Taken),
}

/// A taxpayer's settings, for the taxpayer itself.
pub async fn settings(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<TaxpayerSettings, Failure> {
    Ok(read(ctx, mode, taxpayer_id).await?.settings)
}

/// Changes a taxpayer's settings on its own request, and notifies every connected organization. A new notification
/// address causes mails to the registered address and to the previous notification address. A change without effect
/// writes nothing and notifies nobody.
pub async fn set(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    wish: &OwnSettings,
    origin: &Origin,
) -> Result<Set, Failure> {
    let by = By { actor: Actor::Taxpayer(taxpayer_id.clone()), origin: origin.clone() };
    let mut is_counted = false;
    for attempt in 0..ATTEMPTS {
        let read = read(ctx, mode, taxpayer_id).await?;
        let OwnSettings { language, notification_email } = wish.clone();
        let wanted = TaxpayerSettings { language, notification_email, ..read.settings.clone() };
        if wanted.say_the_same_as(&read.settings) {
            return Ok(Set::Done);
        }
        let at = ctx.now();
        let moves = wanted.notification_email != read.settings.notification_email;
        if moves && !is_counted {
            let taken = ctx.store.take_one(mode, ADDRESS_CHANGES, taxpayer_id.as_str(), at).await?;
            if !taken.is_given {
                return Ok(Set::TooOften(taken));
            }
            is_counted = true;
        }
        let mails = if moves { moved(ctx, &read, language, at) } else { Vec::new() };
        let settings =
            TaxpayerSettings { version: read.settings.version + 1, updated_at: Some(at), ..wanted };
        let notified = organizations(&read);
        let metadata = ctx.store.get_metadata(mode, taxpayer_id, &notified).await?;
        let now = Now { taxpayer: &read.taxpayer, settings: &settings, metadata: &metadata };
        let before = || events::Before { settings: Some(&read.settings), ..Default::default() };
        let events = notified.iter().map(|it| event(ctx, &read, &now, it, before(), at));
        let events = events.collect::<Result<Vec<_>, _>>()?;
        let (action, subject) = (Action::TaxpayerUpdated, taxpayer_id.as_str());
        let deed = Deed { mode, by: &by, action, subject, at };
        let entries = [audit::entry(ctx, &deed, Trail::Taxpayer(taxpayer_id.clone()))];
        let writes = TaxpayerWrites { connection: None, settings: Some(&settings), taxpayer: None };
        let sweep_at = later(at, RELAY_GRACE);
        let change = TaxpayerChanged {
            read: &read,
            writes,
            events: &events,
            sweep_at,
            entries: &entries,
            mails: &mails,
        };
        if ctx.store.change_taxpayer(change).await? == Recorded::Done {
            return Ok(Set::Done);
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

/// The mails about a new notification address. The previous address gets one too.
fn moved(
    ctx: &Context,
    read: &TaxpayerState,
    language: Language,
    at: Timestamp,
) -> Vec<MailRecord> {
    let TaxpayerState { taxpayer, settings, .. } = read;
    let subject = MailSubject::NoticesMoved { business: taxpayer.name.clone() };
    notices::mails(ctx, taxpayer, settings, (&subject, language), at)
}

async fn read(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<TaxpayerState, Failure> {
    let found = ctx.store.get_taxpayer_state(mode, taxpayer_id, None).await?;
    found.ok_or_else(|| Failure::new(Code::NotFound, "There is no such taxpayer."))
}
