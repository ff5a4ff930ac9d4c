//! The onboarding of a Live business in steps, as its account shows them: finished, waiting, and who must act. All of
//! it is derived from existing records.

use jiff::Timestamp;

use crate::{
    access::{Taxpayer, TaxpayerStatus},
    store::{Register, RegistrationRecord, RegistrationStatus},
};

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It appointed us at the national tax portal, and its mailbox was verified.
    Verified,
    /// It confirmed the national portal's details.
    Confirmed,
    /// The tax authority knows it.
    Authority,
    /// The network knows it: our SMP has it, and the SML leads to our SMP.
    Network,
    /// Applications may act for it.
    Active,
    /// The Peppol Directory shows its business card. This is optional, and no other step needs it.
    Directory,
}

/// The party that must act for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// The business itself.
    Business,
    /// The service, which continues by itself.
    Service,
    /// The operator: the step does not continue by itself.
    Operator,
}

/// The state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// It is done, at this time if known.
    Done(Option<Timestamp>),
    /// It waits for this party.
    Waits(On),
    /// It follows a step that waits.
    Later,
    /// It is optional.
    Open,
    /// Another service provider is about to take the business over.
    Leaving,
    /// It was done and has ended.
    Ended,
}

/// The steps of a taxpayer with its current and former registrations. A taxpayer that the operator created has no steps
/// at the national portal.
pub fn steps(taxpayer: &Taxpayer, registrations: &[RegistrationRecord]) -> Vec<(Step, Reached)> {
    let of = |register| registrations.iter().find(|found| found.register == register);
    let network = of(Register::Network);
    let mut steps = Vec::with_capacity(6);
    if let Some(confirmed) = &taxpayer.confirmed {
        let is_outdated = taxpayer.status == TaxpayerStatus::Reverification || confirmed.outdated;
        let confirmed = match is_outdated {
            true => Reached::Waits(On::Business),
            false => Reached::Done(Some(confirmed.at)),
        };
        // A taxpayer in onboarding is registered in the network as soon as the authority knows it.
        let authority = match taxpayer.status {
            TaxpayerStatus::Onboarding if network.is_none() => Reached::Waits(On::Service),
            _ => Reached::Done(None),
        };
        steps.push((Step::Verified, Reached::Done(None)));
        steps.push((Step::Confirmed, confirmed));
        steps.push((Step::Authority, authority));
    }
    let waits = |steps: &[(Step, Reached)]| {
        steps.iter().any(|(_, reached)| matches!(reached, Reached::Waits(_)))
    };
    let in_network = match network {
        Some(network) => registered(network),
        None if waits(&steps) => Reached::Later,
        None => Reached::Waits(On::Operator),
    };
    steps.push((Step::Network, in_network));
    let active = match taxpayer.status {
        TaxpayerStatus::Active => Reached::Done(None),
        TaxpayerStatus::Onboarding | TaxpayerStatus::Reverification if waits(&steps) => {
            Reached::Later
        }
        TaxpayerStatus::Onboarding => Reached::Waits(On::Service),
        TaxpayerStatus::Reverification => Reached::Waits(On::Business),
        TaxpayerStatus::Suspended | TaxpayerStatus::Deregistered | TaxpayerStatus::Unknown => {
            Reached::Ended
        }
    };
    steps.push((Step::Active, active));
    let directory = match of(Register::Directory) {
        Some(found) if found.status != RegistrationStatus::Withdrawn => registered(found),
        _ if taxpayer.status == TaxpayerStatus::Active => Reached::Open,
        _ => Reached::Later,
    };
    steps.push((Step::Directory, directory));
    steps
}

/// The state of a taxpayer's registration in a register.
fn registered(found: &RegistrationRecord) -> Reached {
    match found.status {
        RegistrationStatus::Registering if found.parked.is_some() => Reached::Waits(On::Operator),
        RegistrationStatus::Registering => Reached::Waits(On::Service),
        RegistrationStatus::Registered => Reached::Done(Some(found.updated_at)),
        RegistrationStatus::Preparing | RegistrationStatus::Prepared => Reached::Leaving,
        RegistrationStatus::Withdrawing
        | RegistrationStatus::Withdrawn
        | RegistrationStatus::Unknown => Reached::Ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Confirmed;

    const AT: Timestamp = Timestamp::UNIX_EPOCH;

    fn taxpayer(status: TaxpayerStatus, by_portal: bool) -> Taxpayer {
        let record = include_str!("../../store/fixtures/taxpayer.json");
        let record: Taxpayer = serde_json::from_str(record).unwrap();
        let confirmed = Confirmed { digest: "0".repeat(64), at: AT, outdated: false };
        Taxpayer { status, confirmed: by_portal.then_some(confirmed), ..record }
    }

    fn registration(
        register: Register,
        status: RegistrationStatus,
        is_parked: bool,
    ) -> RegistrationRecord {
        let record = include_str!("../../store/fixtures/registration.json");
        let record: RegistrationRecord = serde_json::from_str(record).unwrap();
        let parked = serde_json::json!({"at": "2026-11-20T08:00:00.000Z", "reason": "x"});
        let parked = is_parked.then(|| serde_json::from_value(parked).unwrap());
        RegistrationRecord { register, status, parked, updated_at: AT, ..record }
    }

    fn in_network(status: RegistrationStatus) -> Vec<RegistrationRecord> {
        vec![registration(Register::Network, status, false)]
    }

    #[test]
    fn a_business_that_comes_by_the_portal_goes_step_by_step() {
        use Reached::{Done, Later, Open, Waits};
        use RegistrationStatus::{Registered, Registering};
        use Step::{Authority, Confirmed, Directory, Network, Verified};
        use TaxpayerStatus::{Active, Onboarding, Reverification};
        let done = Done(None);
        let parked = vec![registration(Register::Network, Registering, true)];
        for (status, registrations, expected) in [
            (Onboarding, vec![], [done, Done(Some(AT)), Waits(On::Service), Later, Later, Later]),
            (
                Onboarding,
                in_network(Registering),
                [done, Done(Some(AT)), done, Waits(On::Service), Later, Later],
            ),
            (Onboarding, parked, [done, Done(Some(AT)), done, Waits(On::Operator), Later, Later]),
            (
                Onboarding,
                in_network(Registered),
                [done, Done(Some(AT)), done, Done(Some(AT)), Waits(On::Service), Later],
            ),
            (
                Active,
                in_network(Registered),
                [done, Done(Some(AT)), done, Done(Some(AT)), done, Open],
            ),
            (
                Reverification,
                in_network(Registered),
                [done, Waits(On::Business), done, Done(Some(AT)), Later, Later],
            ),
        ] {
            let reached = steps(&taxpayer(status, true), &registrations);
            let names: Vec<_> = reached.iter().map(|(step, _)| *step).collect();
            assert_eq!(names, [Verified, Confirmed, Authority, Network, Step::Active, Directory]);
            let reached: Vec<_> = reached.into_iter().map(|(_, reached)| reached).collect();
            assert_eq!(reached, expected, "{status:?} {registrations:?}");
        }
    }

    #[test]
    fn one_that_the_operator_made_waits_for_the_operator_until_the_network_has_it() {
        let reached = steps(&taxpayer(TaxpayerStatus::Active, false), &[]);
        let expected = [
            (Step::Network, Reached::Waits(On::Operator)),
            (Step::Active, Reached::Done(None)),
            (Step::Directory, Reached::Open),
        ];
        assert_eq!(reached, expected);
        let again = steps(
            &taxpayer(TaxpayerStatus::Reverification, false),
            &in_network(RegistrationStatus::Registered),
        );
        assert_eq!(again[1], (Step::Active, Reached::Waits(On::Business)));
    }

    #[test]
    fn who_leaves_or_has_left_sees_it() {
        let active = taxpayer(TaxpayerStatus::Active, true);
        for (status, expected) in [
            (RegistrationStatus::Preparing, Reached::Leaving),
            (RegistrationStatus::Prepared, Reached::Leaving),
            (RegistrationStatus::Withdrawing, Reached::Ended),
            (RegistrationStatus::Withdrawn, Reached::Ended),
        ] {
            let reached = steps(&active, &in_network(status));
            assert_eq!(reached[3], (Step::Network, expected), "{status:?}");
        }
        for (status, expected) in [
            (RegistrationStatus::Registering, Reached::Waits(On::Service)),
            (RegistrationStatus::Registered, Reached::Done(Some(AT))),
            (RegistrationStatus::Withdrawing, Reached::Ended),
            (RegistrationStatus::Withdrawn, Reached::Open),
        ] {
            let reached = steps(&active, &[registration(Register::Directory, status, false)]);
            assert_eq!(reached[5], (Step::Directory, expected), "{status:?}");
        }
        let ended = steps(&taxpayer(TaxpayerStatus::Deregistered, true), &[]);
        assert_eq!(ended[4].1, Reached::Ended);
    }
}
