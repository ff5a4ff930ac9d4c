//! Keys of a taxpayer: its records, the grants on it, its registrations, its onboarding and its archives.

use super::{GRANT, Key, PROFILE, taxpayer};
use crate::{
    store::Register,
    types::{ApplicationId, ArchiveId, GrantId, Mode, ParticipantId, TaxpayerId},
};

/// Sort key of a registration.
pub const REGISTRATION: &str = "REGISTRATION";

/// The partition of the grants on a taxpayer. It is not the profile's: the function that writes grants must not write
/// profiles.
pub(super) fn taxpayer_grants(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#GRANTS", taxpayer(mode, id))
}

/// The partition of a taxpayer's archives.
pub(in crate::store) fn archives(mode: Mode, id: &TaxpayerId) -> String {
    format!("{}#ARCHIVES", taxpayer(mode, id))
}

impl Key {
    /// A taxpayer.
    pub fn taxpayer(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(taxpayer(mode, id), PROFILE)
    }

    /// The active grants on a taxpayer.
    pub fn access(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(taxpayer_grants(mode, id), "ACCESS")
    }

    /// A grant, with its taxpayer.
    pub fn grant(mode: Mode, taxpayer_id: &TaxpayerId, id: &GrantId) -> Self {
        Key::new(taxpayer_grants(mode, taxpayer_id), format!("{GRANT}{id}"))
    }

    /// A taxpayer's settings. They are apart from its profile, so that one can be writable without the other.
    pub fn settings(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(format!("{}#SETTINGS", taxpayer(mode, id)), "SETTINGS")
    }

    /// A taxpayer's logo.
    pub fn logo(mode: Mode, id: &TaxpayerId) -> Self {
        Key::new(format!("{}#SETTINGS", taxpayer(mode, id)), "LOGO")
    }

    /// The registration of a taxpayer in a register.
    pub fn registration(mode: Mode, taxpayer_id: &TaxpayerId, register: Register) -> Self {
        let owner = taxpayer(mode, taxpayer_id);
        Key::new(format!("{owner}#{REGISTRATION}#{}", register.as_str()), REGISTRATION)
    }

    /// A taxpayer's business card.
    pub fn business_card(mode: Mode, taxpayer_id: &TaxpayerId) -> Self {
        Key::new(format!("{}#CARD", taxpayer(mode, taxpayer_id)), "CARD")
    }

    /// The taxpayer behind a participant identifier. A 0235 value may be written as a TIN, or as a TRN that begins with
    /// the TIN. Both are the same business.
    pub fn participant(mode: Mode, id: &ParticipantId) -> Self {
        let value = id.tin().unwrap_or(id.value());
        Key::new(format!("{}#PARTICIPANT#{}:{value}", mode.key(), id.scheme()), "TAXPAYER")
    }

    /// An application to onboard a business.
    pub fn application(mode: Mode, id: &ApplicationId) -> Self {
        Key::new(format!("{}#APPLICATION#{id}", mode.key()), "APPLICATION")
    }

    /// The position up to which the changes at the national portal were read. Live only.
    pub fn portal_cursor() -> Self {
        Key::new("LIVE#PORTAL".to_owned(), "CHANGES")
    }

    /// An archive.
    pub fn archive(mode: Mode, taxpayer_id: &TaxpayerId, id: &ArchiveId) -> Self {
        Key::new(archives(mode, taxpayer_id), id.to_string())
    }

    /// The last archive that was requested for a period.
    pub fn archive_of_period(
        mode: Mode,
        taxpayer_id: &TaxpayerId,
        (from, to): (jiff::civil::Date, jiff::civil::Date),
    ) -> Self {
        Key::new(archives(mode, taxpayer_id), format!("PERIOD#{from}#{to}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tin_and_a_trn_that_begins_with_it_are_one_participant() {
        let [tin, trn] = ["0235:1001234501", "0235:100123450100003"]
            .map(|id| Key::participant(Mode::Sandbox, &id.parse().unwrap()).pk);
        assert_eq!(tin, trn);
        assert_eq!(tin, "SANDBOX#PARTICIPANT#0235:1001234501");
    }
}
