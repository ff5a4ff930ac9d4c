//! `access-point subscription`: what organizations have paid for in Live.

use serde_json::json;

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::By,
    service::subscriptions,
    store::{Billing, instant},
    types::{Mode, OrganizationId},
};

pub(super) const USAGE: &str = "\
access-point subscription ACTION --org org_… [OPTION…]

What an organization has paid for: without an active subscription it sends nothing in Live and connects no taxpayer there.
Needs the environment of the functions: TABLE_NAME, and access to the table.

  show               shows it, and how many of its seats are in use
  set [--seats N]    has it be active, for N taxpayers or for any number, until somebody says otherwise; what the billing
                     provider says later counts
  end                ends it: the next Live send is refused. Connections stay

  --json             for programs
";

/// Shows, sets or ends a subscription.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["org", "seats"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let (org, seats): (OrganizationId, _) = (given.required("org")?, given.option("seats")?);
    if given.mode == Mode::Sandbox {
        return Err(Error::Usage("Sandbox is free: it has no subscriptions".to_owned(), USAGE));
    }
    if seats.is_some() && given.action != "set" {
        return Err(Error::Usage("--seats goes with set alone".to_owned(), USAGE));
    }
    let (context, by) = (context().await?, By::operator());
    match given.action.as_str() {
        "show" => {}
        "set" => {
            subscriptions::set(&context, &org, seats, &by).await?;
        }
        "end" => {
            subscriptions::end(&context, &org, &by).await?;
        }
        _ => return Err(given.unknown_action()),
    }
    show(&given, &org, subscriptions::show(&context, &org).await?)
}

fn show(given: &Given, org: &OrganizationId, billing: Billing) -> Result<(), Error> {
    let Billing { subscription, in_use, .. } = billing;
    let subscription = subscription.as_ref();
    let status = match subscription.map(|it| it.active) {
        None => "none",
        Some(true) => "active",
        Some(false) => "ended",
    };
    let seats = subscription.and_then(|it| it.seats);
    let as_of = subscription.and_then(|it| it.as_of).map(instant);
    let confirmed_at = subscription.and_then(|it| it.confirmed_at).map(instant);
    let said_by = match subscription {
        None => "",
        Some(it) if it.confirmed_at.is_some() => "provider",
        Some(_) => "operator",
    };
    let taken = match seats {
        Some(seats) => format!("{in_use} of {seats} seats"),
        None => format!("{in_use} seats"),
    };
    let shown = json!({
        "organization_id": org,
        "status": status,
        "seats": seats,
        "seats_in_use": in_use,
        "said_by": Some(said_by).filter(|by| !by.is_empty()),
        "as_of": as_of,
        "confirmed_at": confirmed_at,
    });
    let [as_of, confirmed_at] = [as_of, confirmed_at].map(Option::unwrap_or_default);
    given.show(&shown, &[line([org.as_str(), status, &taken, said_by, &as_of, &confirmed_at])])
}
