//! Registration of taxpayers in the registers of the network: our SMP, the SML that leads to it, and the Peppol
//! Directory.
//!
//! A request writes a record with a status that ends in `ing`. The queue `register` notifies the register (`stage`),
//! with retries, and then writes the resulting status:
//!
//! | request | status | notification | result |
//! |---|---|---|---|
//! | [`begin_registration`] | `registering`: our SMP serves it already | SML: create, or migrate by key | `registered` |
//! | [`prepare_migration`] | `preparing` | SML: prepare to migrate, with a key of ours | `prepared` |
//! | [`withdraw`] | `withdrawing` | SML: delete | `withdrawn`: our SMP does not serve it any more |
//!
//! Our SMP may redirect parts of a registration to another SMP ([`redirect`]). No register is notified of that.
//!
//! The Directory is notified of business cards in the same way ([`super::business_cards`]). In Sandbox a record gets
//! its result at once, and no register is notified. A job that a register refuses for good is parked with the reason,
//! like every job. `step` alone decides the next call.

mod directory;
mod migration_key;
mod notify;
mod publisher;
mod registries;
mod sml;
mod step;

use super::{Context, RELAY_GRACE, later, transmit::envelope::kind};
use crate::{
    access::{Taxpayer, TaxpayerStatus},
    document::Operation,
    error::{Code, Failure},
    peppol::{
        sml::MigrationKey,
        smp::{Reach, Redirect, check_address},
    },
    store::{
        BusinessCardRecord, Due, Register, RegisteredService, RegistrationRecord,
        RegistrationStatus,
    },
    types::{Mode, TaxpayerId},
    webhook::SealingKeys,
};
use migration_key::sealed;

pub use migration_key::migration_key;
pub(super) use migration_key::sealed_again;
pub(super) use notify::notify;
pub use publisher::{Announced, announce};
pub use registries::Registries;
pub(super) use step::Hindrance;

/// Registers a taxpayer for the four documents of PINT-AE and their extensions. With a key of another SMP, the taxpayer
/// migrates from there; the key is stored sealed. A taxpayer that is registered, or is being registered, stays so,
/// unless there is a new key.
pub async fn begin_registration(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
    migration: Option<(&SealingKeys, MigrationKey)>,
) -> Result<RegistrationRecord, Failure> {
    let taxpayer = ctx.store.get_taxpayer(mode, taxpayer_id).await?;
    let taxpayer = taxpayer.ok_or_else(no_taxpayer)?;
    let current = ctx.store.get_registration(mode, taxpayer_id, Register::Network).await?;
    // A taxpayer in onboarding is registered by that. A new request may correct what blocks it, such as a missing key.
    let is_begun = taxpayer.status == TaxpayerStatus::Onboarding && current.is_some();
    if taxpayer.status != TaxpayerStatus::Active && !is_begun {
        let message = format!(
            "The taxpayer is {}: only an active taxpayer can be registered.",
            taxpayer.status.as_str()
        );
        return Err(Failure::new(Code::TaxpayerInactive, message));
    }
    let is_new_key = migration.is_some()
        && current.as_ref().is_none_or(|current| current.status == RegistrationStatus::Registering);
    match current {
        Some(current) if current.status.is_wanted() && !is_new_key => Ok(current),
        current => {
            let seal = |(keys, key)| sealed(ctx, keys, (mode, taxpayer_id), key);
            let wanted = RegistrationRecord {
                services: services(),
                migration_key: migration.map(seal).transpose()?,
                ..wanted(ctx, &taxpayer, Register::Network, current)
            };
            wish(ctx, wanted, RegistrationStatus::Registering, None).await
        }
    }
}

/// Registers a taxpayer in onboarding that the tax authority knows. It becomes active once the network knows it too
/// (`stage`). A registration that has begun stays as it is.
pub(super) async fn begin_onboarding(ctx: &Context, taxpayer: &Taxpayer) -> Result<(), Failure> {
    let Taxpayer { mode, taxpayer_id, .. } = taxpayer;
    let current = ctx.store.get_registration(*mode, taxpayer_id, Register::Network).await?;
    if current.as_ref().is_none_or(|current| !current.status.is_wanted()) {
        let wanted = wanted(ctx, taxpayer, Register::Network, current);
        let wanted = RegistrationRecord { services: services(), ..wanted };
        wish(ctx, wanted, RegistrationStatus::Registering, None).await?;
    }
    Ok(())
}

/// Ends a taxpayer's registration, and its entry in the Directory. A taxpayer that is not registered stays so.
pub async fn withdraw(
    ctx: &Context,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<Option<RegistrationRecord>, Failure> {
    let mut network = None;
    // The Directory comes first, since it asks our SMP as long as it has the participant.
    for register in [Register::Directory, Register::Network] {
        network = match ctx.store.get_registration(mode, taxpayer_id, register).await? {
            Some(current) if current.status.is_wanted() => {
                Some(wish(ctx, current, RegistrationStatus::Withdrawing, None).await?)
            }
            other => other,
        };
    }
    Ok(network)
}

/// Lets another SMP take a taxpayer over. The record has the sealed key once the migration is prepared. Our SMP serves
/// the taxpayer until it is withdrawn here.
pub async fn prepare_migration(
    ctx: &Context,
    keys: &SealingKeys,
    mode: Mode,
    taxpayer_id: &TaxpayerId,
) -> Result<RegistrationRecord, Failure> {
    let current = ctx.store.get_registration(mode, taxpayer_id, Register::Network).await?;
    match current {
        Some(current) if current.status == RegistrationStatus::Registered => {
            // The key is stored before the SML gets it, so that a retry sends the same key.
            let key = MigrationKey::generate(&*ctx.random);
            let key = sealed(ctx, keys, (mode, taxpayer_id), key)?;
            let wanted = RegistrationRecord { migration_key: Some(key), ..current };
            wish(ctx, wanted, RegistrationStatus::Preparing, None).await
        }
        Some(current)
            if matches!(
                current.status,
                RegistrationStatus::Preparing | RegistrationStatus::Prepared
            ) =>
        {
            Ok(current)
        }
        _ => Err(Failure::new(
            Code::InvalidRequest,
            "The taxpayer is not registered: only a registered taxpayer can move to another SMP.",
        )),
    }
}

/// Another SMP that ours redirects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherSmp {
    /// Its address.
    pub url: String,
    /// The subject of the certificate that it signs with.
    pub certificate_uid: String,
}

/// Redirects some kinds of documents from our SMP to another one. Without another SMP, ours answers for them again. Our
/// access point still accepts documents that arrive: senders may have cached the earlier answer, and the other SMP may
/// lead to us.
pub async fn redirect(
    ctx: &Context,
    (mode, taxpayer_id): (Mode, &TaxpayerId),
    kinds: &[Operation],
    other: Option<&OtherSmp>,
    reach: Reach,
) -> Result<RegistrationRecord, Failure> {
    let refused = |message: String| Failure::new(Code::InvalidRequest, message);
    if let Some(OtherSmp { url, certificate_uid }) = other {
        check_address(url, reach).map_err(|error| refused(format!("{error}.")))?;
        if !certificate_uid.contains('=') {
            let message = "Name the certificate by its subject, such as CN=PAE000901,C=AE.";
            return Err(refused(message.to_owned()));
        }
    }
    let current = ctx.store.get_registration(mode, taxpayer_id, Register::Network).await?;
    // While a register is being notified, that worker owns the record.
    let settled = [RegistrationStatus::Registered, RegistrationStatus::Prepared];
    let Some(current) = current.filter(|current| settled.contains(&current.status)) else {
        let message =
            "The taxpayer is not registered: this SMP can only redirect registered taxpayers.";
        return Err(refused(message.to_owned()));
    };
    let types: Vec<_> = kinds.iter().map(|one| kind(*one).0.registration()).collect();
    let services = current.services.iter().cloned().map(|service| {
        if !types.contains(&service.document_type) {
            return service;
        }
        let to = |OtherSmp { url, certificate_uid }: &OtherSmp| {
            let url = url.trim_end_matches('/');
            Redirect::to(url, &current.participant_id, &service.document_type, certificate_uid)
        };
        RegisteredService { redirect: other.map(to), ..service }
    });
    let services: Vec<_> = services.collect();
    if services == current.services {
        return Ok(current);
    }
    put(ctx, RegistrationRecord { services, ..current }, None, None).await
}

/// The services that a taxpayer is registered for.
pub(crate) fn services() -> Vec<RegisteredService> {
    let service = |operation| {
        let (document_type, process) = kind(operation);
        RegisteredService { document_type: document_type.registration(), process, redirect: None }
    };
    Operation::ALL.into_iter().map(service).collect()
}

/// The record for a register: the existing one or a new one.
pub(crate) fn wanted(
    ctx: &Context,
    taxpayer: &Taxpayer,
    register: Register,
    current: Option<RegistrationRecord>,
) -> RegistrationRecord {
    let now = ctx.now();
    current.unwrap_or_else(|| RegistrationRecord {
        mode: taxpayer.mode,
        taxpayer_id: taxpayer.taxpayer_id.clone(),
        participant_id: taxpayer.participant_id.clone(),
        register,
        status: RegistrationStatus::Registering,
        services: Vec::new(),
        migration_key: None,
        cause: None,
        created_at: now,
        updated_at: now,
        lease: None,
        tries: 0,
        parked: None,
        version: 0,
    })
}

/// Writes the wanted status of a registration. In Live its register is notified, in Sandbox none is.
pub(super) async fn wish(
    ctx: &Context,
    record: RegistrationRecord,
    status: RegistrationStatus,
    card: Option<&BusinessCardRecord>,
) -> Result<RegistrationRecord, Failure> {
    let now = ctx.now();
    let (status, due) = match (record.mode, status.after_update()) {
        (Mode::Sandbox, Some(updated)) => (updated, None),
        (Mode::Live, Some(_)) => (status, Some(Due::relayed(later(now, RELAY_GRACE)))),
        (_, None) => (status, None),
    };
    let wanted = RegistrationRecord { status, cause: None, updated_at: now, ..record };
    put(ctx, wanted, due, card).await
}

/// Writes a registration, if it has not changed since it was read.
async fn put(
    ctx: &Context,
    wanted: RegistrationRecord,
    due: Option<Due>,
    card: Option<&BusinessCardRecord>,
) -> Result<RegistrationRecord, Failure> {
    ctx.store.put_registration(wanted, due, card).await?.ok_or_else(|| {
        Failure::new(
            Code::ServiceUnavailable,
            "Another request changed the registration at the same time: retry.",
        )
    })
}

fn no_taxpayer() -> Failure {
    Failure::new(Code::NotFound, "There is no taxpayer with that id.")
}
