//! `access-point taxpayer`: who a taxpayer is, who may act for it, and its status.

use serde_json::{Value, json};

use super::{
    Error, block_on, grant,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::TaxpayerStatus,
    service::{Context, onboarding},
    store::{Register, RegistrationRecord, TaxpayerState, instant},
    types::TaxpayerId,
};

pub(super) const USAGE: &str = "\
access-point taxpayer ACTION txpay_… [OPTION…]

A taxpayer of the deployment. Needs the environment of the functions: TABLE_NAME, and access to the table.

  show                       shows who it is, how far its onboarding is, its settings and the active grants on it
  set-status --status STATUS suspended, active, reverification or deregistered. A suspended one comes back as active;
                             one in reverification must confirm its details, and is active then; a deregistered one
                             is gone for good, and withdrawn from the network. Every organization with an active grant
                             is told

  --mode MODE                live (the default) or sandbox
  --json                     for programs
";

/// Shows a taxpayer, or changes its status.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["status"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let id: TaxpayerId = given.identifier()?;
    match given.action.as_str() {
        "show" => show(&given, &context().await?, &id).await,
        "set-status" => {
            let status = match given.required::<String>("status")?.as_str() {
                "active" => TaxpayerStatus::Active,
                "suspended" => TaxpayerStatus::Suspended,
                "reverification" => TaxpayerStatus::Reverification,
                "deregistered" => TaxpayerStatus::Deregistered,
                _ => {
                    let words = "--status is suspended, active, reverification or deregistered";
                    return Err(Error::Usage(words.into(), USAGE));
                }
            };
            let context = context().await?;
            onboarding::set_status(&context, given.mode, &id, status).await?;
            show(&given, &context, &id).await
        }
        _ => Err(given.unknown_action()),
    }
}

async fn show(given: &Given, context: &Context, id: &TaxpayerId) -> Result<(), Error> {
    let found = context.store.get_taxpayer_state(given.mode, id, None).await;
    let found = found.map_err(|why| Error::failed("the table", why))?;
    let TaxpayerState { taxpayer, access, settings, .. } = found
        .ok_or_else(|| Error::Failed(format!("there is no taxpayer {id} in {}", given.mode)))?;
    let mut registrations = Vec::new();
    for register in Register::ALL {
        let found = context.store.get_registration(given.mode, id, register).await;
        registrations.extend(found.map_err(|why| Error::failed("the table", why))?);
    }
    let shown = json!({
        "taxpayer_id": taxpayer.taxpayer_id,
        "mode": taxpayer.mode,
        "participant_id": taxpayer.participant_id,
        "name": taxpayer.name,
        "status": taxpayer.status.as_str(),
        "suspended_by": taxpayer.suspended_by,
        "email": taxpayer.email,
        "confirmed_at": taxpayer.confirmed.as_ref().map(|confirmed| instant(confirmed.at)),
        "registrations": registrations.iter().map(registration).collect::<Vec<_>>(),
        "created_at": instant(taxpayer.created_at),
        "settings": settings,
        "grants": access.grants.iter().map(grant::shown).collect::<Vec<_>>(),
    });
    let mut lines = vec![line([
        taxpayer.taxpayer_id.as_str(),
        &taxpayer.participant_id.to_string(),
        taxpayer.status.as_str(),
        &taxpayer.name,
    ])];
    if let Some(by) = &taxpayer.suspended_by {
        lines.push(line(["suspended by", &String::from(by.clone())]));
    }
    if let Some(confirmed) = &taxpayer.confirmed {
        lines.push(line(["confirmed", &instant(confirmed.at)]));
    }
    lines.extend(registrations.iter().map(|it| {
        let cause = it.cause.as_deref().unwrap_or_default();
        line([it.register.as_str(), it.status.as_str(), cause])
    }));
    lines.extend(access.grants.iter().map(grant::columns));
    given.show(&shown, &lines)
}

/// How far a registration is, which onboarding waits for.
fn registration(record: &RegistrationRecord) -> Value {
    json!({
        "register": record.register,
        "status": record.status.as_str(),
        "cause": record.cause,
        "parked": record.parked.as_ref().map(|parked| &parked.reason),
        "updated_at": instant(record.updated_at),
    })
}
