//! `access-point client`: the OAuth clients of organizations.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Error, block_on,
    operate::{Given, context, line},
    print,
};
use crate::{
    access::{By, Scope, oauth::OAuthClient},
    service::{
        oauth::clients::{self, NewClient},
        organizations,
    },
    store::instant,
};

pub(super) const USAGE: &str = "\
access-point client ACTION [OPTION…]

The OAuth clients of organizations: the applications that taxpayers let act for them. Needs the environment of the
functions: TABLE_NAME, and access to the table.

  create --org org_… --name TEXT --redirect URI[,URI…] [--scopes SCOPE[,SCOPE…]]
                       makes one, and shows its secret: it is shown this once, and kept as a hash alone; it may ask
                       taxpayers for these scopes alone, for all of them where none are named
  list --org org_…     shows all of an organization, the oldest first
  rotate client_…      another secret; the one before works for a day more, or with --leaked yes no more
  redirect client_… --redirect URI[,URI…]
                       other redirect URIs in the place of those that it has

  --mode MODE          live (the default) or sandbox
  --json               for programs
";

/// Makes, lists or changes clients.
pub(super) fn run(arguments: lexopt::Parser) -> Result<(), Error> {
    let known = ["org", "name", "redirect", "scopes", "leaked"];
    let Some(given) = Given::read(arguments, &known, USAGE)? else {
        return print(USAGE.as_bytes());
    };
    block_on(act(given))
}

async fn act(given: Given) -> Result<(), Error> {
    let (mode, by) = (given.mode, By::operator());
    match given.action.as_str() {
        "create" => {
            let new = NewClient {
                mode,
                organization_id: given.required("org")?,
                name: given.required("name")?,
                redirect_uris: redirect_uris(&given)?,
                scopes: scopes(&given)?,
            };
            let (client, secret) = clients::create(&context().await?, new, &by).await?;
            let mut shown = shown(&client);
            shown["client_secret"] = json!(secret.reveal());
            given.show(&shown, &[line([client.client_id.as_str(), secret.reveal()])])
        }
        "list" => {
            let (context, org) = (context().await?, given.required("org")?);
            organizations::get(&context, mode, &org).await?;
            let found = clients::list(&context, mode, &org).await?;
            let lines: Vec<_> = found.iter().map(columns).collect();
            given.show(&found.iter().map(shown).collect::<Vec<_>>(), &lines)
        }
        "rotate" => {
            let (id, leaked) = (given.identifier()?, given.option::<String>("leaked")?);
            let leaked = match leaked.as_deref() {
                None => false,
                Some("yes") => true,
                Some(_) => return Err(Error::Usage("--leaked is yes".to_owned(), USAGE)),
            };
            let secret = clients::rotate_secret(&context().await?, mode, &id, leaked, &by).await?;
            let shown = json!({"client_id": id, "client_secret": secret.reveal()});
            given.show(&shown, &[line([id.as_str(), secret.reveal()])])
        }
        "redirect" => {
            let (id, uris) = (given.identifier()?, redirect_uris(&given)?);
            clients::set_redirect_uris(&context().await?, mode, &id, &uris, &by).await?;
            let shown = json!({"client_id": id, "redirect_uris": uris});
            given.show(&shown, &[line([id.as_str(), &uris.join(",")])])
        }
        _ => Err(given.unknown_action()),
    }
}

/// No redirect URI of a list holds a comma: one that needs it is written with %2C.
fn redirect_uris(given: &Given) -> Result<Vec<String>, Error> {
    let text: String = given.required("redirect")?;
    Ok(text.split(',').map(str::to_owned).collect())
}

/// All of them where none are named.
fn scopes(given: &Given) -> Result<BTreeSet<Scope>, Error> {
    let Some(text) = given.option::<String>("scopes")? else { return Ok(Scope::ALL.into()) };
    let known = |name: &str| {
        let unknown = |()| Error::Usage(format!("--scopes: there is no scope {name:?}"), USAGE);
        name.parse().map_err(unknown)
    };
    text.split(',').map(known).collect()
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
