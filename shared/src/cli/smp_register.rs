//! `access-point smp-register`: announces our SMP to the SML, once and whenever its address changes.

use std::net::{IpAddr, Ipv4Addr};

use super::{Error, block_on, common::deployment, print};
use crate::service::register::{Announced, announce};

/// Register our SMP with the SML
///
/// Sends the address of our SMP (SMP_ID, SMP_URL) to the SML, with the SMP's certificate. Registers this access point itself
/// (0242: and the digits of its seat) for Message Level Statuses. Run it again to update the address. Needs the environment
/// of the function register: NETWORK, NETWORK_SECRET_ARN, SML_URL and so on.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Address of the SMP, which the SML requires, although its records hold only SMP_URL
    #[arg(long, value_name = "IP", default_value_t = Ipv4Addr::UNSPECIFIED.into())]
    physical_address: IpAddr,
}

/// Registers our SMP.
pub(super) fn run(Args { physical_address: physical }: Args) -> Result<(), Error> {
    block_on(async {
        let found = deployment().await?.registries().await;
        let (registries, own) = found.map_err(|why| Error::failed("the environment", why))?;
        let done = match announce(&registries, physical, &own).await? {
            Announced::Created => "our SMP is registered with the SML",
            Announced::Updated => "the SML has the new address of our SMP",
        };
        print(format!("{done}; {} is registered at it\n", own.participant()).as_bytes())
    })
}
