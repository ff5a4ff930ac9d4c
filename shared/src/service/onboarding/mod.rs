//! How a business becomes a taxpayer here (specification 5.4, point 1), and what becomes of it (3.4).
//!
//! In Live a person brings an **application** on, in one browser; nothing that it is shown tells whether a TIN or an
//! address was known before its mailbox was verified:
//!
//! | application | what happens | by | then |
//! |---|---|---|---|
//! | `appointment` | TIN and e-mail address were given; the page says how the service is appointed in the national portal, which is asked when a mail is to be sent: each time that somebody asks, and not in between | [`ask`], [`mail`](super::mail) | `verification`, if the business appointed us and has the address |
//! | `verification` | a link is at that address | [`verify`] | `details` |
//! | `details` | the portal's details are shown, with their defects, and confirmed | [`details`], [`confirm()`] | `registration` |
//! | `registration` | the taxpayer is made, and the tax authority is told through the portal | [`admit()`], by the queue `register` | `handed_over`; back to `details`, if the portal has something else by now |
//! | `handed_over` | the network is told; then the taxpayer is active | [`register`], by the queue | `finished`: its browser is signed in ([`finish`]) |
//!
//! Then the **taxpayer's** own status says how it stands:
//!
#![doc = include_str!("../../access/transitions.md")]
//!
//! Whoever must confirm again goes the way of an application, which finds the taxpayer. What changes at the portal is
//! read every hour ([`read_changes`]); a business is compared with what it last confirmed.
//!
//! Without a portal, the operator creates taxpayers ([`create_taxpayer`]); their registration is the same.
//!
//! What is asked of the portal: [`NationalPortal`]; how it is asked over HTTP: [`HttpPortal`]. In Sandbox all of that is
//! simulated ([`simulate`]).

mod admit;
mod apply;
mod changes;
pub(crate) mod confirm;
mod http_portal;
mod national_portal;
mod operator;
mod sandbox;
mod standing;
mod steps;

pub use admit::admit;
pub use apply::{
    APPLICATION_VALID, APPLICATIONS_BY_PLACE, Ask, Asked, BY_ADDRESS, BY_TIN, Link, application,
    ask, look, verify,
};
pub use changes::{ChangesRead, read_changes};
pub use confirm::{Confirmation, DETAILS, Progress, Shown, confirm, details, finish, progress};
pub use http_portal::HttpPortal;
pub use national_portal::{Business, Changes, Known, NationalPortal, PortalError, Standing};
pub use operator::{
    NewTaxpayer, create_taxpayer, plan_resumption, plan_suspension, plan_taxpayer, resume, suspend,
};
pub use sandbox::{BY_PLACE, MAX_NAME, Onboarded, Wish, simulate, unused_tin};
pub(super) use sandbox::{Details, profile};
pub(super) use standing::complete;
pub use steps::{On, Reached, Step, steps};

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
