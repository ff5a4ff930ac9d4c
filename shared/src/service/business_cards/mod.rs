//! A taxpayer's business card, and its listing in the Peppol Directory.

mod read;

use jiff::Timestamp;

use super::{
    Context,
    register::{wanted, wish},
};
use crate::{
    access::Taxpayer,
    error::{Code, Failure},
    peppol::smp::BusinessEntity,
    store::{BusinessCardRecord, Register, RegistrationRecord, RegistrationStatus},
};

#[cfg(test)]
pub use read::MAX_CARD_BYTES;
pub use read::{MAX_TEXT, read, read_entity};

/// The business card of a taxpayer.
pub async fn card(ctx: &Context, taxpayer: &Taxpayer) -> Result<BusinessCardRecord, Failure> {
    let card = ctx.store.get_business_card(taxpayer.mode, &taxpayer.taxpayer_id).await?;
    card.ok_or_else(|| Failure::new(Code::NotFound, "The taxpayer has no business card."))
}

/// Writes the business card of a taxpayer. If the card is listed, the Directory fetches it again.
pub async fn put_card(
    ctx: &Context,
    taxpayer: &Taxpayer,
    entities: Vec<BusinessEntity>,
) -> Result<BusinessCardRecord, Failure> {
    let Taxpayer { mode, taxpayer_id, participant_id, .. } = taxpayer;
    let card = BusinessCardRecord {
        taxpayer_id: taxpayer_id.clone(),
        participant_id: participant_id.clone(),
        entities,
        updated_at: ctx.now(),
    };
    match listing(ctx, taxpayer).await? {
        Some(current) if current.status.is_wanted() => {
            wish(ctx, current, RegistrationStatus::Registering, Some(&card)).await?;
        }
        _ => ctx.store.put_business_card(*mode, &card).await?,
    }
    Ok(card)
}

/// Writes the first business of a taxpayer's card, for a user who saw the version `seen`. Further businesses stay, and
/// may leave too little room for it. `None` when the card has changed since. Two writes at the same instant, such as by
/// applications, are not detected: the later one counts.
pub async fn put_first(
    ctx: &Context,
    taxpayer: &Taxpayer,
    seen: Option<Timestamp>,
    entity: BusinessEntity,
) -> Result<Option<BusinessCardRecord>, Failure> {
    let card = ctx.store.get_business_card(taxpayer.mode, &taxpayer.taxpayer_id).await?;
    if card.as_ref().map(|card| card.updated_at) != seen {
        return Ok(None);
    }
    let mut entities = card.map(|card| card.entities).unwrap_or_default();
    match entities.first_mut() {
        Some(first) => *first = entity,
        None => entities.push(entity),
    }
    read::fits(&entities)?;
    put_card(ctx, taxpayer, entities).await.map(Some)
}

/// The state of a taxpayer in the Directory. `None` if it was never listed.
pub async fn listing(
    ctx: &Context,
    taxpayer: &Taxpayer,
) -> Result<Option<RegistrationRecord>, Failure> {
    let taxpayer_id = &taxpayer.taxpayer_id;
    Ok(ctx.store.get_registration(taxpayer.mode, taxpayer_id, Register::Directory).await?)
}

/// Lists the card of a taxpayer in the Directory.
pub async fn list(ctx: &Context, taxpayer: &Taxpayer) -> Result<RegistrationRecord, Failure> {
    match listing(ctx, taxpayer).await? {
        Some(current) if current.status.is_wanted() => Ok(current),
        current => {
            let taxpayer_id = &taxpayer.taxpayer_id;
            if ctx.store.get_business_card(taxpayer.mode, taxpayer_id).await?.is_none() {
                return Err(Failure::new(
                    Code::NotFound,
                    "The taxpayer has no business card to list: PUT /taxpayer/business-card first.",
                ));
            }
            let wanted = wanted(ctx, taxpayer, Register::Directory, current);
            wish(ctx, wanted, RegistrationStatus::Registering, None).await
        }
    }
}

/// Removes a taxpayer's card from the Directory. `None` if it was never listed.
pub async fn unlist(
    ctx: &Context,
    taxpayer: &Taxpayer,
) -> Result<Option<RegistrationRecord>, Failure> {
    match listing(ctx, taxpayer).await? {
        Some(current) if current.status.is_wanted() => {
            Ok(Some(wish(ctx, current, RegistrationStatus::Withdrawing, None).await?))
        }
        current => Ok(current),
    }
}

/// The registers that a taxpayer is or was in.
pub async fn registrations(
    ctx: &Context,
    taxpayer: &Taxpayer,
) -> Result<Vec<RegistrationRecord>, Failure> {
    let Taxpayer { mode, taxpayer_id, .. } = taxpayer;
    let mut found = Vec::new();
    for register in Register::ALL {
        found.extend(ctx.store.get_registration(*mode, taxpayer_id, register).await?);
    }
    Ok(found)
}
