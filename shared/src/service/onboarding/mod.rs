//! Onboarding of businesses as taxpayers (specification 5.4, point 1), and their later changes of status (3.4).
//!
//! In Live a person advances an **application** in one browser. Until the mailbox is verified, no page reveals whether
//! a TIN or an address is known:
//!
//! | application | what happens | by | next |
//! |---|---|---|---|
//! | `appointment` | TIN and e-mail address were given; the page explains how to appoint the service in the national portal, which is asked before each mail | [`ask`], [`mail`](super::mail) | `verification`, if the business appointed us and has the address |
//! | `verification` | a link was sent to the address | [`verify`] | `details` |
//! | `details` | the portal's details are shown with their defects, and confirmed | [`details`], [`confirm()`] | `registration` |
//! | `registration` | the taxpayer is made, and registered with the tax authority through the portal | [`Admission`], by the queue `register` | `handed_over`; back to `details`, if the portal's details have changed |
//! | `handed_over` | the taxpayer is registered in the network, and becomes active | [`register`], by the queue | `finished`: its browser is signed in ([`finish`]) |
//!
//! Then the **taxpayer's** own status applies:
//!
#![doc = include_str!("../../access/transitions.md")]
//!
//! A taxpayer that must confirm again uses an application, which finds the existing taxpayer. Changes at the portal are
//! read every hour ([`read_changes`]). They are compared with the details that the business confirmed last.
//!
//! Without a portal, the operator creates taxpayers ([`create_taxpayer`]). Their registration is the same.
//!
//! [`NationalPortal`] is the portal's interface, and [`HttpPortal`] is its HTTP adapter. In Sandbox the portal is
//! simulated ([`simulate`]).

mod admit;
mod apply;
mod changes;
pub(crate) mod confirm;
mod http_portal;
mod national_portal;
mod operator;
mod registration;
mod sandbox;
mod standing;
mod steps;

pub use admit::Admission;
#[cfg(test)]
pub use apply::BY_TIN;
pub use apply::{Ask, Asked, Link, application, ask, look, verify};
pub use changes::{ChangesRead, read_changes};
pub use confirm::{Confirmation, Progress, Shown, confirm, details, finish, progress};
pub use http_portal::HttpPortal;
pub use national_portal::{Business, Known, NationalPortal, PortalError, Standing};
pub use operator::{
    NewTaxpayer, create_taxpayer, plan_resumption, plan_suspension, plan_taxpayer, resume, suspend,
};
pub use registration::Registration;
pub(super) use sandbox::{Details, profile};
pub use sandbox::{MAX_NAME, Onboarded, Wish, simulate, unused_tin};
pub use steps::{On, Reached, Step, steps};

use super::{Context, register, taxpayers};
use crate::{
    access::{By, Taxpayer, TaxpayerStatus},
    error::Failure,
    types::{Mode, TaxpayerId},
};

/// Changes a taxpayer's status on request of an operator. A deregistered taxpayer is also withdrawn from the network,
/// even if it was deregistered before.
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
