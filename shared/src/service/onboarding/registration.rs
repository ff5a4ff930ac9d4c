//! The queue `register`, for registrations. It notifies a register of a taxpayer, and completes the onboarding that waits
//! for it.

use tokio::time::Instant;

use super::standing::complete;
use crate::{
    error::{Code, Failure},
    service::{
        Context, Registering,
        job::{self, Job},
        register::{Hindrance, notify},
    },
    store::{
        Recorded, Register, RegisterMessage, RegistrationRecord, RegistrationStatus, StoreError,
        keys::JobId,
    },
};

/// The registration of a taxpayer in a register.
#[derive(Clone)]
pub struct Registration(pub Registering);

impl Job for Registration {
    type Message = RegisterMessage;
    type Record = RegistrationRecord;
    const OPERATION: &'static str = "register";

    fn ctx(&self) -> &Context {
        &self.0.ctx
    }

    fn id(RegisterMessage { mode, taxpayer_id, register }: &RegisterMessage) -> JobId {
        JobId::Registration(*mode, taxpayer_id.clone(), *register)
    }

    async fn lease(
        &self,
        RegisterMessage { mode, taxpayer_id, register }: &RegisterMessage,
    ) -> Result<Option<RegistrationRecord>, StoreError> {
        let record = self.ctx().store.get_registration(*mode, taxpayer_id, *register).await?;
        let due = record.filter(|record| record.status.after_update().is_some());
        job::lease(self.ctx(), *mode, due, self.0.lease).await
    }

    async fn work(
        &self,
        message: &RegisterMessage,
        leased: &mut RegistrationRecord,
        _: Instant,
    ) -> Result<Recorded, Failure> {
        let ctx = self.ctx();
        match register(&self.0, leased).await {
            Ok(status) => Ok(ctx.store.end_registration(leased, status, ctx.now()).await?),
            Err(hindrance) => job::failed(ctx, message.mode, leased, hindrance.into()).await,
        }
    }
}

/// Notifies the register, and completes an onboarding that waits for it. Returns the new status.
async fn register(
    registering: &Registering,
    record: &RegistrationRecord,
) -> Result<RegistrationStatus, Hindrance> {
    let status = notify(registering, record).await?;
    if (record.register, status) == (Register::Network, RegistrationStatus::Registered) {
        let completed = complete(registering, record.mode, &record.taxpayer_id).await;
        completed.map_err(|failure| match failure.code {
            Code::InternalError => Hindrance::Lasting(failure.cause()),
            _ => Hindrance::Passing(failure.cause()),
        })?;
    }
    Ok(status)
}
