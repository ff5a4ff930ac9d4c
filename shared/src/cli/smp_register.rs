//! `access-point smp-register`: announces our SMP to the SML, once and whenever its address changes.

use std::net::{IpAddr, Ipv4Addr};

use crate::{
    environment::Environment,
    lambda::registries,
    service::register::{Announced, announce},
};
use lexopt::prelude::*;

use super::{Error, block_on, print};

pub(super) const USAGE: &str = "\
access-point smp-register [--physical-address IP]

Tells the SML where our SMP is (SMP_ID, SMP_URL), with the SMP's certificate, and registers this access point itself
(0242: and the digits of its seat) for Message Level Statuses. What stands already is brought up to date. Needs the
environment of the function register: NETWORK, NETWORK_SECRET_ARN, SML_URL and so on.

  --physical-address IP   of the SMP: the SML wants one, though records hold SMP_URL alone (0.0.0.0)
";

/// Announces our SMP.
pub(super) fn run(mut arguments: lexopt::Parser) -> Result<(), Error> {
    let usage = |why: lexopt::Error| Error::Usage(why.to_string(), USAGE);
    let mut physical = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    while let Some(argument) = arguments.next().map_err(usage)? {
        match argument {
            Long("physical-address") => {
                physical = arguments.value().and_then(|value| value.parse()).map_err(usage)?;
            }
            Long("help") | Short('h') => return print(USAGE.as_bytes()),
            other => return Err(usage(other.unexpected())),
        }
    }
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
