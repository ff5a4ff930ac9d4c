//! What a taxpayer shows of itself, and whether the Peppol Directory shows it.

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

pub use read::{
    MAX_CARD_BYTES, MAX_ENTITIES, MAX_ENTRIES, MAX_INFORMATION, MAX_TEXT, read, read_entity,
};

/// The business card of a taxpayer.
pub async fn card(ctx: &Context, taxpayer: &Taxpayer) -> Result<BusinessCardRecord, Failure> {
    let card = ctx.store.get_business_card(taxpayer.mode, &taxpayer.taxpayer_id).await?;
    card.ok_or_else(|| Failure::new(Code::NotFound, "The taxpayer has no business card."))
}

/// Writes the business card of a taxpayer. The Directory fetches it anew where it has one.
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
        Some(stands) if stands.status.is_wanted() => {
            wish(ctx, stands, RegistrationStatus::Registering, Some(&card)).await?;
        }
        _ => ctx.store.put_business_card(*mode, &card).await?,
    }
    Ok(card)
}

/// Writes the first business of a taxpayer's card, as somebody changed it who saw the card of then; further businesses
/// stay as they are, and may leave too little room for it. `None` when the card is another one by now. Two who write at the same instant, as applications do, are not
/// told apart: the later one counts.
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

/// How far a taxpayer is in the Directory; none if it never was to be there.
pub async fn listing(
    ctx: &Context,
    taxpayer: &Taxpayer,
) -> Result<Option<RegistrationRecord>, Failure> {
    let taxpayer_id = &taxpayer.taxpayer_id;
    Ok(ctx.store.get_registration(taxpayer.mode, taxpayer_id, Register::Directory).await?)
}

/// Has the Directory show the card of a taxpayer.
pub async fn list(ctx: &Context, taxpayer: &Taxpayer) -> Result<RegistrationRecord, Failure> {
    match listing(ctx, taxpayer).await? {
        Some(stands) if stands.status.is_wanted() => Ok(stands),
        stands => {
            let taxpayer_id = &taxpayer.taxpayer_id;
            if ctx.store.get_business_card(taxpayer.mode, taxpayer_id).await?.is_none() {
                return Err(Failure::new(
                    Code::NotFound,
                    "The taxpayer has no business card to list: PUT /taxpayer/business-card first.",
                ));
            }
            let wanted = wanted(ctx, taxpayer, Register::Directory, stands);
            wish(ctx, wanted, RegistrationStatus::Registering, None).await
        }
    }
}

/// Has the Directory show it no more; none if it never did.
pub async fn unlist(
    ctx: &Context,
    taxpayer: &Taxpayer,
) -> Result<Option<RegistrationRecord>, Failure> {
    match listing(ctx, taxpayer).await? {
        Some(stands) if stands.status.is_wanted() => {
            Ok(Some(wish(ctx, stands, RegistrationStatus::Withdrawing, None).await?))
        }
        stands => Ok(stands),
    }
}

/// The registers that a taxpayer is in, or was.
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
