//! A test business that an organization creates for itself in Sandbox, with all scopes. It needs no application and no
//! consent, since the business is invented.

use std::collections::BTreeSet;

use super::{
    Context,
    grants::{self, Approval},
    onboarding::{self, Onboarded, Wish},
};
use crate::{
    access::{By, Scope, Taxpayer},
    error::{Code, Failure},
    store::{Freshness, Taken},
    types::{GrantId, Mode, OrganizationId},
};

/// The label of the grant.
const LABEL: &str = "Test business";

/// The outcome of the request.
#[derive(Debug)]
pub enum Connected {
    /// The business exists, and the organization may act for it.
    Active(Box<Taxpayer>),
    /// There were too many requests from this network address.
    TooOften(Taken),
}

/// Creates a test business with an unused TIN and connects it to an organization.
pub async fn connect(
    ctx: &Context,
    freshness: Freshness,
    organization_id: &OrganizationId,
    place: &str,
    by: &By,
) -> Result<Connected, Failure> {
    let tin = onboarding::unused_tin(ctx).await?;
    let name = format!("Test Business {} LLC", tin.as_str().split_at(6).1);
    let wish = Wish { tin: Some(tin.as_str()), name: &name, email: None, place };
    let taxpayer = match onboarding::simulate(ctx, wish).await? {
        Onboarded::Active(taxpayer) => taxpayer,
        Onboarded::TooOften(taken) => return Ok(Connected::TooOften(taken)),
        // Another request has drawn the same TIN.
        Onboarded::NoTin | Onboarded::TinTaken | Onboarded::NoName => {
            let message = "The test business could not be created: retry.";
            return Err(Failure::new(Code::ServiceUnavailable, message));
        }
    };
    let approval = Approval {
        mode: Mode::Sandbox,
        grant_id: GrantId::new(ctx.now(), &*ctx.random),
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        organization_id: organization_id.clone(),
        scopes: BTreeSet::from(Scope::ALL),
        grant_label: Some(LABEL.to_owned()),
        external_id: None,
        request: None,
    };
    match grants::approve(ctx, freshness, &approval, by).await? {
        Ok(_) => Ok(Connected::Active(taxpayer)),
        Err(refusal) => {
            let message = "The test business could not be connected: retry.";
            Err(Failure::new(Code::ServiceUnavailable, message).because(format!("{refusal:?}")))
        }
    }
}
