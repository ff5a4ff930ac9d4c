//! `access-point client`: the OAuth clients of organizations.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Error, block_on,
    common::{Common, context, line},
    one_of,
};
use crate::{
    access::{By, Scope, oauth::OAuthClient},
    service::{
        oauth::clients::{self, NewClient},
        organizations,
    },
    store::instant,
    types::{ClientId, OrganizationId},
};

/// Manage the OAuth clients of organizations
///
/// An OAuth client is an application that taxpayers grant access to. Needs the environment of the functions: TABLE_NAME, and
/// access to the table.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Create a client and show its secret
    ///
    /// The secret is shown only once. Only its hash is stored.
    Create {
        /// Organization that owns the client, org_…
        #[arg(long)]
        org: OrganizationId,
        /// Name of the client on the consent page
        #[arg(long, value_name = "TEXT")]
        name: String,
        #[command(flatten)]
        redirect: RedirectUris,
        /// Scopes that the client may request from taxpayers; default: all
        #[arg(
            long, value_name = "SCOPE", value_delimiter = ',',
            value_parser = one_of(Scope::ALL, Scope::as_str)
        )]
        scopes: Vec<Scope>,
    },
    /// List all clients of an organization, the oldest first
    List {
        /// Organization, org_…
        #[arg(long)]
        org: OrganizationId,
    },
    /// Create another secret; the previous one works for one more day
    Rotate {
        /// Client, client_…
        id: ClientId,
        /// Revoke the previous secret at once
        #[arg(long, value_parser = ["yes"])]
        leaked: Option<String>,
    },
    /// Replace the redirect URIs of a client
    Redirect {
        /// Client, client_…
        id: ClientId,
        #[command(flatten)]
        redirect: RedirectUris,
    },
}

#[derive(clap::Args)]
struct RedirectUris {
    /// Redirect URIs; write a comma in a URI as %2C
    #[arg(long = "redirect", value_name = "URI", value_delimiter = ',', required = true)]
    uris: Vec<String>,
}

/// Creates, lists or changes clients.
pub(super) fn run(Args { action, common }: Args) -> Result<(), Error> {
    block_on(act(action, &common))
}

async fn act(action: Action, common: &Common) -> Result<(), Error> {
    let (mode, by) = (common.mode(), By::operator());
    match action {
        Action::Create { org, name, redirect, scopes } => {
            let scopes =
                if scopes.is_empty() { Scope::ALL.into() } else { BTreeSet::from_iter(scopes) };
            let new = NewClient {
                mode,
                organization_id: org,
                name,
                redirect_uris: redirect.uris,
                scopes,
            };
            let (client, secret) = clients::create(&context().await?, new, &by).await?;
            let mut shown = shown(&client);
            shown["client_secret"] = json!(secret.reveal());
            common.show(&shown, &[line([client.client_id.as_str(), secret.reveal()])])
        }
        Action::List { org } => {
            let context = context().await?;
            organizations::get(&context, mode, &org).await?;
            let found = clients::list(&context, mode, &org).await?;
            let lines: Vec<_> = found.iter().map(columns).collect();
            common.show(&found.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        Action::Rotate { id, leaked } => {
            let (context, leaked) = (context().await?, leaked.is_some());
            let secret = clients::rotate_secret(&context, mode, &id, leaked, &by).await?;
            let shown = json!({"client_id": id, "client_secret": secret.reveal()});
            common.show(&shown, &[line([id.as_str(), secret.reveal()])])
        }
        Action::Redirect { id, redirect: RedirectUris { uris } } => {
            clients::change(&context().await?, mode, &id, (None, &uris), &by).await?;
            let shown = json!({"client_id": id, "redirect_uris": uris});
            common.show(&shown, &[line([id.as_str(), &uris.join(",")])])
        }
    }
}

/// A client without the hashes of its secrets.
fn shown(client: &OAuthClient) -> Value {
    let uris: Vec<_> = client.redirect_uris.iter().map(|uri| uri.as_str()).collect();
    json!({
        "client_id": client.client_id,
        "organization_id": client.organization_id,
        "mode": client.mode,
        "name": client.name,
        "redirect_uris": uris,
        "scopes": client.scopes,
        "created_at": instant(client.created_at),
    })
}

fn columns(client: &OAuthClient) -> Vec<String> {
    let uris: Vec<_> = client.redirect_uris.iter().map(|uri| uri.as_str()).collect();
    line([client.client_id.as_str(), &instant(client.created_at), &client.name, &uris.join(",")])
}
