//! Our SMP itself in the SML, and this access point as the participant that status messages are for: told once, by
//! who operates the service.

use std::net::IpAddr;

use super::{
    registries::{Registries, told},
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

/// What the SML was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    /// It knows our SMP from now on.
    Created,
    /// It knew our SMP, and has its address anew.
    Updated,
}

/// Announces our SMP to the SML, and our own participant at it.
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
    let smp_id = told(registries.smp_id.as_ref(), "SMP_ID")?;
    let url = told(registries.smp_url.as_ref(), "SMP_URL")?;
    let publisher = Publisher { smp_id, url, physical };
    let refused = |fault: Fault| Hindrance::Lasting(format!("the SML: {fault}"));
    match sml::ask(registries, &Request::UpdatePublisher(publisher)).await? {
        Ok(()) => Ok(Announced::Updated),
        // An SMP that the SML does not know may be said to be no one's.
        Err(fault) if fault.kind != FaultKind::Internal => {
            let created = sml::ask(registries, &Request::CreatePublisher(publisher)).await?;
            created.map(|()| Announced::Created).map_err(refused)
        }
        Err(fault) => Err(refused(fault)),
    }
}
