//! How a business becomes a taxpayer here (specification 5.4, point 1), and what becomes of it (3.4).

mod sandbox;

pub use sandbox::{BY_PLACE, MAX_NAME, Onboarded, Wish, simulate, unused_tin};
pub(super) use sandbox::{Details, profile};

use super::{Context, register, taxpayers};
use crate::{
    access::{By, Taxpayer, TaxpayerStatus},
    error::Failure,
    types::{Mode, TaxpayerId},
};

/// Changes a taxpayer's status by the wish of who operates the service. One that is deregistered is withdrawn from the
/// network, too: again, if it was before.
pub async fn set_status(
    ctx: &Context,
    mode: Mode,
    id: &TaxpayerId,
    status: TaxpayerStatus,
) -> Result<Taxpayer, Failure> {
    let taxpayer = taxpayers::set_status(ctx, mode, id, status, &By::operator()).await?;
    if status == TaxpayerStatus::Deregistered {
        register::withdraw(ctx, mode, id).await?;
    }
    Ok(taxpayer)
}
