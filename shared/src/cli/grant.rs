//! `access-point grant`: the grants of organizations.

use serde_json::{Value, json};

use super::{
    Error, block_on,
    common::{Common, context, line},
};
use crate::{
    access::{By, Grant, Scope},
    service::grants,
    store::{GrantSelection, instant},
    types::{GrantId, Mode, OrganizationId, TaxpayerId},
};

/// List or revoke the grants of an organization
///
/// Needs the environment of the functions: TABLE_NAME, and access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List all grants, active and revoked, the newest first
    List {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
        /// Only grants on this taxpayer, txpay_…
        #[arg(long)]
        taxpayer: Option<TaxpayerId>,
    },
    /// Revoke a grant: the next request through it is refused, and the organization is notified
    Revoke {
        /// Grant, tgr_…
        id: GrantId,
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
}

/// How many grants are read at once.
const PAGE: usize = 100;

/// Lists or revokes grants.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    match action {
        Action::List { org, taxpayer } => {
            let grants = all(common.mode(), &org, taxpayer.as_ref()).await?;
            let lines: Vec<_> = grants.iter().map(columns).collect();
            common.show(&grants.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        Action::Revoke { id, org } => {
            let (context, by) = (context().await?, By::operator());
            let grant = grants::revoke(&context, common.mode(), &org, &id, &by).await?;
            common.show(&shown(&grant), &[columns(&grant)])
        }
    }
}

async fn all(
    mode: Mode,
    org: &OrganizationId,
    taxpayer_id: Option<&TaxpayerId>,
) -> Result<Vec<Grant>, Error> {
    let selection = GrantSelection { status: None, taxpayer_id };
    let context = context().await?;
    let (mut found, mut after): (Vec<Grant>, Option<String>) = (Vec::new(), None);
    loop {
        let page = context.store.list_grants(mode, org, selection, after.as_deref(), PAGE);
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
