//! What comes next for a registration, in one place.

use crate::{
    error::{Code, Failure},
    peppol::sml::MigrationKey,
    store::{Register, RegistrationRecord, RegistrationStatus},
};

/// What a register is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The SML: it is at our SMP.
    Create,
    /// The SML: it comes to our SMP from another one.
    Migrate(&'a MigrationKey),
    /// The SML: another SMP may take it over.
    PrepareToMigrate(&'a MigrationKey),
    /// The SML: it is at no SMP.
    Delete,
    /// The Directory: there is a card to show.
    List,
    /// The Directory: there is none.
    Unlist,
}

/// Why a register could not be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Hindrance {
    /// It may be told later.
    #[error("{0}")]
    Passing(String),
    /// It takes somebody who mends the cause.
    #[error("{0}")]
    Lasting(String),
}

impl From<Hindrance> for Failure {
    fn from(hindrance: Hindrance) -> Self {
        let code = match hindrance {
            Hindrance::Passing(_) => Code::ServiceUnavailable,
            Hindrance::Lasting(_) => Code::InternalError,
        };
        Failure::new(code, "The register could not be told.").because(hindrance)
    }
}

/// The next step, with the key that the record has sealed; none when there is nothing to tell.
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
