//! `access-point grant`: the grants of organizations.

use serde_json::{Value, json};

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{By, Grant, Scope},
    service::grants,
    store::{GrantSelection, instant},
    types::{OrganizationId, TaxpayerId},
};

pub(super) const USAGE: &str = "\
access-point grant ACTION --org org_… [OPTION…]

What taxpayers granted an organization. Needs the environment of the functions: TABLE_NAME, and access to the table.

  list               shows all, active and revoked, the youngest first
  revoke tgr_…       ends one: the next request through it is refused, and the organization is told

  --taxpayer txpay_… with list: those on one taxpayer
  --mode MODE        live (the default) or sandbox
  --json             for programs
";

/// How many grants are read at once.
const PAGE: usize = 100;

/// Lists or revokes grants.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let Some(given) = Given::read(arguments, &["org", "taxpayer"], USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let org: OrganizationId = given.required("org")?;
    match given.action.as_str() {
        "list" => {
            let grants = all(&given, &org).await?;
            let lines: Vec<_> = grants.iter().map(columns).collect();
            given.show(&grants.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        "revoke" => {
            let (id, by) = (given.identifier()?, By::operator());
            let grant = grants::revoke(&context().await?, given.mode, &org, &id, &by).await?;
            given.show(&shown(&grant), &[columns(&grant)])
        }
        _ => Err(given.unknown_action()),
    }
}

async fn all(given: &Given, org: &OrganizationId) -> Result<Vec<Grant>, Error> {
    let taxpayer: Option<TaxpayerId> = given.option("taxpayer")?;
    let selection = GrantSelection { status: None, taxpayer_id: taxpayer.as_ref() };
    let context = context().await?;
    let (mut found, mut after): (Vec<Grant>, Option<String>) = (Vec::new(), None);
    loop {
        let page = context.store.list_grants(given.mode, org, selection, after.as_deref(), PAGE);
        let page = page.await.map_err(|why| Error::failed("the table", why))?;
        found.extend(page.items);
        after = page.next;
        if after.is_none() {
            return Ok(found);
        }
    }
}

fn scopes(grant: &Grant) -> Vec<&'static str> {
    grant.scopes.iter().copied().map(Scope::as_str).collect()
}

/// A grant for programs.
pub(super) fn shown(grant: &Grant) -> Value {
    json!({
        "grant_id": grant.grant_id,
        "taxpayer_id": grant.taxpayer_id,
        "organization_id": grant.organization_id,
        "status": grant.status.as_str(),
        "scopes": scopes(grant),
        "grant_label": grant.grant_label,
        "external_id": grant.external_id,
        "created_at": instant(grant.created_at),
        "revoked_at": grant.revoked_at.map(instant),
    })
}

/// A grant for people.
pub(super) fn columns(grant: &Grant) -> Vec<String> {
    let ended = grant.revoked_at.map_or(String::new(), |at| format!("until {}", instant(at)));
    line([
        grant.grant_id.as_str(),
        grant.organization_id.as_str(),
        grant.taxpayer_id.as_str(),
        grant.status.as_str(),
        &scopes(grant).join(","),
        &instant(grant.created_at),
        &ended,
        grant.grant_label.as_deref().unwrap_or_default(),
    ])
}
