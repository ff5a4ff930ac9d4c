//! `access-point subscription`: what organizations have paid for in Live.

use serde_json::json;

use super::{
    Error, block_on,
    common::{Common, context, line},
};
use crate::{
    access::By,
    service::subscriptions,
    store::{Billing, instant},
    types::{Mode, OrganizationId},
};

/// Manage the subscriptions of organizations
///
/// Without an active subscription, an organization cannot send documents or connect taxpayers in Live. Needs the environment
/// of the functions: TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Show the subscription, and how many of its seats are in use
    Show {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
    /// Activate a subscription until the operator or the billing provider changes it
    Set {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        /// Maximum number of taxpayers; default: any number
        #[arg(long, value_name = "N")]
        seats: Option<u32>,
    },
    /// End a subscription: the next Live send is refused; connections stay
    End {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
}

/// Shows, sets or ends a subscription.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    if common.mode() == Mode::Sandbox {
        return Err(Error::Usage("Sandbox is free: it has no subscriptions".to_owned()));
    }
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    let (context, by) = (context().await?, By::operator());
    let org = match action {
        Action::Show { org } => org,
        Action::Set { org, seats } => {
            subscriptions::set(&context, &org, seats, &by).await?;
            org
        }
        Action::End { org } => {
            subscriptions::end(&context, &org, &by).await?;
            org
        }
    };
    show(common, &org, subscriptions::show(&context, &org).await?)
}

fn show(common: &Common, org: &OrganizationId, billing: Billing) -> Result<(), Error> {
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
    common.show(&shown, &[line([org.as_str(), status, &taken, said_by, &as_of, &confirmed_at])])
}
