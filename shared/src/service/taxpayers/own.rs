//! Changes of a taxpayer's settings by itself.

use super::{
    change::{Now, busy, event, organizations},
    patch::SettingsPatch,
};
use crate::{
    access::{Action, Actor, By, Deed, Origin, Trail},
    error::{Code, Failure},
    service::{Context, RELAY_GRACE, audit, events, grants::ATTEMPTS, later},
    store::{Recorded, TaxpayerChanged, TaxpayerSettings, TaxpayerState, TaxpayerWrites},
    types::{Mode, TaxpayerId},
};

/// A taxpayer's settings, as it sees them itself.
pub async fn settings(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<TaxpayerSettings, Failure> {
    Ok(read(ctx, mode, taxpayer_id).await?.settings)
}

/// Changes a taxpayer's settings by its own wish, and tells every organization that is connected to it. Where nothing
/// becomes otherwise, nothing is written and nobody is told.
pub async fn set(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    patch: &SettingsPatch,
    origin: &Origin,
) -> Result<(), Failure> {
    let by = By { actor: Actor::Taxpayer(taxpayer_id.clone()), origin: origin.clone() };
    for attempt in 0..ATTEMPTS {
        let read = read(ctx, mode, taxpayer_id).await?;
        let wanted = patch.applied(&read.settings);
        if wanted.say_the_same_as(&read.settings) {
            return Ok(());
        }
        let at = ctx.now();
        let settings =
            TaxpayerSettings { version: read.settings.version + 1, updated_at: Some(at), ..wanted };
        let told = organizations(&read);
        let metadata = ctx.store.get_metadata(mode, taxpayer_id, &told).await?;
        let now = Now { taxpayer: &read.taxpayer, settings: &settings, metadata: &metadata };
        let before = || events::Before { settings: Some(&read.settings), ..Default::default() };
        let events = told.iter().map(|it| event(ctx, &read, &now, it, before(), at));
        let events = events.collect::<Result<Vec<_>, _>>()?;
        let (action, subject) = (Action::TaxpayerUpdated, taxpayer_id.as_str());
        let deed = Deed { mode, by: &by, action, subject, at };
        let entries = [audit::entry(ctx, &deed, Trail::Taxpayer(taxpayer_id.clone()))];
        let writes = TaxpayerWrites { connection: None, settings: Some(&settings), taxpayer: None };
        let sweep_at = later(at, RELAY_GRACE);
        let change =
            TaxpayerChanged { read: &read, writes, events: &events, sweep_at, entries: &entries };
        if ctx.store.change_taxpayer(change).await? == Recorded::Done {
            return Ok(());
        }
        ctx.store.back_off(attempt).await;
    }
    Err(busy())
}

async fn read(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<TaxpayerState, Failure> {
    let found = ctx.store.get_taxpayer_state(mode, taxpayer_id, None).await?;
    found.ok_or_else(|| Failure::new(Code::NotFound, "There is no such taxpayer."))
}
