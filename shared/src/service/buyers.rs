//! What this service may tell of a business by its TIN, to people who write a document for it: what the business has
//! published, and in Sandbox, where businesses are invented, its name.

use super::{Context, business_cards};
use crate::{
    error::{Code, Failure},
    peppol::smp::BusinessEntity,
    types::{Mode, ParticipantId},
};

/// A business with this participant identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// Its name.
    pub name: String,
    /// Its country (ISO 3166-1 alpha-2), if it is known.
    pub country: Option<String>,
}

/// The business with a participant identifier. `None` if this service does not serve it or it has published nothing.
pub async fn find(
    ctx: &Context,
    mode: Mode,
    participant_id: &ParticipantId,
) -> Result<Option<Published>, Failure> {
    let Some(recipient) = ctx.store.find_participant(mode, participant_id).await? else {
        return Ok(None);
    };
    let taxpayer = ctx.store.get_taxpayer(mode, &recipient.taxpayer_id).await?;
    let Some(taxpayer) = taxpayer else { return Ok(None) };
    // A card that is not listed in the Peppol Directory is not public.
    let listing = business_cards::listing(ctx, &taxpayer).await?;
    if listing.is_some_and(|listing| listing.status.is_wanted()) {
        return match business_cards::card(ctx, &taxpayer).await {
            Ok(card) => Ok(card.entities.into_iter().next().and_then(of_entity)),
            Err(failure) if failure.code == Code::NotFound => Ok(None),
            Err(failure) => Err(failure),
        };
    }
    let invented = Published { name: taxpayer.name, country: None };
    Ok((mode == Mode::Sandbox).then_some(invented))
}

fn of_entity(entity: BusinessEntity) -> Option<Published> {
    let name = entity.names.into_iter().next()?.text;
    Some(Published { name, country: Some(entity.country) })
}
