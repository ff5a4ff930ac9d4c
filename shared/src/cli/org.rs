//! `access-point org`: integrators' accounts.

use serde_json::json;

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{By, Organization},
    service::{organizations, quotas},
    store::{Quota, instant},
    types::OrganizationId,
};

pub(super) const USAGE: &str = "\
access-point org ACTION [OPTION…]

Integrators' accounts. An account is of one mode: one that works in both has one of each. Needs the environment of the
functions: TABLE_NAME, and access to the table.

  create --name NAME   makes one, and shows its identifier
    --as org_…         makes the account of the other mode in this one, too
  show org_…           shows one
  quota --org org_…    shows how many documents it may send in Sandbox on a day, where that is its own, and has sent
    --sends N          has it send so many; with the word default as many as everybody (SandboxDailySends)

  --mode MODE          live (the default) or sandbox
  --json               for programs
";

/// Makes or shows an account.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["name", "as", "org", "sends"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let organization = match given.action.as_str() {
        "create" => {
            let name: String = given.required("name")?;
            let (context, by) = (context().await?, By::operator());
            match given.option::<OrganizationId>("as")? {
                Some(id) => organizations::create_as(&context, given.mode, id, &name, &by).await?,
                None => organizations::create(&context, given.mode, &name, &by).await?,
            }
        }
        "show" => {
            let id = given.identifier()?;
            organizations::get(&context().await?, given.mode, &id).await?
        }
        "quota" => return quota(&given).await,
        _ => return Err(given.unknown_action()),
    };
    let Organization { organization_id, mode, name, created_at } = &organization;
    let created = instant(*created_at);
    given.show(&organization, &[line([organization_id.as_str(), mode.as_str(), name, &created])])
}

/// Shows what an organization may send in Sandbox, after it was set where that is wished.
async fn quota(given: &Given) -> Result<(), Error> {
    let (id, sends): (OrganizationId, Option<String>) =
        (given.required("org")?, given.option("sends")?);
    let context = context().await?;
    if let Some(sends) = sends {
        let wrong = |_| Error::Usage("--sends is a number, or default".to_owned(), USAGE);
        let most = (sends != "default").then(|| sends.parse().map_err(wrong)).transpose()?;
        quotas::set(&context, &id, most, &By::operator()).await?;
    }
    let Quota { most, day, taken } = quotas::show(&context, &id).await?;
    let shown = json!({"organization_id": id, "daily_sends": most, "day": day, "sent": taken});
    let allowed = most.map_or("default".to_owned(), |most| format!("{most} a day"));
    let sent = day.map_or(String::new(), |day| format!("{taken} on {day}"));
    given.show(&shown, &[line([id.as_str(), &allowed, &sent])])
}
