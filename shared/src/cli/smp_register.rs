//! `access-point smp-register`: announces our SMP to the SML, once and whenever its address changes.

use std::net::{IpAddr, Ipv4Addr};

use crate::{
    environment::Environment,
    lambda::registries,
    service::register::{Announced, announce},
};

use super::{Error, block_on, print};

/// Announce our SMP to the SML
///
/// Tells the SML the address of our SMP (SMP_ID, SMP_URL), with the SMP's certificate. Registers this access point itself
/// (0242: and the digits of its seat) for Message Level Statuses. Run it again to update the address. Needs the environment
/// of the function register: NETWORK, NETWORK_SECRET_ARN, SML_URL and so on.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Address of the SMP, which the SML requires, although its records hold only SMP_URL
    #[arg(long, value_name = "IP", default_value_t = Ipv4Addr::UNSPECIFIED.into())]
    physical_address: IpAddr,
}

/// Announces our SMP.
pub(super) fn run(Args { physical_address: physical }: Args) -> Result<(), Error> {
    block_on(async {
        let environment = Environment::of_process();
        let found = registries(&environment).await;
        let (registries, own) = found.map_err(|why| Error::failed("the environment", why))?;
        let done = match announce(&registries, physical, &own).await? {
            Announced::Created => "the SML knows our SMP now",
            Announced::Updated => "the SML knew our SMP, and has its address anew",
        };
        print(format!("{done}; {} is registered at it\n", own.participant()).as_bytes())
    })
}
