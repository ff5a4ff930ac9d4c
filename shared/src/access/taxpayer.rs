//! Who a taxpayer is, and how far it is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Actor;
use crate::types::{EmailAddress, Mode, ParticipantId, TaxpayerId};

/// How far a taxpayer is (specification 3.4). What leads from one status to another:
///
#[doc = include_str!("transitions.md")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaxpayerStatus {
    /// Onboarding is not complete.
    Onboarding,
    /// Onboarded and active.
    Active,
    /// It may not act for now. Earlier versions wrote `inactive`.
    #[serde(alias = "inactive")]
    Suspended,
    /// It must confirm its details again before it acts.
    Reverification,
    /// It is no business of the service any more, for good.
    Deregistered,
    /// A word of a newer version: not active here.
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

    /// The status as callers see it.
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

    /// Whether a taxpayer may go from this status to another.
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

    /// Whether its people may sign in (ASVS 5, 7.4.2): who is suspended or deregistered is shut out.
    pub fn may_sign_in(self) -> bool {
        matches!(
            self,
            TaxpayerStatus::Onboarding | TaxpayerStatus::Active | TaxpayerStatus::Reverification
        )
    }
}

/// What a taxpayer last confirmed of what the national portal has of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// SHA-256, in hex, of what the portal had.
    pub digest: String,
    /// When it confirmed that.
    pub at: Timestamp,
    /// Whether it must be confirmed again before the taxpayer is active, whatever the portal has.
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
    /// Its place on the Peppol network, `0235:<TIN>`.
    pub participant_id: ParticipantId,
    /// Its name.
    pub name: String,
    /// How far it is.
    pub status: TaxpayerStatus,
    /// Who suspended it, while it is: what the national portal suspended, the portal may end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_by: Option<Actor>,
    /// The registered profile: the JSON text of a `Profile`, the supplier of its invoices and
    /// the customer of its self-billed ones.
    pub profile: String,
    /// The e-mail address that it is registered with, once verified: who reads its mail may sign in for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<EmailAddress>,
    /// What it confirmed of itself; none of one that did not come by the national portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmed>,
    /// When the record was made.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = include_str!("transitions.md");

    /// The table that is published, as pairs of words.
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
        // And how one begins.
        assert_eq!(table.len(), listed.count() + 1);
    }
}
