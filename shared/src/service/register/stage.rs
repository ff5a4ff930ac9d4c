//! The queue `register`: notifies a register and records the result.

use tracing::Instrument;

use super::{
    directory,
    migration_key::migration_key,
    registries::Registries,
    sml,
    step::{Hindrance, Step, next},
};
use crate::{
    error::{Code, Failure},
    service::{Context, Registering, later, lease, onboarding, retry},
    store::{
        JobVersion, Lease, Recorded, Register, RegisterMessage, RegistrationRecord,
        RegistrationStatus, StoreError, keys::JobId,
    },
    types::Mode,
};

/// Notifies a register of a taxpayer, for a message of the register queue. A duplicate or late message has no effect.
/// An error means that the queue must bring the message again.
pub async fn tell_register(
    registering: &Registering,
    message: &RegisterMessage,
) -> Result<(), Failure> {
    let RegisterMessage { mode, taxpayer_id, register } = message;
    let job_id = JobId::Registration(*mode, taxpayer_id.clone(), *register);
    let span = retry::span("register", &job_id);
    stage(registering, message, job_id).instrument(span).await
}

async fn stage(
    registering: &Registering,
    message: &RegisterMessage,
    job_id: JobId,
) -> Result<(), Failure> {
    let ctx = &registering.ctx;
    let leased = lease::taken(ctx, &job_id, take(registering, message).await).await?;
    let Some(leased) = leased else { return Ok(()) };
    // Boxed: the state of a request is large.
    match Box::pin(told(registering, &leased)).await {
        Ok(told) => {
            let result = ctx.store.end_registration(&leased, told, ctx.now()).await;
            lease::finish(ctx, job_id, leased.lease.as_ref(), leased.tries, result).await
        }
        Err(hindrance) => reschedule(ctx, job_id, &leased, hindrance).await,
    }
}

/// Leases the registration. `None` when another worker has it, or when there is nothing to do.
async fn take(
    registering: &Registering,
    RegisterMessage { mode, taxpayer_id, register }: &RegisterMessage,
) -> Result<Option<RegistrationRecord>, StoreError> {
    let (ctx, now) = (&registering.ctx, registering.ctx.now());
    let record = ctx.store.get_registration(*mode, taxpayer_id, *register).await?;
    let record = record.filter(|record| {
        record.status.told().is_some()
            && record.lease.as_ref().is_none_or(|lease| lease.until <= now)
    });
    let Some(record) = record else { return Ok(None) };
    let lease = Lease { owner: ctx.new_uuid(), until: later(now, registering.lease) };
    ctx.store.lease_registration(&record, lease, now).await
}

/// Notifies the register, and completes an onboarding that waits for it. Returns the new status.
async fn told(
    registering: &Registering,
    record: &RegistrationRecord,
) -> Result<RegistrationStatus, Hindrance> {
    let told = tell(registering, record).await?;
    if (record.register, told) == (Register::Network, RegistrationStatus::Registered) {
        let followed = onboarding::complete(registering, record.mode, &record.taxpayer_id).await;
        followed.map_err(|failure| match (failure.code, failure.source) {
            (Code::InternalError, Some(why)) => Hindrance::Lasting(why.to_string()),
            (Code::InternalError, None) => Hindrance::Lasting(failure.message),
            (_, Some(why)) => Hindrance::Passing(why.to_string()),
            (_, None) => Hindrance::Passing(failure.message),
        })?;
    }
    Ok(told)
}

/// Notifies the register. Returns the new status.
async fn tell(
    registering: &Registering,
    record: &RegistrationRecord,
) -> Result<RegistrationStatus, Hindrance> {
    let key = migration_key(&registering.sealing_keys, record);
    let key = key.map_err(|why| Hindrance::Lasting(format!("the migration key: {why}")))?;
    let (Some(step), Some(told)) = (next(record, key.as_ref())?, record.status.told()) else {
        return Ok(record.status);
    };
    // Nothing of the Sandbox leaves the service.
    if record.mode == Mode::Sandbox {
        return Ok(told);
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
    Ok(told)
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

/// Records the cause of a failure, and reschedules or parks the registration.
async fn reschedule(
    ctx: &Context,
    job_id: JobId,
    leased: &RegistrationRecord,
    hindrance: Hindrance,
) -> Result<(), Failure> {
    let Some(lease) = &leased.lease else { return Err(hindrance.into()) };
    match ctx.store.note_hindrance(leased, &hindrance.to_string()).await {
        Ok(Recorded::Done) => {}
        // The wanted status has changed meanwhile.
        Ok(Recorded::Lost) => return Ok(()),
        // The cause is in the log too, and the next write fails with a reason of its own.
        Err(error) => tracing::warn!(%error, "the cause could not be recorded"),
    }
    let version = JobVersion { job_id, due_at: lease.until, tries: leased.tries };
    retry::reschedule(ctx, &version, leased.tries, hindrance.into()).await
}
