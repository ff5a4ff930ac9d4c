//! A registered profile as the supplier of invoices that are yet to be sent.

use jiff::civil::Date;
use uuid::Uuid;

use super::{findings::Findings, issuance::Issuance, party, profile::Profile, roles};
use crate::{
    error::{Finding, Severity},
    types::ParticipantId,
};

/// What is wrong with a profile as the supplier of an invoice: what its first invoice would be refused for.
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
