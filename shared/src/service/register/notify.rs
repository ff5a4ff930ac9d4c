//! Notifies a register of a taxpayer.

use super::{
    directory,
    migration_key::migration_key,
    registries::Registries,
    sml,
    step::{Hindrance, Step, next},
};
use crate::{
    service::Registering,
    store::{Register, RegistrationRecord, RegistrationStatus},
    types::Mode,
};

/// Notifies the register. Returns the new status.
pub(in crate::service) async fn notify(
    registering: &Registering,
    record: &RegistrationRecord,
) -> Result<RegistrationStatus, Hindrance> {
    let key = migration_key(&registering.sealing_keys, record);
    let key = key.map_err(|why| Hindrance::Lasting(format!("the migration key: {why}")))?;
    let (Some(step), Some(updated)) = (next(record, key.as_ref())?, record.status.after_update())
    else {
        return Ok(record.status);
    };
    // Nothing of the Sandbox leaves the service.
    if record.mode == Mode::Sandbox {
        return Ok(updated);
    }
    let registries: &Registries = registering.registries.as_ref().ok_or_else(|| {
        Hindrance::Passing("this deployment is not connected to the network".to_owned())
    })?;
    let participant = &record.participant_id;
    match step {
        Step::List => {
            check_registered(registering, record).await?;
            directory::list(registries, participant).await?;
        }
        Step::Unlist => directory::unlist(registries, participant).await?,
        Step::Create | Step::Migrate(_) | Step::PrepareToMigrate(_) | Step::Delete => {
            sml::tell(registries, participant, step).await?;
        }
    }
    Ok(updated)
}

/// Checks that the taxpayer is in the network, since the Directory finds our SMP by the SML.
async fn check_registered(
    registering: &Registering,
    record: &RegistrationRecord,
) -> Result<(), Hindrance> {
    let store = &registering.ctx.store;
    let network = store.get_registration(record.mode, &record.taxpayer_id, Register::Network);
    let network = network.await.map_err(|error| Hindrance::Passing(error.to_string()))?;
    let is_found = network.is_some_and(|network| {
        network.status.is_wanted() && network.status != RegistrationStatus::Registering
    });
    if is_found {
        return Ok(());
    }
    Err(Hindrance::Passing(
        "the taxpayer is not registered in the network, where the Directory looks for its card"
            .to_owned(),
    ))
}
