//! Decides the next step of a registration.

use crate::{
    error::{Code, Failure},
    peppol::sml::MigrationKey,
    store::{Register, RegistrationRecord, RegistrationStatus},
};

/// The notification of a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// SML: the participant is at our SMP.
    Create,
    /// SML: the participant moves to our SMP from another one.
    Migrate(&'a MigrationKey),
    /// SML: another SMP may take the participant over.
    PrepareToMigrate(&'a MigrationKey),
    /// SML: the participant is at no SMP.
    Delete,
    /// Directory: there is a card to show.
    List,
    /// Directory: there is no card.
    Unlist,
}

/// Why a register was not notified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::service) enum Hindrance {
    /// A temporary failure.
    #[error("{0}")]
    Passing(String),
    /// A failure that a person must correct.
    #[error("{0}")]
    Lasting(String),
}

impl From<Hindrance> for Failure {
    fn from(hindrance: Hindrance) -> Self {
        let code = match hindrance {
            Hindrance::Passing(_) => Code::ServiceUnavailable,
            Hindrance::Lasting(_) => Code::InternalError,
        };
        Failure::new(code, "The update of the register failed.").because(hindrance)
    }
}

/// The next step, with the opened key of the record. `None` when there is nothing to do.
pub(super) fn next<'k>(
    record: &RegistrationRecord,
    key: Option<&'k MigrationKey>,
) -> Result<Option<Step<'k>>, Hindrance> {
    use RegistrationStatus::{Preparing, Registering, Withdrawing};
    Ok(Some(match (record.register, record.status) {
        (Register::Network, Registering) => key.map_or(Step::Create, Step::Migrate),
        (Register::Network, Preparing) => {
            let missing = || Hindrance::Lasting("the record has no migration key".to_owned());
            Step::PrepareToMigrate(key.ok_or_else(missing)?)
        }
        (Register::Network, Withdrawing) => Step::Delete,
        (Register::Directory, Registering) => Step::List,
        (Register::Directory, Withdrawing) => Step::Unlist,
        _ => return Ok(None),
    }))
}
