//! Checks a registered profile as the supplier of future invoices.

use jiff::civil::Date;
use uuid::Uuid;

use super::{findings::Findings, issuance::Issuance, party, profile::Profile, roles};
use crate::{
    error::{Finding, Severity},
    types::ParticipantId,
};

/// Returns the errors for which the first invoice of this profile would be refused.
pub(crate) fn supplier_defects(profile: &Profile, participant: &ParticipantId) -> Vec<Finding> {
    let issuance = Issuance {
        taxpayer: profile,
        participant,
        today: Date::default(),
        uuid: Uuid::nil(),
        original: None,
    };
    let mut findings = Findings::default();
    party::supplier(&roles::registered(&issuance), &mut findings);
    findings.into_vec().into_iter().filter(|finding| finding.severity == Severity::Error).collect()
}
