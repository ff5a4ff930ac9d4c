//! Taxpayers and their status.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Actor;
use crate::types::{EmailAddress, Mode, ParticipantId, TaxpayerId};

/// The status of a taxpayer (specification 3.4). The transitions:
#[doc = include_str!("transitions.md")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaxpayerStatus {
    /// Onboarding is not complete.
    Onboarding,
    /// Onboarded and active.
    Active,
    /// The taxpayer may not act for now. Earlier versions wrote `inactive`.
    #[serde(alias = "inactive")]
    Suspended,
    /// The taxpayer must confirm its details again before it acts.
    Reverification,
    /// The taxpayer left the service, forever.
    Deregistered,
    /// A status from a newer version: not active here.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl TaxpayerStatus {
    /// Every status that this version knows.
    pub const ALL: [TaxpayerStatus; 5] = [
        TaxpayerStatus::Onboarding,
        TaxpayerStatus::Active,
        TaxpayerStatus::Suspended,
        TaxpayerStatus::Reverification,
        TaxpayerStatus::Deregistered,
    ];

    /// The status in responses.
    pub fn as_str(self) -> &'static str {
        match self {
            TaxpayerStatus::Onboarding => "onboarding",
            TaxpayerStatus::Active => "active",
            TaxpayerStatus::Suspended => "suspended",
            TaxpayerStatus::Reverification => "reverification",
            TaxpayerStatus::Deregistered => "deregistered",
            TaxpayerStatus::Unknown => "unknown",
        }
    }

    /// Whether the transition from this status to another is allowed.
    pub fn leads_to(self, to: TaxpayerStatus) -> bool {
        use TaxpayerStatus::{Active, Deregistered, Onboarding, Reverification, Suspended};
        match (self, to) {
            (Onboarding, Active | Deregistered) => true,
            (Active, Suspended | Reverification | Deregistered) => true,
            (Suspended, Active | Reverification | Deregistered) => true,
            (Reverification, Active | Suspended | Deregistered) => true,
            (Onboarding | Active | Suspended | Reverification | Deregistered, _) => false,
            (TaxpayerStatus::Unknown, _) => false,
        }
    }

    /// Whether the people of the taxpayer may sign in (ASVS 5, 7.4.2). Suspended and deregistered taxpayers may not.
    pub fn may_sign_in(self) -> bool {
        matches!(
            self,
            TaxpayerStatus::Onboarding | TaxpayerStatus::Active | TaxpayerStatus::Reverification
        )
    }
}

/// The last confirmation of the national portal's data by the taxpayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// SHA-256 of the portal's data, in hex.
    pub digest: String,
    /// The time of the confirmation.
    pub at: Timestamp,
    /// Whether the taxpayer must confirm again before it becomes active, even with unchanged data.
    #[serde(default, skip_serializing_if = "is_false")]
    pub outdated: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A business registered for e-invoicing, in one mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taxpayer {
    /// Its identifier.
    pub taxpayer_id: TaxpayerId,
    /// Live or Sandbox.
    pub mode: Mode,
    /// Its identifier on the Peppol network, `0235:<TIN>`.
    pub participant_id: ParticipantId,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: TaxpayerStatus,
    /// The actor that suspended it, while it is suspended. The portal may end only a suspension by the portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_by: Option<Actor>,
    /// The registered profile: the JSON text of a `Profile`. It is the supplier of its invoices and the customer of
    /// its self-billed ones.
    pub profile: String,
    /// Its registered and verified e-mail address: the owner of the address may sign in for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<EmailAddress>,
    /// Its confirmation; `None` for a taxpayer that was not onboarded through the national portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmed>,
    /// The time of creation.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("transitions.md");

    /// The published table, as pairs of words.
    fn table() -> Vec<(String, String)> {
        let rows = TABLE.lines().skip(2).map(|row| {
            let cells: Vec<_> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
            (cells[1].clone(), cells[2].clone())
        });
        rows.collect()
    }

    #[test]
    fn of_all_pairs_of_statuses_those_of_the_table_lead_from_one_to_the_other() {
        let table = table();
        for from in TaxpayerStatus::ALL {
            for to in TaxpayerStatus::ALL {
                let listed = (from.as_str().to_owned(), to.as_str().to_owned());
                assert_eq!(from.leads_to(to), table.contains(&listed), "{listed:?}");
            }
            assert!(!from.leads_to(TaxpayerStatus::Unknown));
            assert!(!TaxpayerStatus::Unknown.leads_to(from));
        }
        let listed = TaxpayerStatus::ALL
            .iter()
            .flat_map(|from| TaxpayerStatus::ALL.iter().filter(|to| from.leads_to(**to)));
        // One more row is the start status.
        assert_eq!(table.len(), listed.count() + 1);
    }
}
