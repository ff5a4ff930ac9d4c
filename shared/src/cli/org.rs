//! `access-point org`: integrators' accounts.

use std::str::FromStr;

use serde_json::json;

use super::{
    Error, block_on,
    common::{Common, context, line},
};
use crate::{
    access::{By, Organization},
    service::{Context, organizations, quotas},
    store::{Quota, instant},
    types::OrganizationId,
};

/// Manage integrators' accounts
///
/// An account belongs to one mode. An integrator that works in both modes has an account in each. Needs the environment of
/// the functions: TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Create an account and show its identifier
    Create {
        /// Name of the integrator
        #[arg(long)]
        name: String,
        /// Account of the other mode to create in this mode, too
        #[arg(long = "as", value_name = "ORG")]
        twin: Option<OrganizationId>,
    },
    /// Show an account
    Show {
        /// Organization, org_…
        id: OrganizationId,
    },
    /// Show or set the daily limit of Sandbox documents of an organization
    Quota {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        /// The new limit, or default for the general limit (SandboxDailySends)
        #[arg(long, value_name = "N")]
        sends: Option<DailySends>,
    },
}

/// The daily limit; `None` for the general limit.
#[derive(Clone, Copy)]
struct DailySends(Option<u32>);

impl FromStr for DailySends {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = |_| "it must be a number or default";
        Ok(DailySends((text != "default").then(|| text.parse().map_err(wrong)).transpose()?))
    }
}

/// Creates or shows an account.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    let (context, mode, by) = (context().await?, common.mode(), By::operator());
    let organization = match action {
        Action::Create { name, twin: Some(id) } => {
            organizations::create_as(&context, mode, id, &name, &by).await?
        }
        Action::Create { name, twin: None } => {
            organizations::create(&context, mode, &name, &by).await?
        }
        Action::Show { id } => organizations::get(&context, mode, &id).await?,
        Action::Quota { org, sends } => return quota(&context, common, &org, sends).await,
    };
    let Organization { organization_id, mode, name, created_at } = &organization;
    let created = instant(*created_at);
    common.show(&organization, &[line([organization_id.as_str(), mode.as_str(), name, &created])])
}

/// Shows what an organization may send in Sandbox, after setting it if that is asked for.
async fn quota(
    context: &Context,
    common: &Common,
    id: &OrganizationId,
    sends: Option<DailySends>,
) -> Result<(), Error> {
    if let Some(DailySends(most)) = sends {
        quotas::set(context, id, most, &By::operator()).await?;
    }
    let Quota { most, day, taken, .. } = quotas::show(context, id).await?;
    let shown = json!({"organization_id": id, "daily_sends": most, "day": day, "sent": taken});
    let allowed = most.map_or("default".to_owned(), |most| format!("{most} a day"));
    let sent = day.map_or(String::new(), |day| format!("{taken} on {day}"));
    common.show(&shown, &[line([id.as_str(), &allowed, &sent])])
}
