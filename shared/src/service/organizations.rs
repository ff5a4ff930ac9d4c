//! Organizations of integrators, and their API keys. Each change has an entry in the audit trail.

use super::{Context, audit};
use crate::{
    access::{Action, ApiKey, By, Deed, KeyStatus, Organization, PresentedKey, Trail},
    error::{Code, Failure},
    types::{KeyId, Mode, OrganizationId},
};

/// Maximum characters of an organization's name or a key's label.
pub const MAX_NAME: usize = 200;

/// Creates an organization.
pub async fn create(
    ctx: &Context,
    mode: Mode,
    name: &str,
    by: &By,
) -> Result<Organization, Failure> {
    let organization_id = OrganizationId::new(ctx.now(), &*ctx.random);
    create_as(ctx, mode, organization_id, name, by).await
}

/// Creates an organization with a given identifier, or returns the existing one. The same identifier in both modes is
/// one account.
pub(crate) async fn create_as(
    ctx: &Context,
    mode: Mode,
    organization_id: OrganizationId,
    name: &str,
    by: &By,
) -> Result<Organization, Failure> {
    let name = named("the organization's name", name)?;
    if let Some(current) = ctx.store.get_organization(mode, &organization_id).await? {
        return Ok(current);
    }
    let at = ctx.now();
    let record = Organization { organization_id, mode, name, created_at: at };
    let subject = record.organization_id.as_str();
    let deed = Deed { mode, by, action: Action::OrganizationCreated, subject, at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(record.organization_id.clone()));
    match ctx.store.create_organization(&record, &entry).await? {
        true => Ok(record),
        false => get(ctx, mode, &record.organization_id).await,
    }
}

/// An organization.
pub async fn get(ctx: &Context, mode: Mode, id: &OrganizationId) -> Result<Organization, Failure> {
    let found = ctx.store.get_organization(mode, id).await?;
    found.ok_or_else(|| {
        Failure::new(Code::NotFound, format!("There is no organization {id} in {mode}."))
    })
}

/// Creates an API key of an organization. Only the return value has the key itself.
pub async fn create_key(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    label: &str,
    by: &By,
) -> Result<(PresentedKey, ApiKey), Failure> {
    get(ctx, mode, organization_id).await?;
    let key = PresentedKey::generate(mode, &*ctx.random);
    let record = adopt_key(ctx, &key, organization_id, label, by).await?;
    Ok((key, record))
}

/// Activates a key for an organization: a new key, or a key of demo data.
pub(crate) async fn adopt_key(
    ctx: &Context,
    key: &PresentedKey,
    organization_id: &OrganizationId,
    label: &str,
    by: &By,
) -> Result<ApiKey, Failure> {
    let (at, mode) = (ctx.now(), key.mode());
    let record = ApiKey {
        key_id: KeyId::new(at, &*ctx.random),
        hash: key.hash(),
        mode,
        organization_id: organization_id.clone(),
        label: named("the key's label", label)?,
        beginning: Some(key.beginning().to_owned()),
        status: KeyStatus::Active,
        created_by: by.actor.clone(),
        created_at: at,
        last_used_at: None,
    };
    let deed = Deed { mode, by, action: Action::KeyCreated, subject: record.key_id.as_str(), at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    if ctx.store.create_api_key(&record, &entry).await? {
        return Ok(record);
    }
    let current = ctx.store.get_api_key(mode, &record.hash).await?;
    current.filter(|current| current.organization_id == *organization_id).ok_or_else(|| {
        let message = format!("the {mode} key belongs to another organization");
        Failure::new(Code::InvalidRequest, message)
    })
}

/// The keys of an organization, active and revoked, the oldest first.
pub async fn list_keys(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
) -> Result<Vec<ApiKey>, Failure> {
    Ok(ctx.store.list_api_keys(mode, organization_id).await?)
}

/// Revokes a key: the next request with it is refused. A revoked key stays as it is.
pub async fn revoke_key(
    ctx: &Context,
    mode: Mode,
    organization_id: &OrganizationId,
    key_id: &KeyId,
    by: &By,
) -> Result<ApiKey, Failure> {
    let found = ctx.store.find_api_key(mode, organization_id, key_id).await?;
    let key = found.ok_or_else(|| {
        Failure::new(Code::NotFound, "The organization has no API key with that id.")
    })?;
    if key.status == KeyStatus::Revoked {
        return Ok(key);
    }
    let at = ctx.now();
    let deed = Deed { mode, by, action: Action::KeyRevoked, subject: key_id.as_str(), at };
    let entry = audit::entry(ctx, &deed, Trail::Organization(organization_id.clone()));
    ctx.store.revoke_api_key(&key, &entry).await?;
    Ok(ApiKey { status: KeyStatus::Revoked, ..key })
}

/// Checks a name: text of one line, without surrounding spaces.
pub(super) fn named(what: &str, text: &str) -> Result<String, Failure> {
    let name = text.trim();
    let fault = match name.chars().count() {
        0 => Some("is empty".to_owned()),
        length if length > MAX_NAME => {
            Some(format!("has {length} characters; at most {MAX_NAME} are allowed"))
        }
        _ if name.chars().any(char::is_control) => Some("has a control character".to_owned()),
        _ => None,
    };
    match fault {
        Some(fault) => Err(Failure::new(Code::InvalidRequest, format!("{what} {fault}."))),
        None => Ok(name.to_owned()),
    }
}
