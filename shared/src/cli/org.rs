//! `access-point org`: integrators' accounts.

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{By, Organization},
    service::organizations,
    store::instant,
};

const USAGE: &str = "\
access-point org ACTION [OPTION…]

Integrators' accounts. An account is of one mode: one that works in both has one of each. Needs the environment of the
functions: TABLE_NAME, and access to the table.

  create --name NAME   makes one, and shows its identifier
  show org_…           shows one

  --mode MODE          live (the default) or sandbox
  --json               for programs
";

/// Makes or shows an account.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["name"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let organization = match given.action.as_str() {
        "create" => {
            let name: String = given.required("name")?;
            organizations::create(&context().await?, given.mode, &name, &By::operator()).await?
        }
        "show" => {
            let id = given.identifier()?;
            organizations::get(&context().await?, given.mode, &id).await?
        }
        _ => return Err(given.unknown_action()),
    };
    let Organization { organization_id, mode, name, created_at } = &organization;
    let created = instant(*created_at);
    given.show(&organization, &[line([organization_id.as_str(), mode.as_str(), name, &created])])
}
