//! Migration keys in the table. The owner of a key may take a participant over, so the table holds them sealed.

use crate::{
    error::{Code, Failure},
    peppol::sml::MigrationKey,
    service::Context,
    store::{KeptMigrationKey, RegistrationRecord, keys},
    types::{Mode, TaxpayerId},
    webhook::{SealError, SealingKeys},
};

/// Seals a key for the registration of a taxpayer.
pub(super) fn sealed(
    ctx: &Context,
    keys: &SealingKeys,
    (mode, taxpayer_id): (Mode, &TaxpayerId),
    key: MigrationKey,
) -> Result<KeptMigrationKey, Failure> {
    let sealed = keys.seal_text(key.into(), &owner(mode, taxpayer_id), &*ctx.random);
    sealed.map(KeptMigrationKey::Sealed).map_err(|error| {
        Failure::new(Code::InternalError, "The migration key cannot be encrypted.").because(error)
    })
}

/// The key of a registration, if it has one.
pub fn migration_key(
    keys: &SealingKeys,
    record: &RegistrationRecord,
) -> Result<Option<MigrationKey>, SealError> {
    match &record.migration_key {
        None => Ok(None),
        Some(KeptMigrationKey::Open(key)) => Ok(Some(key.clone())),
        Some(KeptMigrationKey::Sealed(text)) => {
            let opened = keys.open_text(text, &owner(record.mode, &record.taxpayer_id))?;
            opened.parse().map(Some).map_err(|_| SealError::Unopenable)
        }
    }
}

/// The key of a registration, sealed with the current sealing key. `None` when it is already.
pub(in crate::service) fn sealed_again(
    ctx: &Context,
    keys: &SealingKeys,
    record: &RegistrationRecord,
) -> Result<Option<KeptMigrationKey>, SealError> {
    if let Some(KeptMigrationKey::Sealed(text)) = &record.migration_key
        && keys.is_current(text)
    {
        return Ok(None);
    }
    let Some(key) = migration_key(keys, record)? else { return Ok(None) };
    let owner = owner(record.mode, &record.taxpayer_id);
    let sealed = keys.seal_text(key.into(), &owner, &*ctx.random)?;
    Ok(Some(KeptMigrationKey::Sealed(sealed)))
}

/// The owner is authenticated with the key, so that a key in another taxpayer's record does not open.
fn owner(mode: Mode, taxpayer_id: &TaxpayerId) -> String {
    format!("{}#{}", keys::taxpayer(mode, taxpayer_id), keys::REGISTRATION)
}
