//! Announces our SMP itself to the SML, and this access point as the participant for status messages. An operator does
//! this once.

use std::net::IpAddr;

use super::{
    registries::{Registries, configured},
    sml,
    step::{Hindrance, Step},
};
use crate::{
    error::Failure,
    peppol::{
        identifiers::Spid,
        sml::{Fault, FaultKind, Publisher, Request},
    },
};

/// The result of the announcement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    /// The SML did not know our SMP before.
    Created,
    /// The SML knew our SMP and has its new address.
    Updated,
}

/// Announces our SMP to the SML, and registers our own participant there.
pub async fn announce(
    registries: &Registries,
    physical: IpAddr,
    own: &Spid,
) -> Result<Announced, Failure> {
    let announced = announce_smp(registries, physical).await?;
    sml::tell(registries, own.participant(), Step::Create).await?;
    Ok(announced)
}

async fn announce_smp(registries: &Registries, physical: IpAddr) -> Result<Announced, Hindrance> {
    let smp_id = configured(registries.smp_id.as_ref(), "SMP_ID")?;
    let url = configured(registries.smp_url.as_ref(), "SMP_URL")?;
    let publisher = Publisher { smp_id, url, physical };
    let refused = |fault: Fault| Hindrance::Lasting(format!("the SML: {fault}"));
    match sml::ask(registries, &Request::UpdatePublisher(publisher)).await? {
        Ok(()) => Ok(Announced::Updated),
        // For an SMP that it does not know, the SML may say that the caller does not own it.
        Err(fault) if fault.kind != FaultKind::Internal => {
            let created = sml::ask(registries, &Request::CreatePublisher(publisher)).await?;
            created.map(|()| Announced::Created).map_err(refused)
        }
        Err(fault) => Err(refused(fault)),
    }
}
