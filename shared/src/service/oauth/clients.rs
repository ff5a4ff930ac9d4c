//! OAuth clients. An operator creates them, or their organization in the portal. They authenticate by their secret.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use super::{Authenticated, ErrorCode, OAuthError};
use crate::{
    access::{
        Action, AuditRecord, By, Deed, PresentedClientSecret, Scope, Trail,
        oauth::{ClientSecret, MAX_REDIRECT_URIS, OAuthClient, RedirectUri, RedirectUriError},
    },
    error::{Code, Failure, Finding},
    log::{self, Field},
    service::{Context, audit, later},
    types::{ClientId, Mode, OrganizationId},
};

/// How long the previous secret works beside a new one, so that the new one can be deployed everywhere.
pub const SECRET_OVERLAP: SignedDuration = SignedDuration::from_hours(24);
/// Longest name of a client, in characters.
pub const MAX_NAME: usize = 100;
/// How many clients an organization may have.
pub const MAX_CLIENTS: usize = 20;

/// How a client authenticates: by one of two methods, never both (RFC 6749, section 2.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCredentials {
    /// `client_id`
    pub client_id: String,
    /// `client_secret`
    pub client_secret: String,
}

/// Authenticates a client. The answer is the same for every error.
pub async fn authenticate(
    ctx: &Context,
    credentials: &ClientCredentials,
) -> Result<Authenticated, OAuthError> {
    let refused = |why: &'static str| {
        OAuthError::new(
            ErrorCode::InvalidClient,
            "No such client and secret: send the client_id and client_secret of the matching mode.",
        )
        .because(why)
    };
    let secret = PresentedClientSecret::parse(&credentials.client_secret)
        .ok_or_else(|| refused("the secret does not have the form of a client secret"))?;
    let id: ClientId = credentials
        .client_id
        .parse()
        .map_err(|_| refused("the client_id does not have the form of a client_id"))?;
    // The mode comes from the secret alone. The same client_id has no meaning in the other mode.
    let client = ctx.store.get_client(secret.mode(), &id).await?;
    let client = client.ok_or_else(|| refused("no such client"))?;
    log::note(Field::ClientId, &client.client_id);
    log::note(Field::OrganizationId, &client.organization_id);
    match client.authenticates(&secret, ctx.now()) {
        true => Ok(Authenticated(client)),
        false => Err(refused("the secret is not the client's, or has expired")),
    }
}

/// The settings of a new client.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Live or Sandbox.
    pub mode: Mode,
    /// The organization that owns it.
    pub organization_id: OrganizationId,
    /// Its name on the consent page.
    pub name: String,
    /// The allowed redirect URIs.
    pub redirect_uris: Vec<String>,
    /// The scopes that it may request.
    pub scopes: BTreeSet<Scope>,
}

/// Creates a client. The secret is shown only once.
pub async fn create(
    ctx: &Context,
    new: NewClient,
    by: &By,
) -> Result<(OAuthClient, PresentedClientSecret), Failure> {
    let NewClient { mode, organization_id, name, redirect_uris, scopes } = new;
    let redirect_uris = valid_settings(mode, &name, &redirect_uris, &scopes)?;
    if ctx.store.get_organization(mode, &organization_id).await?.is_none() {
        return Err(Failure::new(Code::NotFound, "There is no organization with that id."));
    }
    room(ctx.store.list_clients(mode, &organization_id).await?.len())?;
    let now = ctx.now();
    let secret = PresentedClientSecret::generate(mode, &*ctx.random);
    let client = OAuthClient {
        client_id: ClientId::new(now, &*ctx.random),
        mode,
        organization_id,
        name: name.trim().to_owned(),
        secrets: vec![ClientSecret { hash: secret.hash(), created_at: now, expires_at: None }],
        redirect_uris,
        scopes,
        created_by: by.actor.clone(),
        created_at: now,
    };
    let entry = entry(ctx, &client, Action::ClientCreated, by);
    match ctx.store.create_client(&client, &entry).await? {
        true => Ok((client, secret)),
        false => Err(Failure::new(Code::InternalError, "The client's identifier is taken.")),
    }
}

/// Checks whether an organization with so many clients may have another one.
pub(crate) fn room(clients: usize) -> Result<(), Failure> {
    if clients >= MAX_CLIENTS {
        let why = format!("An organization has at most {MAX_CLIENTS} clients.");
        return Err(invalid("AP-CLIENT-limit", None, why));
    }
    Ok(())
}

/// Checks the settings of a client. Returns its redirect URIs, or the first error.
pub(crate) fn valid_settings(
    mode: Mode,
    name: &str,
    redirect_uris: &[String],
    scopes: &BTreeSet<Scope>,
) -> Result<Vec<RedirectUri>, Failure> {
    let redirect_uris = checked(mode, redirect_uris)?;
    if name.trim().is_empty()
        || name.chars().count() > MAX_NAME
        || name.chars().any(char::is_control)
    {
        let why = format!(
            "The name of a client has 1 to {MAX_NAME} characters and no control characters."
        );
        return Err(invalid("AP-CLIENT-name", None, why));
    }
    if scopes.is_empty() {
        let why = "A client without scopes cannot connect a business: select at least one scope.";
        return Err(invalid("AP-CLIENT-scopes", None, why.to_owned()));
    }
    Ok(redirect_uris)
}

/// The clients of an organization, the oldest first.
pub async fn list(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Vec<OAuthClient>, Failure> {
    Ok(ctx.store.list_clients(mode, organization_id).await?)
}

/// Gives a client a new secret. The previous one works for [`SECRET_OVERLAP`] more, or ends at once if it leaked.
pub async fn rotate_secret(
    ctx: &Context,
    mode: Mode,
    client_id: &ClientId,
    leaked: bool,
    by: &By,
) -> Result<PresentedClientSecret, Failure> {
    let client = get(ctx, mode, client_id).await?;
    let now = ctx.now();
    let secret = PresentedClientSecret::generate(mode, &*ctx.random);
    let mut secrets = vec![ClientSecret { hash: secret.hash(), created_at: now, expires_at: None }];
    // There are at most two secrets: a second rotation drops the older one, since the last one is deployed everywhere.
    let newest = client.secrets.iter().find(|secret| secret.expires_at.is_none());
    if let (Some(newest), false) = (newest, leaked) {
        let expires_at = Some(later(now, SECRET_OVERLAP));
        secrets.push(ClientSecret { expires_at, ..newest.clone() });
    }
    let entry = entry(ctx, &client, Action::ClientSecretRotated, by);
    let to = OAuthClient { secrets, ..client.clone() };
    match ctx.store.change_client(&client, &to, &entry).await? {
        true => Ok(secret),
        false => Err(changed()),
    }
}

/// Replaces the redirect URIs of a client, and its name if there is a new one.
pub async fn change(
    ctx: &Context,
    mode: Mode,
    client_id: &ClientId,
    (name, redirect_uris): (Option<&str>, &[String]),
    by: &By,
) -> Result<(), Failure> {
    let client = get(ctx, mode, client_id).await?;
    let name = name.unwrap_or(&client.name).trim().to_owned();
    let redirect_uris = valid_settings(mode, &name, redirect_uris, &client.scopes)?;
    let entry = entry(ctx, &client, Action::ClientUpdated, by);
    let to = OAuthClient { name, redirect_uris, ..client.clone() };
    match ctx.store.change_client(&client, &to, &entry).await? {
        true => Ok(()),
        false => Err(changed()),
    }
}

/// Deletes a client. Its refresh tokens are refused from now on, since it cannot authenticate any more. An access token
/// works until it expires, and the grants of its organization stay.
pub async fn delete(
    ctx: &Context,
    mode: Mode,
    client_id: &ClientId,
    by: &By,
) -> Result<(), Failure> {
    let client = get(ctx, mode, client_id).await?;
    let entry = entry(ctx, &client, Action::ClientDeleted, by);
    match ctx.store.delete_client(&client, &entry).await? {
        true => Ok(()),
        false => Err(changed()),
    }
}

async fn get(ctx: &Context, mode: Mode, client_id: &ClientId) -> Result<OAuthClient, Failure> {
    let client = ctx.store.get_client(mode, client_id).await?;
    client.ok_or_else(|| Failure::new(Code::NotFound, "There is no client with that id."))
}

fn entry(ctx: &Context, client: &OAuthClient, action: Action, by: &By) -> AuditRecord {
    let subject = client.client_id.as_str();
    let deed = Deed { mode: client.mode, by, action, subject, at: ctx.now() };
    audit::entry(ctx, &deed, Trail::Organization(client.organization_id.clone()))
}

fn checked(mode: Mode, texts: &[String]) -> Result<Vec<RedirectUri>, Failure> {
    if texts.is_empty() || texts.len() > MAX_REDIRECT_URIS {
        let why = format!("A client has 1 to {MAX_REDIRECT_URIS} redirect URIs.");
        return Err(invalid("AP-CLIENT-redirects", None, why));
    }
    let read = |text: &String| {
        RedirectUri::parse(text, mode).map_err(|why| {
            let message = format!("The redirect URI {text:?} is not allowed: {why}.");
            invalid(rule_of(why), Some(text), message)
        })
    };
    texts.iter().map(read).collect()
}

/// The rule that a redirect URI breaks. Pages translate it.
fn rule_of(error: RedirectUriError) -> &'static str {
    match error {
        RedirectUriError::Long => "AP-CLIENT-redirect-long",
        RedirectUriError::NotAbsolute => "AP-CLIENT-redirect-absolute",
        RedirectUriError::NotSecure => "AP-CLIENT-redirect-https",
        RedirectUriError::Fragment => "AP-CLIENT-redirect-fragment",
        RedirectUriError::UserInfo => "AP-CLIENT-redirect-user",
    }
}

fn invalid(rule: &'static str, value: Option<&str>, message: String) -> Failure {
    let mut finding = Finding::error("", rule, message.clone());
    finding.value = value.map(str::to_owned);
    Failure { findings: vec![finding], ..Failure::new(Code::InvalidRequest, message) }
}

fn changed() -> Failure {
    Failure::new(Code::ServiceUnavailable, "The client was changed at the same moment: retry.")
}
